// For tests: Triton IR text to a function.
#pragma once
#include <gtest/gtest.h>

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "triton/dialect/tt.h"

namespace rocxla::triton {

// A module with its context. Failing to parse is a failure of the test; `module` is null then.
struct ParsedModule {
  explicit ParsedModule(llvm::StringRef text) : context(Registry(), mlir::MLIRContext::Threading::DISABLED) {
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context, "test.ttir");
    if (!module) ADD_FAILURE() << "does not parse:\n" << text.str();
  }
  tt::FuncOp function() { return *module->getOps<tt::FuncOp>().begin(); }

  static mlir::DialectRegistry Registry() {
    mlir::DialectRegistry registry;
    tt::RegisterDialects(registry);
    return registry;
  }
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

}  // namespace rocxla::triton
