#include "triton/lowering/float8.h"

#include <cmath>

using namespace llvm;
namespace rocxla::triton {
namespace {

// `element`, or a vector of as many as `like` has.
Type* Like(Value* like, Type* element) {
  auto* vector = dyn_cast<FixedVectorType>(like->getType());
  return vector ? FixedVectorType::get(element, vector->getNumElements()) : element;
}

// The NaNs of formats that have no others; null where the wider format has the same.
Value* IsNan(IRBuilderBase& b, Value* wide, const FloatFormat& from) {
  if (from.specials == FloatSpecials::kFnuz)
    return b.CreateICmpEQ(wide, ConstantInt::get(wide->getType(), from.SignBit()));
  if (from.specials != FloatSpecials::kFn) return nullptr;
  Constant* mask = ConstantInt::get(wide->getType(), from.MagnitudeMask());
  return b.CreateICmpEQ(b.CreateAnd(wide, mask), mask);
}

// Exponent and fraction are moved to where `to` has them, which gives the number times 2^(bias - to's bias): subnormals
// are right, too, because `to` reads them by the same rule. The multiplication is exact, as `to` has a wider range and
// more digits. Precondition: no number has the exponent that means infinity in `to`.
Value* Move(IRBuilderBase& b, Value* codes, const FloatFormat& from, const FloatFormat& to, Type* to_type) {
  Type* wide_type = Like(codes, b.getIntNTy(to.Bits()));
  auto bits = [&](uint64_t value) { return ConstantInt::get(wide_type, value); };
  Value* wide = b.CreateZExt(codes, wide_type);
  Value* magnitude = b.CreateShl(b.CreateAnd(wide, bits(from.MagnitudeMask())),
                                 bits(static_cast<uint64_t>(to.mantissa_bits - from.mantissa_bits)));
  Value* sign =
      b.CreateShl(b.CreateAnd(wide, bits(from.SignBit())), bits(static_cast<uint64_t>(to.Bits() - from.Bits())));
  Value* number = b.CreateBitCast(b.CreateOr(magnitude, sign), Like(codes, to_type));
  if (from.bias != to.bias)
    number = b.CreateFMul(number, ConstantFP::get(number->getType(), std::ldexp(1.0, to.bias - from.bias)));
  Value* nan = IsNan(b, wide, from);
  return nan ? b.CreateSelect(nan, ConstantFP::getNaN(number->getType()), number) : number;
}

}  // namespace

Value* UpperHalf(IRBuilderBase& b, Value* floats) {
  Value* bits = b.CreateLShr(b.CreateBitCast(floats, Like(floats, b.getInt32Ty())), 16);
  return b.CreateBitCast(b.CreateTrunc(bits, Like(floats, b.getInt16Ty())), Like(floats, b.getBFloatTy()));
}

// Through f16, which holds all of them (its smallest number is 2^-24, e5m2fnuz's is 2^-17; the largest are 65504 and
// 57344); e5m2fnuz through f32, because its largest exponent means infinity in f16.
Value* ExpandFloat8(IRBuilderBase& b, Value* codes, FloatType from, Type* to) {
  bool through_float = from == FloatType::kF8E5M2FNUZ;
  Value* number = through_float ? Move(b, codes, FormatOf(from), FormatOf(FloatType::kF32), b.getFloatTy())
                                : Move(b, codes, FormatOf(from), FormatOf(FloatType::kF16), b.getHalfTy());
  if (to->isHalfTy()) return through_float ? b.CreateFPTrunc(number, Like(codes, to)) : number;
  if (!through_float) number = b.CreateFPExt(number, Like(codes, b.getFloatTy()));
  if (to->isBFloatTy()) return UpperHalf(b, number);
  return to->isDoubleTy() ? b.CreateFPExt(number, Like(codes, to)) : number;
}

}  // namespace rocxla::triton
