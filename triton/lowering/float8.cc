#include "triton/lowering/float8.h"

#include <cmath>

using namespace llvm;
namespace rocxla::triton {
namespace {

// Arithmetic is on words that hold two numbers, one in each half: LLVM 22 takes minutes over the same in vectors of i16
// on gfx11, where it gives every half register a life of its own.
constexpr uint32_t BothHalves(uint64_t bits) { return static_cast<uint32_t>(bits << 16 | bits); }

// In both halves: 0x7e00 or 0xfe00, a NaN of f16, where the code means one, else 0. `magnitude` and `sign` are where
// f16 has them. Null where f16's NaNs are the format's.
Value* NansOf(IRBuilderBase& b, const FloatFormat& from, int shift, Value* magnitude, Value* sign) {
  if (from.specials == FloatSpecials::kFn) {  // all ones: one more carries into bit 14
    Value* carried = b.CreateAdd(magnitude, b.getInt32(BothHalves(uint64_t{1} << shift)));
    Value* nan = b.CreateAnd(carried, b.getInt32(BothHalves(0x4000)));
    return b.CreateOr(nan, b.CreateSub(nan, b.CreateLShr(nan, 5)));
  }
  if (from.specials == FloatSpecials::kFnuz) {  // minus zero: adding 0x7fff does not carry into bit 15
    Value* carried = b.CreateAdd(magnitude, b.getInt32(BothHalves(0x7fff)));
    Value* nan = b.CreateAnd(sign, b.CreateNot(carried));
    return b.CreateOr(nan, b.CreateSub(nan, b.CreateLShr(nan, 6)));
  }
  return nullptr;
}

// f16's exponent field lowered by one, in both halves: numbers are halved. What has no exponent to lower shifts into
// the subnormals, which is the larger of the two results just there.
Value* Halved(IRBuilderBase& b, Value* magnitude) {
  Type* pair = FixedVectorType::get(b.getInt16Ty(), 2);
  constexpr uint64_t kOneExponent = 0x400;
  Value* lowered = b.CreateSub(b.CreateBitCast(magnitude, pair), ConstantInt::get(pair, kOneExponent));
  Value* shifted = b.CreateBitCast(b.CreateLShr(magnitude, 1), pair);
  return b.CreateBitCast(b.CreateBinaryIntrinsic(Intrinsic::smax, lowered, shifted), b.getInt32Ty());
}

// Two numbers, codes in the low bytes of the halves of `codes`, to two f16.
//
// Exponent and fraction are moved to where f16 has them, which gives the number times 2^(bias - 15): subnormals are
// right, too, because f16 reads them by the same rule. The multiplication is exact, as f16 has a wider range and more
// digits than these formats: its smallest number is 2^-24, e5m2fnuz's is 2^-17; the largest are 65504 and 57344.
// e5m2fnuz, whose largest exponent would mean infinity before it is halved, is halved as an integer.
Value* PairToHalf(IRBuilderBase& b, Value* codes, FloatType type) {
  const FloatFormat from = FormatOf(type), half = FormatOf(FloatType::kF16);
  const int shift = half.mantissa_bits - from.mantissa_bits;
  Value* magnitude = b.CreateShl(b.CreateAnd(codes, b.getInt32(BothHalves(from.MagnitudeMask()))), shift);
  Value* sign = b.CreateShl(b.CreateAnd(codes, b.getInt32(BothHalves(from.SignBit()))), half.Bits() - from.Bits());
  Value* nans = NansOf(b, from, shift, magnitude, sign);
  bool as_integer = type == FloatType::kF8E5M2FNUZ;
  if (as_integer) magnitude = Halved(b, magnitude);
  Type* pair = FixedVectorType::get(b.getHalfTy(), 2);
  Value* number = b.CreateBitCast(b.CreateOr(magnitude, sign), pair);
  if (!as_integer && from.bias != half.bias)
    number = b.CreateFMul(number, ConstantFP::get(pair, std::ldexp(1.0, half.bias - from.bias)));
  if (!nans) return number;
  return b.CreateBitCast(b.CreateOr(b.CreateBitCast(number, b.getInt32Ty()), nans), pair);
}

}  // namespace

Value* UpperHalf(IRBuilderBase& b, Value* value) {
  Value* bits = b.CreateLShr(b.CreateBitCast(value, b.getInt32Ty()), 16);
  return b.CreateBitCast(b.CreateTrunc(bits, b.getInt16Ty()), b.getBFloatTy());
}

SmallVector<Value*, 4> ExpandFloat8(IRBuilderBase& b, ArrayRef<Value*> codes, FloatType from, Type* to) {
  constexpr size_t kPerWord = 4;
  SmallVector<Value*, 4> numbers;
  for (size_t first = 0; first < codes.size(); first += kPerWord) {
    ArrayRef<Value*> part = codes.slice(first, std::min(kPerWord, codes.size() - first));
    Value* bytes = Constant::getNullValue(FixedVectorType::get(b.getInt8Ty(), kPerWord));
    for (auto [i, code] : enumerate(part)) bytes = b.CreateInsertElement(bytes, code, i);
    Value *word = b.CreateBitCast(bytes, b.getInt32Ty()), *low = b.getInt32(BothHalves(0xff));
    Value* pairs[2] = {PairToHalf(b, b.CreateAnd(word, low), from),  // numbers 0 and 2, 1 and 3
                       PairToHalf(b, b.CreateAnd(b.CreateLShr(word, 8), low), from)};
    for (size_t i = 0; i < part.size(); ++i) numbers.push_back(b.CreateExtractElement(pairs[i % 2], i / 2));
  }
  if (to->isHalfTy()) return numbers;
  for (Value*& number : numbers) {
    number = b.CreateFPExt(number, to->isDoubleTy() ? to : b.getFloatTy());
    if (to->isBFloatTy()) number = UpperHalf(b, number);
  }
  return numbers;
}

}  // namespace rocxla::triton
