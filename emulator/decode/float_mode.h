// The bits of MODE that the embedded GPU keeps, by their places in the register: what float operations depend on.
// Sources: "AMD Instinct MI300 ISA", "RDNA3 ISA" and "RDNA4 ISA", "MODE register"; LLVM's "User Guide for AMDGPU
// Backend", compute_pgm_rsrc1.
#pragma once
#include "base/target/target.h"
#include "emulator/isa/types.h"

namespace rocxla::emu {

// Rounding: two bits for f32, two for f16 and f64. Denormals: likewise; the low bit of each pair lets them in, the high
// one out.
inline constexpr u32 kRoundBits = 0xf, kDenormalBits = 0xf0;
// Not on gfx12. DX10_CLAMP: clamping makes NaN zero. IEEE: a signalling NaN wins in minima and maxima, and output
// modifiers are ignored.
inline constexpr u32 kDx10ClampBit = 1 << 8, kIeeeBit = 1 << 9;
// FP16_OVFL: f16 results that overflow become the largest number, and so do infinities where 8-bit floats are made.
inline constexpr u32 kFp16OverflowBit = 1 << 23;

constexpr u32 KeptModeBits(Generation generation) {
  u32 early = generation == Generation::kRdna4 ? 0 : kDx10ClampBit | kIeeeBit;
  return kRoundBits | kDenormalBits | early | kFp16OverflowBit;
}
// As compilers set it for compute kernels: round to nearest even, denormals kept.
constexpr u32 UsualFloatMode(Generation generation) {
  return kDenormalBits | (KeptModeBits(generation) & (kDx10ClampBit | kIeeeBit));
}

}  // namespace rocxla::emu
