#include "triton/lowering/round_float.h"

#include <cmath>

using namespace llvm;
namespace rocxla::triton {
namespace {

// The bits of a float or double as an integer, and that integer's constants.
struct WideFloat {
  Value* bits;
  FloatFormat format;
  Type* number;
  Constant* Bits(uint64_t value) const { return ConstantInt::get(bits->getType(), value); }
  Value* Number(IRBuilderBase& b, Value* integer) const { return b.CreateBitCast(integer, number); }
};

WideFloat Widen(IRBuilderBase& b, Value* x) {
  if (x->getType()->getScalarSizeInBits() < 32) x = b.CreateFPExt(x, b.getFloatTy());
  const bool is_double = x->getType()->isDoubleTy();
  return {b.CreateBitCast(x, b.getIntNTy(is_double ? 64 : 32)), FormatOf(is_double ? FloatType::kF64 : FloatType::kF32),
          x->getType()};
}

// The code of a normal number's magnitude: the fraction is cut, after half a unit was added, and the bias changes. A
// carry runs into the exponent as it should.
Value* NormalCode(IRBuilderBase& b, const WideFloat& wide, Value* magnitude, const FloatFormat& to, Rounding rounding) {
  const int dropped = wide.format.mantissa_bits - to.mantissa_bits;
  Value* kept = b.CreateLShr(magnitude, wide.Bits(dropped));
  if (rounding == Rounding::kNearestEven) {
    Value* odd = b.CreateAnd(kept, wide.Bits(1));
    Value* bumped = b.CreateAdd(b.CreateAdd(magnitude, wide.Bits((uint64_t{1} << (dropped - 1)) - 1)), odd);
    kept = b.CreateLShr(bumped, wide.Bits(dropped));
  }
  const auto rebias = static_cast<uint64_t>(wide.format.bias - to.bias) << to.mantissa_bits;
  return b.CreateSub(kept, wide.Bits(rebias));
}

// The code of a magnitude below the normal numbers: how many of the smallest number it is. Adding 2^(fraction's width)
// leaves that count in the last bits, rounded to the nearest.
Value* SubnormalCode(IRBuilderBase& b, const WideFloat& wide, Value* magnitude, const FloatFormat& to,
                     Rounding rounding) {
  Constant* per_unit = ConstantFP::get(wide.number, std::ldexp(1.0, to.bias - 1 + to.mantissa_bits));
  Value* count = b.CreateFMul(wide.Number(b, magnitude), per_unit);
  if (rounding == Rounding::kTowardsZero) return b.CreateFPToUI(count, wide.bits->getType());
  Constant* anchor = ConstantFP::get(wide.number, std::ldexp(1.0, wide.format.mantissa_bits));
  Value* sum = b.CreateBitCast(b.CreateFAdd(count, anchor), wide.bits->getType());
  return b.CreateSub(sum, b.CreateBitCast(anchor, wide.bits->getType()));
}

// The bits, in `wide`'s format, of the magnitude that `code` has in `to`. `code` is that of a normal number.
uint64_t WideBitsOf(const WideFloat& wide, const FloatFormat& to, uint64_t code) {
  return (code << (wide.format.mantissa_bits - to.mantissa_bits)) +
         (static_cast<uint64_t>(wide.format.bias - to.bias) << wide.format.mantissa_bits);
}

}  // namespace

Value* RoundToFloat8(IRBuilderBase& b, Value* x, FloatType type, Rounding rounding) {
  const FloatFormat& to = FormatOf(type);
  WideFloat wide = Widen(b, x);
  Value* magnitude = b.CreateAnd(wide.bits, wide.Bits(wide.format.MagnitudeMask()));
  Value* is_nan = b.CreateICmpUGT(magnitude, wide.Bits(wide.format.ExponentMask()));
  Constant* largest = wide.Bits(WideBitsOf(wide, to, to.MaxFiniteBits()));
  Value* clamped = b.CreateSelect(b.CreateICmpUGT(magnitude, largest), largest, magnitude);
  Constant* smallest_normal = wide.Bits(WideBitsOf(wide, to, uint64_t{1} << to.mantissa_bits));
  Value* below = b.CreateICmpULT(clamped, smallest_normal);
  // Larger numbers have no count: it could exceed the integer.
  Value* small = b.CreateSelect(below, clamped, wide.Bits(0));
  Value* code =
      b.CreateSelect(below, SubnormalCode(b, wide, small, to, rounding), NormalCode(b, wide, clamped, to, rounding));
  Value* sign = b.CreateAnd(b.CreateLShr(wide.bits, wide.Bits(wide.format.Bits() - 8)), wide.Bits(0x80));
  Value* with_sign = b.CreateOr(code, sign);
  if (to.specials == FloatSpecials::kFnuz)
    with_sign = b.CreateSelect(b.CreateICmpEQ(code, wide.Bits(0)), wide.Bits(0), with_sign);
  Value* nan = to.specials == FloatSpecials::kFnuz ? static_cast<Value*>(wide.Bits(to.NanBits(0)))
                                                   : b.CreateOr(sign, wide.Bits(to.NanBits(0)));
  return b.CreateTrunc(b.CreateSelect(is_nan, nan, with_sign), b.getInt8Ty());
}

// Rounded to the nearest, and one step back where that went too far.
Value* TruncateFloat(IRBuilderBase& b, Value* x, Type* to) {
  Value* nearest = b.CreateFPTrunc(x, to);
  auto magnitude_bits = [&](Value* number) {
    Type* integer = b.getIntNTy(number->getType()->getScalarSizeInBits());
    return b.CreateAnd(b.CreateBitCast(number, integer),
                       ConstantInt::get(integer, APInt::getSignedMaxValue(integer->getIntegerBitWidth())));
  };
  // Magnitudes are ordered as their bits are; NaN is left alone.
  Value* too_far = b.CreateICmpUGT(magnitude_bits(b.CreateFPExt(nearest, x->getType())), magnitude_bits(x));
  too_far = b.CreateAnd(too_far, b.CreateFCmpORD(x, x));
  Type* integer = b.getIntNTy(to->getScalarSizeInBits());
  Value* bits = b.CreateBitCast(nearest, integer);
  return b.CreateBitCast(b.CreateSub(bits, b.CreateZExt(too_far, integer)), to);
}

}  // namespace rocxla::triton
