// m x = b for a triangular m, one row of unknowns after the other: x[i] = (b[i] - sum over the solved k of m[i, k]
// x[k]) / m[i, i]. x a = b is solved as its transpose.
#include "xla/hlo/transforms/expanders/graph_writer.h"
#include "xla/hlo/transforms/passes.h"

namespace xla {
namespace {

using Dims = std::vector<int64_t>;

struct Triangle {
  bool lower, unit_diagonal;
};

// The state is m, b and x, which starts as zeros.
std::vector<HloInstruction*> Step(const Triangle& triangle, GraphWriter& w, HloInstruction* step,
                                  const std::vector<HloInstruction*>& state) {
  HloInstruction *m = state[0], *b = state[1], *x = state[2];
  const PrimitiveType type = m->shape().element_type();
  const auto rank = m->shape().rank();
  const Dims &matrix = m->shape().dimensions(), &unknowns = b->shape().dimensions();
  const Dims row(matrix.begin(), matrix.end() - 1), batch(matrix.begin(), matrix.end() - 2);
  Dims values = unknowns;  // those of one unknown, for all right-hand sides
  values.erase(values.end() - 2);
  Dims beside = AllDimensions(rank);
  beside.erase(beside.end() - 2);
  const double last = static_cast<double>(matrix.back() - 1);
  HloInstruction* i = triangle.lower ? step : w.Binary(HloOpcode::kSubtract, w.Scalar(S32, last), step);
  HloInstruction* all = w.Reshape(w.DynamicIndex(m, rank - 2, i), row);
  const auto solved = triangle.lower ? ComparisonDirection::kLt : ComparisonDirection::kGt;
  HloInstruction* known =
      w.Select(w.Compare(solved, w.Iota(row, rank - 2), w.Splat(i, row)), all, w.Splat(w.Scalar(type, 0), row));
  HloInstruction* products = w.Binary(HloOpcode::kMultiply, x, w.Broadcast(known, unknowns, AllDimensions(rank - 1)));
  HloInstruction* rest = w.Binary(HloOpcode::kSubtract, w.Reshape(w.DynamicIndex(b, rank - 2, i), values),
                                  w.Reduce(products, rank - 2, HloOpcode::kAdd, 0));
  if (!triangle.unit_diagonal) {
    HloInstruction* pivot = w.Reshape(w.DynamicIndex(all, rank - 2, i), batch);
    rest = w.Binary(HloOpcode::kDivide, rest, w.Broadcast(pivot, values, AllDimensions(rank - 2)));
  }
  HloInstruction* is_row = w.Compare(ComparisonDirection::kEq, w.Iota(unknowns, rank - 2), w.Splat(i, unknowns));
  return {m, b, w.Select(is_row, w.Broadcast(rest, unknowns, beside), x)};
}

Status Expand(HloInstruction* solve) {
  GraphWriter w(*solve->parent());
  const AttributeSet& attributes = solve->attributes();
  const auto transpose = attributes.Get<TriangularSolveTranspose>(AttributeId::kTransposeA);
  const bool is_left = attributes.Get<bool>(AttributeId::kLeftSide);
  const bool is_transposed = (transpose != TriangularSolveTranspose::kNoTranspose) == is_left;
  Dims swapped = AllDimensions(solve->shape().rank());
  std::swap(swapped.back(), swapped[swapped.size() - 2]);
  const PrimitiveType own = solve->shape().element_type(), type = SolverType(own);
  HloInstruction *m = w.Convert(solve->mutable_operand(0), type), *b = w.Convert(solve->mutable_operand(1), type);
  if (transpose == TriangularSolveTranspose::kAdjoint) m = w.Conjugate(m);
  if (is_transposed) m = w.Transpose(m, swapped);
  if (!is_left) b = w.Transpose(b, swapped);
  HloInstruction* zeros = w.Splat(w.Scalar(b->shape().element_type(), 0), b->shape().dimensions());
  const Triangle triangle = {attributes.Get<bool>(AttributeId::kLower) != is_transposed,
                             attributes.Get<bool>(AttributeId::kUnitDiagonal)};
  HloInstruction* x = zeros;
  if (ShapeUtil::ElementsIn(solve->shape()) != 0) {
    const LoopStep step = [&](GraphWriter& body, HloInstruction* i, const std::vector<HloInstruction*>& state) {
      return Step(triangle, body, i, state);
    };
    x = CountedLoop(w, m->shape().dimensions().back(), {m, b, zeros}, step)[2];
  }
  return ReplaceExpanded(solve, w.Convert(is_left ? x : w.Transpose(x, swapped), own));
}

}  // namespace

StatusOr<Changed> TriangularSolveExpander::Run(HloModule& module, const PassContext&) {
  return ExpandEach(module, HloOpcode::kTriangularSolve, &Expand);
}

}  // namespace xla
