#include "xla/backends/gpu/codegen/tile_evaluator.h"

#include <fmt/format.h>

#include <utility>

namespace xla::gpu {
namespace {

// True if the value is one load, possibly through moves that take every element from one place.
bool IsPlainLoad(const HloInstruction& instruction) {
  switch (instruction.opcode()) {
    case HloOpcode::kParameter:
      return instruction.shape().element_type() != PRED;
    case HloOpcode::kBroadcast:
    case HloOpcode::kReshape:
    case HloOpcode::kBitcast:
    case HloOpcode::kTranspose:
    case HloOpcode::kReverse:
    case HloOpcode::kSlice:
    case HloOpcode::kCopy:
      return IsPlainLoad(*instruction.operand(0));
    default:
      return false;
  }
}

}  // namespace

void TileEvaluator::Bind(const HloInstruction& instruction, const Indices& indices, TtirValue value) {
  known_[{&instruction, ToString(indices)}] = std::move(value);
}

StatusOr<TtirValue> TileEvaluator::Evaluate(const HloInstruction& instruction, const Indices& indices,
                                            const Constraints& constraints) {
  std::string place = ToString(indices);
  if (auto bound = known_.find({&instruction, place}); bound != known_.end()) return bound->second;
  std::pair key(&instruction, constraints.empty() ? place : place + ToString(constraints));
  if (auto known = known_.find(key); known != known_.end()) return known->second;
  ASSIGN_OR_RETURN(TtirValue value, Compute(instruction, indices, constraints));
  return known_[key] = value;
}

StatusOr<TtirValue> TileEvaluator::EvaluateMasked(const HloInstruction& instruction, const Indices& indices,
                                                  const TtirValue& mask, const TtirValue& fill) {
  if (!mask) return Evaluate(instruction, indices);
  if (IsPlainLoad(instruction)) {
    auto known = std::exchange(known_, {});  // loads without the fill
    load_mask_ = mask;
    load_fill_ = fill;
    StatusOr<TtirValue> value = Compute(instruction, indices, {});
    load_mask_ = load_fill_ = {};
    known_ = std::move(known);
    return value;
  }
  ASSIGN_OR_RETURN(TtirValue value, Evaluate(instruction, indices));
  return frame_.builder().Select(mask, value, fill);
}

StatusOr<TtirValue> TileEvaluator::Compute(const HloInstruction& instruction, const Indices& indices,
                                           const Constraints& constraints) {
  switch (instruction.opcode()) {
    case HloOpcode::kParameter:
      return Load(instruction, indices, constraints);
    case HloOpcode::kIota:
      return Iota(instruction, indices);
    case HloOpcode::kConstant:
      if (!instruction.shape().IsScalar() && !instruction.literal().IsAllEqual()) {
        return UnsupportedOpcode(instruction, "an array constant inside a fusion");
      }
      return EmitConstantElement(frame_.builder(), instruction, 0);
    case HloOpcode::kReal:
    case HloOpcode::kImag:
      if (IsComplex(instruction.operand(0)->shape().element_type())) {
        return EvaluatePart(*instruction.operand(0), instruction.opcode() == HloOpcode::kImag, indices, constraints);
      }
      break;
    default:
      break;
  }
  if (MovesElements(instruction.opcode())) return Move(instruction, indices, constraints);
  if (!HasIndexingMap(instruction.opcode())) return UnsupportedOpcode(instruction, "an operand of a fused operation");
  std::vector<TtirValue> operands;
  for (int64_t i = 0; i < instruction.operand_count(); ++i) {
    ASSIGN_OR_RETURN(TtirValue operand,
                     EvaluateRead(instruction, i, OperandIndexing(instruction, i, indices), constraints));
    operands.push_back(std::move(operand));
  }
  if (instruction.opcode() != HloOpcode::kMap) return EmitElementwise(frame_.builder(), instruction, operands);
  ASSIGN_OR_RETURN(std::vector<TtirValue> results,
                   EmitComputation(frame_.builder(), *instruction.to_apply(), operands));
  return results[0];
}

StatusOr<TtirValue> TileEvaluator::EvaluateRead(const HloInstruction& instruction, int64_t operand,
                                                const OperandRead& read, const Constraints& constraints) {
  Constraints inner = constraints;
  for (const Constraint& c : read.constraints) AddConstraint(inner, c);
  return Evaluate(*instruction.operand(operand), read.indices, inner);
}

StatusOr<TtirValue> TileEvaluator::EvaluatePart(const HloInstruction& complex, bool imaginary, const Indices& indices,
                                                const Constraints& constraints) {
  switch (complex.opcode()) {
    case HloOpcode::kComplex:
      return Evaluate(*complex.operand(imaginary), indices, constraints);
    case HloOpcode::kParameter:
      return LoadAt(complex, MemoryOffset(complex.shape(), indices) * 2 + IndexExpr(imaginary), constraints);
    case HloOpcode::kCopy:
    case HloOpcode::kBitcast: {
      const OperandRead read = OperandIndexing(complex, 0, indices);
      return EvaluatePart(*complex.operand(0), imaginary, read.indices, constraints);
    }
    default:
      return UnsupportedType(complex.shape().element_type(), complex);
  }
}

StatusOr<TtirValue> TileEvaluator::Load(const HloInstruction& parameter, const Indices& indices,
                                        const Constraints& constraints) {
  RETURN_IF_ERROR(RegisterType(parameter.shape().element_type(), parameter).status());
  return LoadAt(parameter, MemoryOffset(parameter.shape(), indices), constraints);
}

StatusOr<TtirValue> TileEvaluator::LoadAt(const HloInstruction& parameter, const IndexExpr& offset,
                                          const Constraints& constraints) {
  TtirBuilder& b = frame_.builder();
  TileFrame::Split split = frame_.SplitIndex(offset);
  TtirValue pointer = b.AddPtr(parameters_[parameter.parameter_number()], split.base);
  if (split.offset) pointer = b.AddPtr(pointer, split.offset);
  TtirValue mask = frame_.BoundsMask(offset);
  for (const TtirValue& more : {frame_.Mask(constraints), load_mask_}) {
    if (more) mask = mask ? b.Binary("arith.andi", mask, more) : more;
  }
  // A mask may need more axes than the address.
  if (mask && mask.type.shape != pointer.type.shape) {
    pointer = b.BroadcastTo(pointer, BroadcastShape(pointer.type.shape, mask.type.shape));
  }
  TtirValue fill = load_fill_ ? b.BroadcastTo(load_fill_, pointer.type.shape) : TtirValue();
  TtirValue value = b.Load(pointer, mask, fill);
  if (parameter.shape().element_type() != PRED) return value;
  return b.Compare("arith.cmpi", "ne", value, b.IntConstant(0, value.type));
}

StatusOr<TtirValue> TileEvaluator::Iota(const HloInstruction& iota, const Indices& indices) {
  TtirValue index = frame_.Index(indices[iota.iota_dimension()]);
  return EmitConvert(frame_.builder(), iota, index, S32, iota.shape().element_type());
}

StatusOr<TtirValue> TileEvaluator::Move(const HloInstruction& instruction, const Indices& indices,
                                        const Constraints& constraints) {
  ASSIGN_OR_RETURN(Indices starts, StartIndices(instruction, indices, constraints));
  // The operands that elements come from, the one that fills the rest last. The operand of dynamic-update-slice and the
  // padding value of pad are the rest; the last piece of a concatenation is what no other piece is.
  std::vector<int64_t> sources;
  switch (instruction.opcode()) {
    case HloOpcode::kPad:
      sources = {0, 1};
      break;
    case HloOpcode::kDynamicUpdateSlice:
      sources = {1, 0};
      break;
    case HloOpcode::kConcatenate:
      for (int64_t i = 0; i < instruction.operand_count(); ++i) sources.push_back(i);
      break;
    default:
      sources = {0};
      break;
  }
  TtirValue result;
  for (size_t i = sources.size(); i-- > 0;) {
    OperandRead read = OperandIndexing(instruction, sources[i], indices, starts);
    ASSIGN_OR_RETURN(TtirValue value, EvaluateRead(instruction, sources[i], read, constraints));
    TtirValue mask = result ? frame_.Mask(read.constraints) : TtirValue();
    result = mask ? frame_.builder().Select(mask, value, result) : value;
  }
  return result;
}

IndexExpr TileEvaluator::ClampedStart(const HloInstruction& instruction, int64_t dimension, TtirValue value,
                                      PrimitiveType type) {
  TtirBuilder& b = frame_.builder();
  const Interval range = StartIndexRange(instruction, dimension);
  const bool is_signed = IsSigned(type);
  if (BitsOf(value.type.element) < 32) {
    value = b.Cast(is_signed ? "arith.extsi" : "arith.extui", value, TtirElement::kI32);
  }
  const TtirType scalar{value.type.element, {}};
  if (is_signed) value = b.Binary("arith.maxsi", value, b.IntConstant(0, scalar));
  value = b.Binary(is_signed ? "arith.minsi" : "arith.minui", value, b.IntConstant(range.hi, scalar));
  if (value.type.element == TtirElement::kI64) value = b.Cast("arith.trunci", value, TtirElement::kI32);
  return frame_.BindComputed(value, range);
}

StatusOr<Indices> TileEvaluator::StartIndices(const HloInstruction& instruction, const Indices& indices,
                                              const Constraints& constraints) {
  if (instruction.opcode() == HloOpcode::kGather) return GatherStarts(instruction, indices, constraints);
  Indices out;
  if (!HasStartIndices(instruction.opcode())) return out;
  for (int64_t d = 0; d < instruction.shape().rank(); ++d) {
    auto [known, is_new] = starts_.try_emplace({&instruction, d});
    if (is_new) {
      const HloInstruction& start = *instruction.operand(instruction.first_index_operand_number() + d);
      ASSIGN_OR_RETURN(TtirValue value, Evaluate(start, {}));
      known->second = ClampedStart(instruction, d, std::move(value), start.shape().element_type());
    }
    out.push_back(known->second);
  }
  return out;
}

// The starts differ from lane to lane, as the places of the index vectors do.
StatusOr<Indices> TileEvaluator::GatherStarts(const HloInstruction& gather, const Indices& indices,
                                              const Constraints& constraints) {
  const IndexDimensionNumbers numbers = gather.index_dimension_numbers();
  const HloInstruction& vectors = *gather.operand(1);
  const Indices place = OperandIndexing(gather, 1, indices).indices;
  Indices starts(gather.operand(0)->shape().rank());
  for (size_t i = 0; i < numbers.index_map.size(); ++i) {
    Indices element = place;
    if (numbers.index_vector_dim < vectors.shape().rank()) {
      element[numbers.index_vector_dim] = IndexExpr(static_cast<int64_t>(i));
    }
    ASSIGN_OR_RETURN(TtirValue value, Evaluate(vectors, element, constraints));
    const int64_t d = numbers.index_map[i];
    starts[d] = ClampedStart(gather, d, std::move(value), vectors.shape().element_type());
  }
  for (size_t i = 0; i < numbers.operand_batch_dims.size(); ++i) {
    starts[numbers.operand_batch_dims[i]] = place[numbers.indices_batch_dims[i]];
  }
  return starts;
}

Status TileEvaluator::EvaluateAndStore(const TtirValue& pointer, const HloInstruction& root, const Indices& indices) {
  const IndexExpr offset = MemoryOffset(root.shape(), indices);
  if (!IsComplex(root.shape().element_type())) {
    ASSIGN_OR_RETURN(TtirValue value, Evaluate(root, indices));
    return StoreAt(pointer, offset, value);
  }
  for (const bool imaginary : {false, true}) {
    ASSIGN_OR_RETURN(TtirValue part, EvaluatePart(root, imaginary, indices, {}));
    RETURN_IF_ERROR(StoreAt(pointer, offset * 2 + IndexExpr(imaginary), part));
  }
  return OkStatus();
}

Status TileEvaluator::StoreAt(const TtirValue& pointer, const IndexExpr& offset, const TtirValue& value) {
  TtirBuilder& b = frame_.builder();
  TileFrame::Split split = frame_.SplitIndex(offset);
  TtirValue target = b.AddPtr(pointer, split.base);
  if (split.offset) target = b.AddPtr(target, split.offset);
  target = b.BroadcastTo(target, frame_.FullShape());
  TtirValue mask;
  for (int axis = 0; axis < frame_.rank(); ++axis) {
    TtirValue part = frame_.AxisMask(axis);
    if (part) mask = mask ? b.Binary("arith.andi", mask, part) : part;
  }
  const bool is_pred = value.type.element == TtirElement::kI1;
  b.Store(target, is_pred ? b.Cast("arith.extui", value, TtirElement::kI8) : value, mask);
  return OkStatus();
}

StatusOr<std::vector<TtirValue>> EmitComputation(TtirBuilder& builder, const HloComputation& computation,
                                                 std::span<const TtirValue> arguments) {
  std::map<const HloInstruction*, TtirValue> values;
  const HloInstruction& root = *computation.root_instruction();
  for (const HloInstruction* instruction : computation.MakeInstructionPostOrder()) {
    if (instruction == &root && root.opcode() == HloOpcode::kTuple) break;
    if (instruction->opcode() == HloOpcode::kParameter) {
      values[instruction] = arguments[instruction->parameter_number()];
    } else if (instruction->IsConstantScalar()) {
      ASSIGN_OR_RETURN(values[instruction], EmitConstantElement(builder, *instruction, 0));
    } else {
      std::vector<TtirValue> operands;
      for (const HloInstruction* operand : instruction->operands()) operands.push_back(values[operand]);
      ASSIGN_OR_RETURN(values[instruction], EmitElementwise(builder, *instruction, operands));
    }
  }
  std::vector<TtirValue> results;
  if (root.opcode() != HloOpcode::kTuple) return std::vector<TtirValue>{values[&root]};
  for (const HloInstruction* element : root.operands()) results.push_back(values[element]);
  return results;
}

}  // namespace xla::gpu
