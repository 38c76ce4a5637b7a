// 8-bit and 4-bit floats to wider ones: every number has an exact image, computed by a few operations on words of
// numbers, on every GPU.
#pragma once
#include "base/numerics/float_format.h"
#include "llvm/IR/IRBuilder.h"

namespace rocxla::triton {

// `codes`: i8 each; of F4E2M1FN the low four bits count. `to`: half, bfloat, float or double. Infinities and NaNs stay
// such, zeros keep their sign. Neighbours share instructions: give what belongs together in one call.
// `from`: F8E4M3FN, F8E4M3FNUZ, F8E5M2, F8E5M2FNUZ or F4E2M1FN.
llvm::SmallVector<llvm::Value*, 4> ExpandFloat8(llvm::IRBuilderBase& b, llvm::ArrayRef<llvm::Value*> codes,
                                                FloatType from, llvm::Type* to);

// A bfloat whose bits are the upper half of a float's. Exact for floats of at most eight significant bits; subnormal
// ones of more lose less than 2^-133.
llvm::Value* UpperHalf(llvm::IRBuilderBase& b, llvm::Value* value);

}  // namespace rocxla::triton
