// Shape rules of what asks for and changes the sizes of dynamic dimensions.
#include <limits>

#include "xla/hlo/ir/shape_rules_internal.h"

namespace xla::shape_rules {

ShapeRuleResult GetDimensionSizeShape(const HloInstruction& instruction) {
  RETURN_IF_PROBLEM(CheckArrays(instruction));
  RETURN_IF_PROBLEM(CheckDimensionList("dimensions", instruction.dimensions(), OperandShape(instruction, 0).rank()));
  if (instruction.dimensions().size() != 1) {
    return Wrong("get-dimension-size asks for one dimension", fmt::format("{}", instruction.dimensions().size()), "1");
  }
  const int64_t size = OperandShape(instruction, 0).dimensions(instruction.dimensions()[0]);
  if (size > std::numeric_limits<int32_t>::max()) {
    return Wrong("the size of the dimension does not fit get-dimension-size's s32", fmt::format("{}", size),
                 fmt::format("at most {}", std::numeric_limits<int32_t>::max()));
  }
  return Shape::Scalar(S32);
}

// The dimension's result is dynamic, or static: then it is the bound's size, and zeros stand where there was nothing.
ShapeRuleResult SetDimensionSizeShape(const HloInstruction& instruction) {
  RETURN_IF_PROBLEM(CheckArrays(instruction));
  const Shape& operand = OperandShape(instruction, 0);
  RETURN_IF_PROBLEM(CheckDimensionList("dimensions", instruction.dimensions(), operand.rank()));
  if (instruction.dimensions().size() != 1) {
    return Wrong("set-dimension-size sets one dimension", fmt::format("{}", instruction.dimensions().size()), "1");
  }
  if (!ShapeUtil::Compatible(OperandShape(instruction, 1), Shape::Scalar(S32))) {
    return Wrong("operand 1 of set-dimension-size must be the size", OperandShape(instruction, 1).ToString(), "s32[]");
  }
  Shape result = operand;
  const Shape& declared = instruction.shape();
  const int64_t dimension = instruction.dimensions()[0];
  result.set_dynamic_dimension(dimension,
                               declared.rank() != operand.rank() || declared.is_dynamic_dimension(dimension));
  return result;
}

// An array, then the size of each dimension of the result, whose bounds the declared shape says.
ShapeRuleResult DynamicReshapeShape(const HloInstruction& instruction) {
  if (instruction.operand_count() == 0)
    return Wrong("dynamic-reshape needs an operand", "none", "an array, then sizes");
  RETURN_IF_PROBLEM(CheckArrays(instruction));
  for (int64_t i = 1; i < instruction.operand_count(); ++i) RETURN_IF_PROBLEM(CheckScalarIndex(instruction, i));
  const Shape& declared = instruction.shape();
  const Shape& operand = OperandShape(instruction, 0);
  if (!declared.IsArray() || declared.element_type() != operand.element_type()) {
    return Wrong("dynamic-reshape keeps the element type", declared.ToString(),
                 fmt::format("{} elements", PrimitiveTypeName(operand.element_type())));
  }
  if (declared.rank() != instruction.operand_count() - 1) {
    return Wrong("dynamic-reshape takes a size for each dimension of its result",
                 fmt::format("{} sizes for {}", instruction.operand_count() - 1, declared.ToString()),
                 fmt::format("{} sizes", declared.rank()));
  }
  return declared;
}

}  // namespace xla::shape_rules
