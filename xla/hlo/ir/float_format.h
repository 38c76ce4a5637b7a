// The floating-point types below 32 bits: bits <-> double, one generic implementation for all of them.
#pragma once
#include <cstdint>

#include "xla/hlo/ir/primitive_type.h"

namespace xla {

// How a format spends its extreme codes.
enum class FloatSpecials : uint8_t {
  kIeee,    // infinities and NaNs, as IEEE 754
  kFn,      // no infinity; NaN is all ones besides the sign. Overflow gives NaN
  kFnuz,    // no infinity, no negative zero, whose code is NaN. Overflow gives NaN
  kFinite,  // neither infinity nor NaN. Overflow saturates, NaN becomes negative zero
  kE8M0,    // a power of two: no sign, no zero, no mantissa; 0xff is NaN
};

struct FloatFormat {
  int exponent_bits;
  int mantissa_bits;
  int bias;
  FloatSpecials specials;
};

// Any floating-point type, f32 and f64 too. Sources: IEEE 754-2019; OCP 8-bit floating point 1.0; OCP microscaling
// formats 1.0; the names' definitions in StableHLO's specification.
const FloatFormat& FloatFormatOf(PrimitiveType type);

// `bits` are those of a value of `type`, in the low bits. f32 and f64 work too.
double DecodeFloat(PrimitiveType type, uint64_t bits);
// Rounds to nearest, ties to even, once.
uint64_t EncodeFloat(PrimitiveType type, double value);

// The largest finite value.
double MaxFinite(PrimitiveType type);

}  // namespace xla
