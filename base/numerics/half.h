// f16 and bf16 against f32, round to nearest even. Numbers travel as their bits.
#pragma once
#include <bit>
#include <cstdint>

namespace rocxla {

// IEEE 754 binary16. Values beyond the range become infinities, NaNs keep their sign and top payload bits and stay
// quiet.
uint16_t F32ToF16(float value);
float F16ToF32(uint16_t bits);

// bfloat16: the upper half of an f32. NaNs stay NaNs (quiet).
inline float Bf16ToF32(uint16_t bits) { return std::bit_cast<float>(uint32_t{bits} << 16); }
inline uint16_t F32ToBf16(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return static_cast<uint16_t>(bits >> 16 | 0x40u);
  return static_cast<uint16_t>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

}  // namespace rocxla
