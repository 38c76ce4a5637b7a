// Element types and register layouts of the matrix operations.
#pragma once
#include <bit>

#include "base/numerics/half.h"
#include "emulator/isa/narrow_floats.h"
#include "emulator/isa/types.h"

namespace rocxla::emu {

// kMfmaScaled: gfx950, with formats and scales chosen by the instruction. kSmfmac, kSwmmac: A is sparse; of every four
// consecutive k it holds two elements, and an index register says which.
enum class MatrixKind : u8 {
  kMfma,
  kMfmaScaled,
  kSmfmac,
  kWmmaGfx11Wave64,
  kWmmaGfx12Wave64,
  kSwmmacWave64,
  kWmmaGfx11,
  kWmmaGfx12,
  kSwmmac,
};
constexpr int LanesOf(MatrixKind kind) { return kind <= MatrixKind::kSwmmacWave64 ? 64 : 32; }
constexpr bool IsSparse(MatrixKind kind) {
  return kind == MatrixKind::kSmfmac || kind == MatrixKind::kSwmmac || kind == MatrixKind::kSwmmacWave64;
}
constexpr bool IsGfx11(MatrixKind kind) {
  return kind == MatrixKind::kWmmaGfx11 || kind == MatrixKind::kWmmaGfx11Wave64;
}
constexpr bool IsGfx12Wave64(MatrixKind kind) {
  return kind == MatrixKind::kWmmaGfx12Wave64 || kind == MatrixKind::kSwmmacWave64;
}

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

// How many lanes hold a matrix of `k` elements of `bits` bits per row. gfx12 in wave64: 16x16 elements of 4 bits fill
// the registers of the first 32 lanes only. Source: "RDNA4 ISA", "Matrix Element Storage in VGPRs".
constexpr int InputLanes(MatrixKind kind, int bits, int k) {
  return IsGfx12Wave64(kind) && bits == 4 && k == 16 ? 32 : LanesOf(kind);
}
template <class O>
constexpr int ALanes() {
  return InputLanes(O::kUnit, kElementBits<typename O::A>, IsSparse(O::kUnit) ? O::kK / 2 : O::kK);
}
template <class O>
constexpr int BLanes() {
  return InputLanes(O::kUnit, kElementBits<typename O::B>, O::kK);
}
// Elements of A and of B per lane. Each sixteen lanes of a gfx11 wave hold all of them.
template <class O>
constexpr int AElements() {
  if constexpr (IsGfx11(O::kUnit)) return O::kK;
  return O::kM * O::kK * O::kBlocks / ALanes<O>() / (IsSparse(O::kUnit) ? 2 : 1);
}
template <class O>
constexpr int BElements() {
  if constexpr (IsGfx11(O::kUnit)) return O::kK;
  return O::kM * O::kK * O::kBlocks / BLanes<O>();
}
template <class O>
constexpr MatrixShape ShapeOf() {
  constexpr int kResults = O::kM * O::kM * O::kBlocks / LanesOf(O::kUnit);
  // gfx11 puts a 16-bit result into one half of a register.
  constexpr int kResultBits = IsGfx11(O::kUnit) ? 32 : 8 * sizeof(typename O::D);
  return {AElements<O>() * kElementBits<typename O::A> / 32, BElements<O>() * kElementBits<typename O::B> / 32,
          kResults * kResultBits / 32};
}

// What an encoding can do to the inputs and the result. Source: "AMD Instinct MI300 ISA", "Broadcasting values";
// "RDNA3 ISA", "WMMA".
struct MatrixModifiers {
  u32 cbsz = 0, abid = 0;          // A: groups of 2^cbsz blocks all read the block abid of their group
  u32 blgp = 0;                    // B: which lanes the lanes read
  u32 negate_a = 0, negate_b = 0;  // bit 0: elements in low halves of registers, bit 1: those in high halves
  bool negate_c = false, absolute_c = false, saturate = false;

  i32 Pack() const {
    return static_cast<i32>(cbsz | abid << 3 | blgp << 7 | negate_a << 10 | negate_b << 12 | u32{negate_c} << 14 |
                            u32{absolute_c} << 15 | u32{saturate} << 16);
  }
  static MatrixModifiers Unpack(i32 packed) {
    u32 x = static_cast<u32>(packed);
    return {x & 7,       x >> 3 & 15,        x >> 7 & 7,         x >> 10 & 3,
            x >> 12 & 3, (x >> 14 & 1) != 0, (x >> 15 & 1) != 0, (x >> 16 & 1) != 0};
  }
};

}  // namespace rocxla::emu
