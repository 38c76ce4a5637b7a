#include "base/numerics/half.h"

namespace rocxla {

uint16_t F32ToF16(float value) {
  constexpr int kBias = 127, kHalfBias = 15, kDropped = 23 - 10;
  uint32_t bits = std::bit_cast<uint32_t>(value);
  uint32_t sign = bits >> 16 & 0x8000u, magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return static_cast<uint16_t>(sign | 0x7e00u | (magnitude >> kDropped & 0x3ffu));
  // 65520 is half way between the largest f16 and the next step: it and all above round to infinity.
  if (magnitude >= std::bit_cast<uint32_t>(65520.0f)) return static_cast<uint16_t>(sign | 0x7c00u);
  int exponent = static_cast<int>(magnitude >> 23) - kBias + kHalfBias;
  uint32_t mantissa = (magnitude & 0x7fffffu) | 0x800000u;
  int shift = kDropped;
  if (exponent <= 0) {  // a subnormal result: shift further
    shift += 1 - exponent;
    exponent = 0;
    if (shift > 24) return static_cast<uint16_t>(sign);
  } else {
    mantissa &= 0x7fffffu;
  }
  uint32_t kept = mantissa >> shift, rest = mantissa & ((1u << shift) - 1), half = 1u << (shift - 1);
  kept += rest > half || (rest == half && (kept & 1));
  // A carry out of the mantissa raises the exponent by itself.
  return static_cast<uint16_t>(sign | ((static_cast<uint32_t>(exponent) << 10) + kept));
}

float F16ToF32(uint16_t bits) {
  uint32_t sign = (bits & 0x8000u) << 16, exponent = bits >> 10 & 31u, mantissa = bits & 0x3ffu;
  if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000u | mantissa << 13);
  if (exponent) return std::bit_cast<float>(sign | (exponent + 112) << 23 | mantissa << 13);
  float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
  return std::bit_cast<float>(std::bit_cast<uint32_t>(magnitude) | sign);
}

}  // namespace rocxla
