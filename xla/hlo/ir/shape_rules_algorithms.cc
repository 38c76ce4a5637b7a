// Shape rules of whole algorithms, of custom calls, and of what asks for facts about shapes or devices.
#include <limits>

#include "xla/hlo/ir/shape_rules_internal.h"

namespace xla::shape_rules {
namespace {

// The last two dimensions are equal.
Problem CheckSquare(const Shape& shape, std::string_view opcode) {
  const int64_t rank = shape.rank();
  if (rank >= 2 && shape.dimensions(rank - 1) == shape.dimensions(rank - 2)) return std::nullopt;
  return Wrong(fmt::format("{} needs square matrices", opcode), shape.ToString(), "two equal last dimensions");
}

Problem CheckFftType(FftType type, PrimitiveType element) {
  const bool is_real = type == FftType::kRfft;
  const bool fits = is_real ? element == F32 || element == F64 : element == C64 || element == C128;
  if (fits) return std::nullopt;
  return Wrong(fmt::format("{} does not take this element type", EnumText(type)),
               std::string(PrimitiveTypeName(element)), is_real ? "f32 or f64" : "c64 or c128");
}

PrimitiveType FftResultType(FftType type, PrimitiveType element) {
  if (type == FftType::kRfft) return element == F64 ? C128 : C64;
  if (type == FftType::kIrfft) return element == C128 ? F64 : F32;
  return element;
}

}  // namespace

ShapeRuleResult CholeskyShape(const HloInstruction& instruction) {
  RETURN_IF_PROBLEM(CheckArrays(instruction));
  RETURN_IF_PROBLEM(CheckSquare(OperandShape(instruction, 0), "cholesky"));
  return OperandShape(instruction, 0);
}

ShapeRuleResult TriangularSolveShape(const HloInstruction& instruction) {
  RETURN_IF_PROBLEM(CheckArrays(instruction));
  const Shape& a = OperandShape(instruction, 0);
  const Shape& b = OperandShape(instruction, 1);
  RETURN_IF_PROBLEM(CheckSquare(a, "triangular-solve"));
  bool fits = a.rank() == b.rank() && a.element_type() == b.element_type();
  for (int64_t i = 0; fits && i < a.rank() - 2; ++i) fits = a.dimensions(i) == b.dimensions(i);
  const bool is_left = instruction.attributes().Get<bool>(AttributeId::kLeftSide);
  fits = fits && b.dimensions(b.rank() - (is_left ? 2 : 1)) == a.dimensions(a.rank() - 1);
  if (!fits) {
    return Wrong("the operands of triangular-solve do not fit together",
                 ShapesText(OperandShapes(instruction)) + (is_left ? ", left_side" : ", right side"),
                 "equal batches and element types, and as many equations as unknowns");
  }
  return b;
}

ShapeRuleResult FftShape(const HloInstruction& instruction) {
  RETURN_IF_PROBLEM(CheckArrays(instruction));
  const Shape& operand = OperandShape(instruction, 0);
  const FftType type = instruction.fft_type();
  RETURN_IF_PROBLEM(CheckFftType(type, operand.element_type()));
  const std::vector<int64_t>& length = instruction.fft_length();
  const auto transformed = static_cast<int64_t>(length.size());
  if (transformed < 1 || transformed > 3 || transformed > operand.rank()) {
    return Wrong("fft transforms the last one to three dimensions",
                 fmt::format("fft_length={{{}}} of {}", fmt::join(length, ","), operand.ToString()),
                 "one to three lengths, not more than the operand has dimensions");
  }
  std::vector<int64_t> dimensions = operand.dimensions();
  for (int64_t i = 0; i < transformed; ++i) {
    const int64_t place = operand.rank() - transformed + i;
    const bool is_last = i == transformed - 1;
    const int64_t half = length[i] / 2 + 1;
    const int64_t expected = is_last && type == FftType::kIrfft ? half : length[i];
    if (length[i] < 0 || operand.dimensions(place) != (length[i] == 0 ? 0 : expected)) {
      return Wrong(fmt::format("dimension {} of the operand does not have the length of the transform", place),
                   fmt::format("{}", operand.dimensions(place)), fmt::format("{}", expected));
    }
    if (is_last && type == FftType::kRfft) dimensions[place] = length[i] == 0 ? 0 : half;
    if (is_last && type == FftType::kIrfft) dimensions[place] = length[i];
  }
  return Shape::Array(FftResultType(type, operand.element_type()), std::move(dimensions));
}

ShapeRuleResult DeviceIdShape(const HloInstruction&) { return Shape::Scalar(U32); }

// A custom call's result is what it declares.
ShapeRuleResult CustomCallShape(const HloInstruction& instruction) { return instruction.shape(); }

ShapeRuleResult OptimizationBarrierShape(const HloInstruction& instruction) { return OperandShape(instruction, 0); }

}  // namespace xla::shape_rules
