// Triton IR text -> LLVM IR: compile.h up to the point where LLVM takes over.
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "base/status.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "triton/compile.h"

namespace rocxla::triton {

struct LoweredKernel {
  std::string name;
  int shared_bytes = 0;  // dynamic LDS
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;  // the kernel, for the target, not optimised; lives in `context`
  Stages stages;                         // those up to llvm_ir; empty without CompileOptions::keep_stages
};

// Lowers the one public tt.func of a module. Thread safe, deterministic. Errors: those of CompileToObject but
// TritonCodegen.
StatusOr<LoweredKernel> Lower(std::string_view ttir, std::string_view file_name, const CompileOptions& options);

}  // namespace rocxla::triton
