// f16 and bf16 against f32, by their short names. Numbers travel as their bits; the rules are float_convert.h's.
#pragma once
#include <cstdint>

#include "base/numerics/float_convert.h"

namespace rocxla {

constexpr uint16_t F32ToF16(float value) { return static_cast<uint16_t>(EncodeFloat(FloatType::kF16, value)); }
constexpr float F16ToF32(uint16_t bits) { return DecodeToFloat(FloatType::kF16, bits); }
constexpr uint16_t F32ToBf16(float value) { return static_cast<uint16_t>(EncodeFloat(FloatType::kBF16, value)); }
constexpr float Bf16ToF32(uint16_t bits) { return DecodeToFloat(FloatType::kBF16, bits); }

}  // namespace rocxla
