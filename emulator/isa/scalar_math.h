// Functions of one number that the vector unit has and C++ has not, and those of libm with the results that we promise:
// correctly rounded (computed in double and rounded once).
#pragma once
#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

#include "emulator/isa/types.h"

namespace rocxla::emu {

// Fields of a floating-point format.
template <class T>
struct FloatFormat;
template <>
struct FloatFormat<f16> {
  using Bits = u16;
  static constexpr int kMantissa = 10, kBias = 15, kMaxExponent = 31;
};
template <>
struct FloatFormat<float> {
  using Bits = u32;
  static constexpr int kMantissa = 23, kBias = 127, kMaxExponent = 255;
};
template <>
struct FloatFormat<double> {
  using Bits = u64;
  static constexpr int kMantissa = 52, kBias = 1023, kMaxExponent = 2047;
};
template <class T>
using FloatBits = typename FloatFormat<T>::Bits;

template <class T>
FloatBits<T> BitsOf(T x) {
  return std::bit_cast<FloatBits<T>>(x);
}
template <class T>
int ExponentField(T x) {
  return static_cast<int>(BitsOf(x) >> FloatFormat<T>::kMantissa) & FloatFormat<T>::kMaxExponent;
}
template <class T>
bool IsDenormal(T x) {
  return ExponentField(x) == 0 && static_cast<FloatBits<T>>(BitsOf(x) << 1) != 0;
}
template <class T>
bool IsNan(T x) {
  return x != x;
}
template <class T>
bool IsInf(T x) {
  return ExponentField(x) == FloatFormat<T>::kMaxExponent && !IsNan(x);
}
template <class T>
bool SignBit(T x) {
  return BitsOf(x) >> (8 * sizeof(T) - 1) != 0;
}
template <class T>
T Quiet(T nan) {
  FloatBits<T> quiet = FloatBits<T>{1} << (FloatFormat<T>::kMantissa - 1);
  return std::bit_cast<T>(static_cast<FloatBits<T>>(BitsOf(nan) | quiet));
}
template <class T>
bool IsSignalling(T x) {
  return IsNan(x) && BitsOf(Quiet(x)) != BitsOf(x);
}
template <class T>
T WithSign(T magnitude, bool negative) {
  FloatBits<T> sign = FloatBits<T>{1} << (8 * sizeof(T) - 1);
  FloatBits<T> bits = BitsOf(magnitude) & static_cast<FloatBits<T>>(~sign);
  return std::bit_cast<T>(static_cast<FloatBits<T>>(negative ? bits | sign : bits));
}
template <class T>
T DefaultNan() {
  return WithSign(static_cast<T>(std::numeric_limits<float>::quiet_NaN()), true);
}

// Rounds a double to T once. To f16 by way of a float rounded to odd, which keeps what the second rounding needs to
// know.
template <class T>
T Narrow(double x) {
  if constexpr (sizeof(T) != 2) return static_cast<T>(x);
  float f = static_cast<float>(x);
  double back = f;
  if (back != x && !IsNan(x) && !IsInf(f) && (BitsOf(f) & 1) == 0) {
    bool grew = std::fabs(back) > std::fabs(x);
    f = std::bit_cast<float>(grew ? BitsOf(f) - 1 : BitsOf(f) + 1);
  }
  return static_cast<T>(f);
}

template <class T>
T Exp2Of(T x) {
  return Narrow<T>(std::exp2(static_cast<double>(x)));
}
template <class T>
T Log2Of(T x) {
  if (x < 0) return DefaultNan<T>();
  return Narrow<T>(std::log2(static_cast<double>(x)));
}
template <class T>
T ReciprocalSqrtOf(T x) {
  if (x < 0) return DefaultNan<T>();
  return Narrow<T>(static_cast<double>(1.0L / std::sqrt(static_cast<long double>(x))));
}
// The argument counts turns: hardware's sin and cos take x / 2 pi.
template <class T>
T SinTurnsOf(T x) {
  constexpr double kTurn = 6.283185307179586476925286766559;
  double turns = static_cast<double>(x);
  return Narrow<T>(std::sin(std::remainder(turns, 1.0) * kTurn));
}
template <class T>
T CosTurnsOf(T x) {
  constexpr double kTurn = 6.283185307179586476925286766559;
  double turns = static_cast<double>(x);
  return Narrow<T>(std::cos(std::remainder(turns, 1.0) * kTurn));
}
template <class T>
T LdexpOf(T x, i32 exponent) {
  if constexpr (sizeof(T) == 8) return std::ldexp(x, exponent);
  // The product is exact in double for every exponent that does not already decide the result.
  i32 limited = exponent < -400 ? -400 : exponent > 400 ? 400 : exponent;
  return Narrow<T>(std::ldexp(static_cast<double>(x), limited));
}
template <class T>
T FrexpMantissaOf(T x) {
  if (IsNan(x) || IsInf(x)) return IsNan(x) ? Quiet(x) : x;
  int exponent;
  return static_cast<T>(std::frexp(static_cast<double>(x), &exponent));
}
template <class T>
i32 FrexpExponentOf(T x) {
  if (IsNan(x) || IsInf(x)) return 0;
  int exponent;
  std::frexp(static_cast<double>(x), &exponent);
  return exponent;
}

// The division sequence (v_div_scale, Newton steps, v_div_fmas, v_div_fixup). It scales denominators and numerators
// away from the ends of the range by 2^+-kScale, and marks in VCC that the quotient must be scaled back.
template <class T>
struct DivisionFormat {
  static constexpr int kScale = sizeof(T) == 8 ? 128 : 64;
  static constexpr int kFarApart = sizeof(T) == 8 ? 768 : 96;
  static constexpr int kTiny = sizeof(T) == 8 ? 53 : 23;
};
template <class T>
struct Scaled {
  T value;
  bool flag;
};
template <class T>
Scaled<T> DivScaleOf(T x, T denominator, T numerator) {
  using Format = DivisionFormat<T>;
  constexpr int kScale = Format::kScale;
  if (denominator == 0 || numerator == 0) return {DefaultNan<T>(), false};
  bool same_as_denominator = BitsOf(x) == BitsOf(denominator), same_as_numerator = BitsOf(x) == BitsOf(numerator);
  // A reciprocal is denormal exactly if the exponent is at one of the two highest finite values.
  bool small_reciprocal = ExponentField(denominator) >= 2 * FloatFormat<T>::kBias - 1;
  bool small_quotient = IsDenormal(numerator / denominator) || numerator / denominator == 0;
  if (ExponentField(numerator) - ExponentField(denominator) >= Format::kFarApart) {
    return {same_as_denominator ? LdexpOf(x, kScale) : x, true};
  }
  if (IsDenormal(denominator)) return {LdexpOf(x, kScale), false};
  if (small_reciprocal && small_quotient) return {same_as_denominator ? LdexpOf(x, -kScale) : x, true};
  if (small_reciprocal) return {LdexpOf(x, -kScale), false};
  if (small_quotient) return {same_as_numerator ? LdexpOf(x, kScale) : x, true};
  if (ExponentField(numerator) <= Format::kTiny) return {LdexpOf(x, kScale), false};
  return {x, false};
}
template <class T>
T DivFmasOf(T a, T b, T c, bool flag) {
  if (!flag) return std::fma(a, b, c);
  // A quotient above one was made small by a scaled denominator, and the other way round. Scaled before it is rounded:
  // the result may be denormal.
  using Wide = std::conditional_t<sizeof(T) == 8, __float128, double>;
  constexpr double kUp = sizeof(T) == 8 ? 0x1p128 : 0x1p64, kDown = sizeof(T) == 8 ? 0x1p-128 : 0x1p-64;
  Wide sum = static_cast<Wide>(a) * b + c;
  return static_cast<T>(sum * (ExponentField(c) > FloatFormat<T>::kBias ? kUp : kDown));
}
template <class T>
T DivFixupOf(T quotient, T denominator, T numerator) {
  bool negative = SignBit(denominator) != SignBit(numerator);
  T zero = static_cast<T>(0.0f), inf = static_cast<T>(std::numeric_limits<float>::infinity());
  if (IsNan(numerator)) return Quiet(numerator);
  if (IsNan(denominator)) return Quiet(denominator);
  if (denominator == zero && numerator == zero) return DefaultNan<T>();
  if (IsInf(denominator) && IsInf(numerator)) return DefaultNan<T>();
  if (denominator == zero || IsInf(numerator)) return WithSign(inf, negative);
  if (IsInf(denominator) || numerator == zero) return WithSign(zero, negative);
  if (IsNan(quotient)) {  // the Newton steps of a quotient beyond the range end in inf - inf
    return WithSign(ExponentField(numerator) > ExponentField(denominator) ? inf : zero, negative);
  }
  return WithSign(quotient, negative);
}

// v_trig_preop_f64: 53 bits of 2 / pi, from the place that the exponent of x and `segment` select, for the reduction of
// large arguments. Source: "AMD Instinct MI300 ISA", V_TRIG_PREOP_F64.
inline constexpr u32 kTwoOverPi[] = {
    // the fraction's bits, highest first
    0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561,
    0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484,
    0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f,
    0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b,
    0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab,
};
inline double TrigPreopOf(double x, u32 segment) {
  constexpr int kBits = 1201, kResultBits = 53, kLargeExponent = 1077, kScaledExponent = 1968;
  int exponent = ExponentField(x), shift = static_cast<int>(segment & 31) * kResultBits;
  if (exponent > kLargeExponent) shift += exponent - kLargeExponent;
  u64 bits = 0;
  for (int i = shift; i < shift + kResultBits; i++) {
    bool set = i < kBits && (kTwoOverPi[i / 32] >> (31 - i % 32) & 1) != 0;
    bits = bits << 1 | u64{set};
  }
  int scale = -kResultBits - shift + (exponent >= kScaledExponent ? 128 : 0);
  return std::ldexp(static_cast<double>(bits), scale);
}

}  // namespace rocxla::emu
