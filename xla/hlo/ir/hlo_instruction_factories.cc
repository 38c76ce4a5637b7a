// The Create functions of single opcodes: each turns its arguments into operands and attributes.
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {
namespace {

using Owned = std::unique_ptr<HloInstruction>;

// Entry by entry: {{AttributeId::kIndex, int64_t{1}}}.
AttributeSet Attributes(std::initializer_list<AttributeSet::Entry> entries) {
  AttributeSet set;
  for (const AttributeSet::Entry& entry : entries) set.Set(entry.first, entry.second);
  return set;
}

Owned CreateWith(HloOpcode opcode, const Shape& shape, std::initializer_list<HloInstruction*> operands,
                 AttributeSet attributes = {}) {
  return HloInstruction::Create(opcode, shape, {operands.begin(), operands.size()}, std::move(attributes));
}

std::vector<HloInstruction*> Joined(std::initializer_list<HloInstruction*> first, HloInstruction::OperandSpan rest) {
  std::vector<HloInstruction*> all(first);
  all.insert(all.end(), rest.begin(), rest.end());
  return all;
}

}  // namespace

Owned HloInstruction::CreateParameter(int64_t number, const Shape& shape, std::string_view name) {
  Owned parameter = CreateWith(HloOpcode::kParameter, shape, {});
  parameter->parameter_number_ = number;
  parameter->name_ = name;
  return parameter;
}

Owned HloInstruction::CreateConstant(Literal literal) {
  Owned constant = CreateWith(HloOpcode::kConstant, literal.shape(), {});
  constant->literal_ = std::make_shared<const Literal>(std::move(literal));
  return constant;
}

Owned HloInstruction::CreateIota(const Shape& shape, int64_t iota_dimension) {
  return CreateWith(HloOpcode::kIota, shape, {}, Attributes({{AttributeId::kIotaDimension, iota_dimension}}));
}

Owned HloInstruction::CreateUnary(const Shape& shape, HloOpcode opcode, HloInstruction* operand) {
  return CreateWith(opcode, shape, {operand});
}

Owned HloInstruction::CreateBinary(const Shape& shape, HloOpcode opcode, HloInstruction* lhs, HloInstruction* rhs) {
  return CreateWith(opcode, shape, {lhs, rhs});
}

Owned HloInstruction::CreateTernary(const Shape& shape, HloOpcode opcode, HloInstruction* a, HloInstruction* b,
                                    HloInstruction* c) {
  return CreateWith(opcode, shape, {a, b, c});
}

Owned HloInstruction::CreateCompare(const Shape& shape, HloInstruction* lhs, HloInstruction* rhs,
                                    ComparisonDirection direction) {
  return CreateWith(HloOpcode::kCompare, shape, {lhs, rhs}, Attributes({{AttributeId::kDirection, direction}}));
}

Owned HloInstruction::CreateConvert(const Shape& shape, HloInstruction* operand) {
  return CreateWith(HloOpcode::kConvert, shape, {operand});
}

Owned HloInstruction::CreateBitcastConvert(const Shape& shape, HloInstruction* operand) {
  return CreateWith(HloOpcode::kBitcastConvert, shape, {operand});
}

Owned HloInstruction::CreateBitcast(const Shape& shape, HloInstruction* operand) {
  return CreateWith(HloOpcode::kBitcast, shape, {operand});
}

Owned HloInstruction::CreateBroadcast(const Shape& shape, HloInstruction* operand, std::vector<int64_t> dimensions) {
  return CreateWith(HloOpcode::kBroadcast, shape, {operand}, Attributes({{AttributeId::kDimensions, dimensions}}));
}

Owned HloInstruction::CreateReshape(const Shape& shape, HloInstruction* operand) {
  return CreateWith(HloOpcode::kReshape, shape, {operand});
}

Owned HloInstruction::CreateTranspose(const Shape& shape, HloInstruction* operand, std::vector<int64_t> dimensions) {
  return CreateWith(HloOpcode::kTranspose, shape, {operand}, Attributes({{AttributeId::kDimensions, dimensions}}));
}

Owned HloInstruction::CreateReverse(const Shape& shape, HloInstruction* operand, std::vector<int64_t> dimensions) {
  return CreateWith(HloOpcode::kReverse, shape, {operand}, Attributes({{AttributeId::kDimensions, dimensions}}));
}

Owned HloInstruction::CreateSlice(const Shape& shape, HloInstruction* operand, SliceRanges ranges) {
  return CreateWith(HloOpcode::kSlice, shape, {operand}, Attributes({{AttributeId::kSlice, ranges}}));
}

Owned HloInstruction::CreateDynamicSlice(const Shape& shape, HloInstruction* operand, OperandSpan start_indices,
                                         std::vector<int64_t> slice_sizes) {
  return Create(HloOpcode::kDynamicSlice, shape, Joined({operand}, start_indices),
                Attributes({{AttributeId::kDynamicSliceSizes, slice_sizes}}));
}

Owned HloInstruction::CreateDynamicUpdateSlice(const Shape& shape, HloInstruction* operand, HloInstruction* update,
                                               OperandSpan start_indices) {
  return Create(HloOpcode::kDynamicUpdateSlice, shape, Joined({operand, update}, start_indices));
}

Owned HloInstruction::CreatePad(const Shape& shape, HloInstruction* operand, HloInstruction* padding_value,
                                PaddingConfig config) {
  return CreateWith(HloOpcode::kPad, shape, {operand, padding_value}, Attributes({{AttributeId::kPadding, config}}));
}

Owned HloInstruction::CreateConcatenate(const Shape& shape, OperandSpan operands, int64_t dimension) {
  return Create(HloOpcode::kConcatenate, shape, operands,
                Attributes({{AttributeId::kDimensions, std::vector<int64_t>{dimension}}}));
}

Owned HloInstruction::CreateDot(const Shape& shape, HloInstruction* lhs, HloInstruction* rhs,
                                DotDimensionNumbers dimensions) {
  return CreateWith(HloOpcode::kDot, shape, {lhs, rhs},
                    Attributes({{AttributeId::kLhsBatchDims, dimensions.lhs_batch_dimensions},
                                {AttributeId::kLhsContractingDims, dimensions.lhs_contracting_dimensions},
                                {AttributeId::kRhsBatchDims, dimensions.rhs_batch_dimensions},
                                {AttributeId::kRhsContractingDims, dimensions.rhs_contracting_dimensions}}));
}

Owned HloInstruction::CreateReduce(const Shape& shape, OperandSpan operands, std::vector<int64_t> dimensions,
                                   HloComputation* to_apply) {
  return Create(HloOpcode::kReduce, shape, operands,
                Attributes({{AttributeId::kDimensions, dimensions}, {AttributeId::kToApply, to_apply}}));
}

Owned HloInstruction::CreateMap(const Shape& shape, OperandSpan operands, HloComputation* to_apply) {
  std::vector<int64_t> all_dimensions;
  for (int64_t i = 0; i < shape.rank(); ++i) all_dimensions.push_back(i);
  return Create(HloOpcode::kMap, shape, operands,
                Attributes({{AttributeId::kDimensions, all_dimensions}, {AttributeId::kToApply, to_apply}}));
}

Owned HloInstruction::CreateCall(const Shape& shape, OperandSpan operands, HloComputation* to_apply) {
  return Create(HloOpcode::kCall, shape, operands, Attributes({{AttributeId::kToApply, to_apply}}));
}

Owned HloInstruction::CreateFusion(const Shape& shape, FusionKind kind, OperandSpan operands, HloComputation* fused) {
  return Create(HloOpcode::kFusion, shape, operands,
                Attributes({{AttributeId::kKind, kind}, {AttributeId::kCalls, fused}}));
}

Owned HloInstruction::CreateWhile(const Shape& shape, HloComputation* condition, HloComputation* body,
                                  HloInstruction* init) {
  return CreateWith(HloOpcode::kWhile, shape, {init},
                    Attributes({{AttributeId::kCondition, condition}, {AttributeId::kBody, body}}));
}

Owned HloInstruction::CreateConditional(const Shape& shape, HloInstruction* branch_index,
                                        std::vector<HloComputation*> branches, OperandSpan arguments) {
  AttributeSet attributes = Attributes({{AttributeId::kBranchComputations, branches}});
  if (branch_index->shape().element_type() == PRED && branches.size() == 2) {
    attributes =
        Attributes({{AttributeId::kTrueComputation, branches[0]}, {AttributeId::kFalseComputation, branches[1]}});
  }
  return Create(HloOpcode::kConditional, shape, Joined({branch_index}, arguments), std::move(attributes));
}

Owned HloInstruction::CreateTuple(OperandSpan elements) {
  std::vector<Shape> shapes;
  for (const HloInstruction* element : elements) shapes.push_back(element->shape());
  return Create(HloOpcode::kTuple, Shape::Tuple(std::move(shapes)), elements);
}

Owned HloInstruction::CreateGetTupleElement(HloInstruction* operand, int64_t index) {
  return CreateWith(HloOpcode::kGetTupleElement, operand->shape().tuple_shapes(index), {operand},
                    Attributes({{AttributeId::kIndex, index}}));
}

}  // namespace xla
