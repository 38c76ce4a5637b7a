// How tensors of pointers are held: one scalar base and an index per element, or an address per element.
#pragma once
#include "triton/dialect/tt.h"

namespace rocxla::triton {

struct PointerInfo {
  bool has_base = false;  // a splat plus offsets: base[index]
  bool small = false;     // the object is at most 2^31-1 bytes (tt.pointer_range = 32): 32-bit indices do not overflow
  bool operator==(const PointerInfo&) const = default;
};

// Answers for every value of pointer type in a function. Loop-carried pointers keep a base if what enters and what is
// yielded both have one; such a loop then carries the base as a scalar and the index apart.
class PointerAnalysis {
 public:
  explicit PointerAnalysis(tt::FuncOp function);
  PointerInfo Of(mlir::Value value) const { return info_.lookup(value); }
  // Bits of an index under `value`'s base.
  int IndexBits(mlir::Value value) const { return Of(value).small ? 32 : 64; }

 private:
  void Visit(mlir::Region& region);
  void Visit(mlir::Operation* op);
  PointerInfo Transfer(mlir::Operation* op) const;

  llvm::DenseMap<mlir::Value, PointerInfo> info_;
  bool changed_ = false;
};

}  // namespace rocxla::triton
