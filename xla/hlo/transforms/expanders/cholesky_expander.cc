// a = L L^H, one column of L after the other: with the columns k < j known, column j of a minus the sum over k of
// L[:, k] conj(L[j, k]) is L[:, j] L[j, j].
#include "xla/hlo/transforms/expanders/graph_writer.h"
#include "xla/hlo/transforms/passes.h"

namespace xla {
namespace {

using Dims = std::vector<int64_t>;

// The state is a and L, which starts as zeros.
std::vector<HloInstruction*> Step(GraphWriter& w, HloInstruction* j, const std::vector<HloInstruction*>& state) {
  HloInstruction *a = state[0], *l = state[1];
  const Dims& matrix = a->shape().dimensions();
  const PrimitiveType type = a->shape().element_type();
  const auto rank = static_cast<int64_t>(matrix.size());
  const Dims column(matrix.begin(), matrix.end() - 1);
  const Dims batch(matrix.begin(), matrix.end() - 2);
  Dims along_columns = AllDimensions(rank);  // a row of L stands beside each row
  along_columns.erase(along_columns.end() - 2);
  HloInstruction* row = w.Reshape(w.DynamicIndex(l, rank - 2, j), column);
  HloInstruction* products = w.Binary(HloOpcode::kMultiply, l, w.Broadcast(w.Conjugate(row), matrix, along_columns));
  HloInstruction* rest = w.Binary(HloOpcode::kSubtract, w.Reshape(w.DynamicIndex(a, rank - 1, j), column),
                                  w.Reduce(products, rank - 1, HloOpcode::kAdd, 0));
  HloInstruction* square = w.Reshape(w.DynamicIndex(rest, rank - 2, j), batch);
  HloInstruction* pivot = w.Unary(HloOpcode::kSqrt, w.RealPart(square));
  pivot = w.Broadcast(w.Convert(pivot, type), column, AllDimensions(rank - 2));
  HloInstruction* at_row = w.Iota(column, rank - 2);
  HloInstruction* j_everywhere = w.Splat(j, column);
  HloInstruction* below = w.Select(w.Compare(ComparisonDirection::kGt, at_row, j_everywhere),
                                   w.Binary(HloOpcode::kDivide, rest, pivot), w.Splat(w.Scalar(type, 0), column));
  HloInstruction* next = w.Select(w.Compare(ComparisonDirection::kEq, at_row, j_everywhere), pivot, below);
  HloInstruction* is_column = w.Compare(ComparisonDirection::kEq, w.Iota(matrix, rank - 1), w.Splat(j, matrix));
  return {a, w.Select(is_column, w.Broadcast(next, matrix, AllDimensions(rank - 1)), l)};
}

Status Expand(HloInstruction* cholesky) {
  GraphWriter w(*cholesky->parent());
  const Dims& matrix = cholesky->shape().dimensions();
  const bool is_lower = cholesky->attributes().Get<bool>(AttributeId::kLower);
  Dims swapped = AllDimensions(static_cast<int64_t>(matrix.size()));
  std::swap(swapped.back(), swapped[swapped.size() - 2]);
  const auto adjoint = [&](HloInstruction* x) { return w.Conjugate(w.Transpose(x, swapped)); };
  const PrimitiveType own = cholesky->shape().element_type(), type = SolverType(own);
  HloInstruction* zeros = w.Splat(w.Scalar(type, 0), matrix);
  if (ShapeUtil::ElementsIn(cholesky->shape()) == 0) return ReplaceExpanded(cholesky, w.Convert(zeros, own));
  HloInstruction* a = w.Convert(cholesky->mutable_operand(0), type);
  HloInstruction* l = CountedLoop(w, matrix.back(), {is_lower ? a : adjoint(a), zeros}, &Step)[1];
  return ReplaceExpanded(cholesky, w.Convert(is_lower ? l : adjoint(l), own));
}

}  // namespace

StatusOr<Changed> CholeskyExpander::Run(HloModule& module, const PassContext&) {
  return ExpandEach(module, HloOpcode::kCholesky, &Expand);
}

}  // namespace xla
