#include "base/error_ids.h"
#include "base/mlir/location.h"
#include "mlir/Conversion/ControlFlowToSCF/ControlFlowToSCF.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/RegionUtils.h"
#include "triton/transforms/passes.h"

using namespace mlir;
namespace rocxla::triton {
namespace {

// MLIR's algorithm, with scf.if for switches too: a chain of them.
class ToStructured : public ControlFlowToSCFTransformation {
 public:
  FailureOr<Operation*> createStructuredBranchRegionOp(OpBuilder& builder, Operation* branch, TypeRange types,
                                                       MutableArrayRef<Region> regions) override {
    auto choice = dyn_cast<cf::SwitchOp>(branch);
    if (!choice) return ControlFlowToSCFTransformation::createStructuredBranchRegionOp(builder, branch, types, regions);
    if (regions.size() < 2) return failure();
    // The regions are those of the default and of each case.
    SmallVector<APInt> cases;
    if (auto values = choice.getCaseValues()) cases.assign(values->value_begin<APInt>(), values->value_end<APInt>());
    Operation* outermost = nullptr;
    for (size_t i = 0; i < cases.size(); ++i) {
      Location loc = branch->getLoc();
      Value number =
          arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(choice.getFlag().getType(), cases[i]));
      Value same = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, choice.getFlag(), number);
      auto here = scf::IfOp::create(builder, loc, types, same);
      here.getThenRegion().takeBody(regions[i + 1]);
      if (outermost) scf::YieldOp::create(builder, loc, here.getResults());
      if (!outermost) outermost = here;
      if (i + 1 == cases.size()) {
        here.getElseRegion().takeBody(regions[0]);
      } else {
        builder.createBlock(&here.getElseRegion());
      }
    }
    return outermost;
  }

  // After a loop that never ends.
  FailureOr<Operation*> createUnreachableTerminator(Location loc, OpBuilder& builder, Region& region) override {
    auto function = dyn_cast<tt::FuncOp>(region.getParentOp());
    if (!function) return failure();
    SmallVector<Value> results;
    for (Type type : function.getResultTypes()) results.push_back(getUndefValue(loc, builder, type));
    return tt::ReturnOp::create(builder, loc, results).getOperation();
  }
};

// How deeply scf.if and scf.while may come to be nested.
int64_t BranchesIn(Region& region) {
  int64_t count = 0;
  for (Block& block : region) {
    ++count;
    if (block.empty()) continue;
    if (auto choice = dyn_cast<cf::SwitchOp>(block.back())) count += choice.getCaseDestinations().size();
  }
  return count;
}

}  // namespace

Status StructureControlFlow(ModuleOp module) {
  ToStructured transformation;
  // What it makes of the branches may be the first of these dialects in the module.
  module.getContext()->loadDialect<arith::ArithDialect, cf::ControlFlowDialect, scf::SCFDialect, ub::UBDialect>();
  IRRewriter rewriter(module.getContext());
  Status status;
  module.walk<WalkOrder::PostOrder>([&](Operation* op) {
    for (Region& region : op->getRegions()) {
      if (region.empty() || region.hasOneBlock()) continue;
      constexpr int64_t kMostBranches = 500;  // recursion over regions ends well with so many
      if (const int64_t branches = BranchesIn(region); branches > kMostBranches) {
        status =
            Error(ErrorId::kTritonUnsupportedOp, {.what = op->getName().getStringRef().str() + ": too many branches",
                                                  .where = LocationText(op->getLoc()),
                                                  .found = std::to_string(branches) + " blocks and cases",
                                                  .expected = std::to_string(kMostBranches) + " at most"});
        return WalkResult::interrupt();
      }
      (void)eraseUnreachableBlocks(rewriter, region);
      if (region.hasOneBlock()) continue;
      DominanceInfo dominance(op);
      if (succeeded(transformCFGToSCF(region, transformation, dominance)) && region.hasOneBlock()) continue;
      status = Error(ErrorId::kTritonUnsupportedOp,
                     {.what = op->getName().getStringRef().str() + ": branches that cannot be structured",
                      .where = LocationText(op->getLoc()),
                      .expected = "cf.br, cf.cond_br and cf.switch, and one kind of terminator besides"});
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return status;
}

}  // namespace rocxla::triton
