// Instructions with dynamic dimensions. While a program runs, a value has its actual size: what lies between that and
// the bound does not exist. So such an instruction is evaluated as the static one that it is for the sizes at hand.
#pragma once
#include "xla/hlo/evaluator/evaluator.h"

namespace xla::evaluator {

bool HasDynamicShapes(const HloInstruction& instruction);

// `evaluate` is the function of the opcode. HloNotEvaluable for opcodes that have no meaning on dynamic dimensions
// here, and for sizes that do not fit together.
StatusOr<Literal> EvaluateDynamic(const HloInstruction& instruction, Operands operands, EvalFn* evaluate);

}  // namespace xla::evaluator
