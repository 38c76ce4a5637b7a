// tt.dot and tt.dot_scaled.
#include "triton/lowering/dot.h"

#include "triton/lowering/handlers.h"

using namespace llvm;
namespace rocxla::triton {
namespace {

Status LowerProduct(Lowering& l, mlir::Operation* op, Layout layout) {
  Product product = *ProductOf(op);
  return l.plan.ProductChoiceOf(op).matrix ? LowerMatrixProduct(l, product, layout)
                                           : LowerMultiplyAdds(l, product, layout);
}

unsigned BitsOf(Number number, const Factor& factor) {
  switch (number) {
    case Number::kF64:
      return 64;
    case Number::kF32:
    case Number::kXf32:
      return 32;
    case Number::kI8:
    case Number::kInteger:
      return mlir::getElementTypeOrSelf(factor.value).getIntOrFloatBitWidth();
    default:
      return 16;
  }
}

}  // namespace

// Integers are accumulated as integers, floats as floats, neither in fewer bits than an operand has.
Status CheckProduct(mlir::Operation* op, const PlanTarget& target) {
  if (!mlir::isa<tt::DotOp, tt::DotScaledOp>(op)) return OkStatus();
  auto product = ProductOf(op);
  if (!product)
    return UnsupportedOp(op, target, "these element types",
                         "f16, bf16, f32, f64, f8E4M3FN, f8E4M3FNUZ, f8E5M2, f8E5M2FNUZ or integers; of tt.dot_scaled "
                         "e4m3, e5m2, e2m1, bf16 or fp16");
  mlir::Type result = product->result_type();
  ProductChoice choice = ChooseProduct(*product, target);
  bool fits = result.isIntOrFloat();
  for (int i : {0, 1}) {
    bool integer = choice.as[i] == Number::kI8 || choice.as[i] == Number::kInteger;
    unsigned bits = BitsOf(choice.as[i], product->factors[i]);
    bool rounded_once = result.isF16() || result.isBF16();  // accumulated in f32
    fits = fits && integer == mlir::isa<mlir::IntegerType>(result);
    fits = fits && bits <= (rounded_once ? 32 : result.getIntOrFloatBitWidth());
  }
  if (fits && !(mlir::isa<mlir::FloatType>(result) && result.getIntOrFloatBitWidth() == 8)) return OkStatus();
  return UnsupportedOp(op, target, "these element types",
                       "integers accumulated as integers, floats as f16, bf16, f32 or f64, in no fewer bits than "
                       "either operand has");
}

void AddDot(Handlers& h) {
  h.Add<tt::DotOp>(LowerProduct);
  h.Add<tt::DotScaledOp>(LowerProduct);
}

}  // namespace rocxla::triton
