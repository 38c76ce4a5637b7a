// Element types and register layouts of the matrix operations.
#pragma once
#include <bit>

#include "base/numerics/half.h"
#include "emulator/isa/narrow_floats.h"
#include "emulator/isa/types.h"

namespace rocxla::emu {

// kMfmaScaled: gfx950, with formats and scales chosen by the instruction.
enum class MatrixKind : u8 { kMfma, kMfmaScaled, kWmmaGfx11, kWmmaGfx12 };

// Types that C++ has not: how they lie in a register, and their value.
struct Bf16 {
  u16 bits;
  explicit operator float() const { return std::bit_cast<float>(u32{bits} << 16); }
  static Bf16 Round(float x) { return {F32ToBf16(x)}; }
};
// Matrix operations on "xf32" read f32 and use its sign, exponent and ten highest mantissa bits; the rest is cut off,
// not rounded. Source: ROCm/rocm-libraries, change 9176 ("gfx942's native xf32 MFMA truncates").
struct Xf32 {
  u32 bits;
  explicit operator float() const { return std::bit_cast<float>(bits & 0xffffe000u); }
};

// 8-bit floats, by their formats of narrow_floats.h.
template <class Format>
struct Float8 {
  u8 bits;
  explicit operator float() const { return kNarrowValues<Format>[bits]; }
};
using Fp8 = Float8<Fp8Format>;
using Bf8 = Float8<Bf8Format>;
using Fp8Fnuz = Float8<Fp8FnuzFormat>;
using Bf8Fnuz = Float8<Bf8FnuzFormat>;

// Integers of 4 bits, and the elements of kMfmaScaled, whose format is known when the instruction runs: 8 bits at most.
template <bool is_signed>
struct Int4Of {
  static constexpr int kBits = 4;
  u8 bits;
  explicit operator i32() const { return is_signed && (bits & 8) != 0 ? bits - 16 : bits; }
};
using Int4 = Int4Of<true>;
using Uint4 = Int4Of<false>;
struct AnyNarrow {
  u8 bits;
};
template <class T>
inline constexpr int kElementBits = 8 * sizeof(T);
template <bool is_signed>
inline constexpr int kElementBits<Int4Of<is_signed>> = 4;

struct MatrixShape {
  u8 a_words, b_words, c_words;  // registers per lane
};

// Elements of A (or B) per lane.
template <class O>
constexpr int ElementsPerLane() {
  if constexpr (O::kUnit <= MatrixKind::kMfmaScaled) return O::kM * O::kK * O::kBlocks / 64;
  if constexpr (O::kUnit == MatrixKind::kWmmaGfx11) return O::kK;  // both halves of the wave hold all of it
  return O::kM * O::kK / 32;
}
template <class O>
constexpr MatrixShape ShapeOf() {
  constexpr int kLanes = O::kUnit <= MatrixKind::kMfmaScaled ? 64 : 32;
  constexpr int kPerLane = ElementsPerLane<O>();
  constexpr int kResults = O::kM * O::kM * O::kBlocks / kLanes;
  // gfx11 puts a 16-bit result into one half of a register.
  constexpr int kResultBits = O::kUnit == MatrixKind::kWmmaGfx11 ? 32 : 8 * sizeof(typename O::D);
  return {kPerLane * kElementBits<typename O::A> / 32, kPerLane * kElementBits<typename O::B> / 32,
          kResults * kResultBits / 32};
}

}  // namespace rocxla::emu
