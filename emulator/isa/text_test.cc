// The tables as text: the third way to read a meaning. It keeps the meanings independent of the interpreter's domain.
#include "emulator/isa/text.h"

#include <gtest/gtest.h>

#include <concepts>

#include "emulator/isa/matrix_types.h"
// After the domain:
#include "emulator/isa/operations.h"

namespace rocxla::emu {
namespace {

template <class O, size_t... I>
auto Print(std::index_sequence<I...>) {
  constexpr const char* kNames[] = {"a", "b", "c", "d"};
  return O::Eval(Text{kNames[I]}...);
}
std::string Join(const Text& t) { return t.s; }
std::string Join(std::same_as<bool> auto x) { return x ? "true" : "false"; }  // s_branch
template <class... T>
std::string Join(const std::tuple<T...>& results) {
  std::string all;
  std::apply([&](const auto&... r) { ((all += (all.empty() ? "" : "; ") + Join(r)), ...); }, results);
  return all;
}
template <class O>
std::string Meaning() {
  return Join(Print<O>(std::make_index_sequence<O::Sig::Sources::kSize>{}));
}

TEST(TextTest, ReadsLikeTheTable) {
  EXPECT_EQ(Meaning<op::v_add_f32>(), "(a + b)");
  EXPECT_EQ(Meaning<op::v_lshlrev_b32>(), "(b << (a & 31))");
  EXPECT_EQ(Meaning<op::v_fma_f32>(), "Fma(a, b, c)");
  EXPECT_EQ(Meaning<op::v_cndmask_b32>(), "(c ? b : a)");
  EXPECT_EQ(Meaning<op::s_add_u32>(), "(a + b); ((a + b) < a)");
}

TEST(TextTest, ScalarOperationsNameEveryResult) {
  EXPECT_EQ(Meaning<op::s_and_saveexec_b64>(), "b; (a & b); ((a & b) != 0)");
  EXPECT_EQ(Meaning<op::s_cselect_b32>(), "(c ? a : b)");
  EXPECT_EQ(Meaning<op::s_cbranch_scc0>(), "!a");
  EXPECT_EQ(Meaning<op::s_lshl2_add_u32>(), "u32(((u64(a) << 2) + u64(b))); ((((u64(a) << 2) + u64(b)) >> 32) != 0)");
}

TEST(TextTest, EveryLaneWiseAndScalarOperationPrints) {
  int printed = 0;
#define VECTOR(name, ...)                             \
  EXPECT_FALSE(Meaning<op::name>().empty()) << #name; \
  printed++;
#define SCALAR(name, ...) VECTOR(name)
#define BRANCH(name, ...) VECTOR(name)
#define JUMP(...)
#define CONTROL(...)
#include "emulator/isa/compare.def"
#include "emulator/isa/salu.def"
#include "emulator/isa/valu_convert.def"
#include "emulator/isa/valu_dot.def"
#include "emulator/isa/valu_f16.def"
#include "emulator/isa/valu_f32.def"
#include "emulator/isa/valu_f64.def"
#include "emulator/isa/valu_int.def"
#include "emulator/isa/valu_narrow.def"

#include "emulator/isa/undef.def"
  EXPECT_GT(printed, 600);
}

}  // namespace
}  // namespace rocxla::emu
