// GraphWriter: writes chains of instructions into a computation; shapes follow from the operands.
#pragma once
#include <functional>
#include <span>
#include <vector>

#include "xla/hlo/ir/hlo_computation.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/transforms/hlo_pass.h"

namespace xla {

// Every method adds one instruction (or none, where the operand is already what is asked for) with row-major layout.
// The operands must fit, as the verifier will check. Not thread-safe.
class GraphWriter {
 public:
  using Dims = std::vector<int64_t>;

  explicit GraphWriter(HloComputation& computation) : computation_(computation) {}
  HloComputation& computation() const { return computation_; }

  HloInstruction* Add(std::unique_ptr<HloInstruction> instruction) {
    return computation_.AddInstruction(std::move(instruction));
  }
  // A scalar, from a number that is rounded to the type.
  HloInstruction* Scalar(PrimitiveType type, double value);
  HloInstruction* Constant(Literal literal) { return Add(HloInstruction::CreateConstant(std::move(literal))); }
  // Numbers along one dimension: s32.
  HloInstruction* Iota(Dims dimensions, int64_t along);
  HloInstruction* Unary(HloOpcode opcode, HloInstruction* x);
  HloInstruction* Binary(HloOpcode opcode, HloInstruction* x, HloInstruction* y);
  HloInstruction* Compare(ComparisonDirection direction, HloInstruction* x, HloInstruction* y);
  HloInstruction* Select(HloInstruction* predicate, HloInstruction* on_true, HloInstruction* on_false);
  HloInstruction* Convert(HloInstruction* x, PrimitiveType type);
  // Of complex numbers; others stay as they are.
  HloInstruction* RealPart(HloInstruction* x);
  HloInstruction* Conjugate(HloInstruction* x);
  // A scalar to all elements.
  HloInstruction* Splat(HloInstruction* scalar, const Dims& dimensions);
  // Operand dimension i becomes dimension `places[i]` of the result; places need not ascend.
  HloInstruction* Broadcast(HloInstruction* x, const Dims& dimensions, const Dims& places);
  HloInstruction* Reshape(HloInstruction* x, const Dims& dimensions);
  // Result dimension i is operand dimension `order[i]`.
  HloInstruction* Transpose(HloInstruction* x, const Dims& order);
  HloInstruction* Reverse(HloInstruction* x, const Dims& dimensions);
  // [start, limit) with a stride along one dimension, everything along the others.
  HloInstruction* Slice(HloInstruction* x, int64_t dimension, int64_t start, int64_t limit, int64_t stride = 1);
  HloInstruction* Pad(HloInstruction* x, HloInstruction* value, const PaddingConfig& config);
  HloInstruction* Concatenate(std::span<HloInstruction* const> pieces, int64_t dimension);
  // Index `at` (a scalar s32) of one dimension, which stays with size 1.
  HloInstruction* DynamicIndex(HloInstruction* x, int64_t dimension, HloInstruction* at);
  HloInstruction* Reduce(HloInstruction* x, int64_t dimension, HloOpcode opcode, double initial);
  HloInstruction* Element(HloInstruction* tuple, int64_t index);

  // The results of `scalars`, a computation of scalars (a reducer, a comparator), applied to each element of arrays of
  // equal dimensions. Unimplemented if it holds anything but elementwise operations, scalar constants and a root tuple.
  StatusOr<std::vector<HloInstruction*>> Apply(const HloComputation& scalars,
                                               std::span<HloInstruction* const> arguments);

 private:
  HloComputation& computation_;
};

// What solvers of linear equations compute in: their results are rounded to a narrow float once, at the end.
inline PrimitiveType SolverType(PrimitiveType type) { return IsFloat(type) && type != F64 ? F32 : type; }

// 0, 1, ..., rank - 1.
std::vector<int64_t> AllDimensions(int64_t rank);

// What a loop's body computes from the state, in step number `i` (a scalar s32).
using LoopStep = std::function<std::vector<HloInstruction*>(GraphWriter& body, HloInstruction* i,
                                                            const std::vector<HloInstruction*>& state)>;
// The state after `count` steps. A body sees nothing but its state.
std::vector<HloInstruction*> CountedLoop(GraphWriter& w, int64_t count, const std::vector<HloInstruction*>& state,
                                         const LoopStep& step);

// Lets `replacement` take the place of `instruction`, whose layout it gets by a copy where it differs.
Status ReplaceExpanded(HloInstruction* instruction, HloInstruction* replacement);

// Calls expand(instruction), which replaces it, for each instruction of this opcode in every computation.
StatusOr<Changed> ExpandEach(HloModule& module, HloOpcode opcode, Status (*expand)(HloInstruction* instruction));

// A computation (x, y) -> opcode(x, y) of scalars.
HloComputation* AddBinaryComputation(HloModule& module, HloOpcode opcode, PrimitiveType type);

}  // namespace xla
