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

// The callee's operations instead of the call. Their positions name both places.
void Inline(tt::CallOp call, tt::FuncOp callee) {
  OpBuilder builder(call);
  IRMapping values;
  Block& body = callee.getBody().front();
  values.map(body.getArguments(), call.getOperands());
  for (Operation& op : body.without_terminator())
    builder.clone(op, values)->walk([&](Operation* copy) {
      copy->setLoc(CallSiteLoc::get(copy->getLoc(), call.getLoc()));
    });
  for (auto [result, returned] : llvm::zip(call.getResults(), body.getTerminator()->getOperands()))
    result.replaceAllUsesWith(values.lookupOrDefault(returned));
  call.erase();
}

class Inliner {
 public:
  explicit Inliner(ModuleOp module) : module_(module) {}

  // Leaves no call in `function`, nor in what it calls.
  Status Run(tt::FuncOp function) {
    if (!done_.insert(function).second) return OkStatus();
    active_.push_back(function);
    SmallVector<tt::CallOp> calls;
    function.walk([&](tt::CallOp call) { calls.push_back(call); });
    for (tt::CallOp call : calls) {
      ASSIGN_OR_RETURN(tt::FuncOp callee, CalleeOf(call, module_));
      if (llvm::is_contained(active_, callee))
        return CallError(ErrorId::kTritonUnsupportedOp, call, "a function calls itself", "",
                         "calls without recursion: they are all inlined");
      RETURN_IF_ERROR(Run(callee));
      Inline(call, callee);
    }
    active_.pop_back();
    return OkStatus();
  }

 private:
  ModuleOp module_;
  llvm::DenseSet<Operation*> done_;
  SmallVector<tt::FuncOp> active_;  // callers of the function that is worked on, and itself
};

}  // namespace

Status InlineCalls(ModuleOp module, tt::FuncOp kernel) {
  RETURN_IF_ERROR(Inliner(module).Run(kernel));
  for (auto function : llvm::make_early_inc_range(module.getOps<tt::FuncOp>()))
    if (function != kernel) function.erase();
  return OkStatus();
}

}  // namespace rocxla::triton
