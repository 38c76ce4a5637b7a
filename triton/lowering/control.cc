// Program ids, structured control flow, barriers.
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "triton/dialect/ttg.h"
#include "triton/lowering/handlers.h"

using namespace llvm;
namespace scf = mlir::scf;
namespace rocxla::triton {
namespace {

Status LowerProgramId(Lowering& l, mlir::Operation* op, Layout) {
  static constexpr llvm::Intrinsic::ID kIds[] = {Intrinsic::amdgcn_workgroup_id_x, Intrinsic::amdgcn_workgroup_id_y,
                                                 Intrinsic::amdgcn_workgroup_id_z};
  auto axis = static_cast<int>(mlir::cast<tt::ProgramIdOp>(op).getAxis());
  l.Set(op->getResult(0), nullptr, l.Intrinsic(kIds[axis], {}, {}));
  return OkStatus();
}

// Code object v5: the implicit arguments begin with three u32 block counts.
Status LowerNumPrograms(Lowering& l, mlir::Operation* op, Layout) {
  auto axis = static_cast<int>(mlir::cast<tt::NumProgramsOp>(op).getAxis());
  Value* implicit = l.Intrinsic(Intrinsic::amdgcn_implicitarg_ptr, {}, {});
  Value* at = l.b.CreateGEP(l.b.getInt8Ty(), implicit, l.b.getInt32(4 * axis));
  l.Set(op->getResult(0), nullptr, l.b.CreateAlignedLoad(l.b.getInt32Ty(), at, Align(4)));
  return OkStatus();
}

// Phis for the registers of one value in one layout, in the block where the builder is.
class Phis {
 public:
  // The shape of what comes: types and the presence of a base.
  Phis(Lowering& l, const Regs& like) {
    for (Value* value : like.v) phis_.push_back(l.b.CreatePHI(value->getType(), 2));
    if (like.base) base_ = l.b.CreatePHI(like.base->getType(), 2);
  }
  void AddIncoming(const Regs& regs, BasicBlock* from) {
    for (auto [phi, value] : zip(phis_, regs.v)) phi->addIncoming(value, from);
    if (base_) base_->addIncoming(regs.base, from);
  }
  Regs regs() const {
    Regs regs;
    regs.v.append(phis_.begin(), phis_.end());
    regs.base = base_;
    return regs;
  }

 private:
  SmallVector<PHINode*, 4> phis_;
  PHINode* base_ = nullptr;
};

// One loop-carried value in one layout.
struct CarriedValue {
  mlir::BlockArgument argument;
  mlir::Value yielded;
  Layout layout;
  Phis phis;
};

// Leaves for `head` and defines there `arguments`, which are `inits` at first and `yields` later.
SmallVector<CarriedValue> EnterLoop(Lowering& l, mlir::Block::BlockArgListType arguments, mlir::ValueRange inits,
                                    mlir::ValueRange yields, BasicBlock* head) {
  std::deque<Regs> entering;
  for (auto [argument, init] : zip(arguments, inits))
    for (Layout layout : l.plan.Carried(argument)) entering.push_back(l.InFormOf(l.Get(init, layout), argument));
  BasicBlock* before = l.b.GetInsertBlock();
  l.b.CreateBr(head);
  l.b.SetInsertPoint(head);
  SmallVector<CarriedValue> carried;
  auto next = entering.begin();
  for (auto [argument, yielded] : zip(arguments, yields)) {
    for (Layout layout : l.plan.Carried(argument)) {
      Phis phis(l, *next);
      phis.AddIncoming(*next++, before);
      l.Set(argument, layout, phis.regs());
      carried.push_back({argument, yielded, layout, std::move(phis)});
    }
  }
  return carried;
}

// Emits what other layouts want of block arguments.
void ConvertArguments(Lowering& l, mlir::Block::BlockArgListType arguments) {
  for (mlir::Value argument : arguments)
    if (!l.plan.Carried(argument).empty()) l.ConvertOthers(argument);
}

// Back to the head with what the body yields.
void CloseLoop(Lowering& l, SmallVector<CarriedValue>& carried, BasicBlock* head) {
  std::deque<Regs> leaving;
  for (CarriedValue& value : carried) leaving.push_back(l.InFormOf(l.Get(value.yielded, value.layout), value.argument));
  for (auto [value, regs] : zip(carried, leaving)) value.phis.AddIncoming(regs, l.b.GetInsertBlock());
  l.b.CreateBr(head);
}

Status LowerFor(Lowering& l, mlir::Operation* op, Layout) {
  auto& b = l.b;
  auto loop = mlir::cast<scf::ForOp>(op);
  Value *low = l.Scalar(loop.getLowerBound()), *high = l.Scalar(loop.getUpperBound()), *step = l.Scalar(loop.getStep());
  BasicBlock *before = b.GetInsertBlock(), *head = l.NewBlock("for"), *body = l.NewBlock("body"),
             *done = l.NewBlock("done");
  auto yields = loop.getBody()->getTerminator()->getOperands();
  SmallVector<CarriedValue> carried = EnterLoop(l, loop.getRegionIterArgs(), loop.getInitArgs(), yields, head);
  for (CarriedValue& value : carried) l.Set(loop.getTiedLoopResult(value.argument), value.layout, value.phis.regs());
  PHINode* induction = b.CreatePHI(low->getType(), 2);
  induction->addIncoming(low, before);
  b.CreateCondBr(b.CreateICmp(loop.getUnsignedCmp() ? CmpInst::ICMP_ULT : CmpInst::ICMP_SLT, induction, high), body,
                 done);
  b.SetInsertPoint(body);
  l.Set(loop.getInductionVar(), nullptr, induction);
  ConvertArguments(l, loop.getRegionIterArgs());
  RETURN_IF_ERROR(l.Block(*loop.getBody()));
  induction->addIncoming(b.CreateAdd(induction, step), b.GetInsertBlock());
  CloseLoop(l, carried, head);
  b.SetInsertPoint(done);
  return OkStatus();
}

// Defines `receivers`, block arguments or results, as what scf.condition passes on.
void Receive(Lowering& l, mlir::ValueRange receivers, mlir::ValueRange passed) {
  for (auto [receiver, value] : zip(receivers, passed))
    for (Layout layout : l.plan.Carried(receiver)) l.Set(receiver, layout, l.InFormOf(l.Get(value, layout), receiver));
}

Status LowerWhile(Lowering& l, mlir::Operation* op, Layout) {
  auto& b = l.b;
  auto loop = mlir::cast<scf::WhileOp>(op);
  BasicBlock *head = l.NewBlock("while"), *body = l.NewBlock("body"), *done = l.NewBlock("done");
  auto yields = loop.getAfterBody()->getTerminator()->getOperands();
  SmallVector<CarriedValue> carried = EnterLoop(l, loop.getBeforeArguments(), loop.getInits(), yields, head);
  ConvertArguments(l, loop.getBeforeArguments());
  RETURN_IF_ERROR(l.Block(*loop.getBeforeBody()));
  scf::ConditionOp condition = loop.getConditionOp();
  b.CreateCondBr(l.Scalar(condition.getCondition()), body, done);
  b.SetInsertPoint(body);
  Receive(l, loop.getAfterArguments(), condition.getArgs());
  ConvertArguments(l, loop.getAfterArguments());
  RETURN_IF_ERROR(l.Block(*loop.getAfterBody()));
  CloseLoop(l, carried, head);
  b.SetInsertPoint(done);
  Receive(l, loop.getResults(), condition.getArgs());
  return OkStatus();
}

// What a branch yields, in the forms that the results are carried in; leaves for `join`.
StatusOr<std::deque<Regs>> LowerBranch(Lowering& l, scf::IfOp branch, mlir::Region& region, BasicBlock* join) {
  std::deque<Regs> out;
  if (!region.empty()) {
    RETURN_IF_ERROR(l.Block(region.front()));
    auto yielded = region.front().getTerminator()->getOperands();
    for (auto [result, value] : zip(branch.getResults(), yielded))
      for (Layout layout : l.plan.Carried(result)) out.push_back(l.InFormOf(l.Get(value, layout), result));
  }
  l.b.CreateBr(join);
  return out;
}

Status LowerIf(Lowering& l, mlir::Operation* op, Layout) {
  auto& b = l.b;
  auto branch = mlir::cast<scf::IfOp>(op);
  BasicBlock *yes = l.NewBlock("if"), *no = l.NewBlock("else"), *join = l.NewBlock("endif");
  b.CreateCondBr(l.Scalar(branch.getCondition()), yes, no);
  b.SetInsertPoint(yes);
  ASSIGN_OR_RETURN(std::deque<Regs> from_yes, LowerBranch(l, branch, branch.getThenRegion(), join));
  yes = b.GetInsertBlock();
  b.SetInsertPoint(no);
  ASSIGN_OR_RETURN(std::deque<Regs> from_no, LowerBranch(l, branch, branch.getElseRegion(), join));
  no = b.GetInsertBlock();
  b.SetInsertPoint(join);
  size_t next = 0;
  for (mlir::Value result : branch.getResults()) {
    for (Layout layout : l.plan.Carried(result)) {
      Phis phis(l, from_yes[next]);
      phis.AddIncoming(from_yes[next], yes);
      phis.AddIncoming(from_no[next++], no);
      l.Set(result, layout, phis.regs());
    }
  }
  return OkStatus();
}

Status Nothing(Lowering&, mlir::Operation*, Layout) { return OkStatus(); }

}  // namespace

void AddControl(Handlers& h) {
  h.Add<tt::ProgramIdOp>(LowerProgramId);
  h.Add<tt::NumProgramsOp>(LowerNumPrograms);
  h.Add<scf::ForOp>(LowerFor);
  h.Add<scf::IfOp>(LowerIf);
  h.Add<scf::WhileOp>(LowerWhile);
  h.Add<scf::YieldOp>(Nothing);        // read by the operation around it, as
  h.Add<scf::ConditionOp>(Nothing);    // this one
  h.Add<tt::ReduceReturnOp>(Nothing);  // read by InlineRegion, as
  h.Add<tt::MapElementwiseReturnOp>(Nothing);
  h.Add<tt::ScanReturnOp>(Nothing);      // this one
  h.Add<mlir::LLVM::AssumeOp>(Nothing);  // facts that nothing uses yet
  h.Add<tt::ReturnOp>([](Lowering& l, mlir::Operation*, Layout) {
    l.b.CreateRetVoid();
    return OkStatus();
  });
  h.Add<ttg::BarrierOp>([](Lowering& l, mlir::Operation* op, Layout) {
    mlir::cast<ttg::BarrierOp>(op).OrdersGlobalMemory() ? l.FullBarrier() : l.SharedBarrier();
    return OkStatus();
  });
  h.Add<mlir::gpu::BarrierOp>([](Lowering& l, mlir::Operation*, Layout) {
    l.FullBarrier();
    return OkStatus();
  });
}

}  // namespace rocxla::triton
