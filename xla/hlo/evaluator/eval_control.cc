// Constants, tuples and whatever runs another computation.
#include <fmt/format.h>

#include "xla/hlo/evaluator/evaluator.h"

namespace xla::evaluator {

StatusOr<Literal> Eval_kParameter(const HloInstruction& instruction, Operands) {
  return NotEvaluable(instruction, "a parameter has no value of its own");  // EvaluateComputation takes the argument
}

StatusOr<Literal> Eval_kConstant(const HloInstruction& instruction, Operands) {
  if (!instruction.literal().is_elided()) return instruction.literal();
  return NotEvaluable(instruction, "the text of the module leaves out the values of this constant");
}

StatusOr<Literal> Eval_kTuple(const HloInstruction&, Operands operands) {
  std::vector<Literal> elements;
  for (const Literal* operand : operands) elements.push_back(*operand);
  return Literal::Tuple(std::move(elements));
}

StatusOr<Literal> Eval_kGetTupleElement(const HloInstruction& instruction, Operands operands) {
  return operands[0]->tuple_elements()[instruction.tuple_index()];
}

StatusOr<Literal> Eval_kCall(const HloInstruction& instruction, Operands operands) {
  return EvaluateComputation(*instruction.to_apply(), operands);
}

StatusOr<Literal> Eval_kFusion(const HloInstruction& instruction, Operands operands) {
  return EvaluateComputation(*instruction.fused_instructions_computation(), operands);
}

StatusOr<Literal> Eval_kWhile(const HloInstruction& instruction, Operands operands) {
  Literal state = *operands[0];
  for (int64_t iteration = 0; iteration < kMostLoopIterations; ++iteration) {
    const Literal* argument[] = {&state};
    ASSIGN_OR_RETURN(const Literal again, EvaluateComputation(*instruction.while_condition(), argument));
    if (again.GetAsInt64(0) == 0) return state;
    ASSIGN_OR_RETURN(state, EvaluateComputation(*instruction.while_body(), argument));
  }
  return NotEvaluable(instruction, fmt::format("the loop has not ended after {} iterations", kMostLoopIterations));
}

// pred: true is branch 0. s32: a number that names no branch means the last one.
StatusOr<Literal> Eval_kConditional(const HloInstruction& instruction, Operands operands) {
  int64_t branch = operands[0]->GetAsInt64(0);
  if (operands[0]->shape().element_type() == PRED) branch = branch != 0 ? 0 : 1;
  if (branch < 0 || branch >= instruction.branch_count()) branch = instruction.branch_count() - 1;
  const Literal* argument[] = {operands[branch + 1]};
  return EvaluateComputation(*instruction.branch_computation(branch), argument);
}

}  // namespace xla::evaluator
