// Wider floats to narrower ones, with the roundings that tt.fp_to_fp has.
#pragma once
#include "base/numerics/float_format.h"
#include "llvm/IR/IRBuilder.h"

namespace rocxla::triton {

enum class Rounding { kNearestEven, kTowardsZero };

// `x`: half, bfloat, float or double. Returns the i8 code in `to` (F8E4M3FN, F8E4M3FNUZ, F8E5M2, F8E5M2FNUZ), rounded
// once; subnormals are kept. As on AMD's hardware, what is too large, infinities included, becomes the largest finite
// number of its sign. NaN stays NaN, and where the format has no negative zero, zero is positive.
llvm::Value* RoundToFloat8(llvm::IRBuilderBase& b, llvm::Value* x, FloatType to, Rounding rounding);

// To half, bfloat or float, all narrower than `x`, towards zero: finite numbers stay finite.
llvm::Value* TruncateFloat(llvm::IRBuilderBase& b, llvm::Value* x, llvm::Type* to);

}  // namespace rocxla::triton
