// Shape rules of reductions, tuples and whatever calls a computation.
#include "xla/hlo/ir/shape_rules_internal.h"

namespace xla::shape_rules {

Problem CheckParameters(std::string_view role, const HloComputation& computation, const std::vector<Shape>& arguments) {
  const std::vector<Shape> parameters = computation.ComputeProgramShape().parameters;
  const bool fits =
      std::equal(parameters.begin(), parameters.end(), arguments.begin(), arguments.end(), ShapeUtil::SameValues);
  if (fits) return std::nullopt;
  return Wrong(fmt::format("the parameters of {} '{}' do not fit what it is given", role, computation.name()),
               "parameters " + ShapesText(parameters), "parameters " + ShapesText(arguments));
}

namespace {

const Shape& ResultOf(const HloComputation& computation) { return computation.root_instruction()->shape(); }

}  // namespace

Problem CheckResult(std::string_view role, const HloComputation& computation, const Shape& expected) {
  if (ShapeUtil::SameValues(ResultOf(computation), expected)) return std::nullopt;
  return Wrong(fmt::format("{} '{}' gives the wrong shape", role, computation.name()), ResultOf(computation).ToString(),
               expected.ToString());
}

Problem CheckCombiner(std::string_view role, const HloComputation& computation, const std::vector<Shape>& scalars) {
  std::vector<Shape> arguments = scalars;
  arguments.insert(arguments.end(), scalars.begin(), scalars.end());
  RETURN_IF_PROBLEM(CheckParameters(role, computation, arguments));
  return CheckResult(role, computation, OneOrTuple(scalars));
}

Shape OneOrTuple(std::vector<Shape> shapes) {
  if (shapes.size() == 1) return shapes[0];
  return Shape::Tuple(std::move(shapes));
}

namespace {

bool Contains(const std::vector<int64_t>& list, int64_t value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

}  // namespace

ShapeRuleResult ReduceShape(const HloInstruction& instruction) {
  RETURN_IF_PROBLEM(CheckArrays(instruction));
  if (instruction.operand_count() == 0 || instruction.operand_count() % 2 != 0) {
    return Wrong("reduce takes inputs, then as many initial values",
                 fmt::format("{} operands", instruction.operand_count()), "an even number, at least 2");
  }
  const int64_t inputs = instruction.input_count();
  const Shape& first = OperandShape(instruction, 0);
  RETURN_IF_PROBLEM(CheckDimensionList("dimensions", instruction.dimensions(), first.rank()));
  std::vector<int64_t> kept;
  for (int64_t i = 0; i < first.rank(); ++i) {
    if (!Contains(instruction.dimensions(), i)) kept.push_back(first.dimensions(i));
  }
  std::vector<Shape> results;
  std::vector<Shape> scalars;
  for (int64_t i = 0; i < inputs; ++i) {
    const Shape& initial = OperandShape(instruction, inputs + i);
    if (OperandShape(instruction, i).dimensions() != first.dimensions()) {
      return Wrong("all inputs of reduce must have the same dimensions", ShapesText(OperandShapes(instruction)),
                   fmt::format("the dimensions of {}", first.ToString()));
    }
    if (!initial.IsScalar() || initial.element_type() != OperandShape(instruction, i).element_type()) {
      return Wrong(fmt::format("operand {} of reduce must be the initial value of operand {}", inputs + i, i),
                   initial.ToString(), Shape::Scalar(OperandShape(instruction, i).element_type()).ToString());
    }
    scalars.push_back(initial);
    results.push_back(Shape::Array(initial.element_type(), kept));
  }
  RETURN_IF_PROBLEM(CheckCombiner("to_apply", *instruction.to_apply(), scalars));
  return OneOrTuple(std::move(results));
}

ShapeRuleResult MapShape(const HloInstruction& instruction) {
  RETURN_IF_PROBLEM(CheckArrays(instruction));
  if (instruction.operand_count() == 0) return Wrong("map needs operands", "none", "at least one");
  const Shape& first = OperandShape(instruction, 0);
  std::vector<Shape> arguments;
  for (const Shape& shape : OperandShapes(instruction)) {
    if (shape.dimensions() != first.dimensions()) {
      return Wrong("all operands of map must have the same dimensions", ShapesText(OperandShapes(instruction)),
                   fmt::format("the dimensions of {}", first.ToString()));
    }
    arguments.push_back(Shape::Scalar(shape.element_type()));
  }
  for (size_t i = 0; i < instruction.dimensions().size(); ++i) {
    if (instruction.dimensions()[i] != static_cast<int64_t>(i) ||
        instruction.dimensions().size() != first.dimensions().size()) {
      return Wrong("map must name all dimensions in order",
                   fmt::format("dimensions={{{}}}", fmt::join(instruction.dimensions(), ",")),
                   fmt::format("0 to {}", first.rank() - 1));
    }
  }
  RETURN_IF_PROBLEM(CheckParameters("to_apply", *instruction.to_apply(), arguments));
  const Shape& element = ResultOf(*instruction.to_apply());
  if (!element.IsScalar()) return Wrong("to_apply of map must give a scalar", element.ToString(), "a scalar");
  return Shape::Array(element.element_type(), first.dimensions());
}

namespace {

std::vector<int64_t> Without(std::vector<int64_t> dimensions, int64_t dimension) {
  dimensions.erase(dimensions.begin() + dimension);
  return dimensions;
}

// The results of `body` from its carries on are those of the next step; the others are slices of the scan's results.
ShapeRuleResult ScanResults(const HloInstruction& scan, int64_t steps, const std::vector<Shape>& carries) {
  const HloComputation& body = *scan.to_apply();
  const int64_t dimension = scan.dimensions()[0];
  const bool is_tuple = ResultOf(body).IsTuple();
  std::vector<Shape> results = is_tuple ? ResultOf(body).tuple_shapes() : std::vector{ResultOf(body)};
  const auto outputs = static_cast<int64_t>(results.size()) - static_cast<int64_t>(carries.size());
  bool fits = outputs >= 0 && std::equal(carries.begin(), carries.end(),
                                         results.end() - static_cast<int64_t>(carries.size()), ShapeUtil::Compatible);
  for (int64_t i = 0; fits && i < outputs; ++i) {
    Shape& output = results[i];
    fits = output.IsArray() && dimension <= output.rank();
    if (!fits) break;
    std::vector<int64_t> dimensions = output.dimensions();
    dimensions.insert(dimensions.begin() + dimension, steps);
    output = Shape::Array(output.element_type(), std::move(dimensions));
  }
  if (!fits) {
    return Wrong("to_apply of scan must give slices of the results, then the next carries", ResultOf(body).ToString(),
                 fmt::format("arrays, then {}", ShapesText(carries)));
  }
  return is_tuple ? Shape::Tuple(std::move(results)) : results[0];
}

}  // namespace

ShapeRuleResult ScanShape(const HloInstruction& instruction) {
  RETURN_IF_PROBLEM(CheckArrays(instruction));
  const auto carries = instruction.attributes().Get<int64_t>(AttributeId::kNumCarries);
  const int64_t inputs = instruction.operand_count() - carries;
  if (carries < 0 || inputs < 1 || instruction.dimensions().size() != 1) {
    return Wrong("scan takes inputs, then the first carries, and goes along one dimension",
                 fmt::format("{} operands, num_carries={}, dimensions={{{}}}", instruction.operand_count(), carries,
                             fmt::join(instruction.dimensions(), ",")),
                 "at least one input, and one dimension");
  }
  const Shape& first = OperandShape(instruction, 0);
  const int64_t dimension = instruction.dimensions()[0];
  std::vector<Shape> arguments;
  for (int64_t i = 0; i < inputs; ++i) {
    const Shape& input = OperandShape(instruction, i);
    RETURN_IF_PROBLEM(CheckDimensionList("dimensions", instruction.dimensions(), input.rank()));
    if (input.dimensions(dimension) != first.dimensions(dimension)) {
      return Wrong("all inputs of scan must have as many slices", ShapesText({first, input}),
                   fmt::format("{} in dimension {}", first.dimensions(dimension), dimension));
    }
    arguments.push_back(Shape::Array(input.element_type(), Without(input.dimensions(), dimension)));
  }
  const std::vector<Shape> first_carries = OperandShapes(instruction, inputs);
  arguments.insert(arguments.end(), first_carries.begin(), first_carries.end());
  RETURN_IF_PROBLEM(CheckParameters("to_apply", *instruction.to_apply(), arguments));
  return ScanResults(instruction, first.dimensions(dimension), first_carries);
}

ShapeRuleResult CallShape(const HloInstruction& instruction) {
  RETURN_IF_PROBLEM(CheckParameters("to_apply", *instruction.to_apply(), OperandShapes(instruction)));
  return ResultOf(*instruction.to_apply());
}

ShapeRuleResult FusionShape(const HloInstruction& instruction) {
  const HloComputation& fused = *instruction.fused_instructions_computation();
  RETURN_IF_PROBLEM(CheckParameters("calls", fused, OperandShapes(instruction)));
  return ResultOf(fused);
}

ShapeRuleResult WhileShape(const HloInstruction& instruction) {
  const Shape& state = OperandShape(instruction, 0);
  RETURN_IF_PROBLEM(CheckParameters("condition", *instruction.while_condition(), {state}));
  RETURN_IF_PROBLEM(CheckResult("condition", *instruction.while_condition(), Shape::Scalar(PRED)));
  RETURN_IF_PROBLEM(CheckParameters("body", *instruction.while_body(), {state}));
  RETURN_IF_PROBLEM(CheckResult("body", *instruction.while_body(), state));
  return state;
}

ShapeRuleResult ConditionalShape(const HloInstruction& instruction) {
  if (instruction.operand_count() == 0)
    return Wrong("conditional needs a branch index", "no operands", "s32[] or pred[]");
  const Shape& index = OperandShape(instruction, 0);
  const AttributeSet& attributes = instruction.attributes();
  const bool is_pred = ShapeUtil::Compatible(index, Shape::Scalar(PRED));
  if (!is_pred && !ShapeUtil::Compatible(index, Shape::Scalar(S32))) {
    return Wrong("operand 0 of conditional must be the branch index", index.ToString(), "s32[] or pred[]");
  }
  const bool has_both = attributes.Has(AttributeId::kTrueComputation) && attributes.Has(AttributeId::kFalseComputation);
  const bool has_any = attributes.Has(AttributeId::kTrueComputation) || attributes.Has(AttributeId::kFalseComputation);
  const bool has_branches = attributes.Has(AttributeId::kBranchComputations);
  if (is_pred ? !has_both || has_branches : !has_branches || has_any) {
    return Wrong("the branches of the conditional do not fit its index", "index " + index.ToString(),
                 is_pred ? "true_computation and false_computation" : "branch_computations");
  }
  if (instruction.operand_count() != instruction.branch_count() + 1) {
    return Wrong("conditional needs one argument per branch",
                 fmt::format("{} arguments", instruction.operand_count() - 1),
                 fmt::format("{} arguments", instruction.branch_count()));
  }
  const Shape& result = ResultOf(*instruction.branch_computation(0));
  for (int64_t i = 0; i < instruction.branch_count(); ++i) {
    const std::string role = fmt::format("branch {}", i);
    RETURN_IF_PROBLEM(CheckParameters(role, *instruction.branch_computation(i), {OperandShape(instruction, i + 1)}));
    RETURN_IF_PROBLEM(CheckResult(role, *instruction.branch_computation(i), result));
  }
  return result;
}

ShapeRuleResult TupleShape(const HloInstruction& instruction) { return Shape::Tuple(OperandShapes(instruction)); }

ShapeRuleResult GetTupleElementShape(const HloInstruction& instruction) {
  const Shape& operand = OperandShape(instruction, 0);
  const auto size = static_cast<int64_t>(operand.tuple_shapes().size());
  if (!operand.IsTuple() || instruction.tuple_index() < 0 || instruction.tuple_index() >= size) {
    return Wrong("get-tuple-element must name an element of a tuple",
                 fmt::format("index={} of {}", instruction.tuple_index(), operand.ToString()),
                 operand.IsTuple() ? fmt::format("an index below {}", size) : "a tuple");
  }
  return operand.tuple_shapes(instruction.tuple_index());
}

}  // namespace xla::shape_rules
