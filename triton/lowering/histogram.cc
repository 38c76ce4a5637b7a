// tt.histogram: counters in LDS, to which every owner of an element adds one.
#include "triton/lowering/handlers.h"

using namespace llvm;
namespace rocxla::triton {
namespace {

// Adds one to the counter of each of the elements that are below `bins`, whatever their sign, and not masked.
void Count(Lowering& l, tt::HistogramOp op, Layout from, uint64_t bins) {
  auto& b = l.b;
  const Regs& values = l.Get(op.getSrc(), from);
  const Regs* mask = op.getMask() ? &l.Get(op.getMask(), from) : nullptr;
  Value* owner = l.Owner(from);
  const auto copies = static_cast<int>(from->FreeMask(kRegister));
  for (int r = 0; r < from->registers(); ++r) {
    if (r & copies) continue;
    Type* type = values.v[r]->getType();
    const bool fits = type->getIntegerBitWidth() < 64 && bins >> type->getIntegerBitWidth();  // whatever the value
    Value* counted = fits ? owner : b.CreateAnd(owner, b.CreateICmpULT(values.v[r], ConstantInt::get(type, bins)));
    if (mask) counted = b.CreateAnd(counted, mask->v[r]);
    l.Predicated(counted, {}, [&] {
      Value* counter = l.Shared(b.CreateShl(b.CreateZExtOrTrunc(values.v[r], b.getInt32Ty()), 2));
      b.CreateAtomicRMW(AtomicRMWInst::Add, counter, b.getInt32(1), Align(4), AtomicOrdering::Monotonic,
                        b.getContext().getOrInsertSyncScopeID("workgroup"));
      return Values();
    });
  }
}

Status LowerHistogram(Lowering& l, mlir::Operation* op, Layout layout) {
  auto& b = l.b;
  auto histogram = mlir::cast<tt::HistogramOp>(op);
  Type* result = l.TypeOf(histogram.getType());
  l.SharedBarrier();
  l.StoreShared(Values(layout->registers(), b.getInt32(0)), layout, 0);
  l.SharedBarrier();
  Count(l, histogram, l.plan.OperandLayout(op, 0, layout), uint64_t(1) << TotalBits(layout->shape()));
  l.SharedBarrier();
  Regs out;
  for (Value* count : l.LoadShared(b.getInt32Ty(), layout, 0)) out.v.push_back(b.CreateZExtOrTrunc(count, result));
  l.Set(histogram.getResult(), layout, std::move(out));
  return OkStatus();
}

}  // namespace

void AddHistogram(Handlers& h) { h.Add<tt::HistogramOp>(LowerHistogram); }

}  // namespace rocxla::triton
