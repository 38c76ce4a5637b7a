// The math dialect (math_ops.def) and calls of library functions.
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "triton/lowering/handlers.h"

using namespace llvm;
namespace math = mlir::math;
namespace rocxla::triton {
namespace {

// f(x...) in f32 for the 16-bit types, else in the type itself.
template <class F>
Value* InF32IfHalf(IRBuilderBase& b, ValuesRef x, F f) {
  Type* type = x[0]->getType();
  if (!type->isHalfTy() && !type->isBFloatTy()) return f(x);
  Values wide;
  for (Value* value : x) wide.push_back(value->getType() == type ? b.CreateFPExt(value, b.getFloatTy()) : value);
  return b.CreateFPTrunc(f(wide), type);
}

Value* Library(Lowering& l, const char* name, ValuesRef x) {
  return InF32IfHalf(l.b, x, [&](ValuesRef wide) {
    Type* type = wide[0]->getType();
    std::string symbol = std::string("__ocml_") + name + (type->isDoubleTy() ? "_f64" : "_f32");
    return l.LibraryCall(symbol, type, wide);
  });
}

Value* Mixed(Lowering& l, Intrinsic::ID id, const char* name, ValuesRef x) {
  if (x[0]->getType()->isDoubleTy()) return Library(l, name, x);
  return InF32IfHalf(l.b, x, [&](ValuesRef wide) { return l.b.CreateUnaryIntrinsic(id, wide[0]); });
}

Value* IsClass(IRBuilderBase& b, Value* x, FPClassTest test) { return b.createIsFPClass(x, test); }

template <Intrinsic::ID id>
Value* CountZeros(Lowering& l, Value* x) {
  return l.b.CreateBinaryIntrinsic(id, x, l.b.getFalse());  // defined for zero
}

// e^x and tanh x by the hardware's power of two.
Value* FastExp(Lowering& l, Value* x) {
  Value* scaled = l.b.CreateFMul(x, ConstantFP::get(x->getType(), numbers::log2e));
  return l.Intrinsic(Intrinsic::amdgcn_exp2, {x->getType()}, {scaled});
}
Value* FastTanh(Lowering& l, Value* x) {  // 1 - 2 / (e^2|x| + 1), with the sign of x
  auto& b = l.b;
  Value *one = ConstantFP::get(x->getType(), 1), *two = ConstantFP::get(x->getType(), 2);
  Value* power = FastExp(l, b.CreateFMul(b.CreateUnaryIntrinsic(Intrinsic::fabs, x), two));
  Value* magnitude = b.CreateFSub(one, b.CreateFDiv(two, b.CreateFAdd(power, one)));
  return b.CreateBinaryIntrinsic(Intrinsic::copysign, magnitude, x);
}

// The functions of Triton's libdevice that are no library's; null for other names.
Value* TritonFunction(Lowering& l, StringRef symbol, Type* result, ValuesRef x) {
  auto& b = l.b;
  if (!symbol.consume_front("__triton_hip_") || x.empty()) return nullptr;
  if (symbol == "iabs") return b.CreateBinaryIntrinsic(Intrinsic::abs, x[0], b.getFalse());
  if (symbol == "fabs") return b.CreateUnaryIntrinsic(Intrinsic::fabs, x[0]);
  if (symbol == "rint") return b.CreateUnaryIntrinsic(Intrinsic::rint, x[0]);
  if (symbol == "llrint") return b.CreateFPToSI(b.CreateUnaryIntrinsic(Intrinsic::rint, x[0]), result);
  if (symbol == "fast_expf") return FastExp(l, x[0]);
  if (symbol == "fast_tanhf") return FastTanh(l, x[0]);
  if (symbol == "fast_fdividef" && x.size() == 2)
    return b.CreateFMul(x[0], l.Intrinsic(Intrinsic::amdgcn_rcp, {x[1]->getType()}, {x[1]}));
  return nullptr;
}

// The arguments as they are; the result of the stated type.
Value* ExternCall(Lowering& l, tt::ExternElementwiseOp op, ValuesRef x) {
  if (Value* value = TritonFunction(l, op.getSymbol(), l.TypeOf(op.getType()), x)) return value;
  return l.LibraryCall(op.getSymbol(), l.TypeOf(op.getType()), x);
}

}  // namespace

#define EACH(OP, EXPR) h.Each<OP>([](Lowering& l, [[maybe_unused]] OP op, ValuesRef x) -> Value* { return EXPR; });

void AddMath(Handlers& h) {
#define EXACT(OP, INTRINSIC) EACH(math::OP, l.b.CreateIntrinsic(x[0]->getType(), Intrinsic::INTRINSIC, x))
#define MIXED(OP, INTRINSIC, NAME) EACH(math::OP, Mixed(l, Intrinsic::INTRINSIC, #NAME, x))
#define LIBRARY(OP, NAME) EACH(math::OP, Library(l, #NAME, x))
#include "triton/lowering/math_ops.def"
#undef EXACT
#undef MIXED
#undef LIBRARY
  EACH(mlir::arith::RemFOp, Library(l, "fmod", x))
  EACH(tt::PreciseSqrtOp, l.b.CreateUnaryIntrinsic(Intrinsic::sqrt, x[0]))
  EACH(math::FPowIOp, Library(l, "pown", x))
  EACH(math::AbsIOp, l.b.CreateBinaryIntrinsic(Intrinsic::abs, x[0], l.b.getFalse()))
  EACH(math::CtPopOp, l.b.CreateUnaryIntrinsic(Intrinsic::ctpop, x[0]))
  EACH(math::CountLeadingZerosOp, CountZeros<Intrinsic::ctlz>(l, x[0]))
  EACH(math::CountTrailingZerosOp, CountZeros<Intrinsic::cttz>(l, x[0]))
  EACH(math::IsFiniteOp, IsClass(l.b, x[0], fcFinite))
  EACH(math::IsInfOp, IsClass(l.b, x[0], fcInf))
  EACH(math::IsNaNOp, IsClass(l.b, x[0], fcNan))
  EACH(math::IsNormalOp, IsClass(l.b, x[0], fcNormal))
  EACH(tt::ExternElementwiseOp, ExternCall(l, op, x))
}
#undef EACH

}  // namespace rocxla::triton
