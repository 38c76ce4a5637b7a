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

// The functions of Triton's libdevice that are no library's, without "__triton_hip_".
constexpr StringLiteral kTritonFunctions[] = {"iabs",      "fabs",       "rint",         "llrint",
                                              "fast_expf", "fast_tanhf", "fast_fdividef"};

// What they compute; null for other types.
Value* TritonFunction(Lowering& l, StringRef symbol, Type* result, ValuesRef x) {
  auto& b = l.b;
  if (!symbol.consume_front("__triton_hip_") || x.empty()) return nullptr;
  Type* type = x[0]->getType();
  const bool same = result == type, floats = same && type->isFloatingPointTy(), singles = same && type->isFloatTy();
  if (symbol == "iabs" && same && type->isIntegerTy())
    return b.CreateBinaryIntrinsic(Intrinsic::abs, x[0], b.getFalse());
  if (symbol == "fabs" && floats) return b.CreateUnaryIntrinsic(Intrinsic::fabs, x[0]);
  if (symbol == "rint" && floats) return b.CreateUnaryIntrinsic(Intrinsic::rint, x[0]);
  if (symbol == "llrint" && type->isFloatingPointTy() && result->isIntegerTy())
    return b.CreateFPToSI(b.CreateUnaryIntrinsic(Intrinsic::rint, x[0]), result);
  if (symbol == "fast_expf" && singles) return FastExp(l, x[0]);
  if (symbol == "fast_tanhf" && singles) return FastTanh(l, x[0]);
  if (symbol == "fast_fdividef" && singles && x.size() == 2 && x[1]->getType() == type)
    return b.CreateFMul(x[0], l.Intrinsic(Intrinsic::amdgcn_rcp, {type}, {x[1]}));
  return nullptr;
}

// The arguments as they are; the result of the stated type.
Status LowerExtern(Lowering& l, mlir::Operation* op, Layout layout) {
  auto call = mlir::cast<tt::ExternElementwiseOp>(op);
  const std::string symbol = call.getSymbol().str();
  Type* result = l.TypeOf(call.getType());
  const bool library = StringRef(symbol).starts_with("__oc");
  StringRef own(symbol);
  if (!library && !(own.consume_front("__triton_hip_") && is_contained(kTritonFunctions, own)))
    return l.Unsupported(op, "there is no device library function '" + symbol + "'",
                         "a function of OCML or OCKL, such as __ocml_<name>_f32 or __ocml_<name>_f64");
  SmallVector<Type*, 3> types;
  for (mlir::Type type : op->getOperandTypes()) types.push_back(l.TypeOf(type));
  llvm::Function* known = l.module.getFunction(symbol);
  if (known && known->getFunctionType() != FunctionType::get(result, types, false))
    return l.Unsupported(op, "'" + symbol + "' is called with several types", "the types that the function has");
  return Handlers::Pointwise(l, op, layout, [&](ValuesRef x) {
    return library ? l.LibraryCall(symbol, result, x) : TritonFunction(l, symbol, result, x);
  });
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
  h.Add<tt::ExternElementwiseOp>(LowerExtern);
}
#undef EACH

}  // namespace rocxla::triton
