#include "triton/plan/plan.h"

#include <algorithm>

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/IR/AsmState.h"
#include "triton/plan/control_flow.h"

using namespace mlir;
namespace rocxla::triton {

Shape ShapeOf(Type type) {
  Shape shape;
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    for (int64_t extent : tensor.getShape()) shape.push_back(Log2Exact(extent));
  return shape;
}
bool IsTensor(Value value) { return isa<RankedTensorType>(value.getType()); }
bool IsPointwise(Operation* op) {
  return op->hasTrait<OpTrait::Elementwise>() || isa<arith::SelectOp, arith::ConstantOp>(op);
}

namespace {

// The permutation that undoes `order`.
std::vector<int> Inverse(ArrayRef<int32_t> order) {
  std::vector<int> inverse(order.size());
  for (auto [to, from] : llvm::enumerate(order)) inverse[from] = static_cast<int>(to);
  return inverse;
}

}  // namespace

Plan::Plan(tt::FuncOp function, const PlanTarget& target)
    : target_(target), axes_(function), pointers_(function, axes_) {
  Forward(function.getBody());
  do {
    changed_ = false;
    Backward(function.getBody());
  } while (changed_);
}

Layout Plan::Intern(LinearLayout layout) {
  auto& bucket = by_hash_[layout.Hash()];
  for (Layout known : bucket)
    if (*known == layout) return known;
  pool_.push_back(std::move(layout));
  return bucket.emplace_back(&pool_.back());
}

ArrayRef<Layout> Plan::Wanted(Value value) const {
  auto found = wanted_.find(value);
  return found == wanted_.end() ? ArrayRef<Layout>() : ArrayRef<Layout>(found->second);
}

bool Plan::Want(Value value, Layout layout) {
  if (!IsTensor(value)) return false;
  auto& list = wanted_[value];
  if (llvm::is_contained(list, layout)) return false;
  list.push_back(layout);
  return changed_ = true;
}

bool Plan::SetNative(Value value, Layout layout) {
  if (!layout || !IsTensor(value) || native_.lookup(value) == layout) return false;
  native_[value] = layout;
  return true;
}

// What a memory access wants: consecutive lanes on consecutive addresses, 16 bytes per thread. Further registers are
// neighbours along the next dimension, so that a thread holds blocks: an operand whose inner dimension is not the one
// that a product sums over can then change places within threads.
Layout Plan::Coalesced(Type type, Value pointer) {
  Shape shape = ShapeOf(type);
  if (!isa<RankedTensorType>(type)) return nullptr;
  AxisInfo info = axes_.Of(pointer);
  std::vector<int> order = RowMajorOrder(static_cast<int>(shape.size()));
  llvm::sort(order, [&](int a, int b) {
    return std::pair(info.contiguity[a], a) > std::pair(info.contiguity[b], b);  // the inner of equals first
  });
  if (order.empty()) return Default(type);
  int spare_bits = std::max(0, TotalBits(shape) - target_.machine().thread_bits());
  int vec_bits = std::min(Log2Exact(axes_.VectorWidth(pointer, nullptr, order[0])), spare_bits);
  constexpr int kBlockBits = 3;
  int next_bits = order.size() < 2 ? 0 : std::min({spare_bits - vec_bits, kBlockBits, shape[order[1]]});
  return Intern(Blocked(shape, order, vec_bits, target_.machine(), next_bits));
}

Layout Plan::Default(Type type) {
  Shape shape = ShapeOf(type);
  return Intern(Blocked(shape, RowMajorOrder(static_cast<int>(shape.size())), 0, target_.machine()));
}

Layout Plan::NativeOrDefault(Value value) {
  Layout native = Native(value);
  return native ? native : Default(value.getType());
}

// The layout, unless its threads hold more than they need to: chains of split and join would double the copies each
// time.
Layout Plan::Compact(Layout layout, Type type) {
  Layout plain = Default(type);
  return layout->registers() <= plain->registers() ? layout : plain;
}

//===-- Forward: where do values naturally live?
//---------------------------------------------------------------------===//

void Plan::Forward(Region& region) {
  for (Operation& op : region.getOps()) {
    if (IsStructured(&op)) {
      ForwardStructured(&op);
    } else {
      ForwardOp(&op);
    }
  }
}

// A value lives where the last of its sources that has a home lives. True if a loop-carried value moved.
bool Plan::FollowHomes(Operation* op) {
  bool moved = false;
  for (const Flow& flow : FlowsOf(op)) {
    Layout home = nullptr;
    for (Value source : flow.sources)
      if (Layout native = Native(source)) home = native;
    moved |= SetNative(flow.receiver, home) && flow.IsCarried();
  }
  return moved;
}

// Bodies that move values among each other need not settle; any state is correct, so a few rounds do.
void Plan::ForwardStructured(Operation* op) {
  constexpr int kMaxRounds = 4;
  for (int round = 0; round < kMaxRounds; ++round) {
    for (Region& region : op->getRegions()) {
      FollowHomes(op);
      Forward(region);
    }
    if (!FollowHomes(op)) break;
  }
}

// Takes the value as it lies when that stores as widely and as coalesced as the best layout would, or when it comes
// from a matrix instruction; else converts.
void Plan::ForwardStore(tt::StoreOp store) {
  Type type = store.getValue().getType();
  Layout best = Coalesced(type, store.getPtr()), lies = Native(store.getValue());
  access_[store] = best;
  if (!lies || !best || best->rank() == 0) return;
  AxisInfo info = axes_.Of(store.getPtr());
  int fast = 0;
  for (int d = 0; d < info.rank(); ++d)
    if (info.contiguity[d] >= info.contiguity[fast]) fast = d;
  constexpr int kWideEnough = 4, kLineBytes = 32;
  int line = std::max(1, kLineBytes / PointeeBytes(store.getPtr().getType()));
  bool wide = lies->ContiguousRegisters(fast) >= std::min(best->ContiguousRegisters(fast), kWideEnough);
  bool coalesced = lies->ContiguousInWave(fast) >= std::min(best->ContiguousInWave(fast), line);
  if (wide && coalesced) access_[store] = lies;
}

void Plan::ForwardProduct(const Product& product) {
  Shape shape = product.shape();
  const ProductChoice& choice = products_[product.op] = ChooseProduct(product, target_);
  if (const auto& matrix = choice.matrix) {
    access_[product.op] = Intern(MatrixResult(matrix->instruction, shape, matrix->form, matrix->warps));
  } else {  // blocks of 4x4 where there is enough for every thread
    int per_thread = std::max(0, TotalBits(shape) - target_.machine().thread_bits());
    int n_bits = std::min(2, (per_thread + 1) / 2), m_bits = std::min(2, per_thread - n_bits);
    access_[product.op] = Intern(BlockedTile(shape, m_bits, n_bits, target_.machine()));
  }
  SetNative(product.op->getResult(0), access_[product.op]);
}

// join, cat and split: the two halves are two values of one register bit.
void Plan::ForwardTwoTensors(Operation* op) {
  Layout half;
  if (auto split = dyn_cast<tt::SplitOp>(op)) {
    Layout whole = NativeOrDefault(split.getSrc());
    half = Compact(Intern(whole->DropDim(whole->rank() - 1)), split.getLhs().getType());
    access_[op] = half;
    for (Value result : op->getResults()) SetNative(result, half);
    return;
  }
  half = Compact(NativeOrDefault(op->getOperand(0)), op->getOperand(0).getType());
  Value result = op->getResult(0);
  Shape shape = ShapeOf(result.getType());
  LinearLayout whole(shape);
  if (isa<tt::JoinOp>(op)) {  // one more, innermost bit
    whole = half->ExpandDim(half->rank()).Reshape(shape);
    for (HwDim hw : {kRegister, kLane, kWarp})
      for (Bits& basis : whole.bases(hw)) basis <<= 1;
    whole = whole.WithRegister(1, 0);
  } else {  // cat: one more, outermost bit
    int top = static_cast<int>(half->bases(kRegister).size());
    whole = half->Reshape(shape).WithRegister(Bits(1) << (TotalBits(shape) - 1), top);
  }
  access_[op] = Intern(std::move(whole));
  SetNative(result, access_[op]);
}

void Plan::ForwardOp(Operation* op) {
  auto follow = [&](Value source, auto derive) {
    if (Layout native = Native(source)) SetNative(op->getResult(0), Intern(derive(*native)));
  };
  TypeSwitch<Operation*>(op)
      .Case(
          [&](tt::LoadOp load) { SetNative(load.getResult(), access_[op] = Coalesced(load.getType(), load.getPtr())); })
      .Case<tt::AtomicRMWOp, tt::AtomicCASOp>([&](auto atomic) {
        SetNative(atomic.getResult(), access_[op] = Coalesced(atomic.getVal().getType(), atomic.getPtr()));
      })
      .Case([&](tt::StoreOp store) { ForwardStore(store); })
      .Case<tt::DotOp, tt::DotScaledOp>([&](auto) { ForwardProduct(*ProductOf(op)); })
      .Case<tt::JoinOp, tt::CatOp, tt::SplitOp>([&](auto) { ForwardTwoTensors(op); })
      .Case([&](tt::ReduceOp reduce) {
        access_[op] = NativeOrDefault(reduce.getSrcs()[0]);
        for (Value result : reduce.getResults()) SetNative(result, Intern(access_[op]->DropDim(reduce.getAxis())));
      })
      .Case([&](tt::ScanOp scan) {
        Layout native = NativeOrDefault(scan.getSrcs()[0]);
        bool serves = native->WalksAxis(static_cast<int>(scan.getAxis()));
        access_[op] = serves ? native : Default(scan.getSrcs()[0].getType());
        for (Value result : scan.getResults()) SetNative(result, access_[op]);
      })
      .Case([&](tt::MapElementwiseOp map) {
        Value source = map.getSrcs()[0];
        Layout native = NativeOrDefault(source);
        const int pack = static_cast<int>(map.getPack());
        if (native->ContiguousRegisters() < pack) {
          Shape shape = ShapeOf(source.getType());
          native = Intern(Blocked(shape, RowMajorOrder(int(shape.size())), Log2Exact(pack), target_.machine()));
        }
        access_[op] = native;
        for (Value result : map.getResults()) SetNative(result, native);
      })
      .Case([&](tt::HistogramOp histogram) {
        access_[op] = Default(histogram.getType());
        SetNative(histogram.getResult(), access_[op]);
      })
      .Case([&](tt::UnsplatOp unsplat) { access_[op] = NativeOrDefault(unsplat.getSrc()); })
      .Case([&](tt::GatherOp gather) {
        access_[op] = NativeOrDefault(gather.getIndices());
        SetNative(gather.getResult(), access_[op]);
      })
      .Case([&](tt::ExpandDimsOp expand) {
        follow(expand.getSrc(), [&](auto& layout) { return layout.ExpandDim(expand.getAxis()); });
      })
      .Case([&](tt::TransOp trans) {
        follow(trans.getSrc(),
               [&](auto& layout) { return layout.Transpose({trans.getOrder().begin(), trans.getOrder().end()}); });
      })
      .Case([&](tt::ReshapeOp reshape) {
        follow(reshape.getSrc(), [&](auto& layout) { return layout.Reshape(ShapeOf(reshape.getType())); });
      })
      .Default([&](Operation* other) { ForwardPointwise(other); });
}

// Lives as the first operand that has a home. What has side effects must happen once, and so needs a home.
void Plan::ForwardPointwise(Operation* op) {
  if (!IsPointwise(op)) return;
  for (Value operand : op->getOperands()) {
    if (!Native(operand)) continue;
    for (Value result : op->getResults()) SetNative(result, Native(operand));
    return;
  }
  if (isMemoryEffectFree(op)) return;
  for (Value result : op->getResults())
    if (IsTensor(result)) SetNative(result, Default(result.getType()));
}

//===-- Backward: who needs what?
//-------------------------------------------------------------------------------------===//

Layout Plan::OperandLayout(Operation* op, int i, Layout layout) {
  Value operand = op->getOperand(i);
  if (!IsTensor(operand)) return nullptr;
  return TypeSwitch<Operation*, Layout>(op)
      .Case([&](tt::ExpandDimsOp expand) { return Intern(layout->DropDim(expand.getAxis())); })
      .Case([&](tt::BroadcastOp) {
        LinearLayout source = *layout;
        for (auto [d, extent] : llvm::enumerate(ShapeOf(operand.getType())))
          if (extent != layout->shape()[d]) source = source.SquashDim(static_cast<int>(d));
        return Intern(std::move(source));
      })
      .Case([&](tt::TransOp trans) { return Intern(layout->Transpose(Inverse(trans.getOrder()))); })
      .Case([&](tt::ReshapeOp) { return Intern(layout->Reshape(ShapeOf(operand.getType()))); })
      .Case<tt::StoreOp, tt::ReduceOp, tt::ScanOp, tt::MapElementwiseOp, tt::AtomicRMWOp, tt::AtomicCASOp,
            tt::UnsplatOp>([&](auto) { return AccessLayout(op); })
      .Case([&](tt::HistogramOp histogram) { return NativeOrDefault(histogram.getSrc()); })
      .Case<tt::PrintOp, tt::AssertOp>([&](auto) { return NativeOrDefault(operand); })
      .Case([&](tt::GatherOp) { return i == 0 ? NativeOrDefault(operand) : AccessLayout(op); })
      .Case([&](tt::JoinOp join) { return Intern(AccessLayout(op)->DropDim(layout->rank() - 1)); })
      .Case([&](tt::CatOp) {
        LinearLayout half = *AccessLayout(op);
        half.bases(kRegister).pop_back();
        return Intern(half.Reshape(ShapeOf(operand.getType())));
      })
      .Case([&](tt::SplitOp) {
        LinearLayout whole = AccessLayout(op)->ExpandDim(AccessLayout(op)->rank()).Reshape(ShapeOf(operand.getType()));
        for (HwDim hw : {kRegister, kLane, kWarp})
          for (Bits& basis : whole.bases(hw)) basis <<= 1;
        return Intern(whole.WithRegister(1, 0));
      })
      .Case<tt::DotOp, tt::DotScaledOp>([&](auto) { return ProductOperandLayout(op, i); })
      .Default([&](Operation*) { return layout; });
}

// Multiply-adds read both operands from LDS, whose writer holds them as they are.
Layout Plan::FactorLayout(const Product& product, int i) {
  const Factor& factor = product.factors[i];
  if (const auto& matrix = ProductChoiceOf(product.op).matrix) return Intern(triton::FactorLayout(product, *matrix, i));
  Layout stored = NativeOrDefault(factor.value);
  return factor.packed_dim < 0 ? stored : Intern(stored->DoubleDim(factor.packed_dim));
}

// Operands: both factors, what is added to, then the scales that there are.
Layout Plan::ProductOperandLayout(Operation* op, int i) {
  constexpr int kAccumulator = 2;
  if (i == kAccumulator) return AccessLayout(op);
  Product product = *ProductOf(op);
  if (i < kAccumulator) return Intern(StoredLayout(product.factors[i], *FactorLayout(product, i)));
  int scaled = i == kAccumulator + 1 && product.factors[0].scale ? 0 : 1;
  const Factor& factor = product.factors[scaled];
  const ProductChoice& choice = ProductChoiceOf(op);
  if (!choice.scales_in_instruction()) return Intern(ScaleLayout(factor, *FactorLayout(product, scaled)));
  return Intern(MatrixScale(choice.matrix->instruction, scaled, ShapeOf(factor.scale.getType()), choice.matrix->warps));
}

SmallVector<Layout, 2> Plan::EvaluatedIn(Operation* op) const {
  bool once = !op->getNumResults() || op->getNumRegions() || !IsTensor(op->getResult(0));
  if (once) return {AccessLayout(op)};
  if (Layout native = Native(op->getResult(0))) return {native};
  SmallVector<Layout, 2> all;
  for (Value result : op->getResults())
    for (Layout layout : Wanted(result))
      if (!llvm::is_contained(all, layout)) all.push_back(layout);
  return all;
}

SmallVector<Layout, 2> Plan::Carried(Value value) const {
  if (!IsTensor(value)) return {nullptr};
  Layout native = Native(value);
  if (!native) return SmallVector<Layout, 2>(Wanted(value));
  return Wanted(value).empty() ? SmallVector<Layout, 2>() : SmallVector<Layout, 2>{native};
}

// What is carried is asked of every source.
bool Plan::WantSources(Operation* op) {
  bool again = false;
  SmallVector<Flow> flows = FlowsOf(op);
  for (const Flow& flow : llvm::reverse(flows))
    for (Layout layout : Carried(flow.receiver))
      for (Value source : flow.sources) again |= Want(source, layout) && flow.IsCarried();
  return again;
}

void Plan::BackwardStructured(Operation* op) {
  WantSources(op);
  do {
    for (Region& region : llvm::reverse(op->getRegions())) {
      WantSources(op);
      if (!region.empty()) Backward(region);
    }
  } while (WantSources(op));
}

void Plan::Backward(Region& region) {
  for (Operation& op : llvm::reverse(region.front())) {
    if (IsStructured(&op)) {
      BackwardStructured(&op);
    } else if (!op.hasTrait<OpTrait::IsTerminator>()) {  // what it passes on is asked for by whoever receives it
      for (Layout layout : EvaluatedIn(&op))
        for (int i = 0; i < static_cast<int>(op.getNumOperands()); ++i)
          Want(op.getOperand(i), OperandLayout(&op, i, layout));
    }
  }
}

std::string Plan::ToString(tt::FuncOp function) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  AsmState state(function, OpPrintingFlags().useLocalScope());
  auto line = [&](Value value) {
    if (!IsTensor(value)) return;
    value.printAsOperand(os, state);
    os << " : " << value.getType() << '\n';
    Layout native = Native(value);
    if (native) os << "    native       " << native->ToString() << '\n';
    for (Layout layout : Wanted(value))
      if (layout != native) os << (native ? "    converted to " : "    recomputed   ") << layout->ToString() << '\n';
  };
  function.walk<WalkOrder::PreOrder>([&](Operation* op) {
    if (isa<tt::ReduceOp, tt::ScanOp>(op->getParentOp())) return;
    for (Region& region : op->getRegions())
      for (Block& block : region)
        for (Value argument : block.getArguments()) line(argument);
    for (Value result : op->getResults()) line(result);
  });
  return text;
}

}  // namespace rocxla::triton
