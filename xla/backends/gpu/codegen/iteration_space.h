// IterationSpace: the dimensions over which a fusion's kernel runs, split and merged so that memory is walked in few,
// long steps.
//
// It starts with one variable per dimension and a list of expressions over them that will be computed: the memory
// offsets of all loads and stores, the constraints of pads, the values of iotas. Then
//   - a dimension that some expression divides by a constant is split there ("d / 8" and "d % 8" become two variables),
//   and
//   - neighbours that every expression walks contiguously are merged into one.
// What remains are dimensions whose tiles need no division per element wherever that is possible.
#pragma once
#include <cstdint>
#include <map>
#include <vector>

#include "xla/backends/gpu/codegen/indexing_map.h"

namespace xla::gpu {

struct IterationDim {
  int variable = 0;
  int64_t extent = 1;  // > 1
  int group = 0;       // only dimensions of one group are merged
};

class IterationSpace {
 public:
  // Appends a dimension, faster than all before. Returns the expression for it; a constant 0 for extent 1.
  IndexExpr AddDimension(int64_t extent, int group = 0);
  // Adds an expression that the kernel computes from the dimensions.
  void Track(const IndexExpr& expr) { tracked_.push_back(expr); }
  void Simplify();

  // Slowest first.
  const std::vector<IterationDim>& dims() const { return dims_; }
  IndexExpr VariableOf(const IterationDim& dim) const { return IndexExpr::Variable(dim.variable, {0, dim.extent - 1}); }
  // An expression over the dimensions as they were added, in terms of those that there are now.
  IndexExpr Rewrite(const IndexExpr& expr) const;
  Indices Rewrite(const Indices& indices) const;

 private:
  void Replace(const std::map<int, IndexExpr>& replacements);
  bool SplitOne();
  bool MergeOne();

  std::vector<IterationDim> dims_;
  std::map<int, IndexExpr> rewritten_;  // variables that are gone
  std::vector<IndexExpr> tracked_;
  int next_variable_ = 0;
};

}  // namespace xla::gpu
