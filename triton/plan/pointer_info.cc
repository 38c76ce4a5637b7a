#include "triton/plan/pointer_info.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
namespace rocxla::triton {
namespace {

bool IsPointer(Value value) { return isa<tt::PointerType>(getElementTypeOrSelf(value.getType())); }
PointerInfo Join(PointerInfo a, PointerInfo b) { return {a.has_base && b.has_base, a.small && b.small}; }

}  // namespace

PointerAnalysis::PointerAnalysis(tt::FuncOp function) {
  for (BlockArgument argument : function.getArguments()) {
    auto range = function.getArgAttrOfType<IntegerAttr>(argument.getArgNumber(), "tt.pointer_range");
    info_[argument] = {.has_base = false, .small = range && range.getInt() == 32};
  }
  do {
    changed_ = false;
    Visit(function.getBody());
  } while (changed_);
}

void PointerAnalysis::Visit(Region& region) {
  for (Operation& op : region.getOps()) Visit(&op);
}

void PointerAnalysis::Visit(Operation* op) {
  auto set = [&](Value value, PointerInfo info) {
    if (!IsPointer(value)) return;
    auto [entry, fresh] = info_.try_emplace(value, info);
    if (!fresh && entry->second == info) return;
    entry->second = info;
    changed_ = true;
  };
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    auto yielded = loop.getBody()->getTerminator()->getOperands();
    for (auto [result, argument, init, value] :
         llvm::zip(loop.getResults(), loop.getRegionIterArgs(), loop.getInitArgs(), yielded)) {
      // Before the first visit of the body nothing is known of what it yields: be optimistic.
      auto known = info_.find(value);
      PointerInfo info = known == info_.end() ? Of(init) : Join(Of(init), known->second);
      set(argument, info);
      set(result, info);
    }
  }
  for (Region& region : op->getRegions()) Visit(region);
  if (auto branch = dyn_cast<scf::IfOp>(op); branch && branch->getNumResults()) {
    for (auto [result, a, b] :
         llvm::zip(branch.getResults(), branch.thenYield().getOperands(), branch.elseYield().getOperands()))
      set(result, Join(Of(a), Of(b)));
    return;
  }
  if (op->getNumResults() == 1 && op->getNumRegions() == 0) set(op->getResult(0), Transfer(op));
}

PointerInfo PointerAnalysis::Transfer(Operation* op) const {
  return TypeSwitch<Operation*, PointerInfo>(op)
      .Case([&](tt::SplatOp splat) { return PointerInfo{true, Of(splat.getSrc()).small}; })
      .Case([&](tt::AddPtrOp add) { return Of(add.getPtr()); })
      .Case<tt::BroadcastOp, tt::ExpandDimsOp, tt::TransOp, tt::ReshapeOp>(
          [&](auto shape) { return Of(shape.getSrc()); })
      .Default(PointerInfo());
}

}  // namespace rocxla::triton
