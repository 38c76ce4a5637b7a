// Elementwise operations that need more than their opcode, and constants.
#include <fmt/format.h>

#include "xla/hlo/stablehlo/import_ops.h"

using namespace mlir;
namespace xla::stablehlo {

Status ConvertConstant(OpImport& in) {
  const auto value = in.op.getAttrOfType<ElementsAttr>("value");
  if (!value) return in.Invalid("the attribute 'value' must be dense<...> or dense_resource<...>");
  const Shape& shape = in.Type();
  if (!shape.IsArray()) return in.Invalid("a constant must be an array", shape.ToString());
  if (value.getType() != in.op.getResult(0).getType()) return in.Invalid("the value has another type than the result");
  // One value everywhere is a broadcast, however large the array is.
  const auto dense = dyn_cast<DenseElementsAttr>(value);
  const bool is_splat = dense && dense.isSplat() && ShapeUtil::ElementsIn(shape) > 1;
  const auto literal = LiteralOf(value, is_splat ? Shape::Scalar(shape.element_type()) : shape);
  if (!literal.ok()) return in.Invalid(literal.status().message());
  HloInstruction* const constant = in.write.Constant(*literal);
  return in.Bind(is_splat ? in.write.Splat(constant, shape.dimensions()) : constant);
}

Status ConvertRealOrImag(OpImport& in, HloOpcode opcode) {
  HloInstruction* const x = in.operands[0];
  if (IsComplex(x->shape().element_type()) || !IsFloat(x->shape().element_type())) return in.Emit(opcode, in.operands);
  // A real number is its own real part.
  if (opcode == HloOpcode::kReal) return in.Bind(x);
  return in.Bind(in.write.Splat(in.write.Scalar(x->shape().element_type(), 0), x->shape().dimensions()));
}

Status ConvertReducePrecision(OpImport& in) {
  AttributeSet attributes;
  ASSIGN_OR_RETURN(const int64_t exponent, in.Int("exponent_bits"));
  ASSIGN_OR_RETURN(const int64_t mantissa, in.Int("mantissa_bits"));
  attributes.Set(AttributeId::kExponentBits, exponent);
  attributes.Set(AttributeId::kMantissaBits, mantissa);
  return in.Emit(HloOpcode::kReducePrecision, in.operands, std::move(attributes));
}

Status ConvertCompare(OpImport& in) {
  AttributeSet attributes;
  ASSIGN_OR_RETURN(const auto direction,
                   in.HloEnum<ComparisonDirection>("comparison_direction", "comparison_direction"));
  ASSIGN_OR_RETURN(const std::string type, in.Enum("compare_type", "comparison_type", "NOTYPE"));
  attributes.Set(AttributeId::kDirection, direction);
  // The other types follow from the elements; where they do not, the verifier says so.
  if (type == "TOTALORDER") attributes.Set(AttributeId::kType, ComparisonType::kFloatTotalOrder);
  const PrimitiveType element = in.operands[0]->shape().element_type();
  const bool is_other = (type == "FLOAT" && !IsFloat(element) && !IsComplex(element)) ||
                        (type == "SIGNED" && !IsSigned(element)) ||
                        (type == "UNSIGNED" && !IsUnsigned(element) && element != PRED);
  if (is_other) {
    return in.Invalid(fmt::format("a comparison of type {} does not fit the operands", type),
                      in.operands[0]->shape().ToString());
  }
  return in.Emit(HloOpcode::kCompare, in.operands, std::move(attributes));
}

namespace {

HloInstruction* LikeIfScalar(OpImport& in, HloInstruction* x, const Shape& shape) {
  return x->shape().IsScalar() && shape.IsArray() ? in.write.Splat(x, shape.dimensions()) : x;
}

}  // namespace

Status ConvertSelect(OpImport& in) {
  in.operands[0] = LikeIfScalar(in, in.operands[0], in.operands[1]->shape());
  return in.Emit(HloOpcode::kSelect, in.operands);
}

Status ConvertClamp(OpImport& in) {
  for (const size_t bound : {0, 2}) in.operands[bound] = LikeIfScalar(in, in.operands[bound], in.operands[1]->shape());
  return in.Emit(HloOpcode::kClamp, in.operands);
}

Status RefuseQuantized(OpImport& in) {
  return in.Unsupported("HLO has no quantized types", "",
                        "Lower quantized operations first (stablehlo-legalize-quant-to-math).");
}

Status RefuseOutOfPlace(OpImport& in) { return in.Invalid("the operation may not stand here"); }

}  // namespace xla::stablehlo
