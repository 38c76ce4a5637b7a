// Shape rules of batch normalisation, random bits and tokens.
#include "xla/hlo/ir/random.h"
#include "xla/hlo/ir/shape_rules_internal.h"

namespace xla::shape_rules {
namespace {

// Operand 0 is an array; the operands [first, last] are vectors of its feature dimension and element type.
Problem CheckFeatures(const HloInstruction& instruction, int64_t first, int64_t last) {
  RETURN_IF_PROBLEM(CheckArrays(instruction));
  const Shape& operand = OperandShape(instruction, 0);
  const auto feature = instruction.attributes().Get<int64_t>(AttributeId::kFeatureIndex);
  if (feature < 0 || feature >= operand.rank()) {
    return Wrong("feature_index names no dimension of the operand",
                 fmt::format("{} of {}", feature, operand.ToString()),
                 operand.rank() == 0 ? "an array with dimensions" : fmt::format("0 to {}", operand.rank() - 1));
  }
  const Shape vector = Shape::Array(operand.element_type(), {operand.dimensions(feature)});
  for (int64_t i = first; i <= last; ++i) {
    if (ShapeUtil::Compatible(OperandShape(instruction, i), vector)) continue;
    return Wrong(fmt::format("operand {} of {} must have one element for each feature", i,
                             HloOpcodeString(instruction.opcode())),
                 OperandShape(instruction, i).ToString(), vector.ToString());
  }
  return std::nullopt;
}

// The normalised array (or its gradient), and two vectors like operand 1.
Shape ArrayAndTwoVectors(const HloInstruction& instruction) {
  const Shape& vector = OperandShape(instruction, 1);
  return Shape::Tuple({OperandShape(instruction, 0), vector, vector});
}

}  // namespace

ShapeRuleResult BatchNormTrainingShape(const HloInstruction& instruction) {
  RETURN_IF_PROBLEM(CheckFeatures(instruction, 1, 2));
  return ArrayAndTwoVectors(instruction);
}

ShapeRuleResult BatchNormInferenceShape(const HloInstruction& instruction) {
  RETURN_IF_PROBLEM(CheckFeatures(instruction, 1, 4));
  return OperandShape(instruction, 0);
}

ShapeRuleResult BatchNormGradShape(const HloInstruction& instruction) {
  RETURN_IF_PROBLEM(CheckFeatures(instruction, 1, 3));
  if (!ShapeUtil::Compatible(OperandShape(instruction, 4), OperandShape(instruction, 0))) {
    return Wrong("the gradient of batch-norm-grad must have the operand's shape",
                 OperandShape(instruction, 4).ToString(), OperandShape(instruction, 0).ToString());
  }
  return ArrayAndTwoVectors(instruction);
}

// (the next state, random bits of any integer type and dimensions).
ShapeRuleResult RngBitGeneratorShape(const HloInstruction& instruction) {
  const Shape& state = OperandShape(instruction, 0);
  const auto algorithm = RandomAlgorithmOf(instruction);
  if (!algorithm) {
    return Wrong("there is no such random algorithm",
                 instruction.attributes().Get<Verbatim>(AttributeId::kAlgorithm).text,
                 "rng_default, rng_three_fry or rng_philox");
  }
  const bool is_state = state.IsArray() && state.element_type() == U64 && state.rank() == 1;
  const int64_t words = is_state ? state.dimensions(0) : 0;
  if (words != 2 && !(words == 3 && *algorithm == RandomAlgorithm::kPhilox)) {
    return Wrong("this is no state of the random algorithm", state.ToString(),
                 *algorithm == RandomAlgorithm::kPhilox ? "u64[2] or u64[3]" : "u64[2]");
  }
  const Shape& declared = instruction.shape();
  const bool is_pair = declared.IsTuple() && declared.tuple_shapes().size() == 2;
  if (!is_pair || !declared.tuple_shapes(1).IsArray() || !IsInteger(declared.tuple_shapes(1).element_type())) {
    return Wrong("rng-bit-generator gives its next state and random bits", declared.ToString(),
                 fmt::format("({}, an array of integers)", state.ToString()));
  }
  return Shape::Tuple({state, declared.tuple_shapes(1)});
}

ShapeRuleResult StochasticConvertShape(const HloInstruction& instruction) {
  RETURN_IF_PROBLEM(CheckArrays(instruction));
  const Shape& operand = OperandShape(instruction, 0);
  const Shape& random = OperandShape(instruction, 1);
  const bool fits = TypeClassOf(operand.element_type()) == TypeClass::kFloat &&
                    TypeClassOf(random.element_type()) == TypeClass::kUnsigned &&
                    BitWidth(operand.element_type()) == BitWidth(random.element_type()) &&
                    operand.dimensions() == random.dimensions();
  if (!fits) {
    return Wrong("the operands of stochastic-convert do not fit together", ShapesText(OperandShapes(instruction)),
                 "floats and as many unsigned integers of the same width");
  }
  const Shape& declared = instruction.shape();
  if (!declared.IsArray() || TypeClassOf(declared.element_type()) != TypeClass::kSigned) {
    return Wrong("stochastic-convert gives signed integers", declared.ToString(), "s8, s16, s32 or s64");
  }
  return Shape::Array(declared.element_type(), operand.dimensions());
}

ShapeRuleResult AfterAllShape(const HloInstruction& instruction) {
  for (const Shape& shape : OperandShapes(instruction)) {
    if (!shape.IsToken()) return Wrong("after-all joins tokens", shape.ToString(), "token[]");
  }
  return Shape::Token();
}

ShapeRuleResult AddDependencyShape(const HloInstruction& instruction) {
  if (!OperandShape(instruction, 1).IsToken()) {
    return Wrong("add-dependency makes its first operand wait for a token", OperandShape(instruction, 1).ToString(),
                 "token[] as the second operand");
  }
  return OperandShape(instruction, 0);
}

}  // namespace xla::shape_rules
