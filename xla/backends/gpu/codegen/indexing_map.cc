#include "xla/backends/gpu/codegen/indexing_map.h"

#include <fmt/format.h>

#include <algorithm>

namespace xla::gpu {
namespace {

OperandRead Broadcast(const HloInstruction& instruction, int64_t, const Indices& indices, const Indices&) {
  OperandRead read;
  const Shape& operand = instruction.operand(0)->shape();
  for (int64_t i = 0; i < operand.rank(); ++i) {
    // A dimension of size 1 may be stretched.
    read.indices.push_back(operand.dimensions(i) == 1 ? IndexExpr(0) : indices[instruction.dimensions()[i]]);
  }
  return read;
}

OperandRead Reshape(const HloInstruction& instruction, int64_t, const Indices& indices, const Indices&) {
  auto row_major = [](const Shape& shape) { return ShapeUtil::Strides(ShapeUtil::WithDefaultLayout(shape)); };
  IndexExpr linear = LinearIndex(indices, row_major(instruction.shape()));
  return {Delinearize(linear, instruction.operand(0)->shape().dimensions()), {}};
}

// Equal places in memory.
OperandRead Bitcast(const HloInstruction& instruction, int64_t, const Indices& indices, const Indices&) {
  const Shape& operand = instruction.operand(0)->shape();
  const std::vector<int64_t>& minor_to_major = operand.layout().minor_to_major();
  std::vector<int64_t> physical;
  for (size_t i = minor_to_major.size(); i-- > 0;) physical.push_back(operand.dimensions(minor_to_major[i]));
  Indices in_memory_order = Delinearize(MemoryOffset(instruction.shape(), indices), physical);
  OperandRead read{Indices(operand.rank()), {}};
  for (size_t i = 0; i < in_memory_order.size(); ++i) {
    read.indices[minor_to_major[minor_to_major.size() - 1 - i]] = in_memory_order[i];
  }
  return read;
}

OperandRead Transpose(const HloInstruction& instruction, int64_t, const Indices& indices, const Indices&) {
  OperandRead read{Indices(indices.size()), {}};
  for (size_t i = 0; i < indices.size(); ++i) read.indices[instruction.dimensions()[i]] = indices[i];
  return read;
}

OperandRead Reverse(const HloInstruction& instruction, int64_t, const Indices& indices, const Indices&) {
  OperandRead read{indices, {}};
  for (int64_t d : instruction.dimensions()) {
    read.indices[d] = IndexExpr(instruction.shape().dimensions(d) - 1) - indices[d];
  }
  return read;
}

OperandRead Slice(const HloInstruction& instruction, int64_t, const Indices& indices, const Indices&) {
  OperandRead read;
  for (size_t d = 0; d < indices.size(); ++d) {
    read.indices.push_back(indices[d] * instruction.slice_strides(d) + IndexExpr(instruction.slice_starts(d)));
  }
  return read;
}

OperandRead Pad(const HloInstruction& instruction, int64_t operand, const Indices& indices, const Indices&) {
  if (operand == 1) return {};
  OperandRead read;
  for (size_t d = 0; d < indices.size(); ++d) {
    const PaddingDimension& padding = instruction.padding_config()[d];
    int64_t step = padding.interior_padding + 1;
    int64_t last = (instruction.operand(0)->shape().dimensions(d) - 1) * step;
    IndexExpr shifted = indices[d] - IndexExpr(padding.edge_padding_low);
    AddConstraint(read.constraints, {shifted, {0, last}});
    AddConstraint(read.constraints, {shifted.Mod(step), {0, 0}});
    read.indices.push_back(shifted.FloorDiv(step));
  }
  return read;
}

OperandRead Concatenate(const HloInstruction& instruction, int64_t operand, const Indices& indices, const Indices&) {
  int64_t d = instruction.concatenate_dimension(), offset = 0;
  for (int64_t i = 0; i < operand; ++i) offset += instruction.operand(i)->shape().dimensions(d);
  OperandRead read{indices, {}};
  read.indices[d] = indices[d] - IndexExpr(offset);
  AddConstraint(read.constraints, {read.indices[d], {0, instruction.operand(operand)->shape().dimensions(d) - 1}});
  return read;
}

OperandRead DynamicSlice(const HloInstruction&, int64_t operand, const Indices& indices, const Indices& starts) {
  if (operand >= 1) return {};
  OperandRead read;
  for (size_t d = 0; d < indices.size(); ++d) read.indices.push_back(indices[d] + starts[d]);
  return read;
}

OperandRead DynamicUpdateSlice(const HloInstruction& instruction, int64_t operand, const Indices& indices,
                               const Indices& starts) {
  if (operand == 0) return {indices, {}};
  if (operand >= 2) return {};
  OperandRead read;
  for (size_t d = 0; d < indices.size(); ++d) {
    read.indices.push_back(indices[d] - starts[d]);
    AddConstraint(read.constraints, {read.indices[d], {0, instruction.operand(1)->shape().dimensions(d) - 1}});
  }
  return read;
}

// The place of each index vector: its index in the indices, with 0 along the vector.
OperandRead GatherIndices(const HloInstruction& instruction, const Indices& indices) {
  const IndexDimensionNumbers numbers = instruction.index_dimension_numbers();
  OperandRead read;
  for (size_t i = 0; i < indices.size(); ++i) {
    if (std::ranges::find(numbers.window_dims, static_cast<int64_t>(i)) == numbers.window_dims.end())
      read.indices.push_back(indices[i]);
  }
  if (numbers.index_vector_dim < instruction.operand(1)->shape().rank())
    read.indices.insert(read.indices.begin() + numbers.index_vector_dim, IndexExpr(0));
  return read;
}

// `starts`: one per dimension of the operand.
OperandRead Gather(const HloInstruction& instruction, int64_t operand, const Indices& indices, const Indices& starts) {
  if (operand == 1) return GatherIndices(instruction, indices);
  const IndexDimensionNumbers numbers = instruction.index_dimension_numbers();
  const auto has = [](const std::vector<int64_t>& list, int64_t value) {
    return std::ranges::find(list, value) != list.end();
  };
  OperandRead read{starts, {}};
  size_t next = 0;
  for (int64_t d = 0; d < instruction.operand(0)->shape().rank(); ++d) {
    if (has(numbers.dropped_dims, d) || has(numbers.operand_batch_dims, d)) continue;
    read.indices[d] = read.indices[d] + indices[numbers.window_dims[next++]];
  }
  return read;
}

using MapFn = OperandRead (*)(const HloInstruction&, int64_t, const Indices&, const Indices&);

// Null for opcodes that are not moves.
MapFn MoveOf(HloOpcode opcode) {
  switch (opcode) {
    case HloOpcode::kBroadcast:
      return Broadcast;
    case HloOpcode::kReshape:
      return Reshape;
    case HloOpcode::kBitcast:
      return Bitcast;
    case HloOpcode::kTranspose:
      return Transpose;
    case HloOpcode::kReverse:
      return Reverse;
    case HloOpcode::kSlice:
      return Slice;
    case HloOpcode::kPad:
      return Pad;
    case HloOpcode::kConcatenate:
      return Concatenate;
    case HloOpcode::kDynamicSlice:
      return DynamicSlice;
    case HloOpcode::kDynamicUpdateSlice:
      return DynamicUpdateSlice;
    case HloOpcode::kGather:
      return Gather;
    default:
      return nullptr;
  }
}

bool ReadsSameElement(HloOpcode opcode) {
  return HasTrait(opcode, op_trait::kElementwise) || opcode == HloOpcode::kBitcastConvert ||
         opcode == HloOpcode::kCopy || opcode == HloOpcode::kMap;
}

}  // namespace

bool MovesElements(HloOpcode opcode) { return MoveOf(opcode) != nullptr; }
bool HasIndexingMap(HloOpcode opcode) { return MovesElements(opcode) || ReadsSameElement(opcode); }

OperandRead OperandIndexing(const HloInstruction& instruction, int64_t operand, const Indices& indices,
                            const Indices& starts) {
  if (MapFn move = MoveOf(instruction.opcode())) return move(instruction, operand, indices, starts);
  // The bounds of clamp and the predicate of select may be scalars.
  if (instruction.operand(operand)->shape().IsScalar()) return {};
  return {indices, {}};
}

bool HasStartIndices(HloOpcode opcode) {
  return opcode == HloOpcode::kDynamicSlice || opcode == HloOpcode::kDynamicUpdateSlice || opcode == HloOpcode::kGather;
}

Interval StartIndexRange(const HloInstruction& instruction, int64_t dimension) {
  const Shape& whole = instruction.operand(0)->shape();
  const int64_t size = instruction.opcode() == HloOpcode::kDynamicSlice ? instruction.dynamic_slice_sizes()[dimension]
                       : instruction.opcode() == HloOpcode::kGather
                           ? instruction.slice_sizes()[dimension]
                           : instruction.operand(1)->shape().dimensions(dimension);
  return {0, whole.dimensions(dimension) - size};
}

void AddConstraint(Constraints& constraints, const Constraint& constraint) {
  if (constraint.range.Contains(constraint.expr.Range())) return;
  for (const Constraint& known : constraints) {
    if (known == constraint) return;
  }
  constraints.push_back(constraint);
}

IndexExpr MemoryOffset(const Shape& shape, const Indices& indices) {
  return LinearIndex(indices, ShapeUtil::Strides(shape));
}

std::string ToString(const Indices& indices) {
  std::string out = "[";
  for (const IndexExpr& index : indices) out += (out.size() > 1 ? ", " : "") + index.ToString();
  return out + "]";
}

std::string ToString(const Constraints& constraints) {
  std::string out;
  for (const Constraint& c : constraints) {
    out += fmt::format("{}{} in [{}, {}]", out.empty() ? "" : " and ", c.expr.ToString(), c.range.lo, c.range.hi);
  }
  return out;
}

}  // namespace xla::gpu
