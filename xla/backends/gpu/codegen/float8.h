// 8-bit floats in tile programs: their bits travel as i8, arithmetic is done in f32.
#pragma once
#include "xla/backends/gpu/codegen/ttir_builder.h"
#include "xla/hlo/ir/primitive_type.h"

namespace xla::gpu {

bool IsFloat8(PrimitiveType type);

// i8 bits of `type` -> f32, exactly.
TtirValue EmitFloat8Decode(TtirBuilder& builder, const TtirValue& bits, PrimitiveType type);
// f32 or f64 -> i8 bits of `type`, rounded once to nearest even. What is too large becomes infinity where the type has
// one, else NaN, as XLA's convert has it.
TtirValue EmitFloat8Encode(TtirBuilder& builder, const TtirValue& value, PrimitiveType type);

}  // namespace xla::gpu
