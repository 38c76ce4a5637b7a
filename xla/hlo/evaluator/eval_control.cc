// Constants, tuples and whatever runs another computation.
#include <fmt/format.h>

#include "xla/hlo/evaluator/array_parts.h"
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

namespace {

// Slice number `step` along the dimension, which it has not.
Literal SliceOf(const Literal& array, int64_t dimension, int64_t step) {
  Literal slice = PartOf(array, dimension, step, 1);
  std::vector<int64_t> dimensions = array.shape().dimensions();
  dimensions.erase(dimensions.begin() + dimension);
  slice.set_shape(Shape::Array(array.shape().element_type(), std::move(dimensions)));
  return slice;
}

// The inverse, of all slices.
Literal Stacked(std::vector<Literal>& slices, int64_t dimension, const Shape& shape) {
  std::vector<int64_t> dimensions = shape.dimensions();
  dimensions[dimension] = 1;
  std::vector<const Literal*> pointers;
  for (Literal& slice : slices) {
    slice.set_shape(Shape::Array(shape.element_type(), dimensions));
    pointers.push_back(&slice);
  }
  return pointers.empty() ? Literal::Zeros(shape) : Joined(pointers, dimension, shape);
}

std::vector<Literal> PartsOf(Literal value) {
  if (value.shape().IsTuple()) return std::move(value.mutable_tuple_elements());
  std::vector<Literal> one;
  one.push_back(std::move(value));
  return one;
}

}  // namespace

// Steps from the first slice to the last, or back: to_apply(slices, carries) = (slices of the results, next carries).
StatusOr<Literal> Eval_kScan(const HloInstruction& instruction, Operands operands) {
  const auto carry_count = static_cast<size_t>(instruction.attributes().Get<int64_t>(AttributeId::kNumCarries));
  const bool is_reverse = instruction.attributes().Get<bool>(AttributeId::kIsReverse);
  const int64_t dimension = instruction.dimensions()[0];
  const size_t inputs = operands.size() - carry_count;
  const int64_t steps = operands[0]->shape().dimensions(dimension);
  const bool is_tuple = instruction.shape().IsTuple();
  const std::vector<Shape> shapes = is_tuple ? instruction.shape().tuple_shapes() : std::vector{instruction.shape()};
  const size_t outputs = shapes.size() - carry_count;
  if (steps > kMostLoopIterations) {
    return NotEvaluable(instruction, fmt::format("the scan takes more than {} steps", kMostLoopIterations));
  }
  std::vector<Literal> carries;
  for (size_t i = inputs; i < operands.size(); ++i) carries.push_back(*operands[i]);
  std::vector<std::vector<Literal>> slices(outputs, std::vector<Literal>(steps));
  for (int64_t step = 0; step < steps; ++step) {
    const int64_t place = is_reverse ? steps - 1 - step : step;
    std::vector<Literal> arguments;
    for (size_t i = 0; i < inputs; ++i) arguments.push_back(SliceOf(*operands[i], dimension, place));
    for (Literal& carry : carries) arguments.push_back(std::move(carry));
    std::vector<const Literal*> pointers;
    for (const Literal& argument : arguments) pointers.push_back(&argument);
    ASSIGN_OR_RETURN(Literal value, EvaluateComputation(*instruction.to_apply(), pointers));
    std::vector<Literal> parts = PartsOf(std::move(value));
    for (size_t i = 0; i < outputs; ++i) slices[i][place] = std::move(parts[i]);
    for (size_t i = 0; i < carry_count; ++i) carries[i] = std::move(parts[outputs + i]);
  }
  std::vector<Literal> results;
  for (size_t i = 0; i < outputs; ++i) results.push_back(Stacked(slices[i], dimension, shapes[i]));
  for (size_t i = 0; i < carry_count; ++i) {
    carries[i].set_shape(shapes[outputs + i]);
    results.push_back(std::move(carries[i]));
  }
  return is_tuple ? Literal::Tuple(std::move(results)) : std::move(results[0]);
}

}  // namespace xla::evaluator
