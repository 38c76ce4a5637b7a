#include <fmt/format.h>

#include "base/error_ids.h"
#include "base/mlir/location.h"
#include "llvm/ADT/SetVector.h"
#include "mlir/IR/IRMapping.h"
#include "triton/transforms/passes.h"

using namespace mlir;
namespace rocxla::triton {
namespace {

Status CallError(ErrorId id, tt::CallOp call, std::string what, std::string found, std::string expected) {
  return Error(id, {.what = fmt::format("tt.call of '{}': {}", call.getCallee().str(), what),
                    .where = LocationText(call.getLoc()),
                    .found = std::move(found),
                    .expected = std::move(expected)});
}

std::string SignatureText(TypeRange operands, TypeRange results) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "(";
  llvm::interleaveComma(operands, os);
  os << ") -> (";
  llvm::interleaveComma(results, os);
  os << ")";
  return text;
}

StatusOr<tt::FuncOp> CalleeOf(tt::CallOp call, ModuleOp module) {
  auto callee = module.lookupSymbol<tt::FuncOp>(call.getCallee());
  if (!callee || callee.isExternal())
    return CallError(ErrorId::kTritonSyntax, call, "there is no such function with a body", "",
                     "tt.func private @name(...) { ... } in the same module");
  const bool fits = callee.getArgumentTypes() == ArrayRef<Type>(llvm::to_vector(call.getOperandTypes())) &&
                    callee.getResultTypes() == ArrayRef<Type>(llvm::to_vector(call.getResultTypes()));
  if (!fits)
    return CallError(ErrorId::kTritonSyntax, call, "the types do not fit",
                     SignatureText(call.getOperandTypes(), call.getResultTypes()),
                     SignatureText(callee.getArgumentTypes(), callee.getResultTypes()));
  return callee;
}

// The callee's operations instead of the call. Their positions name both places. Gives the number of operations.
int64_t Inline(tt::CallOp call, tt::FuncOp callee) {
  int64_t count = 0;
  OpBuilder builder(call);
  IRMapping values;
  Block& body = callee.getBody().front();
  values.map(body.getArguments(), call.getOperands());
  for (Operation& op : body.without_terminator())
    builder.clone(op, values)->walk([&](Operation* copy) {
      copy->setLoc(CallSiteLoc::get(copy->getLoc(), call.getLoc()));
      ++count;
    });
  for (auto [result, returned] : llvm::zip(call.getResults(), body.getTerminator()->getOperands()))
    result.replaceAllUsesWith(values.lookupOrDefault(returned));
  call.erase();
  return count;
}

// How deeply the regions of `op` are nested. No recursion: they may be too deep for that.
int NestingOf(Operation* op) {
  int deepest = 0;
  SmallVector<std::pair<Operation*, int>> open{{op, 0}};
  while (!open.empty()) {
    auto [next, depth] = open.pop_back_val();
    deepest = std::max(deepest, depth);
    for (Region& region : next->getRegions())
      for (Operation& inner : region.getOps())
        if (inner.getNumRegions()) open.push_back({&inner, depth + 1});
  }
  return deepest;
}
int NestingAround(Operation* op) {
  int depth = 0;
  while ((op = op->getParentOp())) ++depth;
  return depth;
}

class Inliner {
 public:
  explicit Inliner(ModuleOp module) : module_(module) {}

  // Leaves no call in `function`, nor in what it calls.
  Status Run(tt::FuncOp function) {
    if (nesting_.contains(function)) return OkStatus();
    nesting_[function] = NestingOf(function);
    active_.push_back(function);
    SmallVector<tt::CallOp> calls;
    function.walk([&](tt::CallOp call) { calls.push_back(call); });
    for (tt::CallOp call : calls) {
      ASSIGN_OR_RETURN(tt::FuncOp callee, CalleeOf(call, module_));
      if (llvm::is_contained(active_, callee))
        return CallError(ErrorId::kTritonUnsupportedOp, call, "a function calls itself", "",
                         "calls without recursion: they are all inlined");
      if (active_.size() > kDeepest)
        return TooLarge(call, fmt::format("calls that nest more deeply than {}", kDeepest));
      RETURN_IF_ERROR(Run(callee));
      // Functions that call each other twice double their size each time, and add what surrounds their calls.
      if (inlined_ > kMostInlined) return TooLarge(call, fmt::format("more than {} operations", kMostInlined));
      const int nesting = NestingAround(call) + nesting_[callee];
      if (nesting > kDeepest) return TooLarge(call, fmt::format("regions that nest more deeply than {}", kDeepest));
      nesting_[function] = std::max(nesting_[function], nesting);
      inlined_ += Inline(call, callee);
    }
    active_.pop_back();
    return OkStatus();
  }

 private:
  static constexpr int kMostInlined = 100000, kDeepest = 500;

  static Status TooLarge(tt::CallOp call, std::string found) {
    return CallError(ErrorId::kTritonUnsupportedOp, call, "the program is too large once calls are inlined",
                     std::move(found), "fewer or smaller functions");
  }

  ModuleOp module_;
  int64_t inlined_ = 0;                      // operations that took the place of calls
  llvm::DenseMap<Operation*, int> nesting_;  // of the regions of each function that was begun
  SmallVector<tt::FuncOp> active_;           // callers of the function that is worked on, and itself
};

}  // namespace

Status InlineCalls(ModuleOp module, tt::FuncOp kernel) {
  RETURN_IF_ERROR(Inliner(module).Run(kernel));
  for (auto function : llvm::make_early_inc_range(module.getOps<tt::FuncOp>()))
    if (function != kernel) function.erase();
  return OkStatus();
}

}  // namespace rocxla::triton
