// 8-bit and 4-bit floats to wider ones: every number has an exact image, by integer arithmetic and one multiplication
// by a power of two, on every GPU.
#pragma once
#include "base/numerics/float_format.h"
#include "llvm/IR/IRBuilder.h"

namespace rocxla::triton {

// `codes`: i8 or a vector of i8; of F4E2M1FN the low four bits count. `to`: half, bfloat, float or double. Infinities
// and NaNs stay such, zeros keep their sign. F8E4M3FN, F8E4M3FNUZ, F8E5M2, F8E5M2FNUZ and F4E2M1FN.
llvm::Value* ExpandFloat8(llvm::IRBuilderBase& b, llvm::Value* codes, FloatType from, llvm::Type* to);

// A bfloat whose bits are the upper half of a float's. Exact for floats of at most eight significant bits; subnormal
// ones of more lose less than 2^-133.
llvm::Value* UpperHalf(llvm::IRBuilderBase& b, llvm::Value* floats);

}  // namespace rocxla::triton
