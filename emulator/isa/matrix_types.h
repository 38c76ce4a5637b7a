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
