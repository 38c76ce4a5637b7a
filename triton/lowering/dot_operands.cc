// What a product multiplies: numbers unpacked, converted and scaled, all in the layout in which they are multiplied.
#include "triton/lowering/dot.h"
#include "triton/lowering/float8.h"

using namespace llvm;
namespace rocxla::triton {
namespace {

std::optional<FloatType> NarrowFormat(Number number) {
  switch (number) {
    case Number::kFp8:
      return FloatType::kF8E4M3FN;
    case Number::kBf8:
      return FloatType::kF8E5M2;
    case Number::kFp8Fnuz:
      return FloatType::kF8E4M3FNUZ;
    case Number::kBf8Fnuz:
      return FloatType::kF8E5M2FNUZ;
    case Number::kFp4:
      return FloatType::kF4E2M1FN;
    default:
      return std::nullopt;
  }
}

// Bytes whose low halves are the numbers. Along K the two of a byte are two registers; along M or N they may be two
// lanes, each of which takes its own.
StatusOr<Values> Unpack(Lowering& l, const Factor& factor, Layout numbers, Layout stored, const Values& bytes) {
  auto& b = l.b;
  auto source = numbers->DropLowBits(factor.packed_dim, 1).RegistersFrom(*stored);
  if (!source) return InternalError("packed numbers would have to move between lanes");
  Field field = FieldOf(numbers->shape(), factor.packed_dim);
  Bits second = Bits(1) << field.shift, moving = 0;
  for (HwDim hw : {kLane, kWarp})
    for (Bits basis : numbers->bases(hw)) moving |= basis & second;
  Values out;
  for (int r = 0; r < numbers->registers(); ++r) {
    Value* byte = bytes[(*source)[r]];
    if (moving) {
      Value* shift = b.CreateAnd(b.CreateShl(b.CreateLShr(l.Element(numbers, r), field.shift), 2), 4);
      out.push_back(b.CreateLShr(byte, b.CreateTrunc(shift, b.getInt8Ty())));
    } else {
      out.push_back(numbers->Apply(kRegister, r) & second ? b.CreateLShr(byte, 4) : byte);
    }
  }
  return out;
}

Values ConvertNumbers(IRBuilderBase& b, ValuesRef values, Number from, Type* to) {
  if (auto narrow = NarrowFormat(from)) return ExpandFloat8(b, values, *narrow, to);
  Values out;
  for (Value* value : values) out.push_back(CastFloat(b, value, to));
  return out;
}

// f32 numbers times their scales. e8m0: a power of two, whose code 255 is NaN.
StatusOr<Values> ApplyScales(Lowering& l, const Product& product, const Factor& factor, Layout numbers,
                             const Values& values) {
  auto& b = l.b;
  Layout layout = l.plan.Intern(ScaleLayout(factor, *numbers));
  auto source = ScaleOfEach(factor, *numbers).RegistersFrom(*layout);
  if (!source) return InternalError("scales would have to move between lanes");
  constexpr int kBias = 127, kNanCode = 255;
  bool exponents = mlir::getElementTypeOrSelf(factor.scale).isInteger();
  const Values codes = l.Get(factor.scale, layout).v;
  Values scales, nans;
  if (!exponents) scales = ExpandFloat8(b, codes, FloatType::kF8E4M3FN, b.getFloatTy());
  for (Value* code : codes) {
    if (exponents) scales.push_back(b.CreateSub(b.CreateZExt(code, b.getInt32Ty()), b.getInt32(kBias)));
    nans.push_back(b.CreateICmpEQ(code, b.getInt8(kNanCode)));
  }
  Values out;
  for (auto [r, value] : enumerate(values)) {
    Value* scale = scales[(*source)[r]];
    Value* product_value = exponents ? b.CreateLdexp(value, scale) : b.CreateFMul(value, scale);
    if (exponents && !product.ignore_nan_scales)
      product_value = b.CreateSelect(nans[(*source)[r]], ConstantFP::getNaN(product_value->getType()), product_value);
    out.push_back(product_value);
  }
  return out;
}

// f32 to the type that is multiplied. Products of a scale and a narrow number have eight significant bits at most, so
// that bf16 has them but for underflow.
Value* Narrow(IRBuilderBase& b, Value* value, Type* to) {
  if (to->isBFloatTy()) return UpperHalf(b, value);
  return CastFloat(b, value, to);
}

}  // namespace

Type* TypeOf(Number number, IRBuilderBase& b) {
  switch (number) {
    case Number::kF16:
      return b.getHalfTy();
    case Number::kBf16:
      return b.getBFloatTy();
    case Number::kF64:
      return b.getDoubleTy();
    default:
      return b.getFloatTy();
  }
}

Value* CastFloat(IRBuilderBase& b, Value* value, Type* type) {
  unsigned from = value->getType()->getScalarSizeInBits(), to = type->getScalarSizeInBits();
  if (value->getType() == type) return value;
  if (from == to) value = b.CreateFPExt(value, b.getFloatTy());  // f16 and bf16
  return from < to ? b.CreateFPExt(value, type) : b.CreateFPTrunc(value, type);
}

Type* AccumulatorOf(Type* result) {
  return result->isHalfTy() || result->isBFloatTy() ? Type::getFloatTy(result->getContext()) : result;
}

StatusOr<DotOperand> NumbersOf(Lowering& l, const Product& product, int i) {
  const Factor& factor = product.factors[i];
  const ProductChoice& choice = l.plan.ProductChoiceOf(product.op);
  Layout numbers = l.plan.FactorLayout(product, i), stored = l.plan.Intern(StoredLayout(factor, *numbers));
  Values values = l.Get(factor.value, stored).v;
  bool scale = factor.scale && !choice.scales_in_instruction();
  bool as_is = choice.as[i] == factor.number || choice.as[i] == Number::kXf32;
  bool packed = factor.packed_dim >= 0;
  if (as_is && !scale) return DotOperand{std::move(values), stored, packed ? 1 : 0, factor.k_dim};
  if (packed) {
    ASSIGN_OR_RETURN(values, Unpack(l, factor, numbers, stored, values));
  }
  Type* type = TypeOf(choice.as[i], l.b);
  values = ConvertNumbers(l.b, values, factor.number, scale ? l.b.getFloatTy() : type);
  if (scale) {
    ASSIGN_OR_RETURN(values, ApplyScales(l, product, factor, numbers, values));
    for (Value*& value : values) value = Narrow(l.b, value, type);
  }
  return DotOperand{std::move(values), numbers, 0, factor.k_dim};
}

}  // namespace rocxla::triton
