#include "xla/backends/gpu/codegen/iteration_space.h"

#include <algorithm>

namespace xla::gpu {
namespace {

IndexExpr Apply(const std::map<int, IndexExpr>& replacements, const IndexExpr& expr) {
  return expr.Substitute([&](int id) {
    auto it = replacements.find(id);
    return it == replacements.end() ? nullptr : &it->second;
  });
}

// The divisor by which `expr` divides the bare variable; 0 if it does not.
int64_t DivisorOf(const IndexExpr& expr, int variable) {
  for (const auto& [term, coefficient] : expr.terms()) {
    if (term.kind == IndexTerm::Kind::kVariable) continue;
    if (term.inner->constant() == 0 && term.inner->terms().size() == 1 && term.inner->CoefficientOf(variable) == 1) {
      return term.divisor;
    }
    if (int64_t deeper = DivisorOf(*term.inner, variable)) return deeper;
  }
  return 0;
}

bool Uses(const IndexExpr& expr, int variable) {
  std::vector<int> variables = expr.Variables();
  return std::binary_search(variables.begin(), variables.end(), variable);
}

// True if walking `inner` to its end and then `outer` by one is the same as walking on.
bool IsContiguous(const IndexExpr& expr, const IterationDim& outer, const IterationDim& inner) {
  bool uses_outer = Uses(expr, outer.variable), uses_inner = Uses(expr, inner.variable);
  if (!uses_outer && !uses_inner) return true;
  IndexExpr rest = expr -
                   IndexExpr::Variable(outer.variable, {0, outer.extent - 1}) * expr.CoefficientOf(outer.variable) -
                   IndexExpr::Variable(inner.variable, {0, inner.extent - 1}) * expr.CoefficientOf(inner.variable);
  if (Uses(rest, outer.variable) || Uses(rest, inner.variable)) return false;
  return expr.CoefficientOf(outer.variable) == expr.CoefficientOf(inner.variable) * inner.extent;
}

}  // namespace

IndexExpr IterationSpace::AddDimension(int64_t extent, int group) {
  int variable = next_variable_++;
  if (extent == 1) return IndexExpr(0);
  dims_.push_back({variable, extent, group});
  return VariableOf(dims_.back());
}

void IterationSpace::Simplify() {
  while (SplitOne()) {
  }
  while (MergeOne()) {
  }
}

IndexExpr IterationSpace::Rewrite(const IndexExpr& expr) const { return Apply(rewritten_, expr); }

Indices IterationSpace::Rewrite(const Indices& indices) const {
  Indices out;
  for (const IndexExpr& index : indices) out.push_back(Rewrite(index));
  return out;
}

void IterationSpace::Replace(const std::map<int, IndexExpr>& replacements) {
  for (IndexExpr& expr : tracked_) expr = Apply(replacements, expr);
  for (auto& [variable, expr] : rewritten_) expr = Apply(replacements, expr);
  for (const auto& [variable, expr] : replacements) rewritten_[variable] = expr;
}

bool IterationSpace::SplitOne() {
  for (size_t i = 0; i < dims_.size(); ++i) {
    const IterationDim dim = dims_[i];
    for (const IndexExpr& expr : tracked_) {
      int64_t divisor = DivisorOf(expr, dim.variable);
      if (divisor <= 1 || divisor >= dim.extent || dim.extent % divisor != 0) continue;
      IterationDim outer{next_variable_++, dim.extent / divisor, dim.group};
      IterationDim inner{next_variable_++, divisor, dim.group};
      dims_[i] = outer;
      dims_.insert(dims_.begin() + i + 1, inner);
      Replace({{dim.variable, VariableOf(outer) * divisor + VariableOf(inner)}});
      return true;
    }
  }
  return false;
}

bool IterationSpace::MergeOne() {
  for (size_t i = 0; i + 1 < dims_.size(); ++i) {
    const IterationDim outer = dims_[i], inner = dims_[i + 1];
    if (outer.group != inner.group) continue;
    bool contiguous = std::all_of(tracked_.begin(), tracked_.end(),
                                  [&](const IndexExpr& expr) { return IsContiguous(expr, outer, inner); });
    if (!contiguous) continue;
    IterationDim merged{next_variable_++, outer.extent * inner.extent, outer.group};
    dims_[i] = merged;
    dims_.erase(dims_.begin() + i + 1);
    IndexExpr variable = VariableOf(merged);
    Replace({{outer.variable, variable.FloorDiv(inner.extent)}, {inner.variable, variable.Mod(inner.extent)}});
    return true;
  }
  return false;
}

}  // namespace xla::gpu
