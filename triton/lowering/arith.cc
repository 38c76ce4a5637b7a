// The arith dialect and tt's casts: one line per operation, what it is on one element.
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "triton/lowering/handlers.h"

using namespace llvm;
namespace arith = mlir::arith;
namespace rocxla::triton {
namespace {

CmpInst::Predicate PredicateOf(arith::CmpIPredicate predicate) {
  using P = arith::CmpIPredicate;
  switch (predicate) {
    case P::eq:
      return CmpInst::ICMP_EQ;
    case P::ne:
      return CmpInst::ICMP_NE;
    case P::slt:
      return CmpInst::ICMP_SLT;
    case P::sle:
      return CmpInst::ICMP_SLE;
    case P::sgt:
      return CmpInst::ICMP_SGT;
    case P::sge:
      return CmpInst::ICMP_SGE;
    case P::ult:
      return CmpInst::ICMP_ULT;
    case P::ule:
      return CmpInst::ICMP_ULE;
    case P::ugt:
      return CmpInst::ICMP_UGT;
    case P::uge:
      return CmpInst::ICMP_UGE;
  }
  llvm_unreachable("every predicate is listed");
}

CmpInst::Predicate PredicateOf(arith::CmpFPredicate predicate) {
  using P = arith::CmpFPredicate;
  switch (predicate) {
    case P::AlwaysFalse:
      return CmpInst::FCMP_FALSE;
    case P::OEQ:
      return CmpInst::FCMP_OEQ;
    case P::OGT:
      return CmpInst::FCMP_OGT;
    case P::OGE:
      return CmpInst::FCMP_OGE;
    case P::OLT:
      return CmpInst::FCMP_OLT;
    case P::OLE:
      return CmpInst::FCMP_OLE;
    case P::ONE:
      return CmpInst::FCMP_ONE;
    case P::ORD:
      return CmpInst::FCMP_ORD;
    case P::UEQ:
      return CmpInst::FCMP_UEQ;
    case P::UGT:
      return CmpInst::FCMP_UGT;
    case P::UGE:
      return CmpInst::FCMP_UGE;
    case P::ULT:
      return CmpInst::FCMP_ULT;
    case P::ULE:
      return CmpInst::FCMP_ULE;
    case P::UNE:
      return CmpInst::FCMP_UNE;
    case P::UNO:
      return CmpInst::FCMP_UNO;
    case P::AlwaysTrue:
      return CmpInst::FCMP_TRUE;
  }
  llvm_unreachable("every predicate is listed");
}

// The high half of the product.
Value* MulHigh(IRBuilderBase& b, Value* x, Value* y, bool is_signed) {
  unsigned bits = x->getType()->getIntegerBitWidth();
  Type* wide = b.getIntNTy(2 * bits);
  auto extend = [&](Value* v) { return is_signed ? b.CreateSExt(v, wide) : b.CreateZExt(v, wide); };
  return b.CreateTrunc(b.CreateLShr(b.CreateMul(extend(x), extend(y)), bits), x->getType());
}

template <class Op>
Status MulExtended(Lowering& l, mlir::Operation* op, Layout layout, bool is_signed) {
  const Regs &x = l.Get(op->getOperand(0), layout), &y = l.Get(op->getOperand(1), layout);
  Regs low, high;
  for (int r = 0; r < x.size(); ++r) {
    low.v.push_back(l.b.CreateMul(x.v[r], y.v[r]));
    high.v.push_back(MulHigh(l.b, x.v[r], y.v[r], is_signed));
  }
  l.Set(op->getResult(0), layout, std::move(low));
  l.Set(op->getResult(1), layout, std::move(high));
  return OkStatus();
}

// Quotients rounded to minus or plus infinity: truncate, then step where the remainder says so.
Value* FloorDiv(IRBuilderBase& b, Value* x, Value* y) {
  Value *quotient = b.CreateSDiv(x, y), *remainder = b.CreateSRem(x, y), *zero = ConstantInt::get(x->getType(), 0);
  Value* inexact = b.CreateICmpNE(remainder, zero);
  Value* opposite = b.CreateICmpSLT(b.CreateXor(remainder, y), zero);
  return b.CreateSub(quotient, b.CreateZExt(b.CreateAnd(inexact, opposite), x->getType()));
}
Value* CeilDivSigned(IRBuilderBase& b, Value* x, Value* y) {
  Value *quotient = b.CreateSDiv(x, y), *remainder = b.CreateSRem(x, y), *zero = ConstantInt::get(x->getType(), 0);
  Value* inexact = b.CreateICmpNE(remainder, zero);
  Value* same = b.CreateICmpSGE(b.CreateXor(remainder, y), zero);
  return b.CreateAdd(quotient, b.CreateZExt(b.CreateAnd(inexact, same), x->getType()));
}
Value* CeilDivUnsigned(IRBuilderBase& b, Value* x, Value* y) {
  Value* inexact = b.CreateICmpNE(b.CreateURem(x, y), ConstantInt::get(x->getType(), 0));
  return b.CreateAdd(b.CreateUDiv(x, y), b.CreateZExt(inexact, x->getType()));
}

// Like the tensor casts of tt: pointers to pointers, and equally wide numbers.
Value* Clamp(Lowering& l, tt::ClampFOp op, Value* x, Value* low, Value* high) {
  auto& b = l.b;
  Value* clamped = b.CreateMinNum(b.CreateMaxNum(x, low), high);
  if (op.getPropagateNan() == tt::PropagateNan::None) return clamped;
  return b.CreateSelect(b.CreateFCmpUNO(x, x), x, clamped);
}

void AddIntegers(Handlers& h);
void AddFloats(Handlers& h);
void AddCasts(Handlers& h);

}  // namespace

// EACH(Op, expression): `x` are the operands, `TYPE` the result's element type.
#define EACH(OP, EXPR)                                                                         \
  h.Each<OP>([]([[maybe_unused]] Lowering& l, [[maybe_unused]] OP op, ValuesRef x) -> Value* { \
    [[maybe_unused]] auto& b = l.b;                                                            \
    return EXPR;                                                                               \
  });
#define TYPE l.TypeOf(op.getType())

namespace {

void AddIntegers(Handlers& h) {
  EACH(arith::AddIOp, b.CreateAdd(x[0], x[1]))
  EACH(arith::SubIOp, b.CreateSub(x[0], x[1]))
  EACH(arith::MulIOp, b.CreateMul(x[0], x[1]))
  EACH(arith::DivSIOp, b.CreateSDiv(x[0], x[1]))
  EACH(arith::DivUIOp, b.CreateUDiv(x[0], x[1]))
  EACH(arith::RemSIOp, b.CreateSRem(x[0], x[1]))
  EACH(arith::RemUIOp, b.CreateURem(x[0], x[1]))
  EACH(arith::FloorDivSIOp, FloorDiv(b, x[0], x[1]))
  EACH(arith::CeilDivSIOp, CeilDivSigned(b, x[0], x[1]))
  EACH(arith::CeilDivUIOp, CeilDivUnsigned(b, x[0], x[1]))
  EACH(arith::AndIOp, b.CreateAnd(x[0], x[1]))
  EACH(arith::OrIOp, b.CreateOr(x[0], x[1]))
  EACH(arith::XOrIOp, b.CreateXor(x[0], x[1]))
  EACH(arith::ShLIOp, b.CreateShl(x[0], x[1]))
  EACH(arith::ShRSIOp, b.CreateAShr(x[0], x[1]))
  EACH(arith::ShRUIOp, b.CreateLShr(x[0], x[1]))
  EACH(arith::MinSIOp, b.CreateBinaryIntrinsic(Intrinsic::smin, x[0], x[1]))
  EACH(arith::MaxSIOp, b.CreateBinaryIntrinsic(Intrinsic::smax, x[0], x[1]))
  EACH(arith::MinUIOp, b.CreateBinaryIntrinsic(Intrinsic::umin, x[0], x[1]))
  EACH(arith::MaxUIOp, b.CreateBinaryIntrinsic(Intrinsic::umax, x[0], x[1]))
  EACH(arith::CmpIOp, b.CreateICmp(PredicateOf(op.getPredicate()), x[0], x[1]))
  EACH(arith::SelectOp, b.CreateSelect(x[0], x[1], x[2]))
  EACH(tt::MulhiUIOp, MulHigh(b, x[0], x[1], false))
  h.Add<arith::MulUIExtendedOp>([](Lowering& l, mlir::Operation* op, Layout layout) {
    return MulExtended<arith::MulUIExtendedOp>(l, op, layout, false);
  });
  h.Add<arith::MulSIExtendedOp>([](Lowering& l, mlir::Operation* op, Layout layout) {
    return MulExtended<arith::MulSIExtendedOp>(l, op, layout, true);
  });
}

void AddFloats(Handlers& h) {
  EACH(arith::AddFOp, b.CreateFAdd(x[0], x[1]))
  EACH(arith::SubFOp, b.CreateFSub(x[0], x[1]))
  EACH(arith::MulFOp, b.CreateFMul(x[0], x[1]))
  EACH(arith::DivFOp, b.CreateFDiv(x[0], x[1]))
  EACH(arith::NegFOp, b.CreateFNeg(x[0]))
  EACH(arith::MaxNumFOp, b.CreateBinaryIntrinsic(Intrinsic::maxnum, x[0], x[1]))
  EACH(arith::MinNumFOp, b.CreateBinaryIntrinsic(Intrinsic::minnum, x[0], x[1]))
  EACH(arith::MaximumFOp, b.CreateBinaryIntrinsic(Intrinsic::maximum, x[0], x[1]))
  EACH(arith::MinimumFOp, b.CreateBinaryIntrinsic(Intrinsic::minimum, x[0], x[1]))
  EACH(arith::CmpFOp, b.CreateFCmp(PredicateOf(op.getPredicate()), x[0], x[1]))
  EACH(tt::PreciseDivFOp, b.CreateFDiv(x[0], x[1]))
  EACH(tt::ClampFOp, Clamp(l, op, x[0], x[1], x[2]))
}

void AddCasts(Handlers& h) {
  EACH(arith::ExtSIOp, b.CreateSExt(x[0], TYPE))
  EACH(arith::ExtUIOp, b.CreateZExt(x[0], TYPE))
  EACH(arith::TruncIOp, b.CreateTrunc(x[0], TYPE))
  EACH(arith::SIToFPOp, b.CreateSIToFP(x[0], TYPE))
  EACH(arith::UIToFPOp, b.CreateUIToFP(x[0], TYPE))
  EACH(arith::FPToSIOp, b.CreateFPToSI(x[0], TYPE))
  EACH(arith::FPToUIOp, b.CreateFPToUI(x[0], TYPE))
  EACH(arith::BitcastOp, b.CreateBitCast(x[0], TYPE))
  EACH(tt::IntToPtrOp, b.CreateIntToPtr(x[0], TYPE))
  EACH(tt::PtrToIntOp, b.CreatePtrToInt(x[0], TYPE))
}

}  // namespace
#undef EACH
#undef TYPE

void AddArith(Handlers& handlers) {
  AddIntegers(handlers);
  AddFloats(handlers);
  AddCasts(handlers);
}

}  // namespace rocxla::triton
