// Line tables from the locations in the Triton IR, so that tools can name the source line of an instruction.
#pragma once
#include "base/mlir/location.h"
#include "llvm/IR/DIBuilder.h"

namespace rocxla::triton {

class DebugInfo {
 public:
  // Declares `kernel`, which came from `location`.
  DebugInfo(llvm::Function& kernel, mlir::Location location);
  // Line 0 of the kernel for unknown locations.
  llvm::DebugLoc Of(mlir::Location location);
  // To be called once, after the last instruction.
  void Finish() { builder_.finalize(); }

 private:
  llvm::DIFile* FileOf(llvm::StringRef path);
  llvm::DIScope* ScopeIn(llvm::DIFile* file);

  llvm::DIBuilder builder_;
  llvm::DISubprogram* subprogram_;
  llvm::DenseMap<llvm::DIFile*, llvm::DIScope*> scopes_;
};

}  // namespace rocxla::triton
