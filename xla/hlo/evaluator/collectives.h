// Collectives whose result is a part of the instruction's: their first halves.
#pragma once
#include "xla/hlo/evaluator/evaluator.h"

namespace xla::evaluator {

// `shape`: of the result, which the instruction's own shape may only contain.
StatusOr<Literal> AllGather(const HloInstruction& instruction, Operands operands, const Shape& shape);
StatusOr<Literal> CollectivePermute(const HloInstruction& instruction, Operands operands, const Shape& shape);

}  // namespace xla::evaluator
