// How tensors of pointers are held: one scalar base and an index per element, or an address per element.
#pragma once
#include "triton/dialect/tt.h"
#include "triton/plan/axis_info.h"

namespace rocxla::triton {

struct PointerInfo {
  bool has_base = false;  // a splat plus offsets: base[index]
  bool small = false;     // the object is at most 2^31-1 bytes (tt.pointer_range = 32): 32-bit indices do not overflow
  bool forward = false;   // no index is negative
  int64_t last = AxisInfo::kNoBound;  // no index is greater
  mlir::Value root = {};              // the argument that all elements are offsets from, where that is known
  bool operator==(const PointerInfo&) const = default;
};

// An offset as a sum of a part that is the same for all elements, which moves to the scalar base, and one that varies.
// Either may be null.
struct OffsetParts {
  mlir::Value uniform, varying;
};
OffsetParts SplitOffset(mlir::Value offset);

// Answers for every value of pointer type in a function. Loop-carried pointers keep a base if what enters and what is
// yielded both have one; such a loop then carries the base as a scalar and the index apart.
class PointerAnalysis {
 public:
  PointerAnalysis(tt::FuncOp function, const AxisAnalysis& axes);
  PointerInfo Of(mlir::Value value) const { return info_.lookup(value); }
  // Bits of an index under `value`'s base.
  int IndexBits(mlir::Value value) const { return Of(value).small || HasByteOffset(value) ? 32 : 64; }
  // Whether each element lies less than 2^31 bytes, and not a negative number of them, behind the base.
  bool HasByteOffset(mlir::Value value) const;
  // The argument behind which each element that may be accessed lies so, whatever indices say of others; null if there
  // is none. What lies between it and an element is known modulo 2^32.
  mlir::Value SmallRoot(mlir::Value value) const;

 private:
  void Visit(mlir::Region& region);
  void Visit(mlir::Operation* op);
  PointerInfo Transfer(mlir::Operation* op) const;
  PointerInfo Advanced(PointerInfo info, mlir::Value offset) const;

  const AxisAnalysis& axes_;
  llvm::DenseMap<mlir::Value, PointerInfo> info_;
  bool changed_ = false;
};

}  // namespace rocxla::triton
