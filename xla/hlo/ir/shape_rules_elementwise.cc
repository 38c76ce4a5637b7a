// Shape rules of the elementwise opcodes and of those without operands.
#include "xla/hlo/ir/shape_rules_internal.h"

namespace xla::shape_rules {

Problem CheckArrays(const HloInstruction& instruction, int64_t first) {
  for (int64_t i = first; i < instruction.operand_count(); ++i) {
    if (!OperandShape(instruction, i).IsArray()) {
      return Wrong(fmt::format("operand {} of {} must be an array", i, HloOpcodeString(instruction.opcode())),
                   OperandShape(instruction, i).ToString(), "an array");
    }
  }
  return std::nullopt;
}

Problem CheckDimensionList(std::string_view attribute, const std::vector<int64_t>& dimensions, int64_t rank) {
  std::vector<bool> seen(rank, false);
  for (int64_t dimension : dimensions) {
    if (dimension < 0 || dimension >= rank || seen[dimension]) {
      return Wrong(fmt::format("{} must name different dimensions of the array", attribute),
                   fmt::format("{}={{{}}}", attribute, fmt::join(dimensions, ",")),
                   rank == 0 ? "{}: the array is a scalar" : fmt::format("different numbers from 0 to {}", rank - 1));
    }
    seen[dimension] = true;
  }
  return std::nullopt;
}

Problem CheckScalarIndex(const HloInstruction& instruction, int64_t i) {
  const Shape& shape = OperandShape(instruction, i);
  if (shape.IsScalar() && IsInteger(shape.element_type())) return std::nullopt;
  return Wrong(fmt::format("operand {} of {} must be a scalar integer", i, HloOpcodeString(instruction.opcode())),
               shape.ToString(), "s32[] or another integer scalar");
}

std::vector<Shape> OperandShapes(const HloInstruction& instruction, int64_t first) {
  std::vector<Shape> shapes;
  for (int64_t i = first; i < instruction.operand_count(); ++i) shapes.push_back(OperandShape(instruction, i));
  return shapes;
}

std::string ShapesText(const std::vector<Shape>& shapes) { return Shape::Tuple(shapes).ToString(); }

namespace {

std::string Spelled(const HloInstruction& instruction) { return std::string(HloOpcodeString(instruction.opcode())); }

// Operands from `first` on are arrays of the same dimensions and element type.
Problem CheckAllAlike(const HloInstruction& instruction, int64_t first) {
  RETURN_IF_PROBLEM(CheckArrays(instruction, first));
  const Shape& model = OperandShape(instruction, first);
  for (int64_t i = first + 1; i < instruction.operand_count(); ++i) {
    if (!ShapeUtil::Compatible(model, OperandShape(instruction, i))) {
      return Wrong(fmt::format("operands {} and {} of {} must have the same shape", first, i, Spelled(instruction)),
                   fmt::format("{} and {}", model.ToString(), OperandShape(instruction, i).ToString()),
                   "equal element types and dimensions (HLO does not broadcast by itself)");
    }
  }
  return std::nullopt;
}

Shape WithType(Shape shape, PrimitiveType type) {
  shape.set_element_type(type);
  return shape;
}

// Operand `i` is a scalar, or has the dimensions of `model`.
Problem CheckScalarOrLike(const HloInstruction& instruction, int64_t i, const Shape& model) {
  const Shape& shape = OperandShape(instruction, i);
  if (shape.IsScalar() || ShapeUtil::SameDimensions(shape, model)) return std::nullopt;
  return Wrong(fmt::format("operand {} of {} does not fit the others", i, Spelled(instruction)), shape.ToString(),
               fmt::format("a scalar, or the dimensions of {}", model.ToString()));
}

}  // namespace

ShapeRuleResult DeclaredShape(const HloInstruction& instruction) { return instruction.shape(); }

ShapeRuleResult ConstantShape(const HloInstruction& instruction) { return instruction.literal().shape(); }

ShapeRuleResult IotaShape(const HloInstruction& instruction) {
  const Shape& shape = instruction.shape();
  if (!shape.IsArray() || shape.rank() == 0) {
    return Wrong("iota must give an array with at least one dimension", shape.ToString(), "such as s32[8]");
  }
  RETURN_IF_PROBLEM(CheckDimensionList("iota_dimension", {instruction.iota_dimension()}, shape.rank()));
  return shape;
}

ShapeRuleResult SameShape(const HloInstruction& instruction) {
  RETURN_IF_PROBLEM(CheckAllAlike(instruction, 0));
  return OperandShape(instruction, 0);
}

ShapeRuleResult RealPartShape(const HloInstruction& instruction) {
  RETURN_IF_PROBLEM(CheckArrays(instruction));
  const Shape& operand = OperandShape(instruction, 0);
  return WithType(operand, ComplexComponentType(operand.element_type()));
}

ShapeRuleResult AbsShape(const HloInstruction& instruction) { return RealPartShape(instruction); }

ShapeRuleResult PredicateShape(const HloInstruction& instruction) {
  RETURN_IF_PROBLEM(CheckAllAlike(instruction, 0));
  return WithType(OperandShape(instruction, 0), PRED);
}

ShapeRuleResult ReducePrecisionShape(const HloInstruction& instruction) {
  if (instruction.exponent_bits() < 1 || instruction.mantissa_bits() < 0) {
    return Wrong(
        "reduce-precision needs at least 1 exponent bit and 0 mantissa bits",
        fmt::format("exponent_bits={}, mantissa_bits={}", instruction.exponent_bits(), instruction.mantissa_bits()),
        "exponent_bits >= 1 and mantissa_bits >= 0");
  }
  return SameShape(instruction);
}

ShapeRuleResult ConvertShape(const HloInstruction& instruction) {
  RETURN_IF_PROBLEM(CheckArrays(instruction));
  const PrimitiveType from = OperandShape(instruction, 0).element_type();
  const PrimitiveType to = instruction.shape().element_type();
  if (!instruction.shape().IsArray() || (IsComplex(from) && !IsComplex(to))) {
    return Wrong("convert cannot give this element type",
                 fmt::format("{} to {}", PrimitiveTypeName(from), PrimitiveTypeName(to)),
                 IsComplex(from) ? "a complex type; use real(...) to drop the imaginary part" : "an array type");
  }
  return WithType(OperandShape(instruction, 0), to);
}

ShapeRuleResult BitcastConvertShape(const HloInstruction& instruction) {
  RETURN_IF_PROBLEM(CheckArrays(instruction));
  const Shape& operand = OperandShape(instruction, 0);
  const Shape& result = instruction.shape();
  const PrimitiveType to = result.element_type();
  const int from_bits = BitWidth(operand.element_type());
  const int to_bits = BitWidth(to);
  const auto wrong = [&] {
    return Wrong("bitcast-convert must keep all bits", fmt::format("{} to {}", operand.ToString(), result.ToString()),
                 "the same dimensions for types of equal width; else a last dimension of the ratio of the widths");
  };
  if (!result.IsArray() || IsComplex(operand.element_type()) != IsComplex(to)) return wrong();
  if ((operand.element_type() == PRED) != (to == PRED)) return wrong();
  std::vector<int64_t> dimensions = operand.dimensions();
  if (from_bits > to_bits) {
    if (from_bits % to_bits != 0) return wrong();
    dimensions.push_back(from_bits / to_bits);
  } else if (from_bits < to_bits) {
    if (dimensions.empty() || dimensions.back() * from_bits != to_bits) return wrong();
    dimensions.pop_back();
  }
  if (dimensions != result.dimensions()) return wrong();
  return result;
}

ShapeRuleResult CompareShape(const HloInstruction& instruction) {
  RETURN_IF_PROBLEM(CheckAllAlike(instruction, 0));
  const PrimitiveType type = OperandShape(instruction, 0).element_type();
  const ComparisonType comparison = instruction.comparison_type();
  const bool is_float_order = comparison == ComparisonType::kFloat || comparison == ComparisonType::kFloatTotalOrder;
  const bool fits = IsFloat(type) || IsComplex(type) ? is_float_order
                    : IsSigned(type)                 ? comparison == ComparisonType::kSigned
                                                     : comparison == ComparisonType::kUnsigned;
  if (!fits) {
    return Wrong("the comparison's type does not fit the operands",
                 fmt::format("type={} for {}", EnumText(comparison), PrimitiveTypeName(type)),
                 "FLOAT or TOTALORDER for floats, SIGNED for s8 to s64, UNSIGNED for pred and u8 to u64");
  }
  const ComparisonDirection direction = instruction.comparison_direction();
  if (IsComplex(type) && direction != ComparisonDirection::kEq && direction != ComparisonDirection::kNe) {
    return Wrong("complex numbers have no order", fmt::format("direction={}", EnumText(direction)),
                 "direction=EQ or direction=NE");
  }
  return WithType(OperandShape(instruction, 0), PRED);
}

ShapeRuleResult ComplexShape(const HloInstruction& instruction) {
  RETURN_IF_PROBLEM(CheckAllAlike(instruction, 0));
  const PrimitiveType part = OperandShape(instruction, 0).element_type();
  if (part != F32 && part != F64) {
    return Wrong("complex needs two f32 or two f64 operands", std::string(PrimitiveTypeName(part)), "f32 or f64");
  }
  return WithType(OperandShape(instruction, 0), part == F32 ? C64 : C128);
}

ShapeRuleResult SelectShape(const HloInstruction& instruction) {
  RETURN_IF_PROBLEM(CheckAllAlike(instruction, 1));
  RETURN_IF_PROBLEM(CheckArrays(instruction));
  if (OperandShape(instruction, 0).element_type() != PRED) {
    return Wrong("operand 0 of select must be the condition", OperandShape(instruction, 0).ToString(), "pred elements");
  }
  RETURN_IF_PROBLEM(CheckScalarOrLike(instruction, 0, OperandShape(instruction, 1)));
  return OperandShape(instruction, 1);
}

ShapeRuleResult ClampShape(const HloInstruction& instruction) {
  RETURN_IF_PROBLEM(CheckArrays(instruction));
  const Shape& value = OperandShape(instruction, 1);
  for (int64_t bound : {0, 2}) {
    RETURN_IF_PROBLEM(CheckScalarOrLike(instruction, bound, value));
    if (OperandShape(instruction, bound).element_type() != value.element_type()) {
      return Wrong("the operands of clamp must have one element type", ShapesText(OperandShapes(instruction)),
                   fmt::format("{} three times", PrimitiveTypeName(value.element_type())));
    }
  }
  return value;
}

}  // namespace xla::shape_rules
