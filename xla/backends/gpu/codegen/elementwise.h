// Elementwise HLO operations as TTIR: the table elementwise_ops.def, and the few that need more than a line.
#pragma once
#include <span>

#include "xla/backends/gpu/codegen/element_type.h"
#include "xla/backends/gpu/codegen/ttir_builder.h"

namespace xla::gpu {

// The result of `instruction` for operand values of its operands' register types. Shapes may differ: sizes of 1
// stretch. Integers follow XLA: x / 0 = -1 (unsigned: all bits), x % 0 = x, shifts beyond the width give 0 or the sign.
// CompilerUnsupportedOpcode or CompilerUnsupportedType when there is no code for it.
StatusOr<TtirValue> EmitElementwise(TtirBuilder& builder, const HloInstruction& instruction,
                                    std::span<const TtirValue> operands);

// One operation of the table on values of `type`; f16 and bf16 values may be given in f32 and then stay there.
StatusOr<TtirValue> EmitTableOp(TtirBuilder& builder, const HloInstruction& instruction, PrimitiveType type,
                                std::span<const TtirValue> operands);

// `x`, of HLO type `from`, as `to`: integers wrap, floats to integers saturate with NaN -> 0, to pred: x != 0.
StatusOr<TtirValue> EmitConvert(TtirBuilder& builder, const HloInstruction& instruction, const TtirValue& x,
                                PrimitiveType from, PrimitiveType to);

// An element of a constant, as a scalar of its register type.
StatusOr<TtirValue> EmitConstantElement(TtirBuilder& builder, const HloInstruction& constant, int64_t element);

}  // namespace xla::gpu
