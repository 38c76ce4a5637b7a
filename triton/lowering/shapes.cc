// Constants, ranges and operations that only change shapes: registers are renamed, nothing is computed.
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "triton/lowering/handlers.h"

using namespace llvm;
namespace rocxla::triton {
namespace {

Constant* ConstantOf(Type* type, mlir::Attribute attribute) {
  if (auto integer = mlir::dyn_cast<mlir::IntegerAttr>(attribute)) return ConstantInt::get(type, integer.getValue());
  APFloat value = mlir::cast<mlir::FloatAttr>(attribute).getValue();
  if (type->isIntegerTy()) return ConstantInt::get(type, value.bitcastToAPInt());  // 8-bit floats
  return ConstantFP::get(type, value);
}

Status LowerConstant(Lowering& l, mlir::Operation* op, Layout layout) {
  mlir::Attribute value = mlir::cast<mlir::arith::ConstantOp>(op).getValue();
  if (auto dense = mlir::dyn_cast<mlir::ElementsAttr>(value)) {
    auto splat = mlir::dyn_cast<mlir::SplatElementsAttr>(value);
    if (!splat) return l.Unsupported(op, "a tensor constant with different elements", "splat constants: dense<1.0>");
    value = splat.getSplatValue<mlir::Attribute>();
  }
  Regs out;
  out.v.assign(layout ? layout->registers() : 1, ConstantOf(l.TypeOf(op->getResult(0).getType()), value));
  l.Set(op->getResult(0), layout, std::move(out));
  return OkStatus();
}

Status LowerPoison(Lowering& l, mlir::Operation* op, Layout layout) {
  mlir::Value result = op->getResult(0);
  Type* type = l.TypeOf(result.getType());
  Regs out;
  bool has_base = IsTensor(result) && l.plan.pointers().Of(result).has_base;
  if (has_base) return InternalError("a poison pointer has no base");
  out.v.assign(layout ? layout->registers() : 1, PoisonValue::get(type));
  l.Set(result, layout, std::move(out));
  return OkStatus();
}

Status LowerSplat(Lowering& l, mlir::Operation* op, Layout layout) {
  Value* scalar = l.Scalar(op->getOperand(0));
  Regs out;
  if (scalar->getType()->isPointerTy()) {
    out.base = scalar;
    scalar = l.b.getIntN(l.plan.pointers().IndexBits(op->getResult(0)), 0);
  }
  out.v.assign(layout->registers(), scalar);
  l.Set(op->getResult(0), layout, std::move(out));
  return OkStatus();
}

Status LowerRange(Lowering& l, mlir::Operation* op, Layout layout) {
  uint32_t start = mlir::cast<tt::MakeRangeOp>(op).getStart();
  bool signed_start = static_cast<int32_t>(start) < 0;
  Regs out;
  for (int r = 0; r < layout->registers(); ++r)
    out.v.push_back(l.b.CreateAdd(l.Element(layout, r), l.b.getInt32(start), "", !signed_start, true));
  l.Set(op->getResult(0), layout, std::move(out));
  return OkStatus();
}

// The result's registers are registers of the source: `seen` is the result's layout as the source sees it, through the
// change of shape.
Status Rename(Lowering& l, mlir::Operation* op, const LinearLayout& seen, Layout layout) {
  Layout source = l.plan.OperandLayout(op, 0, layout);
  const Regs& in = l.Get(op->getOperand(0), source);
  auto registers = seen.RegistersFrom(*source);
  if (!registers) return InternalError("a change of shape would move data between lanes");
  Regs out;
  out.base = in.base;
  for (int r : *registers) out.v.push_back(in.v[r]);
  l.Set(op->getResult(0), layout, std::move(out));
  return OkStatus();
}

// For operations whose operand has the result's registers, one for one.
Status RenameAll(Lowering& l, mlir::Operation* op, Layout layout) {
  return Rename(l, op, *l.plan.OperandLayout(op, 0, layout), layout);
}

Status LowerExpandDims(Lowering& l, mlir::Operation* op, Layout layout) {
  int axis = static_cast<int>(mlir::cast<tt::ExpandDimsOp>(op).getAxis());
  return Rename(l, op, layout->ClearDim(axis).Reshape(ShapeOf(op->getOperand(0).getType())), layout);
}

Status LowerBroadcast(Lowering& l, mlir::Operation* op, Layout layout) {
  LinearLayout seen = *layout;
  for (auto [d, extent] : enumerate(ShapeOf(op->getOperand(0).getType())))
    if (extent != layout->shape()[d]) seen = seen.ClearDim(static_cast<int>(d));
  return Rename(l, op, seen, layout);
}

Status LowerUnsplat(Lowering& l, mlir::Operation* op, Layout) {
  Regs in = l.Plain(l.Operand(op, 0, nullptr), op->getOperand(0).getType());
  l.Set(op->getResult(0), nullptr, in.v[0]);
  return OkStatus();
}

// The two operands of join and cat, pointers as addresses.
std::pair<Regs, Regs> Halves(Lowering& l, mlir::Operation* op, Layout layout) {
  mlir::Type type = op->getOperand(0).getType();
  return {l.Plain(l.Operand(op, 0, layout), type), l.Plain(l.Operand(op, 1, layout), type)};
}

Status LowerJoin(Lowering& l, mlir::Operation* op, Layout layout) {
  auto [even, odd] = Halves(l, op, layout);
  Regs out;
  for (int r = 0; r < even.size(); ++r) out.v.append({even.v[r], odd.v[r]});
  l.Set(op->getResult(0), layout, std::move(out));
  return OkStatus();
}

Status LowerCat(Lowering& l, mlir::Operation* op, Layout layout) {
  auto [low, high] = Halves(l, op, layout);
  low.v.append(high.v);
  l.Set(op->getResult(0), layout, std::move(low));
  return OkStatus();
}

Status LowerSplit(Lowering& l, mlir::Operation* op, Layout layout) {
  Regs in = l.Plain(l.Operand(op, 0, layout), op->getOperand(0).getType());
  Regs halves[2];
  for (int r = 0; r < in.size(); ++r) halves[r & 1].v.push_back(in.v[r]);
  for (int i : {0, 1}) l.Set(op->getResult(i), layout, std::move(halves[i]));
  return OkStatus();
}

// Arbitrary elements of the source along one axis, through LDS.
Status LowerGather(Lowering& l, mlir::Operation* op, Layout layout) {
  auto& b = l.b;
  auto gather = mlir::cast<tt::GatherOp>(op);
  const Regs& source = l.Operand(op, 0, layout);
  const Regs& indices = l.Operand(op, 1, layout);
  Layout from = l.plan.OperandLayout(op, 0, layout);
  Type* type = l.TypeOf(gather.getType());
  if (source.base || type->isPointerTy()) return l.Unsupported(op, "of pointers", "integers and floats");
  Type* stored = type->isIntegerTy(1) ? b.getInt8Ty() : type;
  int axis = static_cast<int>(gather.getAxis());
  Field to_field = FieldOf(layout->shape(), axis), from_field = FieldOf(from->shape(), axis);
  l.SharedBarrier();
  l.StoreShared(source.v, from, 0);
  l.SharedBarrier();
  Regs out;
  for (int r = 0; r < layout->registers(); ++r) {
    // The element's coordinates, that along the axis replaced. Outer coordinates sit above, inner ones below.
    Value* element = l.Element(layout, r);
    Value* inner = b.CreateAnd(element, (Bits(1) << to_field.shift) - 1);
    Value* outer = b.CreateLShr(element, to_field.shift + to_field.width);
    Value* index = b.CreateAnd(b.CreateZExtOrTrunc(indices.v[r], b.getInt32Ty()), (Bits(1) << from_field.width) - 1);
    Value* at = b.CreateOr(inner, b.CreateShl(index, from_field.shift));
    at = b.CreateOr(at, b.CreateShl(outer, from_field.shift + from_field.width));
    unsigned bytes = stored->getScalarSizeInBits() / 8;
    Value* value = b.CreateAlignedLoad(stored, l.Shared(b.CreateMul(at, b.getInt32(bytes))), Align(bytes));
    out.v.push_back(stored == type ? value : b.CreateTrunc(value, type));
  }
  l.Set(op->getResult(0), layout, std::move(out));
  return OkStatus();
}

}  // namespace

void AddShapes(Handlers& h) {
  h.Add<mlir::arith::ConstantOp>(LowerConstant);
  h.Add<mlir::ub::PoisonOp>(LowerPoison);
  h.Add<tt::SplatOp>(LowerSplat);
  h.Add<tt::MakeRangeOp>(LowerRange);
  h.Add<tt::ExpandDimsOp>(LowerExpandDims);
  h.Add<tt::BroadcastOp>(LowerBroadcast);
  h.Add<tt::ReshapeOp>(RenameAll);
  h.Add<tt::TransOp>(RenameAll);
  h.Add<tt::UnsplatOp>(LowerUnsplat);
  h.Add<tt::JoinOp>(LowerJoin);
  h.Add<tt::CatOp>(LowerCat);
  h.Add<tt::SplitOp>(LowerSplit);
  h.Add<tt::GatherOp>(LowerGather);
}

}  // namespace rocxla::triton
