#include "triton/plan/pointer_info.h"

#include <optional>

#include "llvm/ADT/TypeSwitch.h"
#include "triton/plan/control_flow.h"

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
  // Of sources that were not visited yet nothing is known: be optimistic.
  auto follow = [&] {
    for (const Flow& flow : FlowsOf(op)) {
      std::optional<PointerInfo> info;
      for (Value source : flow.sources)
        if (auto known = info_.find(source); known != info_.end())
          info = info ? Join(*info, known->second) : known->second;
      if (info) set(flow.receiver, *info);
    }
  };
  for (Region& region : op->getRegions()) {
    follow();
    Visit(region);
  }
  follow();
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
