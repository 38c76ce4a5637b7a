// Memory through a buffer resource: an access whose offset lies beyond the buffer reads zero and writes nothing, which
// masks it without a branch.
#pragma once
#include "triton/lowering/lowering.h"

namespace rocxla::triton {

class Buffer {
 public:
  // Of bytes from `base` on. All accesses must lie within 2^31 bytes behind it (PointerAnalysis::HasByteOffset).
  // `non_temporal`: accesses are marked as of data that is used once.
  Buffer(Lowering& l, llvm::Value* base, bool non_temporal);

  // `count` elements of `type` (an integer or float of 8 to 64 bits; at most 16 bytes together) at a byte offset (i32),
  // or zeros where `condition` does not hold.
  Values Load(llvm::Type* type, int count, llvm::Value* offset, llvm::Value* condition) const;
  // The same for a store: nothing is written where `condition` does not hold.
  void Store(ValuesRef values, llvm::Value* offset, llvm::Value* condition) const;

 private:
  llvm::Value* Place(llvm::Value* offset, llvm::Value* condition) const;

  Lowering& l_;
  llvm::Value* resource_;
  uint32_t cache_policy_;
};

}  // namespace rocxla::triton
