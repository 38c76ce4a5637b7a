// CHLO's operations that are no elementwise function of chlo_math.h.
#include <fmt/format.h>

#include "xla/hlo/stablehlo/import_ops.h"

using namespace mlir;
namespace xla::stablehlo {
namespace {

// To the result's dimensions: trailing dimensions match, unless `places` says otherwise.
StatusOr<HloInstruction*> ToResult(OpImport& in, HloInstruction* x, const std::optional<Dims>& places) {
  const Dims& dimensions = in.Type().dimensions();
  if (x->shape().dimensions() == dimensions) return x;
  if (places && places->size() == x->shape().dimensions().size()) return BroadcastInDim(in, x, dimensions, *places);
  Dims trailing;
  for (int64_t i = 0; i < x->shape().rank(); ++i) trailing.push_back(i + in.Type().rank() - x->shape().rank());
  return BroadcastInDim(in, x, dimensions, trailing);
}

}  // namespace

Status BroadcastOperands(OpImport& in) {
  std::optional<Dims> places;
  if (in.op.hasAttr("broadcast_dimensions")) {
    ASSIGN_OR_RETURN(places, in.List("broadcast_dimensions"));
  }
  // The attribute is about the operand of smaller rank.
  int64_t smallest = in.operands[0]->shape().rank();
  for (const HloInstruction* operand : in.operands) smallest = std::min(smallest, operand->shape().rank());
  for (HloInstruction*& operand : in.operands) {
    const bool is_smallest = operand->shape().rank() == smallest && smallest < in.Type().rank();
    ASSIGN_OR_RETURN(operand, ToResult(in, operand, is_smallest ? places : std::nullopt));
  }
  return OkStatus();
}

Status ConvertBroadcastBinary(OpImport& in, HloOpcode opcode) {
  RETURN_IF_ERROR(BroadcastOperands(in));
  if (opcode == HloOpcode::kCompare) return ConvertCompare(in);
  return in.Emit(opcode, in.operands);
}

Status ConvertBroadcastSelect(OpImport& in) {
  RETURN_IF_ERROR(BroadcastOperands(in));
  return in.Emit(HloOpcode::kSelect, in.operands);
}

Status ConvertConstantLike(OpImport& in) {
  const Attribute value = in.op.getAttr("value");
  const auto number = dyn_cast_if_present<FloatAttr>(value);
  const auto integer = dyn_cast_if_present<IntegerAttr>(value);
  if (!number && !integer) return in.Invalid("the attribute 'value' must be a number");
  Literal literal = Literal::Zeros(Shape::Scalar(in.Type().element_type()));
  if (number) {
    literal.SetFromDouble(0, number.getValueAsDouble());
  } else if (integer.getValue().getSignificantBits() <= 64) {
    literal.SetFromInt64(0, integer.getValue().getSExtValue());
  } else {
    return in.Invalid("the attribute 'value' does not fit 64 bits");
  }
  return in.Bind(in.write.Splat(in.write.Constant(std::move(literal)), in.Type().dimensions()));
}

Status ConvertTopK(OpImport& in) {
  AttributeSet attributes;
  ASSIGN_OR_RETURN(const int64_t k, in.Int("k"));
  attributes.Set(AttributeId::kK, k);
  attributes.Set(AttributeId::kLargest, true);
  attributes.Set(AttributeId::kIsStable, true);
  return in.Emit(HloOpcode::kTopK, in.operands, std::move(attributes));
}

Status ConvertRaggedDot(OpImport& in) {
  ASSIGN_OR_RETURN(const StructAttr numbers, in.Struct("ragged_dot_dimension_numbers", "ragged_dot"));
  AttributeSet attributes;
  for (const auto& [field, id] : {std::pair("lhs_batching_dimensions", AttributeId::kLhsBatchDims),
                                  std::pair("rhs_batching_dimensions", AttributeId::kRhsBatchDims),
                                  std::pair("lhs_contracting_dimensions", AttributeId::kLhsContractingDims),
                                  std::pair("rhs_contracting_dimensions", AttributeId::kRhsContractingDims),
                                  std::pair("lhs_ragged_dimensions", AttributeId::kLhsRaggedDims),
                                  std::pair("rhs_group_dimensions", AttributeId::kRhsGroupDims)})
    attributes.Set(id, Dims(numbers.Dims(field).begin(), numbers.Dims(field).end()));
  RETURN_IF_ERROR(SetPrecision(in, attributes));
  return in.Emit(HloOpcode::kRaggedDot, in.operands, std::move(attributes));
}

}  // namespace xla::stablehlo
