// reduce-precision: rounds to a float format of fewer bits, on the bits.
#pragma once
#include <cstdint>

#include "xla/backends/gpu/codegen/ttir_builder.h"

namespace xla::gpu {

// `x`: f32 or f64. Rounds the mantissa to `mantissa_bits` (nearest, ties to even); numbers whose exponent does not fit
// `exponent_bits` become infinities or zeros, and so do the format's denormals (zeros); NaN stays what it is.
TtirValue EmitReducePrecision(TtirBuilder& builder, const TtirValue& x, int64_t exponent_bits, int64_t mantissa_bits);

}  // namespace xla::gpu
