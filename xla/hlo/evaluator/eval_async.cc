// Operations in two halves: the first does all the work.
#include "xla/hlo/evaluator/collectives.h"
#include "xla/hlo/evaluator/evaluator.h"

namespace xla::evaluator {
namespace {

// (operands, result, contexts...), as the instruction's shape says; contexts are zeros.
Literal Started(const HloInstruction& instruction, Operands operands, Literal result) {
  const std::vector<Shape>& shapes = instruction.shape().tuple_shapes();
  std::vector<Literal> parts;
  if (shapes[0].IsTuple()) {
    std::vector<Literal> elements;
    for (const Literal* operand : operands) elements.push_back(*operand);
    parts.push_back(Literal::Tuple(std::move(elements)));
  } else {
    parts.push_back(*operands[0]);
  }
  parts.push_back(std::move(result));
  for (size_t i = 2; i < shapes.size(); ++i) parts.push_back(Literal::Zeros(shapes[i]));
  return Literal::Tuple(std::move(parts));
}

}  // namespace

StatusOr<Literal> Eval_kAllGatherStart(const HloInstruction& instruction, Operands operands) {
  ASSIGN_OR_RETURN(Literal result, AllGather(instruction, operands, instruction.shape().tuple_shapes(1)));
  return Started(instruction, operands, std::move(result));
}
StatusOr<Literal> Eval_kCollectivePermuteStart(const HloInstruction& instruction, Operands operands) {
  ASSIGN_OR_RETURN(Literal result, CollectivePermute(instruction, operands, instruction.shape().tuple_shapes(1)));
  return Started(instruction, operands, std::move(result));
}
StatusOr<Literal> Eval_kAllReduceStart(const HloInstruction& instruction, Operands operands) {
  return Eval_kAllReduce(instruction, operands);
}
StatusOr<Literal> Eval_kAsyncStart(const HloInstruction& instruction, Operands operands) {
  const HloComputation& called = *instruction.attributes().Get<HloComputation*>(AttributeId::kCalls);
  ASSIGN_OR_RETURN(Literal result, EvaluateComputation(called, operands));
  return Started(instruction, operands, std::move(result));
}
// (copy, original, context).
StatusOr<Literal> Eval_kCopyStart(const HloInstruction& instruction, Operands operands) {
  Literal copy = *operands[0];
  copy.set_shape(instruction.shape().tuple_shapes(0));
  std::vector<Literal> parts;
  parts.push_back(std::move(copy));
  parts.push_back(*operands[0]);
  parts.push_back(Literal::Zeros(instruction.shape().tuple_shapes(2)));
  return Literal::Tuple(std::move(parts));
}

StatusOr<Literal> Eval_kAllGatherDone(const HloInstruction&, Operands operands) {
  return operands[0]->tuple_elements()[1];
}
StatusOr<Literal> Eval_kCollectivePermuteDone(const HloInstruction&, Operands operands) {
  return operands[0]->tuple_elements()[1];
}
StatusOr<Literal> Eval_kAsyncDone(const HloInstruction&, Operands operands) { return operands[0]->tuple_elements()[1]; }
StatusOr<Literal> Eval_kCopyDone(const HloInstruction&, Operands operands) { return operands[0]->tuple_elements()[0]; }
StatusOr<Literal> Eval_kAllReduceDone(const HloInstruction&, Operands operands) { return *operands[0]; }
StatusOr<Literal> Eval_kAsyncUpdate(const HloInstruction&, Operands operands) { return *operands[0]; }

}  // namespace xla::evaluator
