// Floats of 4, 6 and 8 bits as the vector unit converts them. What the formats are, and rounding to nearest, is base's;
// here stands what is the hardware's: which NaN it writes, and stochastic rounding.
//
// A value beyond the range becomes an infinity where the format has one, else NaN; formats of finite numbers saturate.
// Sources: "AMD Instinct MI300 ISA", V_CVT_PK_FP8_F32; hardware's overflow with MODE.FP16_OVFL off: ROCm/rocm-systems
// issue 9556.
#pragma once
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "base/numerics/float_convert.h"
#include "emulator/isa/types.h"

namespace rocxla::emu {

template <FloatType type>
struct NarrowFormat {
  static constexpr FloatType kType = type;
  static constexpr FloatFormat kFormat = FormatOf(type);
  static constexpr int kMantissa = kFormat.mantissa_bits, kBits = kFormat.Bits();
};
using Fp8Format = NarrowFormat<FloatType::kF8E4M3FN>;
using Bf8Format = NarrowFormat<FloatType::kF8E5M2>;
using Fp8FnuzFormat = NarrowFormat<FloatType::kF8E4M3FNUZ>;
using Bf8FnuzFormat = NarrowFormat<FloatType::kF8E5M2FNUZ>;
using Fp6Format = NarrowFormat<FloatType::kF6E2M3FN>;
using Bf6Format = NarrowFormat<FloatType::kF6E3M2FN>;
using Fp4Format = NarrowFormat<FloatType::kF4E2M1FN>;
using HalfFormat = NarrowFormat<FloatType::kF16>;
using Bf16Format = NarrowFormat<FloatType::kBF16>;

// The value of a code; higher bits of `code` are ignored. Exact.
template <class F>
constexpr float NarrowValue(u32 code) {
  return DecodeToFloat(F::kType, code & ((u32{1} << F::kBits) - 1));
}
// All values of a format, by code.
template <class F>
inline constexpr std::array<float, 1 << F::kBits> kNarrowValues = [] {
  std::array<float, 1 << F::kBits> values{};
  for (u32 code = 0; code < values.size(); code++) values[code] = NarrowValue<F>(code);
  return values;
}();

// The largest finite value of a format.
template <class F>
inline constexpr float kLargestNarrow = [] {
  float largest = 0;
  for (float value : kNarrowValues<F>) {
    if (value > largest && value < std::numeric_limits<float>::infinity()) largest = value;
  }
  return largest;
}();

// What a NaN becomes: every bit but the sign set, or the format's only NaN; where there is none, the largest number.
template <class F>
u32 NarrowNan(bool negative) {
  constexpr FloatFormat kFormat = F::kFormat;
  if (kFormat.specials == FloatSpecials::kFnuz) return static_cast<u32>(kFormat.SignBit());
  return static_cast<u32>(kFormat.MagnitudeMask() | (negative ? kFormat.SignBit() : 0));
}
template <class F>
u32 ToNarrow(double x) {
  return std::isnan(x) ? NarrowNan<F>(std::signbit(x)) : static_cast<u32>(EncodeFloat(F::kType, x));
}
// Stochastic: up if the fraction that is dropped, plus `random` / 2^32, reaches one. Of f32 values with normal results
// these are the high bits of `random` added to the mantissa below the result's last place, as the manual describes it.
template <class F>
u32 ToNarrowStochastic(double x, u32 random) {
  constexpr FloatFormat kFormat = F::kFormat;
  if (std::isnan(x)) return NarrowNan<F>(std::signbit(x));
  UnpackedFloat value = UnpackFloat(FormatOf(FloatType::kF64), std::bit_cast<u64>(x));
  if (value.kind != UnpackedFloat::Kind::kFinite) return static_cast<u32>(PackFloat(kFormat, value));
  auto [code, rest] = TruncateMagnitude(kFormat, value);
  bool carries = rest + (u64{random} << 32) < rest;
  return static_cast<u32>(PackMagnitude(kFormat, value.negative, code + carries));
}

// The factor of scaled conversions is the exponent field of an f32 (E8M0: 2^(field - 127), 255 is NaN).
inline double ScaleFactor(u32 scale_bits) { return DecodeToDouble(FloatType::kF8E8M0FNU, scale_bits >> 23 & 255); }

}  // namespace rocxla::emu
