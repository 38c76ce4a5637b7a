// What is known about the numbers in an integer or pointer tensor along each dimension. Drives vector widths.
#pragma once
#include <cstdint>
#include <optional>

#include "triton/dialect/tt.h"

namespace rocxla::triton {

// Along dimension d, with c = contiguity[d], k = constancy[d]:
//   elements n*c .. n*c+c-1 are consecutive numbers (of elements, for pointers), whose first is a multiple of
//   divisibility[d] (of bytes, for pointers); elements n*k .. n*k+k-1 are equal.
// All three are powers of two. Scalars keep their facts in one slot. Index arithmetic is taken not to overflow.
struct AxisInfo {
  llvm::SmallVector<int64_t, 3> contiguity;
  llvm::SmallVector<int64_t, 3> divisibility;
  llvm::SmallVector<int64_t, 3> constancy;
  std::optional<int64_t> constant;
  bool non_negative = false;  // every element >= 0
  int64_t upper = kNoBound;   // no element is greater

  static constexpr int64_t kNoBound = INT64_MAX;

  static AxisInfo Unknown(int rank);
  int rank() const { return static_cast<int>(contiguity.size()); }
  bool operator==(const AxisInfo&) const = default;
};

class AxisAnalysis {
 public:
  explicit AxisAnalysis(tt::FuncOp function);
  AxisInfo Of(mlir::Value value) const;
  // Elements along `dim` that one access through `pointer` may cover: contiguous, equally masked (with a mask), at most
  // 16 bytes. Alignment of one element is enough on our targets.
  int VectorWidth(mlir::Value pointer, mlir::Value mask, int dim) const;

 private:
  void Visit(mlir::Region& region);
  void VisitStructured(mlir::Operation* op);
  bool Follow(mlir::Operation* op);
  AxisInfo Transfer(mlir::Operation* op) const;
  bool Set(mlir::Value value, AxisInfo info);

  llvm::DenseMap<mlir::Value, AxisInfo> info_;
};

// Bytes of one element behind a pointer or tensor of pointers; i1 takes one.
int PointeeBytes(mlir::Type pointer);

}  // namespace rocxla::triton
