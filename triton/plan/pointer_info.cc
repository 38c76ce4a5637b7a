#include "triton/plan/pointer_info.h"

#include <optional>

#include "llvm/ADT/TypeSwitch.h"
#include "triton/plan/control_flow.h"

using namespace mlir;
namespace rocxla::triton {
namespace {

bool IsPointer(Value value) { return isa<tt::PointerType>(getElementTypeOrSelf(value.getType())); }
PointerInfo Join(PointerInfo a, PointerInfo b) {
  return {a.has_base && b.has_base, a.small && b.small, a.forward && b.forward, std::max(a.last, b.last),
          a.root == b.root ? a.root : Value()};
}

bool IsUniform(Value value) {
  if (value.getDefiningOp<tt::SplatOp>()) return true;
  auto constant = value.getDefiningOp<arith::ConstantOp>();
  return constant && isa<SplatElementsAttr>(constant.getValue());
}

}  // namespace

OffsetParts SplitOffset(Value offset) {
  if (IsUniform(offset)) return {offset, {}};
  auto add = offset.getDefiningOp<arith::AddIOp>();
  for (int i = 0; add && i < 2; ++i)
    if (IsUniform(add->getOperand(i))) return {add->getOperand(i), add->getOperand(1 - i)};
  return {{}, offset};
}

PointerAnalysis::PointerAnalysis(tt::FuncOp function, const AxisAnalysis& axes) : axes_(axes) {
  for (BlockArgument argument : function.getArguments()) {
    auto range = function.getArgAttrOfType<IntegerAttr>(argument.getArgNumber(), "tt.pointer_range");
    info_[argument] = {.has_base = false, .small = range && range.getInt() == 32, .root = argument};
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
    if (!fresh && info.last > entry->second.last) info.last = AxisInfo::kNoBound;  // it may grow each time
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

PointerInfo PointerAnalysis::Advanced(PointerInfo info, Value offset) const {
  Value varying = SplitOffset(offset).varying;
  if (!varying) return info;
  AxisInfo more = axes_.Of(varying);
  info.forward &= more.non_negative;
  bool bounded = info.last != AxisInfo::kNoBound && more.upper != AxisInfo::kNoBound &&
                 !__builtin_add_overflow(info.last, more.upper, &info.last);
  if (!bounded) info.last = AxisInfo::kNoBound;
  return info;
}

bool PointerAnalysis::HasByteOffset(Value value) const {
  PointerInfo info = Of(value);
  if (!info.has_base || !info.forward) return false;
  return info.small || info.last < (int64_t(1) << 31) / PointeeBytes(value.getType());
}

Value PointerAnalysis::SmallRoot(Value value) const {
  PointerInfo info = Of(value);
  return info.has_base && info.small ? info.root : Value();
}

PointerInfo PointerAnalysis::Transfer(Operation* op) const {
  return TypeSwitch<Operation*, PointerInfo>(op)
      .Case([&](tt::SplatOp splat) {
        PointerInfo source = Of(splat.getSrc());
        return PointerInfo{true, source.small, true, 0, source.root};
      })
      .Case([&](tt::AddPtrOp add) { return Advanced(Of(add.getPtr()), add.getOffset()); })
      .Case([&](tt::BitcastOp cast) {
        if (!IsPointer(cast.getSrc()) || !IsPointer(cast.getResult())) return PointerInfo();
        bool same_size = PointeeBytes(cast.getSrc().getType()) == PointeeBytes(cast.getType());
        return same_size ? Of(cast.getSrc()) : PointerInfo();
      })
      .Case<tt::BroadcastOp, tt::ExpandDimsOp, tt::TransOp, tt::ReshapeOp>(
          [&](auto shape) { return Of(shape.getSrc()); })
      .Default(PointerInfo());
}

}  // namespace rocxla::triton
