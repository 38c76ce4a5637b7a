// Element types and register layouts of the matrix operations.
#pragma once
#include <bit>

#include "emulator/isa/types.h"

namespace rocxla::emu {

enum class MatrixKind : u8 { kMfma, kWmmaGfx11, kWmmaGfx12 };

// Types that C++ has not: how they lie in a register, and their value.
struct Bf16 {
  u16 bits;
  explicit operator float() const { return std::bit_cast<float>(u32{bits} << 16); }
};
// Matrix operations on "xf32" read f32 and use its sign, exponent and ten highest mantissa bits.
struct Xf32 {
  u32 bits;
  explicit operator float() const { return std::bit_cast<float>(bits & 0xffffe000u); }
};

// 8-bit floats: sign, `exponent_bits`, the rest mantissa. "fnuz" formats have no infinities, one NaN (0x80) and no -0.
template <int exponent_bits, bool fnuz>
struct Float8 {
  u8 bits;
  explicit operator float() const {
    constexpr int kMantissa = 7 - exponent_bits;
    constexpr int kBias = (1 << (exponent_bits - 1)) - (fnuz ? 0 : 1);
    constexpr int kMaxExponent = (1 << exponent_bits) - 1;
    int exponent = bits >> kMantissa & kMaxExponent, mantissa = bits & ((1 << kMantissa) - 1);
    float sign = (bits & 0x80) != 0 ? -1.0f : 1.0f;
    constexpr float kNan = __builtin_nanf("");
    if (fnuz && bits == 0x80) return kNan;
    if (!fnuz && exponent_bits == 4 && (bits & 0x7f) == 0x7f) return kNan;  // e4m3fn: no infinities
    if (!fnuz && exponent_bits == 5 && exponent == kMaxExponent) return mantissa != 0 ? kNan : sign * __builtin_inff();
    float significand = static_cast<float>(exponent == 0 ? mantissa : mantissa + (1 << kMantissa));
    int scale = (exponent == 0 ? 1 : exponent) - kBias - kMantissa;
    return sign * significand * std::bit_cast<float>(static_cast<u32>(scale + 127) << 23);
  }
};
using Fp8 = Float8<4, false>;
using Bf8 = Float8<5, false>;
using Fp8Fnuz = Float8<4, true>;
using Bf8Fnuz = Float8<5, true>;

struct MatrixShape {
  u8 a_words, b_words, c_words;  // registers per lane
};

// Elements of A (or B) per lane.
template <class O>
constexpr int ElementsPerLane() {
  if constexpr (O::kUnit == MatrixKind::kMfma) return O::kM * O::kK * O::kBlocks / 64;
  if constexpr (O::kUnit == MatrixKind::kWmmaGfx11) return O::kK;  // both halves of the wave hold all of it
  return O::kM * O::kK / 32;
}
template <class O>
constexpr MatrixShape ShapeOf() {
  constexpr int kLanes = O::kUnit == MatrixKind::kMfma ? 64 : 32;
  constexpr int kPerLane = ElementsPerLane<O>();
  return {kPerLane * sizeof(typename O::A) / 4, kPerLane * sizeof(typename O::B) / 4,
          O::kM * O::kM * O::kBlocks / kLanes * sizeof(typename O::D) / 4};
}

}  // namespace rocxla::emu
