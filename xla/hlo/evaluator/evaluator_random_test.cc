// rng against the bits of rng-bit-generator and against what a distribution promises; rng-get-and-update-state.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "xla/hlo/evaluator/hlo_evaluator.h"
#include "xla/hlo/parser/hlo_parser.h"

namespace xla {
namespace {

std::vector<Literal> ResultsOf(const std::string& body, const EvaluationOptions& options = {}) {
  const auto module = ParseAndReturnVerifiedModule("ENTRY main {\n" + body + "}\n", "test");
  EXPECT_TRUE(module.ok()) << module.status().ToString();
  if (!module.ok()) return {};
  auto results = Evaluate(**module, {}, options);
  EXPECT_TRUE(results.ok()) << results.status().ToString();
  return results.ok() ? *std::move(results) : std::vector<Literal>();
}

std::string RngBody(std::string_view type, int64_t count, std::string_view a, std::string_view b,
                    std::string_view distribution) {
  return fmt::format(
      "  a = {0}[] constant({2})\n  b = {0}[] constant({3})\n"
      "  ROOT r = {0}[{1}] rng(a, b), distribution=rng_{4}\n",
      type, count, a, b, distribution);
}

// The words are those of Philox with the seed as key, whose counter begins with zero.
TEST(EvaluatorRandomTest, UniformFloatsAreTheUpperBitsOfPhilox) {
  const uint64_t seed = 0x123456789abcdef;
  const Literal random = ResultsOf(RngBody("f32", 37, "-3", "5", "uniform"), {.seed = seed})[0];
  const std::vector<Literal> bits =
      ResultsOf(fmt::format("  s = u64[3] constant({{{}, 0, 0}})\n  ROOT r = (u64[3], u32[37]) rng-bit-generator(s), "
                            "algorithm=rng_philox\n",
                            seed));
  for (int64_t i = 0; i < 37; ++i) {
    const auto word = static_cast<uint32_t>(bits[1].GetAsInt64(i));
    EXPECT_EQ(random.Get<float>(i), -3.0f + 8.0f * static_cast<float>(word >> 8) / 16777216.0f) << i;
  }
}

// Every type stays in its interval and fills it: the mean of n numbers of [a, b) is (a + b) / 2 within 5 deviations.
TEST(EvaluatorRandomTest, UniformNumbersFillTheirInterval) {
  constexpr int64_t kCount = 4096;
  for (int t = 0; t < TUPLE; ++t) {
    const auto type = static_cast<PrimitiveType>(t);
    if (!(IsInteger(type) || IsFloat(type)) || type == PRED || type == F8E8M0FNU) continue;
    SCOPED_TRACE(PrimitiveTypeName(type));
    const bool is_signed = IsSigned(type) || IsFloat(type);
    // s1 has -1 and 0, u1 has 0 and 1: [low, high) holds one value there.
    const int bits = BitWidth(type);
    const double low = is_signed ? (bits == 1 ? -1 : -2) : 0;
    const double high = bits <= 2 ? (is_signed ? (bits == 1 ? 0 : 1) : bits == 1 ? 1 : 3) : 3;
    const auto results =
        ResultsOf(RngBody(PrimitiveTypeName(type), kCount, fmt::format("{}", low), fmt::format("{}", high), "uniform"));
    ASSERT_EQ(results.size(), 1u);
    double sum = 0;
    for (int64_t i = 0; i < kCount; ++i) {
      const double value = results[0].GetAsDouble(i);
      ASSERT_GE(value, low);
      ASSERT_LT(value, high);
      sum += value;
    }
    const double expected = IsFloat(type) ? (low + high) / 2 : (low + high - 1) / 2;
    // Floats of few bits round; the one above all becomes the least.
    const double rounding = bits <= 8 && IsFloat(type) ? 0.6 : 0;
    EXPECT_NEAR(sum / kCount, expected, 5 * (high - low) / std::sqrt(12.0 * kCount) + rounding);
  }
}

TEST(EvaluatorRandomTest, NormalNumbersHaveTheirMeanAndDeviation) {
  constexpr int64_t kCount = 8192;
  for (const char* type : {"f64", "f32", "f16", "bf16"}) {
    const Literal random = ResultsOf(RngBody(type, kCount, "10", "2", "normal"))[0];
    double sum = 0, squares = 0;
    int64_t within = 0;
    for (int64_t i = 0; i < kCount; ++i) {
      const double value = random.GetAsDouble(i);
      sum += value;
      squares += (value - 10) * (value - 10);
      within += std::fabs(value - 10) < 2 ? 1 : 0;
    }
    EXPECT_NEAR(sum / kCount, 10, 5 * 2 / std::sqrt(kCount)) << type;
    EXPECT_NEAR(squares / kCount, 4, 5 * 4 * std::sqrt(2.0 / kCount)) << type;
    EXPECT_NEAR(static_cast<double>(within) / kCount, 0.6827, 0.03) << type;
  }
}

TEST(EvaluatorRandomTest, TheSeedDecides) {
  const std::string body = RngBody("f32", 8, "0", "1", "uniform");
  EXPECT_EQ(ResultsOf(body, {.seed = 7}), ResultsOf(body, {.seed = 7}));
  EXPECT_NE(ResultsOf(body, {.seed = 7}), ResultsOf(body, {.seed = 8}));
  EXPECT_EQ(ResultsOf(body), ResultsOf(body, {.seed = 0}));
}

TEST(EvaluatorRandomTest, TwoInstructionsAndTwoDevicesDiffer) {
  const auto two = ResultsOf(
      "  a = f32[] constant(0)\n  b = f32[] constant(1)\n  x = f32[4] rng(a, b), distribution=rng_uniform\n"
      "  y = f32[4] rng(a, b), distribution=rng_uniform\n  ROOT t = (f32[4], f32[4]) tuple(x, y)\n");
  ASSERT_EQ(two.size(), 2u);
  EXPECT_NE(two[0], two[1]);
  const auto module = ParseAndReturnVerifiedModule(
      "HloModule m, replica_count=2\nENTRY main {\n" + RngBody("f32", 4, "0", "1", "uniform") + "}\n", "test");
  ASSERT_TRUE(module.ok()) << module.status().ToString();
  const auto devices = EvaluateOnDevices(**module, std::vector<std::vector<Literal>>(2));
  ASSERT_TRUE(devices.ok()) << devices.status().ToString();
  EXPECT_NE((*devices)[0], (*devices)[1]);
}

TEST(EvaluatorRandomTest, AnEmptyIntervalGivesItsBegin) {
  EXPECT_EQ(ResultsOf(RngBody("s32", 2, "5", "5", "uniform"))[0].ToStringWithoutShape(), "{5, 5}");
  EXPECT_EQ(ResultsOf(RngBody("u8", 2, "9", "5", "uniform"))[0].ToStringWithoutShape(), "{9, 9}");
}

// The state has 128 bits, the lower half first, and begins with 0x7012395.
TEST(EvaluatorRandomTest, TheStateIsGivenBeforeItMoves) {
  const auto states = ResultsOf(
      "  a = u64[2] rng-get-and-update-state(), delta=4096\n"
      "  b = u64[2] rng-get-and-update-state(), delta=-117519253, control-predecessors={a}\n"
      "  c = u64[2] rng-get-and-update-state(), delta=5, control-predecessors={b}\n"
      "  d = u64[2] rng-get-and-update-state(), delta=1, control-predecessors={c}\n"
      "  ROOT t = (u64[2], u64[2], u64[2], u64[2]) tuple(a, b, c, d)\n");
  ASSERT_EQ(states.size(), 4u);
  // 0x7012395 = 117515157; + 4096 = 117519253; - 117519253 = 0; + 5.
  EXPECT_EQ(states[0].ToStringWithoutShape(), "{117515157, 0}");
  EXPECT_EQ(states[1].ToStringWithoutShape(), "{117519253, 0}");
  EXPECT_EQ(states[2].ToStringWithoutShape(), "{0, 0}");
  EXPECT_EQ(states[3].ToStringWithoutShape(), "{5, 0}");
}

TEST(EvaluatorRandomTest, TheStateCarriesIntoItsUpperHalf) {
  const auto states = ResultsOf(
      "  a = u64[2] rng-get-and-update-state(), delta=-117515158\n"
      "  b = u64[2] rng-get-and-update-state(), delta=3, control-predecessors={a}\n"
      "  c = u64[2] rng-get-and-update-state(), delta=3, control-predecessors={b}\n"
      "  ROOT t = (u64[2], u64[2], u64[2]) tuple(a, b, c)\n");
  ASSERT_EQ(states.size(), 3u);
  EXPECT_EQ(states[1].ToStringWithoutShape(), "{18446744073709551615, 18446744073709551615}");
  EXPECT_EQ(states[2].ToStringWithoutShape(), "{2, 0}");
}

}  // namespace
}  // namespace xla
