// Indexing maps: which element of an operand an instruction reads for one element of its result.
//
// Broadcast, reshape, transpose, slice, pad, concatenate, reverse and their like move no data inside a fusion: they are
// maps from the indices of the result to the indices of the operand, and constraints that say where the operand is read
// at all. All indices are logical; layouts come in only where memory is addressed (ShapeUtil::Strides).
#pragma once
#include <cstdint>
#include <vector>

#include "xla/backends/gpu/codegen/index_expr.h"
#include "xla/backends/gpu/codegen/status.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla::gpu {

using Indices = std::vector<IndexExpr>;

// `expr` lies in `range`. Constraints are conjunctions.
struct Constraint {
  IndexExpr expr;
  Interval range;
  bool operator==(const Constraint&) const = default;
};
using Constraints = std::vector<Constraint>;

struct OperandRead {
  Indices indices;          // of the operand
  Constraints constraints;  // where the result comes from this operand; empty: everywhere
};

// True for the opcodes whose operands OperandIndexing maps: elementwise ones, and those that move elements.
bool HasIndexingMap(HloOpcode opcode);
// True for those that move elements without computing: broadcast, reshape, slice, pad, ...
bool MovesElements(HloOpcode opcode);

// What `instruction` reads of its operand number `operand` for its element `indices`. `starts` are the start indices,
// already clamped, of the opcodes that have some, one per dimension of operand 0; empty for others. Of gather's index
// vectors the first element. Requires HasIndexingMap(opcode).
OperandRead OperandIndexing(const HloInstruction& instruction, int64_t operand, const Indices& indices,
                            const Indices& starts = {});

// True for the opcodes that find elements at places that the program computes: dynamic-slice, dynamic-update-slice,
// gather.
bool HasStartIndices(HloOpcode opcode);
// The range of the start index of dimension `dimension` of operand 0, after clamping.
Interval StartIndexRange(const HloInstruction& instruction, int64_t dimension);

// Adds `constraint` unless it always holds.
void AddConstraint(Constraints& constraints, const Constraint& constraint);

// The element offset in memory of `indices`, following the shape's layout.
IndexExpr MemoryOffset(const Shape& shape, const Indices& indices);

// Text that is equal exactly for equal indices.
std::string ToString(const Indices& indices);
std::string ToString(const Constraints& constraints);

}  // namespace xla::gpu
