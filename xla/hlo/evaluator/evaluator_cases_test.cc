// The evaluator against the recorded JAX programs: every one whose module can be read, with its recorded results.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/json.h"
#include "base/safetensors.h"
#include "xla/hlo/evaluator/hlo_evaluator.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/hlo/transforms/passes.h"

namespace xla {
namespace {

StatusOr<std::unique_ptr<HloModule>> ReadCase(const std::filesystem::path& folder) {
  ASSIGN_OR_RETURN(const std::string text, rocxla::ReadFile(folder / "module.hlo"));
  return ParseAndReturnVerifiedModule(text, (folder / "module.hlo").string());
}

struct CaseLists {
  std::vector<std::string> readable;
  std::vector<std::string> unsupported;  // an opcode that cannot be read yet
  std::vector<std::string> broken;       // any other error
};
const CaseLists& Cases() {
  static const CaseLists* const lists = [] {
    auto* all = new CaseLists;
    for (const std::string kind : {"jax", "hlo"}) {
      for (const auto& folder : std::filesystem::directory_iterator(std::string(ROCXLA_TEST_CASES) + "/" + kind)) {
        const std::string name = kind + "/" + folder.path().filename().string();
        if (!std::filesystem::exists(folder.path() / "io.safetensors")) continue;
        const auto module = ReadCase(folder.path());
        const bool unsupported = module.status().id() == ErrorId::kHloUnsupportedOpcode;
        (module.ok() ? all->readable : unsupported ? all->unsupported : all->broken).push_back(name);
      }
    }
    std::sort(all->readable.begin(), all->readable.end());
    return all;
  }();
  return *lists;
}

// The dtype of safetensors that holds elements of a type as they are in a Literal.
std::string DtypeOf(PrimitiveType type) {
  static const std::map<PrimitiveType, std::string> dtypes = {{PRED, "BOOL"},
                                                              {S8, "I8"},
                                                              {S16, "I16"},
                                                              {S32, "I32"},
                                                              {S64, "I64"},
                                                              {U8, "U8"},
                                                              {U16, "U16"},
                                                              {U32, "U32"},
                                                              {U64, "U64"},
                                                              {F16, "F16"},
                                                              {BF16, "BF16"},
                                                              {F32, "F32"},
                                                              {F64, "F64"},
                                                              {C64, "C64"},
                                                              {C128, "C128"},
                                                              {F8E4M3FN, "F8_E4M3"},
                                                              {F8E5M2, "F8_E5M2"},
                                                              {F8E4M3FNUZ, "F8_E4M3FNUZ"},
                                                              {F8E5M2FNUZ, "F8_E5M2FNUZ"}};
  const auto it = dtypes.find(type);
  return it == dtypes.end() ? "" : it->second;
}

Literal LiteralFrom(const rocxla::TensorMap& tensors, const std::string& name, const Shape& shape) {
  const auto it = tensors.find(name);
  if (it == tensors.end()) {
    ADD_FAILURE() << "no tensor " << name;
    return Literal::Zeros(shape);
  }
  EXPECT_EQ(it->second.dtype, DtypeOf(shape.element_type())) << name;
  EXPECT_EQ(it->second.shape, shape.dimensions()) << name;
  return Literal::FromBytes(shape, it->second.bytes);
}

// |got - want| <= atol + rtol * |want|, NaN equals NaN; integers and pred exactly.
bool Close(const Literal& got, const Literal& want, int64_t i, double rtol, double atol) {
  const PrimitiveType type = want.shape().element_type();
  const int width = ByteWidth(type);
  if (std::memcmp(got.bytes().data() + i * width, want.bytes().data() + i * width, width) == 0) return true;
  if (!IsFloat(type) && !IsComplex(type)) return false;
  const bool tolerant = rtol > 0 || atol > 0;  // without tolerance 0.0 is not -0.0
  const auto near = [&](double a, double b) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    return (a == b && tolerant) || (tolerant && std::fabs(a - b) <= atol + rtol * std::fabs(b));
  };
  if (IsFloat(type)) return near(got.GetAsDouble(i), want.GetAsDouble(i));
  const int parts = type == C64 ? 4 : 8;
  for (int64_t offset : {int64_t{0}, int64_t{parts}}) {
    float f[2];
    double d[2];
    const Literal* sides[] = {&got, &want};
    for (int s = 0; s < 2; ++s) {
      const uint8_t* at = sides[s]->bytes().data() + i * width + offset;
      if (type == C64) std::memcpy(&f[s], at, 4);
      if (type == C64) d[s] = f[s];
      if (type == C128) std::memcpy(&d[s], at, 8);
    }
    if (!near(d[0], d[1])) return false;
  }
  return true;
}

void ExpectClose(const Literal& got, const Literal& want, double rtol, double atol) {
  ASSERT_TRUE(ShapeUtil::Compatible(got.shape(), want.shape()));
  int64_t wrong = 0;
  int64_t first = -1;
  for (int64_t i = 0; i < want.element_count(); ++i) {
    if (Close(got, want, i, rtol, atol)) continue;
    if (wrong++ == 0) first = i;
  }
  if (wrong == 0) return;
  const int width = ByteWidth(want.shape().element_type());
  ADD_FAILURE() << fmt::format("{} of {} elements of {} differ; element {}: got {}, want {}", wrong,
                               want.element_count(), want.shape().ToString(), first,
                               ElementToString(want.shape().element_type(), got.bytes().data() + first * width),
                               ElementToString(want.shape().element_type(), want.bytes().data() + first * width));
}

std::vector<Literal> Arguments(const HloModule& module, const rocxla::TensorMap& tensors) {
  std::vector<Literal> arguments;
  for (const Shape& shape : module.entry_computation()->ComputeProgramShape().parameters) {
    arguments.push_back(LiteralFrom(tensors, fmt::format("in.{}", arguments.size()), shape));
  }
  return arguments;
}

TEST(EvaluatorCases, AllProgramsAreReadable) {
  EXPECT_GE(Cases().readable.size(), 269u);
  EXPECT_EQ(Cases().unsupported, std::vector<std::string>{});
  EXPECT_EQ(Cases().broken, std::vector<std::string>{});
}

class EvaluatorCase : public testing::TestWithParam<std::string> {};

TEST_P(EvaluatorCase, GivesTheRecordedResults) {
  const std::filesystem::path folder = std::filesystem::path(ROCXLA_TEST_CASES) / GetParam();
  const auto module = ReadCase(folder);
  ASSERT_TRUE(module.ok()) << module.status().ToString();
  const auto tensors = rocxla::ReadSafetensors(folder / "io.safetensors");
  ASSERT_TRUE(tensors.ok()) << tensors.status().ToString();
  const auto json = rocxla::ReadJson(folder / "case.json");
  ASSERT_TRUE(json.ok());

  const std::vector<Literal> arguments = Arguments(**module, *tensors);
  const auto results = Evaluate(**module, arguments);
  ASSERT_TRUE(results.ok()) << results.status().ToString();
  for (size_t i = 0; i < results->size(); ++i) {
    SCOPED_TRACE(fmt::format("out.{}", i));
    const Literal want = LiteralFrom(*tensors, fmt::format("out.{}", i), (*results)[i].shape());
    ExpectClose((*results)[i], want, (*json)["rtol"].get<double>(), (*json)["atol"].get<double>());
  }

  // The passes are exact: afterwards the results are the same bits.
  HloPassPipeline pipeline("all");
  ASSERT_TRUE(AddPassesByName("call_inliner,algebraic_simplifier,cse,dce,layout_views_to_bitcast", pipeline).ok());
  const auto changed = pipeline.Run(**module, {});
  ASSERT_TRUE(changed.ok()) << changed.status().ToString();
  const auto again = Evaluate(**module, arguments);
  ASSERT_TRUE(again.ok()) << again.status().ToString();
  for (size_t i = 0; i < results->size(); ++i) ExpectClose((*again)[i], (*results)[i], 0, 0);
}

INSTANTIATE_TEST_SUITE_P(Recorded, EvaluatorCase, testing::ValuesIn(Cases().readable), [](const auto& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
});

}  // namespace
}  // namespace xla
