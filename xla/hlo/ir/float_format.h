// The floating-point element types: bits <-> double, through the formats of base/numerics.
#pragma once
#include <cstdint>

#include "base/numerics/float_format.h"
#include "xla/hlo/ir/primitive_type.h"

namespace xla {

using rocxla::FloatFormat;
using rocxla::FloatSpecials;

// `type` is any floating-point type, f32 and f64 too.
FloatFormat FloatFormatOf(PrimitiveType type);

// `bits` are those of a value of `type`, in the low bits. f32 and f64 work too.
double DecodeFloat(PrimitiveType type, uint64_t bits);
// Rounds to nearest, ties to even, once.
uint64_t EncodeFloat(PrimitiveType type, double value);

// The largest finite value.
double MaxFinite(PrimitiveType type);

}  // namespace xla
