#include "triton/plan/control_flow.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
namespace rocxla::triton {
namespace {

using Flows = llvm::SmallVector<Flow>;

Flows OfFor(scf::ForOp loop) {
  Flows flows;
  auto yielded = loop.getBody()->getTerminator()->getOperands();
  for (auto [argument, init, value] : llvm::zip(loop.getRegionIterArgs(), loop.getInitArgs(), yielded))
    flows.push_back({argument, {init, value}});
  for (auto [result, argument] : llvm::zip(loop.getResults(), loop.getRegionIterArgs()))
    flows.push_back({result, {argument}});
  return flows;
}

Flows OfIf(scf::IfOp branch) {
  Flows flows;
  if (!branch->getNumResults()) return flows;
  auto taken = branch.thenYield().getOperands(), otherwise = branch.elseYield().getOperands();
  for (auto [result, a, b] : llvm::zip(branch.getResults(), otherwise, taken)) flows.push_back({result, {a, b}});
  return flows;
}

Flows OfWhile(scf::WhileOp loop) {
  Flows flows;
  auto yielded = loop.getAfterBody()->getTerminator()->getOperands();
  for (auto [argument, init, value] : llvm::zip(loop.getBeforeArguments(), loop.getInits(), yielded))
    flows.push_back({argument, {init, value}});
  auto passed = loop.getConditionOp().getArgs();
  for (auto [argument, value] : llvm::zip(loop.getAfterArguments(), passed)) flows.push_back({argument, {value}});
  for (auto [result, value] : llvm::zip(loop.getResults(), passed)) flows.push_back({result, {value}});
  return flows;
}

}  // namespace

Flows FlowsOf(Operation* op) {
  return TypeSwitch<Operation*, Flows>(op)
      .Case([](scf::ForOp loop) { return OfFor(loop); })
      .Case([](scf::IfOp branch) { return OfIf(branch); })
      .Case([](scf::WhileOp loop) { return OfWhile(loop); })
      .Default(Flows());
}

bool IsStructured(Operation* op) { return isa<scf::ForOp, scf::IfOp, scf::WhileOp>(op); }

}  // namespace rocxla::triton
