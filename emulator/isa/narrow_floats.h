// Floats of 4, 6 and 8 bits, as numbers: how their codes read, and how wider floats round to them.
//
// A format has a sign bit, then exponent and mantissa. Four families differ in what the highest codes mean:
//   kIeee        the highest exponent holds infinities and NaNs (bf8: e5m2 of OCP)
//   kOneNan      all bits set is NaN, there are no infinities (fp8: e4m3 of OCP)
//   kFnuz        0x80 is NaN, there are neither infinities nor -0 (fp8 and bf8 of gfx942)
//   kFiniteOnly  every code is a number (fp6, bf6, fp4)
// A value beyond the range becomes an infinity where the format has one, else NaN; formats of finite numbers saturate.
// Sources: "OCP 8-bit Floating Point Specification", "OCP Microscaling Formats Specification"; "AMD Instinct MI300
// ISA", V_CVT_PK_FP8_F32; hardware's overflow with MODE.FP16_OVFL off: ROCm/rocm-systems issue 9556.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "emulator/isa/types.h"

namespace rocxla::emu {

enum class Specials : u8 { kIeee, kOneNan, kFnuz, kFiniteOnly };

template <int exponent_bits, int mantissa_bits, Specials specials>
struct NarrowFormat {
  static constexpr int kMantissa = mantissa_bits, kBits = 1 + exponent_bits + mantissa_bits;
  static constexpr int kBias = (1 << (exponent_bits - 1)) - (specials == Specials::kFnuz ? 0 : 1);
  static constexpr int kLeastExponent = 1 - kBias;  // of normal numbers, and of denormals' quantum
  static constexpr u32 kSign = 1u << (kBits - 1);
  static constexpr Specials kSpecials = specials;
  // The highest code of a finite magnitude.
  static constexpr u32 kMax = specials == Specials::kIeee     ? kSign - 1 - (1u << mantissa_bits)
                              : specials == Specials::kOneNan ? kSign - 2
                                                              : kSign - 1;
  static constexpr u32 kInf = kMax + 1;  // kIeee
};
using Fp8Format = NarrowFormat<4, 3, Specials::kOneNan>;
using Bf8Format = NarrowFormat<5, 2, Specials::kIeee>;
using Fp8FnuzFormat = NarrowFormat<4, 3, Specials::kFnuz>;
using Bf8FnuzFormat = NarrowFormat<5, 2, Specials::kFnuz>;
using Fp6Format = NarrowFormat<2, 3, Specials::kFiniteOnly>;
using Bf6Format = NarrowFormat<3, 2, Specials::kFiniteOnly>;
using Fp4Format = NarrowFormat<2, 1, Specials::kFiniteOnly>;

// The value of a code; higher bits of `code` are ignored. Exact.
template <class F>
constexpr float NarrowValue(u32 code) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  u32 magnitude = code & (F::kSign - 1);
  bool negative = (code & F::kSign) != 0;
  if (F::kSpecials == Specials::kFnuz && negative && magnitude == 0) return kNan;
  if (magnitude > F::kMax) {
    bool infinite = F::kSpecials == Specials::kIeee && magnitude == F::kInf;
    return infinite ? (negative ? -1.0f : 1.0f) * std::numeric_limits<float>::infinity() : kNan;
  }
  int exponent = static_cast<int>(magnitude >> F::kMantissa);
  u32 fraction = magnitude & ((1u << F::kMantissa) - 1);
  if (exponent > 0) fraction += 1u << F::kMantissa;
  int scale = (exponent > 0 ? exponent - 1 : 0) + F::kLeastExponent - F::kMantissa;
  float value = static_cast<float>(fraction) * std::bit_cast<float>(static_cast<u32>(scale + 127) << 23);
  return negative ? -value : value;
}
// All values of a format, by code.
template <class F>
inline constexpr std::array<float, 1 << F::kBits> kNarrowValues = [] {
  std::array<float, 1 << F::kBits> values{};
  for (u32 code = 0; code < values.size(); code++) values[code] = NarrowValue<F>(code);
  return values;
}();

template <class F>
u32 NarrowNan(bool negative) {
  if (F::kSpecials == Specials::kFnuz) return F::kSign;
  if (F::kSpecials == Specials::kFiniteOnly) return F::kMax | (negative ? F::kSign : 0);
  return (F::kSign - 1) | (negative ? F::kSign : 0);
}

// The code that `x` rounds to; `round` maps a magnitude in units of the result's last place to a whole number.
template <class F>
u32 RoundNarrow(double x, auto round) {
  bool negative = std::signbit(x);
  u32 sign = negative ? F::kSign : 0;
  if (std::isnan(x)) return NarrowNan<F>(negative);
  u32 code = F::kMax + 1;
  if (std::isfinite(x)) {
    int exponent = F::kLeastExponent;
    if (x != 0) exponent = std::max(exponent, std::ilogb(x));
    double units = round(std::ldexp(std::fabs(x), F::kMantissa - exponent));
    // Codes ascend with magnitudes, so that a carry into the exponent is an ordinary carry.
    double whole = units + std::ldexp(static_cast<double>(exponent - F::kLeastExponent), F::kMantissa);
    code = whole > F::kMax ? F::kMax + 1 : static_cast<u32>(whole);
  }
  if (code > F::kMax) {
    if (F::kSpecials == Specials::kIeee) return F::kInf | sign;
    return F::kSpecials == Specials::kFiniteOnly ? F::kMax | sign : NarrowNan<F>(negative);
  }
  if (F::kSpecials == Specials::kFnuz && code == 0) return 0;  // no -0
  return code | sign;
}
template <class F>
u32 ToNarrow(double x) {
  return RoundNarrow<F>(x, [](double units) { return std::nearbyint(units); });
}
// Stochastic: up if the fraction that is dropped, plus `random` / 2^32, reaches one. Of f32 values with normal results
// these are the high bits of `random` added to the mantissa below the result's last place, as the manual describes it.
template <class F>
u32 ToNarrowStochastic(double x, u32 random) {
  return RoundNarrow<F>(x, [&](double units) { return std::floor(units + random * 0x1p-32); });
}

// The factor of scaled conversions is the exponent field of an f32 (E8M0: 2^(field - 127), 255 is NaN).
inline double ScaleFactor(u32 scale_bits) {
  u32 field = scale_bits >> 23 & 255;
  return field == 255 ? std::numeric_limits<double>::quiet_NaN() : std::ldexp(1.0, static_cast<int>(field) - 127);
}

}  // namespace rocxla::emu
