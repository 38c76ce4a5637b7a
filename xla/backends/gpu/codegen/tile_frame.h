// TileFrame: what the variables of an iteration space are inside one program.
//
// A variable is either an axis of the tile (its values are base, base+1, .. along one dimension of every tensor) or a
// scalar (from the program id or a loop). Tensors have one dimension per axis; a value that does not depend on an axis
// has size 1 there, so it is computed once and stretched only where it meets one that does.
#pragma once
#include <cstdint>
#include <map>
#include <vector>

#include "xla/backends/gpu/codegen/indexing_map.h"
#include "xla/backends/gpu/codegen/ttir_builder.h"

namespace xla::gpu {

struct TileAxis {
  int variable = 0;
  int64_t extent = 1;  // of the variable
  int64_t size = 1;    // of the tile; a power of two
  TtirValue base;      // scalar i32: the variable's first value in this tile; no value: 0
  bool IsWhole() const { return extent % size == 0; }  // no lane lies outside
};

class TileFrame {
 public:
  TileFrame(TtirBuilder* builder, std::vector<TileAxis> axes) : builder_(builder), axes_(std::move(axes)) {}
  // Gives a variable one value in the whole tile.
  void BindScalar(int variable, TtirValue value) { values_[variable] = std::move(value); }
  // A new variable whose value was computed by the program: a clamped start index, for instance.
  IndexExpr BindComputed(TtirValue value, Interval range);

  TtirBuilder& builder() const { return *builder_; }
  const std::vector<TileAxis>& axes() const { return axes_; }
  int rank() const { return static_cast<int>(axes_.size()); }
  // The tile's whole shape; empty without axes.
  TileShape FullShape() const;

  // The value of `expr`, i32, of the lowest rank that it needs.
  TtirValue Index(const IndexExpr& expr);
  // base + offset = expr elements: `base` a scalar (i64 where i32 might not do), `offset` an i32 tensor or no value.
  struct Split {
    TtirValue base;
    TtirValue offset;
  };
  Split SplitIndex(const IndexExpr& expr);
  // Lanes at which all constraints hold; no value: all of them.
  TtirValue Mask(const Constraints& constraints);
  // Lanes inside the iteration space, looking only at axes that `expr` depends on; no value: all of them.
  TtirValue BoundsMask(const IndexExpr& expr);
  // Lanes inside along one axis.
  TtirValue AxisMask(int axis);

 private:
  int AxisOf(int variable) const;  // -1: none
  TtirValue Iota(int axis);
  TtirValue FullIndex(int axis);  // base + iota
  TtirValue VariableValue(int variable);
  TtirValue TermValue(const IndexTerm& term);
  bool DependsOnAxis(const IndexTerm& term) const;
  TtirValue And(const TtirValue& a, const TtirValue& b);

  TtirBuilder* builder_;
  std::vector<TileAxis> axes_;
  std::map<int, TtirValue> values_;
  int next_computed_ = 1 << 20;  // above all variables of iteration spaces
};

}  // namespace xla::gpu
