#include "xla/backends/gpu/codegen/tile_frame.h"

#include <algorithm>
#include <limits>

namespace xla::gpu {
namespace {

constexpr Interval kInt32{std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()};

}  // namespace

IndexExpr TileFrame::BindComputed(TtirValue value, Interval range) {
  int variable = next_computed_++;
  values_[variable] = std::move(value);
  return IndexExpr::Variable(variable, range);
}

TileShape TileFrame::FullShape() const {
  TileShape shape;
  for (const TileAxis& axis : axes_) shape.push_back(axis.size);
  return shape;
}

int TileFrame::AxisOf(int variable) const {
  for (size_t i = 0; i < axes_.size(); ++i) {
    if (axes_[i].variable == variable) return static_cast<int>(i);
  }
  return -1;
}

TtirValue TileFrame::Iota(int axis) { return builder_->Iota(axes_[axis].size, axis, rank()); }

TtirValue TileFrame::FullIndex(int axis) {
  return axes_[axis].base ? builder_->Binary("arith.addi", Iota(axis), axes_[axis].base) : Iota(axis);
}

TtirValue TileFrame::VariableValue(int variable) {
  int axis = AxisOf(variable);
  return axis >= 0 ? FullIndex(axis) : values_.at(variable);
}

TtirValue TileFrame::TermValue(const IndexTerm& term) {
  if (term.kind == IndexTerm::Kind::kVariable) return VariableValue(term.variable);
  // The expressions divide downwards, the instructions towards zero: what may be negative is lifted by a multiple of
  // the divisor first.
  const int64_t lowest = term.inner->Range().lo;
  const int64_t lift = lowest < 0 ? (-lowest + term.divisor - 1) / term.divisor : 0;
  const TtirValue lifted = Index(*term.inner + IndexExpr(lift * term.divisor));
  if (term.kind == IndexTerm::Kind::kMod) {
    return builder_->Binary("arith.remsi", lifted, builder_->I32(term.divisor));
  }
  const TtirValue quotient = builder_->Binary("arith.divsi", lifted, builder_->I32(term.divisor));
  return builder_->Binary("arith.addi", quotient, builder_->I32(-lift));
}

bool TileFrame::DependsOnAxis(const IndexTerm& term) const {
  if (term.kind == IndexTerm::Kind::kVariable) {
    if (AxisOf(term.variable) >= 0) return true;
    auto it = values_.find(term.variable);
    return it != values_.end() && !it->second.type.shape.empty();
  }
  return std::any_of(term.inner->terms().begin(), term.inner->terms().end(),
                     [&](const auto& inner) { return DependsOnAxis(inner.first); });
}

TtirValue TileFrame::Index(const IndexExpr& expr) {
  Split split = SplitIndex(expr);
  TtirValue base = split.base.type.element == TtirElement::kI64
                       ? builder_->Cast("arith.trunci", split.base, TtirElement::kI32)
                       : split.base;
  return split.offset ? builder_->Binary("arith.addi", split.offset, base) : base;
}

TileFrame::Split TileFrame::SplitIndex(const IndexExpr& expr) {
  TtirBuilder& b = *builder_;
  TtirElement width = kInt32.Contains(expr.Range()) ? TtirElement::kI32 : TtirElement::kI64;
  auto constant = [&](int64_t value) { return b.IntConstant(value, {width, {}}); };
  Split out{constant(0), {}};
  auto add_scalar = [&](const TtirValue& value, int64_t coefficient) {
    TtirValue wide = width == value.type.element ? value : b.Cast("arith.extsi", value, width);
    out.base = b.Binary("arith.addi", out.base, b.Binary("arith.muli", wide, constant(coefficient)));
  };
  for (const auto& [term, coefficient] : expr.terms()) {
    int axis = term.kind == IndexTerm::Kind::kVariable ? AxisOf(term.variable) : -1;
    if (axis < 0 && !DependsOnAxis(term)) {
      add_scalar(TermValue(term), coefficient);
      continue;
    }
    if (axis >= 0 && axes_[axis].base) add_scalar(axes_[axis].base, coefficient);
    TtirValue part = b.Binary("arith.muli", axis >= 0 ? Iota(axis) : TermValue(term), b.I32(coefficient));
    out.offset = out.offset ? b.Binary("arith.addi", out.offset, part) : part;
  }
  out.base = b.Binary("arith.addi", out.base, constant(expr.constant()));
  return out;
}

TtirValue TileFrame::And(const TtirValue& a, const TtirValue& b) {
  return !a ? b : !b ? a : builder_->Binary("arith.andi", a, b);
}

TtirValue TileFrame::Mask(const Constraints& constraints) {
  TtirValue mask;
  for (const auto& [expr, range] : constraints) {
    Interval possible = expr.Range();
    TtirValue value = Index(expr);
    if (range.lo == range.hi) {
      mask = And(mask, builder_->Compare("arith.cmpi", "eq", value, builder_->I32(range.lo)));
      continue;
    }
    if (possible.lo < range.lo) {
      mask = And(mask, builder_->Compare("arith.cmpi", "sge", value, builder_->I32(range.lo)));
    }
    if (possible.hi > range.hi) {
      mask = And(mask, builder_->Compare("arith.cmpi", "slt", value, builder_->I32(range.hi + 1)));
    }
  }
  return mask;
}

TtirValue TileFrame::AxisMask(int axis) {
  if (axes_[axis].IsWhole()) return {};
  return builder_->Compare("arith.cmpi", "slt", FullIndex(axis), builder_->I32(axes_[axis].extent));
}

TtirValue TileFrame::BoundsMask(const IndexExpr& expr) {
  TtirValue mask;
  for (int variable : expr.Variables()) {
    if (int axis = AxisOf(variable); axis >= 0) mask = And(mask, AxisMask(axis));
  }
  return mask;
}

}  // namespace xla::gpu
