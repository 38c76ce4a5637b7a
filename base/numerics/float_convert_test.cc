// Every format against LLVM's APFloat: all codes, all rounding boundaries, and pseudo-random numbers.
#include "base/numerics/float_convert.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "base/numerics/half.h"
#include "llvm/ADT/APFloat.h"

namespace rocxla {
namespace {

using llvm::APFloat;

const llvm::fltSemantics& Semantics(FloatType type) {
  switch (type) {
    case FloatType::kF4E2M1FN:
      return APFloat::Float4E2M1FN();
    case FloatType::kF6E2M3FN:
      return APFloat::Float6E2M3FN();
    case FloatType::kF6E3M2FN:
      return APFloat::Float6E3M2FN();
    case FloatType::kF8E3M4:
      return APFloat::Float8E3M4();
    case FloatType::kF8E4M3:
      return APFloat::Float8E4M3();
    case FloatType::kF8E4M3FN:
      return APFloat::Float8E4M3FN();
    case FloatType::kF8E4M3FNUZ:
      return APFloat::Float8E4M3FNUZ();
    case FloatType::kF8E4M3B11FNUZ:
      return APFloat::Float8E4M3B11FNUZ();
    case FloatType::kF8E5M2:
      return APFloat::Float8E5M2();
    case FloatType::kF8E5M2FNUZ:
      return APFloat::Float8E5M2FNUZ();
    case FloatType::kF8E8M0FNU:
      return APFloat::Float8E8M0FNU();
    case FloatType::kBF16:
      return APFloat::BFloat();
    case FloatType::kF16:
      return APFloat::IEEEhalf();
    case FloatType::kF32:
      return APFloat::IEEEsingle();
    case FloatType::kF64:
      return APFloat::IEEEdouble();
  }
  return APFloat::Bogus();
}

// APFloat knows no zero, no negative numbers and no ties to even in E8M0: those come from a formula of this test's own.
uint64_t E8M0Reference(double value) {
  if (!(value > 0) || std::isinf(value)) return 0xff;
  const double code = std::log2(value) + 127, below = std::floor(code);
  if (below < 0) return 0;
  const double floor_value = std::ldexp(1.0, static_cast<int>(below) - 127);
  const double fraction = value / floor_value;  // exact: a power of two
  const bool up = fraction > 1.5 || (fraction == 1.5 && std::fmod(below, 2) == 1);
  return std::min<uint64_t>(static_cast<uint64_t>(below) + up, 0xff);
}

// The code that `value`, neither NaN nor infinite, should get.
template <class Float>
uint64_t Reference(FloatType type, Float value) {
  if (type == FloatType::kF8E8M0FNU) return E8M0Reference(value);
  APFloat converted(value);
  bool loses = false;
  converted.convert(Semantics(type), APFloat::rmNearestTiesToEven, &loses);
  return converted.bitcastToAPInt().getZExtValue();
}

template <class Float>
std::string Check(FloatType type, Float value) {
  const uint64_t found = EncodeFloat(type, value), expected = Reference(type, value);
  if (found == expected) return "";
  return fmt::format("{} ({:a}): {:#x} instead of {:#x}", FloatTypeName(type), value, found, expected);
}

// `value`, its two neighbours, and the negatives of all three.
template <class Float>
std::string CheckAround(FloatType type, Float value) {
  constexpr Float kInfinity = std::numeric_limits<Float>::infinity();
  for (Float x : {value, std::nextafter(value, kInfinity), std::nextafter(value, -kInfinity)}) {
    if (!std::isfinite(x)) continue;
    for (Float signed_x : {x, -x})
      if (std::string error = Check(type, signed_x); !error.empty()) return error;
  }
  return "";
}

class FloatConvertTest : public testing::TestWithParam<FloatType> {
 protected:
  FloatType type() const { return GetParam(); }
  FloatFormat format() const { return FormatOf(type()); }
  bool small() const { return format().Bits() <= 16; }
};

TEST_P(FloatConvertTest, EveryCodeDecodesExactlyAndEncodesToItself) {
  if (!small()) return;  // f32 and f64: PseudoRandomNumbersRound
  for (uint64_t bits = 0; bits < uint64_t{1} << format().Bits(); ++bits) {
    APFloat reference(Semantics(type()), llvm::APInt(format().Bits(), bits));
    const float f32 = DecodeToFloat(type(), bits);
    const double f64 = DecodeToDouble(type(), bits);
    ASSERT_EQ(std::isnan(f64), reference.isNaN()) << bits;
    ASSERT_EQ(std::isnan(f32), reference.isNaN()) << bits;
    if (reference.isNaN()) {
      const uint64_t sign = bits & format().SignBit();
      ASSERT_EQ(std::signbit(f64), sign != 0) << bits;
      ASSERT_EQ(EncodeFloat(type(), f32), format().NanBits(sign)) << bits;
      continue;
    }
    bool loses = false;
    reference.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &loses);
    ASSERT_EQ(std::bit_cast<uint64_t>(f64), std::bit_cast<uint64_t>(reference.convertToDouble())) << bits;
    ASSERT_EQ(double{f32}, f64) << bits;
    ASSERT_EQ(EncodeFloat(type(), f32), bits);
    ASSERT_EQ(EncodeFloat(type(), f64), bits);
  }
}

TEST_P(FloatConvertTest, EveryBoundaryRoundsOnce) {
  if (!small()) return;
  for (uint64_t bits = 0; bits <= format().MaxFiniteBits(); ++bits) {
    const double value = DecodeToDouble(type(), bits);
    // Above the largest value, the boundary lies where the next step of the same size would end.
    const double next = bits < format().MaxFiniteBits() ? DecodeToDouble(type(), bits + 1)
                                                        : 2 * value - DecodeToDouble(type(), bits - 1);
    for (double x : {value, (value + next) / 2, next}) {
      ASSERT_EQ(CheckAround(type(), static_cast<float>(x)), "");
      // A double beside a midpoint becomes the midpoint itself in f32: two roundings would go wrong here.
      ASSERT_EQ(CheckAround(type(), x), "");
    }
  }
}

TEST_P(FloatConvertTest, PseudoRandomNumbersRound) {
  std::mt19937_64 random(static_cast<uint64_t>(type()) + 1);
  for (int i = 0; i < 1'000'000; ++i) {
    const auto f32 = std::bit_cast<float>(static_cast<uint32_t>(random()));
    if (std::isfinite(f32)) ASSERT_EQ(Check(type(), f32), "");
    // Most doubles lie outside of every small format's range: half of them are drawn from f32's.
    const double f64 =
        i % 2 ? std::bit_cast<double>(random()) : f32 * (1 + static_cast<double>(random() >> 12) * 0x1p-52);
    if (std::isfinite(f64)) ASSERT_EQ(Check(type(), f64), "");
  }
}

INSTANTIATE_TEST_SUITE_P(EveryFormat, FloatConvertTest, testing::ValuesIn(kFloatTypes),
                         [](const auto& info) { return std::string(FloatTypeName(info.param)); });

struct SpecialCodes {
  FloatType type;
  uint64_t infinity, negative_infinity, nan, negative_nan, negative_zero, beyond, negative_beyond;
};
// What XLA's host types make of them.
constexpr SpecialCodes kSpecialCodes[] = {
    {FloatType::kF4E2M1FN, 0x7, 0xf, 0x8, 0x0, 0x8, 0x7, 0xf},
    {FloatType::kF6E2M3FN, 0x1f, 0x3f, 0x20, 0x00, 0x20, 0x1f, 0x3f},
    {FloatType::kF6E3M2FN, 0x1f, 0x3f, 0x20, 0x00, 0x20, 0x1f, 0x3f},
    {FloatType::kF8E3M4, 0x70, 0xf0, 0x78, 0xf8, 0x80, 0x70, 0xf0},
    {FloatType::kF8E4M3, 0x78, 0xf8, 0x7c, 0xfc, 0x80, 0x78, 0xf8},
    {FloatType::kF8E4M3FN, 0x7f, 0xff, 0x7f, 0xff, 0x80, 0x7f, 0xff},
    {FloatType::kF8E4M3FNUZ, 0x80, 0x80, 0x80, 0x80, 0x00, 0x80, 0x80},
    {FloatType::kF8E4M3B11FNUZ, 0x80, 0x80, 0x80, 0x80, 0x00, 0x80, 0x80},
    {FloatType::kF8E5M2, 0x7c, 0xfc, 0x7e, 0xfe, 0x80, 0x7c, 0xfc},
    {FloatType::kF8E5M2FNUZ, 0x80, 0x80, 0x80, 0x80, 0x00, 0x80, 0x80},
    {FloatType::kF8E8M0FNU, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff},
    {FloatType::kBF16, 0x7f80, 0xff80, 0x7fc0, 0xffc0, 0x8000, 0x7f80, 0xff80},
    {FloatType::kF16, 0x7c00, 0xfc00, 0x7e00, 0xfe00, 0x8000, 0x7c00, 0xfc00},
    {FloatType::kF32, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000, 0x80000000, 0x7f800000, 0xff800000},
};

TEST(FloatConvert, SpecialNumbers) {
  static_assert(std::size(kSpecialCodes) + 1 == std::size(kFloatTypes), "all but f64 itself");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const SpecialCodes& codes : kSpecialCodes) {
    SCOPED_TRACE(FloatTypeName(codes.type));
    EXPECT_EQ(EncodeFloat(codes.type, HUGE_VAL), codes.infinity);
    EXPECT_EQ(EncodeFloat(codes.type, -HUGE_VALF), codes.negative_infinity);
    EXPECT_EQ(EncodeFloat(codes.type, std::copysign(nan, 1.0)), codes.nan);
    EXPECT_EQ(EncodeFloat(codes.type, std::copysign(static_cast<float>(nan), -1.0f)), codes.negative_nan);
    EXPECT_EQ(EncodeFloat(codes.type, -0.0), codes.negative_zero);
    EXPECT_EQ(EncodeFloat(codes.type, 1e300), codes.beyond);
    EXPECT_EQ(EncodeFloat(codes.type, -1e300), codes.negative_beyond);
  }
}

// Above 1 by half an f16 step and a little: through f32 the little would be lost, and the tie would go down.
static_assert(EncodeFloat(FloatType::kF16, 1 + 0x1p-11 + 0x1p-40) == 0x3c01);
static_assert(EncodeFloat(FloatType::kF16, static_cast<float>(1 + 0x1p-11 + 0x1p-40)) == 0x3c00);
static_assert(EncodeFloat(FloatType::kF8E8M0FNU, 3.0) == 0x80, "between 2 and 4: the even code");
static_assert(DecodeToFloat(FloatType::kF8E8M0FNU, 0) == 0x1p-127f);
static_assert(F32ToF16(65519.0f) == 0x7bff && F32ToF16(65520.0f) == 0x7c00);
static_assert(F32ToBf16(-1.00390625f) == 0xbf80 && Bf16ToF32(0x3f81) == 1.0078125f && F16ToF32(1) == 0x1p-24f);

}  // namespace
}  // namespace rocxla
