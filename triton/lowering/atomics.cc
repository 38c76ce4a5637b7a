// tt.atomic_rmw and tt.atomic_cas: one LLVM atomic per element, by the one thread that owns it.
#include <optional>

#include "triton/lowering/handlers.h"

using namespace llvm;
namespace rocxla::triton {
namespace {

AtomicOrdering OrderingOf(tt::MemSemantic semantic) {
  switch (semantic) {
    case tt::MemSemantic::Relaxed:
      return AtomicOrdering::Monotonic;
    case tt::MemSemantic::Acquire:
      return AtomicOrdering::Acquire;
    case tt::MemSemantic::Release:
      return AtomicOrdering::Release;
    case tt::MemSemantic::AcqRel:
      return AtomicOrdering::AcquireRelease;
  }
  llvm_unreachable("every semantic is listed");
}

SyncScope::ID ScopeOf(LLVMContext& context, tt::MemSyncScope scope) {
  switch (scope) {
    case tt::MemSyncScope::Gpu:
      return context.getOrInsertSyncScopeID("agent");
    case tt::MemSyncScope::Cta:
      return context.getOrInsertSyncScopeID("workgroup");
    case tt::MemSyncScope::Sys:
      return SyncScope::System;
  }
  llvm_unreachable("every scope is listed");
}

// Null for combinations of kind and type that make no sense.
std::optional<AtomicRMWInst::BinOp> OperationOf(tt::RMWOp kind, Type* type) {
  bool is_float = type->isFloatingPointTy();
  switch (kind) {
    case tt::RMWOp::FAdd:
      return is_float ? std::optional(AtomicRMWInst::FAdd) : std::nullopt;
    case tt::RMWOp::Max:
      return is_float ? AtomicRMWInst::FMax : AtomicRMWInst::Max;
    case tt::RMWOp::Min:
      return is_float ? AtomicRMWInst::FMin : AtomicRMWInst::Min;
    case tt::RMWOp::Xchg:
      return AtomicRMWInst::Xchg;
    default:
      break;
  }
  if (is_float) return std::nullopt;
  switch (kind) {
    case tt::RMWOp::And:
      return AtomicRMWInst::And;
    case tt::RMWOp::Or:
      return AtomicRMWInst::Or;
    case tt::RMWOp::Xor:
      return AtomicRMWInst::Xor;
    case tt::RMWOp::Add:
      return AtomicRMWInst::Add;
    case tt::RMWOp::UMax:
      return AtomicRMWInst::UMax;
    case tt::RMWOp::UMin:
      return AtomicRMWInst::UMin;
    default:
      return std::nullopt;
  }
}

// Device memory is neither fine-grained nor on another device, which allows the native float instructions.
void AllowNativeFloat(AtomicRMWInst* atomic) {
  MDNode* empty = MDNode::get(atomic->getContext(), {});
  for (const char* fact : {"amdgpu.no.fine.grained.memory", "amdgpu.no.remote.memory", "amdgpu.ignore.denormal.mode"})
    atomic->setMetadata(fact, empty);
}

// Applies `access` to each element, in its owner, where the mask is set. Then every holder of an element gets the
// result, through LDS where there are several.
template <class F>
void ForEachElement(Lowering& l, mlir::Operation* op, Layout layout, const Regs* mask, F access) {
  auto& b = l.b;
  mlir::Value result = op->getResult(0);
  Type* type = l.TypeOf(result.getType());
  Value *owner = l.Owner(layout), *zero = Constant::getNullValue(type);
  Regs out;
  for (int r = 0, n = layout ? layout->registers() : 1; r < n; ++r) {
    Value* condition = mask ? b.CreateAnd(mask->v[r], owner) : owner;
    out.v.append(l.Predicated(condition, zero, [&] { return Values{access(r)}; }));
  }
  auto* always = dyn_cast<ConstantInt>(owner);
  if (!result.use_empty() && !always) {
    // A scalar is a tensor of rank 0 that every thread holds.
    LinearLayout everywhere = layout ? *layout : Blocked({}, {}, 0, l.plan.target().machine());
    Layout held = l.plan.Intern(std::move(everywhere));
    l.SharedBarrier();
    l.Predicated(owner, {}, [&] {
      l.StoreShared(out.v, held, 0);
      return Values();
    });
    l.SharedBarrier();
    out.v = l.LoadShared(type, held, 0);
  }
  l.Set(result, layout, std::move(out));
}

Status LowerRmw(Lowering& l, mlir::Operation* op, Layout) {
  auto rmw = mlir::cast<tt::AtomicRMWOp>(op);
  Layout layout = l.plan.AccessLayout(op);
  Type* type = l.TypeOf(rmw.getVal().getType());
  auto operation = OperationOf(rmw.getKind(), type);
  bool wide_enough = type->isFloatingPointTy() || type->getScalarSizeInBits() >= 32;
  if (!operation || !wide_enough)
    return l.Unsupported(op, "this kind on this type", "i32 and i64, and fadd, max, min, exch on floats");
  const Regs &pointers = l.Get(rmw.getPtr(), layout), &values = l.Get(rmw.getVal(), layout);
  const Regs* mask = rmw.getMask() ? &l.Get(rmw.getMask(), layout) : nullptr;
  Align alignment(type->getScalarSizeInBits() / 8);
  ForEachElement(l, op, layout, mask, [&](int r) {
    Value* address = l.Address(pointers, r, rmw.getPtr().getType());
    AtomicRMWInst* atomic = l.b.CreateAtomicRMW(*operation, address, values.v[r], alignment, OrderingOf(rmw.getSem()),
                                                ScopeOf(l.b.getContext(), rmw.getScope()));
    if (type->isFloatingPointTy()) AllowNativeFloat(atomic);
    return atomic;
  });
  return OkStatus();
}

Status LowerCas(Lowering& l, mlir::Operation* op, Layout) {
  auto& b = l.b;
  auto cas = mlir::cast<tt::AtomicCASOp>(op);
  Layout layout = l.plan.AccessLayout(op);
  Type* type = l.TypeOf(cas.getVal().getType());
  unsigned bits = type->getScalarSizeInBits();
  if (type->isPointerTy() || bits < 32) return l.Unsupported(op, "on this type", "32 and 64 bit integers and floats");
  const Regs &pointers = l.Get(cas.getPtr(), layout), &wanted = l.Get(cas.getCmp(), layout);
  const Regs& values = l.Get(cas.getVal(), layout);
  Type* integer = b.getIntNTy(bits);
  ForEachElement(l, op, layout, nullptr, [&](int r) {
    Value* address = l.Address(pointers, r, cas.getPtr().getType());
    Value* pair = b.CreateAtomicCmpXchg(
        address, b.CreateBitCast(wanted.v[r], integer), b.CreateBitCast(values.v[r], integer), Align(bits / 8),
        OrderingOf(cas.getSem()), AtomicOrdering::Monotonic, ScopeOf(b.getContext(), cas.getScope()));
    return b.CreateBitCast(b.CreateExtractValue(pair, 0), type);
  });
  return OkStatus();
}

}  // namespace

void AddAtomics(Handlers& h) {
  h.Add<tt::AtomicRMWOp>(LowerRmw);
  h.Add<tt::AtomicCASOp>(LowerCas);
}

}  // namespace rocxla::triton
