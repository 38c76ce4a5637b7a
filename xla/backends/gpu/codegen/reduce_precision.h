// reduce-precision: rounds to a float format of fewer bits, on the bits.
#pragma once
#include <cstdint>

#include "xla/backends/gpu/codegen/ttir_builder.h"
#include "xla/hlo/ir/float_format.h"

namespace xla::gpu {

// `code`: integers that hold values of `format` in their low bits. Rounds the mantissa to `mantissa_bits` (nearest,
// ties to even); if the exponent shrinks to `exponent_bits`, numbers that do not fit it become infinities (what the
// format has instead) or zeros, and so do subnormal ones (zeros). NaN stays what it is.
TtirValue EmitReducePrecision(TtirBuilder& builder, const TtirValue& code, const FloatFormat& format,
                              int64_t exponent_bits, int64_t mantissa_bits);

}  // namespace xla::gpu
