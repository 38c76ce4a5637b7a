#include "xla/tools/compare.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace xla::tools {
namespace {

template <class T>
rocxla::Tensor Make(std::string dtype, std::vector<T> values) {
  rocxla::Tensor t{std::move(dtype), {static_cast<int64_t>(values.size())}, {}};
  t.bytes.resize(values.size() * sizeof(T));
  std::memcpy(t.bytes.data(), values.data(), t.bytes.size());
  return t;
}

constexpr float kInf = std::numeric_limits<float>::infinity(), kNan = std::numeric_limits<float>::quiet_NaN();

TEST(Compare, AppliesTheToleranceOfTheWantedValue) {
  auto want = Make<float>("F32", {100, 1, kNan, kInf, 0});
  Tolerance tolerance{.rtol = 0.01, .atol = 0.001};
  EXPECT_TRUE(Compare(Make<float>("F32", {101, 1.0105f, kNan, kInf, 0.0009f}), want, tolerance)->equal());
  auto off = Compare(Make<float>("F32", {101.5f, 1, kNan, kInf, 0}), want, tolerance);
  EXPECT_EQ(off->mismatches, 1);
  EXPECT_EQ(off->first_mismatch, "[0]: got 101.5, want 100");
  EXPECT_EQ(off->largest_error, 1.5);
  EXPECT_EQ(Compare(Make<float>("F32", {100, 1, 0, -kInf, kNan}), want, tolerance)->mismatches, 3);
}

TEST(Compare, IntegersAreExact) {
  auto big = Make<int64_t>("I64", {int64_t{1} << 60});
  EXPECT_FALSE(Compare(Make<int64_t>("I64", {(int64_t{1} << 60) + 1}), big, {.rtol = 1})->equal());
  EXPECT_TRUE(Compare(Make<uint8_t>("BOOL", {1}), Make<uint8_t>("BOOL", {1}), {})->equal());
}

TEST(Compare, ComplexNumbersCountByParts) {
  auto want = Make<float>("C64", {1, 2, 3, 4});
  want.shape = {2};
  auto got = Make<float>("C64", {1, 2, 3, 5});
  got.shape = {2};
  EXPECT_EQ(Compare(got, want, {})->first_mismatch, "[1]: got 5, want 4");
}

TEST(Compare, TypesMustAgree) {
  EXPECT_EQ(Compare(Make<float>("F32", {1}), Make<int32_t>("I32", {1}), {}).status().ToString(),
            "E6007 ResultMismatch: the result has another type\n"
            "  found:    F32[1]\n"
            "  expected: I32[1]");
}

}  // namespace
}  // namespace xla::tools
