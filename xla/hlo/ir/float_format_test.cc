// Compared with LLVM's APFloat, value by value.
#include "xla/hlo/ir/float_format.h"

#include <gtest/gtest.h>
#include <llvm/ADT/APFloat.h>

#include <cmath>
#include <random>
#include <utility>
#include <vector>

namespace xla {
namespace {

using llvm::APFloat;
using Semantics = const llvm::fltSemantics&;

struct Pair {
  PrimitiveType type;
  Semantics semantics;
};
const std::vector<Pair>& Pairs() {
  static const std::vector<Pair> pairs = {{F4E2M1FN, APFloat::Float4E2M1FN()},
                                          {F6E2M3FN, APFloat::Float6E2M3FN()},
                                          {F6E3M2FN, APFloat::Float6E3M2FN()},
                                          {F8E3M4, APFloat::Float8E3M4()},
                                          {F8E4M3, APFloat::Float8E4M3()},
                                          {F8E4M3FN, APFloat::Float8E4M3FN()},
                                          {F8E4M3FNUZ, APFloat::Float8E4M3FNUZ()},
                                          {F8E4M3B11FNUZ, APFloat::Float8E4M3B11FNUZ()},
                                          {F8E5M2, APFloat::Float8E5M2()},
                                          {F8E5M2FNUZ, APFloat::Float8E5M2FNUZ()},
                                          {F8E8M0FNU, APFloat::Float8E8M0FNU()},
                                          {BF16, APFloat::BFloat()},
                                          {F16, APFloat::IEEEhalf()}};
  return pairs;
}

double ToDouble(Semantics semantics, int width, uint64_t bits) {
  APFloat value(semantics, llvm::APInt(width, bits));
  bool loses = false;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &loses);
  return value.convertToDouble();
}

TEST(FloatFormat, EveryCodeDecodesAsAPFloatDoes) {
  for (const auto& [type, semantics] : Pairs()) {
    for (uint64_t bits = 0; bits < uint64_t{1} << BitWidth(type); ++bits) {
      const double expected = ToDouble(semantics, BitWidth(type), bits);
      const double actual = DecodeFloat(type, bits);
      // Asked of the code itself: APFloat's conversion makes an infinity of E8M0's NaN.
      if (APFloat(semantics, llvm::APInt(BitWidth(type), bits)).isNaN()) {
        ASSERT_TRUE(std::isnan(actual)) << PrimitiveTypeName(type) << " " << bits;
        continue;
      }
      ASSERT_EQ(actual, expected) << PrimitiveTypeName(type) << " " << bits;
      ASSERT_EQ(std::signbit(actual), std::signbit(expected)) << PrimitiveTypeName(type) << " " << bits;
      ASSERT_EQ(EncodeFloat(type, actual), bits) << PrimitiveTypeName(type);
    }
  }
}

// Finite values within range, the ties among them; what happens beyond the range is the next test's.
TEST(FloatFormat, RoundsAsAPFloatDoes) {
  std::mt19937_64 random(7);
  for (const auto& [type, semantics] : Pairs()) {
    if (type == F8E8M0FNU) continue;  // APFloat has no ties-to-even for it
    for (int i = 0; i < 20000; ++i) {
      const uint64_t mask = (uint64_t{1} << BitWidth(type)) - 1;
      const double a = DecodeFloat(type, random() & mask);
      const double b = DecodeFloat(type, random() & mask);
      if (!std::isfinite(a) || !std::isfinite(b)) continue;
      // Midpoints of neighbours, and arbitrary points between any two codes.
      const double weight = i % 2 == 0 ? 0.5 : static_cast<double>(random() >> 11) * 0x1p-53;
      const double value = a + (b - a) * weight;
      APFloat expected(value);
      bool loses = false;
      expected.convert(semantics, APFloat::rmNearestTiesToEven, &loses);
      ASSERT_EQ(EncodeFloat(type, value), expected.bitcastToAPInt().getZExtValue())
          << PrimitiveTypeName(type) << " " << value;
    }
  }
}

TEST(FloatFormat, BeyondTheRange) {
  EXPECT_EQ(EncodeFloat(F16, 65520), 0x7c00u);
  EXPECT_EQ(EncodeFloat(F16, 65519), 0x7bffu);
  EXPECT_EQ(EncodeFloat(F8E5M2, -1e9), 0xfcu);
  EXPECT_EQ(EncodeFloat(F8E4M3FN, 1e9), 0x7fu);  // NaN: there is no infinity
  EXPECT_EQ(EncodeFloat(F8E4M3FNUZ, INFINITY), 0x80u);
  EXPECT_EQ(EncodeFloat(F8E4M3FNUZ, -0.0), 0x00u);  // there is no negative zero
  EXPECT_EQ(EncodeFloat(F4E2M1FN, 100), 0x7u);      // saturates
  EXPECT_EQ(EncodeFloat(F4E2M1FN, -INFINITY), 0xfu);
  EXPECT_EQ(EncodeFloat(F8E8M0FNU, 0), 0xffu);
  EXPECT_EQ(EncodeFloat(F8E8M0FNU, 3), 0x80u);  // 2 or 4: the even code
}

TEST(FloatFormat, LargestValues) {
  EXPECT_EQ(MaxFinite(F16), 65504);
  EXPECT_EQ(MaxFinite(F8E4M3FN), 448);
  EXPECT_EQ(MaxFinite(F8E4M3FNUZ), 240);
  EXPECT_EQ(MaxFinite(F8E5M2), 57344);
  EXPECT_EQ(MaxFinite(F4E2M1FN), 6);
}

}  // namespace
}  // namespace xla
