// Conversions between floats: tt.fp_to_fp, arith.extf, arith.truncf.
#include "triton/lowering/float8.h"
#include "triton/lowering/handlers.h"
#include "triton/lowering/round_float.h"

using namespace llvm;
namespace arith = mlir::arith;
namespace rocxla::triton {
namespace {

// The 8-bit format of an element type.
std::optional<FloatType> Float8Of(mlir::Type type) {
  type = mlir::getElementTypeOrSelf(type);
  if (mlir::isa<mlir::Float8E4M3FNType>(type)) return FloatType::kF8E4M3FN;
  if (mlir::isa<mlir::Float8E4M3FNUZType>(type)) return FloatType::kF8E4M3FNUZ;
  if (mlir::isa<mlir::Float8E5M2Type>(type)) return FloatType::kF8E5M2;
  if (mlir::isa<mlir::Float8E5M2FNUZType>(type)) return FloatType::kF8E5M2FNUZ;
  return std::nullopt;
}

// Between bf16, f16, f32 and f64 either way.
Value* CastFloat(IRBuilderBase& b, Value* x, Type* to, Rounding rounding) {
  unsigned from_bits = x->getType()->getScalarSizeInBits(), to_bits = to->getScalarSizeInBits();
  if (x->getType() == to) return x;
  if (from_bits == to_bits) return CastFloat(b, b.CreateFPExt(x, b.getFloatTy()), to, rounding);
  if (from_bits < to_bits) return b.CreateFPExt(x, to);
  return rounding == Rounding::kTowardsZero ? TruncateFloat(b, x, to) : b.CreateFPTrunc(x, to);
}

// All registers of a thread at once: neighbours share the work of expanding bytes.
Status ConvertFloats(Lowering& l, mlir::Operation* op, Layout layout, Rounding rounding) {
  auto& b = l.b;
  mlir::Value operand = op->getOperand(0);
  auto from = Float8Of(operand.getType()), to = Float8Of(op->getResult(0).getType());
  Type* result = to ? b.getFloatTy() : l.TypeOf(op->getResult(0).getType());  // before it is made narrow
  Values values = l.Get(operand, layout).v;
  if (from) {
    auto wide = ExpandFloat8(b, values, *from, result);
    values.assign(wide.begin(), wide.end());
  }
  Regs out;
  Value* last = nullptr;
  for (Value* value : values) {
    if (!value->getType()->isFloatingPointTy() || !result->isFloatingPointTy())
      return l.Unsupported(op, "not for these element types",
                           "f8E4M3FN, f8E4M3FNUZ, f8E5M2, f8E5M2FNUZ, f16, bf16, f32, f64");
    if (value != last) {  // equal operands are converted once
      out.v.push_back(to ? RoundToFloat8(b, value, *to, rounding) : CastFloat(b, value, result, rounding));
    } else {
      out.v.push_back(out.v.back());
    }
    last = value;
  }
  l.Set(op->getResult(0), layout, std::move(out));
  return OkStatus();
}

Status ToNearest(Lowering& l, mlir::Operation* op, Layout layout) {
  return ConvertFloats(l, op, layout, Rounding::kNearestEven);
}

}  // namespace

void AddConvertFloat(Handlers& h) {
  h.Add<arith::ExtFOp>(ToNearest);
  h.Add<arith::TruncFOp>(ToNearest);
  h.Add<tt::FpToFpOp>([](Lowering& l, mlir::Operation* op, Layout layout) {
    const bool to_zero = mlir::cast<tt::FpToFpOp>(op).getRounding() == tt::RoundingMode::RTZ;
    return ConvertFloats(l, op, layout, to_zero ? Rounding::kTowardsZero : Rounding::kNearestEven);
  });
}

}  // namespace rocxla::triton
