// Witnesses for the scalar unit and branches.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "base/numerics/half.h"
#include "emulator/testing/edge_values.h"
#include "emulator/testing/instruction_harness.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"

namespace rocxla::emu {
namespace {

float Float(u32 x) { return std::bit_cast<float>(x); }

// --- scalar unit: s4 = f(s0, s1), or pairs; SCC where it is defined (-1: not checked)

struct ScalarResult {
  u64 value;
  int scc;
};
struct ScalarCase {
  std::string text;  // alternatives by '|'
  bool wide;
  std::function<ScalarResult(u64 a, u64 b, bool scc)> formula;
};
void PrintTo(const ScalarCase& c, std::ostream* os) { *os << c.text; }

u64 Bit(u64 a, u64 at) { return a >> at & 1; }
std::vector<ScalarCase> MoreScalarCases() {
  auto w = [](u64 x) { return u64{static_cast<u32>(x)}; };
  auto s = [](u64 x) { return i64{static_cast<i32>(static_cast<u32>(x))}; };
  // 32 bits of a result, of 64-bit sources.
  auto narrow = [](std::string text) { return "s_mov_b32 s5, 0\n " + text; };
  return {
      {"s_mov_b32 s4, s1\n s_cmov_b32 s4, s0", false, [](u64 a, u64 b, bool c) { return ScalarResult{c ? a : b, -1}; }},
      {"s_mov_b64 s[4:5], s[2:3]\n s_cmov_b64 s[4:5], s[0:1]", true,
       [](u64 a, u64 b, bool c) { return ScalarResult{c ? a : b, -1}; }},
      {"s_add_nc_u64 s[4:5], s[0:1], s[2:3]", true, [](u64 a, u64 b, bool) { return ScalarResult{a + b, -1}; }},
      {"s_sub_nc_u64 s[4:5], s[0:1], s[2:3]", true, [](u64 a, u64 b, bool) { return ScalarResult{a - b, -1}; }},
      {"s_mul_u64 s[4:5], s[0:1], s[2:3]", true, [](u64 a, u64 b, bool) { return ScalarResult{a * b, -1}; }},
      {"s_absdiff_i32 s4, s0, s1", false,
       [=](u64 a, u64 b, bool) { return ScalarResult{w(u64(std::abs(s(a) - s(b)))), w(a) != w(b)}; }},
      {"s_lshl1_add_u32 s4, s0, s1", false,
       [w](u64 a, u64 b, bool) { return ScalarResult{w(2 * a + b), 2 * a + b > 0xffffffff}; }},
      {"s_lshl3_add_u32 s4, s0, s1", false,
       [w](u64 a, u64 b, bool) { return ScalarResult{w(8 * a + b), 8 * a + b > 0xffffffff}; }},
      {"s_lshl4_add_u32 s4, s0, s1", false,
       [w](u64 a, u64 b, bool) { return ScalarResult{w(16 * a + b), 16 * a + b > 0xffffffff}; }},
      {"s_andn2_b32 s4, s0, s1|s_and_not1_b32 s4, s0, s1", false,
       [w](u64 a, u64 b, bool) { return ScalarResult{w(a & ~b), w(a & ~b) != 0}; }},
      {"s_andn2_b64 s[4:5], s[0:1], s[2:3]|s_and_not1_b64 s[4:5], s[0:1], s[2:3]", true,
       [](u64 a, u64 b, bool) { return ScalarResult{a & ~b, (a & ~b) != 0}; }},
      {"s_orn2_b32 s4, s0, s1|s_or_not1_b32 s4, s0, s1", false,
       [w](u64 a, u64 b, bool) { return ScalarResult{w(a | ~b), w(a | ~b) != 0}; }},
      {"s_orn2_b64 s[4:5], s[0:1], s[2:3]|s_or_not1_b64 s[4:5], s[0:1], s[2:3]", true,
       [](u64 a, u64 b, bool) { return ScalarResult{a | ~b, (a | ~b) != 0}; }},
      {"s_bfe_u64 s[4:5], s[0:1], 0x280005", true,
       [](u64 a, u64, bool) { return ScalarResult{a << 19 >> 24, a << 19 >> 24 != 0}; }},
      {"s_bfe_i64 s[4:5], s[0:1], 0x280005", true,
       [](u64 a, u64, bool) { return ScalarResult{u64(i64(a << 19) >> 24), a << 19 >> 24 != 0}; }},
      {"s_bfm_b64 s[4:5], s0, s2", true,
       [](u64 a, u64 b, bool) { return ScalarResult{((u64{1} << a % 64) - 1) << b % 64, -1}; }},
      {"s_brev_b64 s[4:5], s[0:1]", true, [](u64 a, u64, bool) { return ScalarResult{__builtin_bitreverse64(a), -1}; }},
      {"s_bcnt0_i32_b32 s4, s0", false,
       [w](u64 a, u64, bool) { return ScalarResult{u64(32 - __builtin_popcountll(a)), w(a) != 0xffffffff}; }},
      {narrow("s_bcnt0_i32_b64 s4, s[0:1]"), true,
       [](u64 a, u64, bool) { return ScalarResult{u64(64 - __builtin_popcountll(a)), ~a != 0}; }},
      {narrow("s_bcnt1_i32_b64 s4, s[0:1]"), true,
       [](u64 a, u64, bool) { return ScalarResult{u64(__builtin_popcountll(a)), a != 0}; }},
      {narrow("s_ff1_i32_b64 s4, s[0:1]") + "|" + narrow("s_ctz_i32_b64 s4, s[0:1]"), true,
       [](u64 a, u64, bool) { return ScalarResult{a == 0 ? 0xffffffff : u64(__builtin_ctzll(a)), -1}; }},
      {"s_ff0_i32_b32 s4, s0", false,
       [w](u64 a, u64, bool) { return ScalarResult{w(~a) == 0 ? 0xffffffff : u64(__builtin_ctzll(~a)), -1}; }},
      {narrow("s_ff0_i32_b64 s4, s[0:1]"), true,
       [](u64 a, u64, bool) { return ScalarResult{~a == 0 ? 0xffffffff : u64(__builtin_ctzll(~a)), -1}; }},
      {narrow("s_flbit_i32_b64 s4, s[0:1]") + "|" + narrow("s_clz_i32_u64 s4, s[0:1]"), true,
       [](u64 a, u64, bool) { return ScalarResult{a == 0 ? 0xffffffff : u64(__builtin_clzll(a)), -1}; }},
      {"s_flbit_i32 s4, s0|s_cls_i32 s4, s0", false,
       [](u64 a, u64, bool) {
         for (u64 i = 1; i < 32; i++) {
           if (Bit(a, 31 - i) != Bit(a, 31)) return ScalarResult{i, -1};
         }
         return ScalarResult{0xffffffff, -1};
       }},
      {narrow("s_flbit_i32_i64 s4, s[0:1]") + "|" + narrow("s_cls_i32_i64 s4, s[0:1]"), true,
       [](u64 a, u64, bool) {
         for (u64 i = 1; i < 64; i++) {
           if (Bit(a, 63 - i) != Bit(a, 63)) return ScalarResult{i, -1};
         }
         return ScalarResult{0xffffffff, -1};
       }},
      {"s_bitset0_b64 s[0:1], s2\n s_mov_b64 s[4:5], s[0:1]", true,
       [](u64 a, u64 b, bool) { return ScalarResult{a & ~(u64{1} << b % 64), -1}; }},
      {"s_bitset1_b64 s[0:1], s2\n s_mov_b64 s[4:5], s[0:1]", true,
       [](u64 a, u64 b, bool) { return ScalarResult{a | u64{1} << b % 64, -1}; }},
      {"s_mov_b32 s4, 0\n s_bitcmp0_b32 s0, s1", false,
       [](u64 a, u64 b, bool) { return ScalarResult{0, Bit(a, b % 32) == 0}; }},
      {"s_mov_b32 s4, 0\n s_bitcmp1_b32 s0, s1", false,
       [](u64 a, u64 b, bool) { return ScalarResult{0, Bit(a, b % 32) != 0}; }},
      {"s_mov_b64 s[4:5], 0\n s_bitcmp0_b64 s[0:1], s2", true,
       [](u64 a, u64 b, bool) { return ScalarResult{0, Bit(a, b % 64) == 0}; }},
      {"s_mov_b64 s[4:5], 0\n s_bitcmp1_b64 s[0:1], s2", true,
       [](u64 a, u64 b, bool) { return ScalarResult{0, Bit(a, b % 64) != 0}; }},
      {"s_pack_lh_b32_b16 s4, s0, s1", false,
       [](u64 a, u64 b, bool) { return ScalarResult{(a & 0xffff) | (b & 0xffff0000), -1}; }},
      {"s_pack_hl_b32_b16 s4, s0, s1", false,
       [w](u64 a, u64 b, bool) { return ScalarResult{w(a >> 16 | b << 16), -1}; }},
      {"s_mov_b64 s[4:5], 0\n s_cmp_eq_u64 s[0:1], s[2:3]", true,
       [](u64 a, u64 b, bool) { return ScalarResult{0, a == b}; }},
      {"s_mov_b64 s[4:5], 0\n s_cmp_lg_u64 s[0:1], s[2:3]", true,
       [](u64 a, u64 b, bool) { return ScalarResult{0, a != b}; }},
      {"s_wqm_b32 s4, s0", false,
       [](u64 a, u64, bool) {
         u64 r = 0;
         for (int i = 0; i < 32; i++) r |= u64{(a >> (i & ~3) & 15) != 0} << i;
         return ScalarResult{r, r != 0};
       }},
      {"s_wqm_b64 s[4:5], s[0:1]", true,
       [](u64 a, u64, bool) {
         u64 r = 0;
         for (int i = 0; i < 64; i++) r |= u64{(a >> (i & ~3) & 15) != 0} << i;
         return ScalarResult{r, r != 0};
       }},
      {"s_quadmask_b32 s4, s0", false,
       [](u64 a, u64, bool) {
         u64 r = 0;
         for (int i = 0; i < 32; i++) r |= Bit(a, i) << (i / 4);
         return ScalarResult{r, r != 0};
       }},
      {"s_quadmask_b64 s[4:5], s[0:1]", true,
       [](u64 a, u64, bool) {
         u64 r = 0;
         for (int i = 0; i < 64; i++) r |= Bit(a, i) << (i / 4);
         return ScalarResult{r, r != 0};
       }},
      {"s_bitreplicate_b64_b32 s[4:5], s0", true,
       [](u64 a, u64, bool) {
         u64 r = 0;
         for (int i = 0; i < 64; i++) r |= Bit(a, i / 2) << i;
         return ScalarResult{r, -1};
       }},
  };
}

std::vector<ScalarCase> ScalarCases() {
  auto w = [](u64 x) { return u64{static_cast<u32>(x)}; };
  auto s = [](u64 x) { return i64{static_cast<i32>(static_cast<u32>(x))}; };
  auto logic = [&](std::string name, auto f) {
    return std::vector<ScalarCase>{{name + "_b32 s4, s0, s1", false,
                                    [f, w](u64 a, u64 b, bool) { return ScalarResult{w(f(a, b)), w(f(a, b)) != 0}; }},
                                   {name + "_b64 s[4:5], s[0:1], s[2:3]", true,
                                    [f](u64 a, u64 b, bool) { return ScalarResult{f(a, b), f(a, b) != 0}; }}};
  };
  std::vector<ScalarCase> cases = {
      {"s_add_u32 s4, s0, s1", false, [w](u64 a, u64 b, bool) { return ScalarResult{w(a + b), a + b > 0xffffffff}; }},
      {"s_sub_u32 s4, s0, s1", false, [w](u64 a, u64 b, bool) { return ScalarResult{w(a - b), b > a}; }},
      {"s_addc_u32 s4, s0, s1", false,
       [w](u64 a, u64 b, bool c) { return ScalarResult{w(a + b + c), a + b + c > 0xffffffff}; }},
      {"s_subb_u32 s4, s0, s1", false, [w](u64 a, u64 b, bool c) { return ScalarResult{w(a - b - c), b + c > a}; }},
      {"s_add_i32 s4, s0, s1", false,
       [=](u64 a, u64 b, bool) { return ScalarResult{w(a + b), s(a) + s(b) != s(w(a + b))}; }},
      {"s_sub_i32 s4, s0, s1", false,
       [=](u64 a, u64 b, bool) { return ScalarResult{w(a - b), s(a) - s(b) != s(w(a - b))}; }},
      {"s_mul_i32 s4, s0, s1", false, [w](u64 a, u64 b, bool) { return ScalarResult{w(a * b), -1}; }},
      {"s_mul_hi_u32 s4, s0, s1", false, [](u64 a, u64 b, bool) { return ScalarResult{a * b >> 32, -1}; }},
      {"s_mul_hi_i32 s4, s0, s1", false, [=](u64 a, u64 b, bool) { return ScalarResult{w(s(a) * s(b) >> 32), -1}; }},
      {"s_min_i32 s4, s0, s1", false,
       [=](u64 a, u64 b, bool) { return ScalarResult{s(a) < s(b) ? a : b, s(a) < s(b)}; }},
      {"s_max_i32 s4, s0, s1", false,
       [=](u64 a, u64 b, bool) { return ScalarResult{s(a) > s(b) ? a : b, s(a) > s(b)}; }},
      {"s_min_u32 s4, s0, s1", false, [](u64 a, u64 b, bool) { return ScalarResult{std::min(a, b), a < b}; }},
      {"s_max_u32 s4, s0, s1", false, [](u64 a, u64 b, bool) { return ScalarResult{std::max(a, b), a > b}; }},
      {"s_lshl_b32 s4, s0, s1", false,
       [w](u64 a, u64 b, bool) { return ScalarResult{w(a << b % 32), w(a << b % 32) != 0}; }},
      {"s_lshr_b32 s4, s0, s1", false, [](u64 a, u64 b, bool) { return ScalarResult{a >> b % 32, a >> b % 32 != 0}; }},
      {"s_ashr_i32 s4, s0, s1", false,
       [=](u64 a, u64 b, bool) { return ScalarResult{w(s(a) >> b % 32), w(s(a) >> b % 32) != 0}; }},
      {"s_lshl_b64 s[4:5], s[0:1], s2", true,
       [](u64 a, u64 b, bool) { return ScalarResult{a << b % 64, a << b % 64 != 0}; }},
      {"s_lshr_b64 s[4:5], s[0:1], s2", true,
       [](u64 a, u64 b, bool) { return ScalarResult{a >> b % 64, a >> b % 64 != 0}; }},
      {"s_ashr_i64 s[4:5], s[0:1], s2", true,
       [](u64 a, u64 b, bool) { return ScalarResult{u64(i64(a) >> b % 64), i64(a) >> b % 64 != 0}; }},
      {"s_cselect_b32 s4, s0, s1", false, [](u64 a, u64 b, bool c) { return ScalarResult{c ? a : b, -1}; }},
      {"s_cselect_b64 s[4:5], s[0:1], s[2:3]", true, [](u64 a, u64 b, bool c) { return ScalarResult{c ? a : b, -1}; }},
      {"s_bfe_u32 s4, s0, 0x70003", false,
       [](u64 a, u64, bool) { return ScalarResult{a >> 3 & 127, (a >> 3 & 127) != 0}; }},
      {"s_bfe_i32 s4, s0, 0x80008", false,
       [w](u64 a, u64, bool) { return ScalarResult{w(i64{static_cast<i8>(a >> 8)}), static_cast<i8>(a >> 8) != 0}; }},
      {"s_brev_b32 s4, s0", false, [](u64 a, u64, bool) { return ScalarResult{__builtin_bitreverse32(a), -1}; }},
      {"s_not_b32 s4, s0", false, [w](u64 a, u64, bool) { return ScalarResult{w(~a), w(~a) != 0}; }},
      {"s_not_b64 s[4:5], s[0:1]", true, [](u64 a, u64, bool) { return ScalarResult{~a, ~a != 0}; }},
      {"s_bcnt1_i32_b32 s4, s0", false,
       [](u64 a, u64, bool) { return ScalarResult{u64(__builtin_popcountll(a)), a != 0}; }},
      {"s_ff1_i32_b32 s4, s0|s_ctz_i32_b32 s4, s0", false,
       [](u64 a, u64, bool) { return ScalarResult{a == 0 ? 0xffffffff : u64(__builtin_ctzll(a)), -1}; }},
      {"s_flbit_i32_b32 s4, s0|s_clz_i32_u32 s4, s0", false,
       [](u64 a, u64, bool) { return ScalarResult{a == 0 ? 0xffffffff : u64(__builtin_clzll(a) - 32), -1}; }},
      {"s_abs_i32 s4, s0", false, [=](u64 a, u64, bool) { return ScalarResult{w(u64(std::abs(s(a)))), a != 0}; }},
      {"s_sext_i32_i8 s4, s0", false, [w](u64 a, u64, bool) { return ScalarResult{w(i64{static_cast<i8>(a)}), -1}; }},
      {"s_sext_i32_i16 s4, s0", false, [w](u64 a, u64, bool) { return ScalarResult{w(i64{static_cast<i16>(a)}), -1}; }},
      {"s_pack_ll_b32_b16 s4, s0, s1", false,
       [](u64 a, u64 b, bool) { return ScalarResult{(a & 0xffff) | (b & 0xffff) << 16, -1}; }},
      {"s_pack_hh_b32_b16 s4, s0, s1", false,
       [](u64 a, u64 b, bool) { return ScalarResult{a >> 16 | (b >> 16) << 16, -1}; }},
      {"s_lshl2_add_u32 s4, s0, s1", false,
       [w](u64 a, u64 b, bool) { return ScalarResult{w((a << 2) + b), (a << 2) + b > 0xffffffff}; }},
      {"s_bfm_b32 s4, s0, s1", false,
       [w](u64 a, u64 b, bool) { return ScalarResult{w(((u64{1} << a % 32) - 1) << b % 32), -1}; }},
      {"s_bitset1_b32 s0, s1\n s_mov_b32 s4, s0", false,
       [](u64 a, u64 b, bool) { return ScalarResult{a | u64{1} << b % 32, -1}; }},
      {"s_bitset0_b32 s0, s1\n s_mov_b32 s4, s0", false,
       [](u64 a, u64 b, bool) { return ScalarResult{a & ~(u64{1} << b % 32), -1}; }},
      {"s_mov_b32 s4, s0\n s_addk_i32 s4, 0x8001", false,
       [=](u64 a, u64, bool) { return ScalarResult{w(a - 32767), s(a) - 32767 != s(w(a - 32767))}; }},
      {"s_mov_b32 s4, s0\n s_mulk_i32 s4, 0xfffd", false,
       [w](u64 a, u64, bool) { return ScalarResult{w(a * u64(-3)), -1}; }},
      {"s_movk_i32 s4, 0x8000", false, [](u64, u64, bool) { return ScalarResult{0xffff8000, -1}; }},
  };
  std::vector<ScalarCase> more = MoreScalarCases();
  cases.insert(cases.end(), more.begin(), more.end());
  for (auto& group :
       {logic("s_and", [](u64 a, u64 b) { return a & b; }), logic("s_or", [](u64 a, u64 b) { return a | b; }),
        logic("s_xor", [](u64 a, u64 b) { return a ^ b; }), logic("s_nand", [](u64 a, u64 b) { return ~(a & b); }),
        logic("s_nor", [](u64 a, u64 b) { return ~(a | b); }),
        logic("s_xnor", [](u64 a, u64 b) { return ~(a ^ b); })}) {
    cases.insert(cases.end(), group.begin(), group.end());
  }
  for (auto [name, f] :
       std::initializer_list<std::pair<std::string, std::function<bool(i64, i64)>>>{{"lt", std::less<i64>()},
                                                                                    {"le", std::less_equal<i64>()},
                                                                                    {"gt", std::greater<i64>()},
                                                                                    {"ge", std::greater_equal<i64>()},
                                                                                    {"eq", std::equal_to<i64>()},
                                                                                    {"lg", std::not_equal_to<i64>()}}) {
    cases.push_back({"s_mov_b32 s4, 0\n s_cmp_" + name + "_i32 s0, s1", false,
                     [f, s](u64 a, u64 b, bool) { return ScalarResult{0, f(s(a), s(b))}; }});
    cases.push_back({"s_mov_b32 s4, 0\n s_cmp_" + name + "_u32 s0, s1", false,
                     [f](u64 a, u64 b, bool) { return ScalarResult{0, f(i64(a), i64(b))}; }});
  }
  return cases;
}

class ScalarTest : public testing::TestWithParam<ScalarCase> {};
TEST_P(ScalarTest, EqualsTheFormula) {
  const ScalarCase& c = GetParam();
  int targets = 0;
  for (const char* target : {"gfx942", "gfx1100", "gfx1201"}) {
    InstructionHarness h(target);
    size_t bar = c.text.find('|');
    std::string text = c.text.substr(0, bar);
    if (!h.Accepts(text) && bar != std::string::npos) text = c.text.substr(bar + 1);
    if (!h.Accepts(text)) continue;
    targets++;
    RandomBits random(1);
    for (int round = 0; round < 60; round++) {
      u64 a = c.wide ? random.EdgePair() : random.EdgeWord(), b = c.wide ? random.EdgePair() : random.EdgeWord();
      bool scc = random.Next() % 2 != 0;
      h.set_pair(0, c.wide ? a : b << 32 | a);
      h.set_pair(2, b);
      h.wave().scalar[kScc] = scc;
      Status status = h.Run(text);
      ASSERT_TRUE(status.ok()) << status.ToString();
      ScalarResult want = c.formula(a, b, scc);
      EXPECT_EQ(c.wide ? h.pair(4) : h.scalar(4), want.value) << std::hex << text << " of " << a << ", " << b;
      if (want.scc >= 0)
        EXPECT_EQ(h.scalar(kScc), u32(want.scc)) << std::hex << "SCC of " << text << " of " << a << ", " << b;
    }
  }
  EXPECT_GT(targets, 0) << "no target knows " << c.text;
}
INSTANTIATE_TEST_SUITE_P(Salu, ScalarTest, testing::ValuesIn(ScalarCases()));

// EXEC becomes a combination of itself and a source; the old one is saved (saveexec), or the new one too (wrexec).
TEST(SaveExecTest, SavesAndCombines) {
  struct Combination {
    std::string gfx9, later;
    std::function<u64(u64 a, u64 exec)> formula;
  };
  const Combination kAll[] = {{"and", "and", [](u64 a, u64 e) { return a & e; }},
                              {"or", "or", [](u64 a, u64 e) { return a | e; }},
                              {"xor", "xor", [](u64 a, u64 e) { return a ^ e; }},
                              {"nand", "nand", [](u64 a, u64 e) { return ~(a & e); }},
                              {"nor", "nor", [](u64 a, u64 e) { return ~(a | e); }},
                              {"xnor", "xnor", [](u64 a, u64 e) { return ~(a ^ e); }},
                              {"andn2", "and_not1", [](u64 a, u64 e) { return a & ~e; }},
                              {"orn2", "or_not1", [](u64 a, u64 e) { return a | ~e; }},
                              {"andn1", "and_not0", [](u64 a, u64 e) { return ~a & e; }},
                              {"orn1", "or_not0", [](u64 a, u64 e) { return ~a | e; }}};
  RandomBits random(9);
  for (const char* target : {"gfx942", "gfx1100"}) {
    for (const Combination& c : kAll) {
      for (std::string kind : {"saveexec", "wrexec"}) {
        for (int round = 0; round < 4; round++) {
          InstructionHarness h(target);
          bool wide = h.lanes() == 64, writes = kind == "wrexec";
          if (writes && !c.gfx9.starts_with("andn")) continue;
          u64 mask = wide ? ~u64{0} : 0xffffffffu, exec = random.Next() & mask, a = random.Next() & mask;
          if (round == 3) a = c.gfx9 == "and" || c.gfx9 == "andn2" ? 0 : exec;
          h.set_pair(kExec, exec);
          h.set_pair(0, a);
          std::string text =
              fmt::format("s_{}_{}_{}", wide ? c.gfx9 : c.later, kind, wide ? "b64 s[4:5], s[0:1]" : "b32 s4, s0");
          ASSERT_TRUE(h.Run(text).ok()) << h.Run(text).ToString();
          u64 want = c.formula(a, exec) & mask;
          EXPECT_EQ(h.wave().Mask(kExec), want) << text;
          EXPECT_EQ(h.pair(4) & mask, writes ? want : exec) << text;
          EXPECT_EQ(h.scalar(kScc), u32{want != 0}) << text;
        }
      }
    }
  }
}

// --- scalar floats of gfx12

u32 Half(float x) { return F32ToF16(x); }
float OfHalf(u32 x) { return F16ToF32(static_cast<u16>(x)); }
struct FloatCase {
  std::string name;
  std::function<float(float a, float b, float c)> formula;
  int operands = 2;
};
std::vector<FloatCase> FloatCases() {
  return {{"add", [](float a, float b, float) { return a + b; }},
          {"sub", [](float a, float b, float) { return a - b; }},
          {"mul", [](float a, float b, float) { return a * b; }},
          {"min_num", [](float a, float b, float) { return std::fmin(a, b); }},
          {"max_num", [](float a, float b, float) { return std::fmax(a, b); }},
          {"minimum", [](float a, float b, float) { return std::isnan(a) || std::isnan(b) ? NAN : std::fmin(a, b); }},
          {"maximum", [](float a, float b, float) { return std::isnan(a) || std::isnan(b) ? NAN : std::fmax(a, b); }},
          {"floor", [](float a, float, float) { return std::floor(a); }, 1},
          {"ceil", [](float a, float, float) { return std::ceil(a); }, 1},
          {"trunc", [](float a, float, float) { return std::trunc(a); }, 1},
          {"rndne", [](float a, float, float) { return std::nearbyint(a); }, 1}};
}
bool SameFloat(float got, float want) { return got == want || (std::isnan(got) && std::isnan(want)); }

TEST(ScalarFloatTest, Arithmetic) {
  RandomBits random(11);
  InstructionHarness h("gfx1201");
  for (const FloatCase& c : FloatCases()) {
    for (int round = 0; round < 60; round++) {
      u32 a = random.EdgeWord(), b = random.EdgeWord();
      h.set_pair(0, u64{b} << 32 | a);
      std::string operands = c.operands == 1 ? "s0" : "s0, s1";
      ASSERT_TRUE(h.Run(fmt::format("s_{}_f32 s4, {}\n s_{}_f16 s5, {}", c.name, operands, c.name, operands)).ok());
      float want = c.formula(Float(a), Float(b), 0);
      bool minimum_of_nan = c.name.find("num") != c.name.npos && (std::isnan(Float(a)) || std::isnan(Float(b)));
      if (!minimum_of_nan) EXPECT_TRUE(SameFloat(Float(h.scalar(4)), want)) << c.name << std::hex << a << " " << b;
      // f32 is wide enough that rounding twice gives the same.
      float narrow = OfHalf(Half(c.formula(OfHalf(a), OfHalf(b), 0)));
      minimum_of_nan = c.name.find("num") != c.name.npos && (std::isnan(OfHalf(a)) || std::isnan(OfHalf(b)));
      if (!minimum_of_nan) EXPECT_TRUE(SameFloat(OfHalf(h.scalar(5)), narrow)) << c.name << std::hex << a << " " << b;
      EXPECT_EQ(h.scalar(5) >> 16, 0u) << c.name;
    }
  }
}
TEST(ScalarFloatTest, FusedAndConverted) {
  RandomBits random(12);
  InstructionHarness h("gfx1201");
  for (int round = 0; round < 100; round++) {
    u32 a = random.EdgeWord(), b = random.EdgeWord(), c = random.EdgeWord();
    h.set_pair(0, u64{b} << 32 | a);
    h.wave().scalar[4] = h.wave().scalar[8] = c;
    ASSERT_TRUE(
        h.Run("s_fmac_f32 s4, s0, s1\n s_fmamk_f32 s5, s0, 0x40490fdb, s1\n s_fmaak_f32 s6, s0, s1, 0x40490fdb\n"
              "s_fmac_f16 s8, s0, s1\n s_cvt_f32_i32 s9, s0\n s_cvt_f32_u32 s10, s0\n s_cvt_i32_f32 s11, s0\n"
              "s_cvt_u32_f32 s12, s0\n s_cvt_f16_f32 s13, s0\n s_cvt_f32_f16 s14, s0\n"
              "s_cvt_hi_f32_f16 s15, s0\n s_cvt_pk_rtz_f16_f32 s16, s0, s1")
            .ok());
    float x = Float(a), y = Float(b), z = Float(c), pi = Float(0x40490fdb);
    EXPECT_TRUE(SameFloat(Float(h.scalar(4)), std::fma(x, y, z)));
    EXPECT_TRUE(SameFloat(Float(h.scalar(5)), std::fma(x, pi, y)));
    EXPECT_TRUE(SameFloat(Float(h.scalar(6)), std::fma(x, y, pi)));
    // The product of halves is exact in double; the sum rounds to double and then, harmlessly, to f16 by way of
    // APFloat.
    llvm::APFloat sum(double{OfHalf(a)} * double{OfHalf(b)} + double{OfHalf(c)});
    bool inexact;
    sum.convert(llvm::APFloat::IEEEhalf(), llvm::APFloat::rmNearestTiesToEven, &inexact);
    EXPECT_TRUE(SameFloat(OfHalf(h.scalar(8)), OfHalf(static_cast<u32>(sum.bitcastToAPInt().getZExtValue()))));
    EXPECT_EQ(Float(h.scalar(9)), static_cast<float>(static_cast<i32>(a)));
    EXPECT_EQ(Float(h.scalar(10)), static_cast<float>(a));
    double low = std::isnan(x) ? 0 : std::clamp(std::trunc(double{x}), -2147483648.0, 2147483647.0);
    EXPECT_EQ(h.scalar(11), static_cast<u32>(static_cast<i32>(low)));
    double unsigned_low = std::isnan(x) ? 0 : std::clamp(std::trunc(double{x}), 0.0, 4294967295.0);
    EXPECT_EQ(h.scalar(12), static_cast<u32>(unsigned_low));
    EXPECT_TRUE(SameFloat(OfHalf(h.scalar(13)), OfHalf(Half(x))));
    EXPECT_TRUE(SameFloat(Float(h.scalar(14)), OfHalf(a)));
    EXPECT_TRUE(SameFloat(Float(h.scalar(15)), OfHalf(a >> 16)));
    llvm::APFloat cut(x);
    cut.convert(llvm::APFloat::IEEEhalf(), llvm::APFloat::rmTowardZero, &inexact);
    EXPECT_TRUE(SameFloat(OfHalf(h.scalar(16)), OfHalf(static_cast<u32>(cut.bitcastToAPInt().getZExtValue()))));
  }
}
TEST(ScalarFloatTest, Comparisons) {
  const std::pair<std::string, std::function<bool(float, float)>> kConditions[] = {
      {"lt", [](float a, float b) { return a < b; }},
      {"eq", [](float a, float b) { return a == b; }},
      {"le", [](float a, float b) { return a <= b; }},
      {"gt", [](float a, float b) { return a > b; }},
      {"lg", [](float a, float b) { return a < b || a > b; }},
      {"ge", [](float a, float b) { return a >= b; }},
      {"o", [](float a, float b) { return !std::isnan(a) && !std::isnan(b); }},
      {"u", [](float a, float b) { return std::isnan(a) || std::isnan(b); }},
      {"nge", [](float a, float b) { return !(a >= b); }},
      {"nlg", [](float a, float b) { return !(a < b || a > b); }},
      {"ngt", [](float a, float b) { return !(a > b); }},
      {"nle", [](float a, float b) { return !(a <= b); }},
      {"neq", [](float a, float b) { return !(a == b); }},
      {"nlt", [](float a, float b) { return !(a < b); }}};
  RandomBits random(13);
  InstructionHarness h("gfx1201");
  for (const auto& [name, holds] : kConditions) {
    for (int round = 0; round < 40; round++) {
      u32 a = random.EdgeWord(), b = round % 4 == 0 ? a : random.EdgeWord();
      h.set_pair(0, u64{b} << 32 | a);
      ASSERT_TRUE(h.Run(fmt::format("s_cmp_{}_f32 s0, s1", name)).ok());
      EXPECT_EQ(h.scalar(kScc), u32{holds(Float(a), Float(b))}) << name << std::hex << a << " " << b;
      ASSERT_TRUE(h.Run(fmt::format("s_cmp_{}_f16 s0, s1", name)).ok());
      EXPECT_EQ(h.scalar(kScc), u32{holds(OfHalf(a), OfHalf(b))}) << name << "_f16" << std::hex << a << " " << b;
    }
  }
}
// v_s_...: functions of the vector unit on scalars. EXEC does not matter; modifiers act as on lanes.
TEST(ScalarFloatTest, Transcendental) {
  const std::pair<std::string, std::function<long double(long double)>> kFunctions[] = {
      {"exp", [](long double x) { return std::exp2(x); }},
      {"log", [](long double x) { return std::log2(x); }},
      {"rcp", [](long double x) { return 1 / x; }},
      {"rsq", [](long double x) { return 1 / std::sqrt(x); }},
      {"sqrt", [](long double x) { return std::sqrt(x); }}};
  RandomBits random(14);
  InstructionHarness h("gfx1201");
  h.set_pair(kExec, 0);
  for (const auto& [name, f] : kFunctions) {
    for (int round = 0; round < 80; round++) {
      u32 a = random.EdgeWord();
      h.wave().scalar[0] = a;
      ASSERT_TRUE(h.Run(fmt::format("v_s_{0}_f32 s4, s0\n v_s_{0}_f32 s5, -|s0|\n v_s_{0}_f32 s6, |s0| clamp\n"
                                    "v_s_{0}_f16 s7, s0\n v_s_{0}_f16 s8, -|s0|\n v_s_{0}_f16 s9, |s0| clamp",
                                    name))
                      .ok());
      auto round32 = [&](float x) { return static_cast<float>(f(x)); };
      auto clamped = [](float x) { return !(x > 0) ? 0.0f : std::min(x, 1.0f); };
      float x = Float(a), hx = OfHalf(a);
      EXPECT_TRUE(SameFloat(Float(h.scalar(4)), round32(x))) << name << std::hex << a;
      EXPECT_TRUE(SameFloat(Float(h.scalar(5)), round32(-std::fabs(x)))) << name << std::hex << a;
      EXPECT_TRUE(SameFloat(Float(h.scalar(6)), clamped(round32(std::fabs(x))))) << name << std::hex << a;
      EXPECT_TRUE(SameFloat(OfHalf(h.scalar(7)), OfHalf(Half(round32(hx))))) << name << "_f16" << std::hex << a;
      EXPECT_TRUE(SameFloat(OfHalf(h.scalar(8)), OfHalf(Half(round32(-std::fabs(hx)))))) << name << std::hex << a;
      EXPECT_TRUE(SameFloat(OfHalf(h.scalar(9)), clamped(OfHalf(Half(round32(std::fabs(hx)))))))
          << name << std::hex << a;
      EXPECT_EQ(h.scalar(7) >> 16, 0u);
    }
  }
}

// --- control flow

TEST(BranchTest, EachConditionBothWays) {
  struct Condition {
    std::string name;
    int scalar;
    u64 taken, not_taken;
  };
  const Condition kConditions[] = {{"scc0", kScc, 0, 1},    {"scc1", kScc, 1, 0}, {"execz", kExec, 0, 4},
                                   {"execnz", kExec, 4, 0}, {"vccz", kVcc, 0, 4}, {"vccnz", kVcc, 4, 0}};
  for (const Condition& c : kConditions) {
    for (bool taken : {false, true}) {
      InstructionHarness h("gfx942");
      h.set_pair(c.scalar, taken ? c.taken : c.not_taken);
      ASSERT_TRUE(h.Run("s_movk_i32 s4, 1\n s_cbranch_" + c.name + " skip\n s_movk_i32 s4, 2\nskip:\n s_nop 0").ok());
      EXPECT_EQ(h.scalar(4), taken ? 1u : 2u) << c.name;
    }
  }
  InstructionHarness h("gfx942");
  ASSERT_TRUE(h.Run("s_branch over\n s_movk_i32 s4, 2\nover:\n s_barrier").ok());
  EXPECT_EQ(h.scalar(4), 0u);
}
TEST(BranchTest, SplitBarriersOfOneWave) {
  InstructionHarness h("gfx1201");
  EXPECT_TRUE(h.Run("s_barrier_signal -1\n s_barrier_wait -1").ok());
  // A wave alone has no barrier: nobody is first, and there is no state.
  for (u32 scc : {0u, 1u}) {
    std::string set_scc = fmt::format("s_cmp_eq_u32 {}, 1\n", scc);
    ASSERT_TRUE(h.Run(set_scc + "s_movk_i32 s4, 7\n s_barrier_signal_isfirst -1\n s_cselect_b32 s5, 1, 0\n"
                                "s_barrier_wait -1\n s_get_barrier_state s4, -1")
                    .ok());
    EXPECT_EQ(h.scalar(5), scc);
    EXPECT_EQ(h.scalar(4), 0u);
  }
}
TEST(BranchTest, NamedBarriersAreRefused) {
  InstructionHarness h("gfx1201");
  for (std::string text : {"s_barrier_signal m0", "s_barrier_signal_isfirst m0", "s_get_barrier_state s4, m0",
                           "s_barrier_init m0", "s_barrier_join m0", "s_barrier_leave"}) {
    if (!h.Accepts(text)) continue;
    EXPECT_NE(h.Run(text).ToString().find("this GPU has no named barriers"), std::string::npos) << text;
  }
  for (std::string text :
       {"s_barrier_signal 1", "s_barrier_wait 1", "s_barrier_signal_isfirst -2", "s_get_barrier_state s4, 1"}) {
    EXPECT_NE(h.Run(text).ToString().find("its barrier is not the workgroup's (-1)"), std::string::npos) << text;
  }
}
TEST(BranchTest, UnsupportedInstructionsFault) {
  InstructionHarness h("gfx942");
  EXPECT_EQ(h.Run("s_sethalt 1").message(), "'s_sethalt 1': stopped with fault 4 at lane 0: it belongs to debuggers; ");
}
// Adds 20 to s6 and returns.
constexpr char kFunction[] = "\n s_endpgm\nfunction:\n s_addk_i32 s6, 20\n s_setpc_b64 s[30:31]";
constexpr char kAddressOfFunction[] =
    "s_getpc_b64 s[4:5]\nhere:\n s_add_u32 s4, s4, function-here\n s_addc_u32 s5, s5, 0\n";

TEST(JumpTest, CallsReturn) {
  for (const char* target : {"gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"}) {
    InstructionHarness h(target);
    Status status =
        h.Run(std::string(kAddressOfFunction) +
              "s_swappc_b64 s[30:31], s[4:5]\n s_addk_i32 s6, 1\n s_swappc_b64 s[30:31], s[4:5]" + kFunction);
    ASSERT_TRUE(status.ok()) << status.ToString();
    EXPECT_EQ(h.scalar(6), 41u) << target;
  }
}
TEST(JumpTest, TheTargetMayBeWhereTheReturnAddressGoes) {
  InstructionHarness h("gfx942");
  Status status = h.Run(std::string(kAddressOfFunction) +
                        "s_mov_b64 s[30:31], s[4:5]\n s_swappc_b64 s[30:31], s[30:31]\n s_addk_i32 s6, 1" + kFunction);
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(h.scalar(6), 21u);
}
TEST(JumpTest, DirectCalls) {
  for (const char* target : {"gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"}) {
    InstructionHarness h(target);
    Status status = h.Run(std::string("s_call_b64 s[30:31], function\n s_addk_i32 s6, 1") + kFunction);
    ASSERT_TRUE(status.ok()) << status.ToString();
    EXPECT_EQ(h.scalar(6), 21u) << target;
  }
}
// Five bodies that count down to zero, each reached through the address that the one before computed.
TEST(JumpTest, FarBranchesMayGoBackwards) {
  InstructionHarness h("gfx1201");
  Status status = h.Run(
      "s_movk_i32 s6, 5\n s_getpc_b64 s[4:5]\nagain:\n s_addk_i32 s7, 3\n s_sub_co_u32 s6, s6, 1\n"
      "s_cbranch_scc1 done\n s_cmp_eq_u32 s6, 0\n s_cbranch_scc1 done\n s_setpc_b64 s[4:5]\ndone:\n s_nop 0");
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(h.scalar(7), 15u);
}
// What a callee adds to the program's constants must not disturb those of the caller.
TEST(JumpTest, ConstantsOfCallersAndCallees) {
  InstructionHarness h("gfx942");
  Status status = h.Run(std::string(kAddressOfFunction) +
                        "s_swappc_b64 s[30:31], s[4:5]\n s_add_u32 s6, s6, 0x12345678\n s_endpgm\n"
                        "function:\n s_mov_b32 s6, 0x1000\n s_add_u32 s6, s6, 0x200000\n s_setpc_b64 s[30:31]");
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(h.scalar(6), 0x12345678u + 0x201000u);
}
TEST(JumpTest, TrapsFaultAndBreakpointsDoNot) {
  InstructionHarness h("gfx942");
  EXPECT_TRUE(h.Run("s_trap 3").ok());
  EXPECT_EQ(h.Run("s_trap 2").message(), "'s_trap 2': stopped with fault 4 at lane 0: the kernel has trapped; ");
  EXPECT_FALSE(h.Run("s_trap 1").ok());
}
TEST(ClockTest, AdvancesWithInstructions) {
  InstructionHarness h("gfx942");
  ASSERT_TRUE(h.Run("s_memtime s[4:5]\n s_branch next\nnext:\n s_memtime s[6:7]").ok());
  EXPECT_EQ(h.pair(6) - h.pair(4), 2u);  // counted where a block ends
}

}  // namespace
}  // namespace rocxla::emu
