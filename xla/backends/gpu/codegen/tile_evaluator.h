// TileEvaluator: the value of any instruction inside a fusion, for one tile.
//
// It walks from an instruction to the fusion's parameters, composing index maps on the way, and emits loads, arithmetic
// and masks. Each instruction is emitted once per distinct index map.
#pragma once
#include <map>
#include <span>
#include <string>
#include <vector>

#include "xla/backends/gpu/codegen/elementwise.h"
#include "xla/backends/gpu/codegen/tile_frame.h"
#include "xla/hlo/ir/hlo_computation.h"

namespace xla::gpu {

class TileEvaluator {
 public:
  // `parameters[i]` is the pointer to fusion parameter i. The frame is copied: an evaluator belongs to one region of
  // the program (a loop body has its own).
  TileEvaluator(TileFrame frame, std::span<const TtirValue> parameters)
      : frame_(std::move(frame)), parameters_(parameters.begin(), parameters.end()) {}

  TileFrame& frame() { return frame_; }
  // Says that `instruction` at `indices` is `value`: the result of a reduction or dot, for its epilogue.
  void Bind(const HloInstruction& instruction, const Indices& indices, TtirValue value);
  // The register value of `instruction` at `indices`, of the lowest rank that it needs. Lanes outside the iteration
  // space, or where a constraint fails, hold anything.
  StatusOr<TtirValue> Evaluate(const HloInstruction& instruction, const Indices& indices,
                               const Constraints& constraints = {});
  // The same, with lanes where `mask` does not hold replaced by `fill` (a scalar); no mask: none.
  StatusOr<TtirValue> EvaluateMasked(const HloInstruction& instruction, const Indices& indices, const TtirValue& mask,
                                     const TtirValue& fill);
  // Writes `root` at `indices` to its array, where the iteration space has it.
  Status EvaluateAndStore(const TtirValue& pointer, const HloInstruction& root, const Indices& indices);

 private:
  StatusOr<TtirValue> Compute(const HloInstruction& instruction, const Indices& indices,
                              const Constraints& constraints);
  StatusOr<TtirValue> Load(const HloInstruction& parameter, const Indices& indices, const Constraints& constraints);
  // One part of a complex value: complex(a, b) itself, or memory.
  StatusOr<TtirValue> EvaluatePart(const HloInstruction& complex, bool imaginary, const Indices& indices,
                                   const Constraints& constraints);
  // `offset`: in elements of the parameter's memory type.
  StatusOr<TtirValue> LoadAt(const HloInstruction& parameter, const IndexExpr& offset, const Constraints& constraints);
  Status StoreAt(const TtirValue& pointer, const IndexExpr& offset, const TtirValue& value);
  StatusOr<TtirValue> Iota(const HloInstruction& iota, const Indices& indices);
  // The result of an operation that takes each element from one of its operands.
  StatusOr<TtirValue> Move(const HloInstruction& instruction, const Indices& indices, const Constraints& constraints);
  // For element `indices` of an instruction that has start indices; empty for others.
  StatusOr<Indices> StartIndices(const HloInstruction& instruction, const Indices& indices,
                                 const Constraints& constraints);
  StatusOr<Indices> GatherStarts(const HloInstruction& gather, const Indices& indices, const Constraints& constraints);
  // The start index of a dimension of operand 0, moved into its range.
  IndexExpr ClampedStart(const HloInstruction& instruction, int64_t dimension, TtirValue value, PrimitiveType type);
  StatusOr<TtirValue> EvaluateRead(const HloInstruction& instruction, int64_t operand, const OperandRead& read,
                                   const Constraints& constraints);

  TileFrame frame_;
  std::vector<TtirValue> parameters_;
  std::map<std::pair<const HloInstruction*, std::string>, TtirValue> known_;
  std::map<std::pair<const HloInstruction*, int64_t>, IndexExpr> starts_;
  // Set while a value is evaluated that is a load and nothing else.
  TtirValue load_mask_, load_fill_;
};

// The results of a computation of elementwise operations (a reducer, a map) on values of its parameters: one, or the
// elements of a root tuple.
StatusOr<std::vector<TtirValue>> EmitComputation(TtirBuilder& builder, const HloComputation& computation,
                                                 std::span<const TtirValue> arguments);

}  // namespace xla::gpu
