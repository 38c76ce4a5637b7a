// Which values pass where structured control flow joins: scf.for, scf.if and scf.while, each written down once. The
// analyses of this folder follow these flows and know no more of control flow.
#pragma once
#include "llvm/ADT/SmallVector.h"
#include "mlir/IR/Operation.h"

namespace rocxla::triton {

// `receiver`, a block argument or a result, is one of `sources` each time it is defined. The last source is the one
// that it most often is: what a loop's body yields rather than what enters the loop.
struct Flow {
  mlir::Value receiver;
  llvm::SmallVector<mlir::Value, 2> sources;
  // What it becomes may change what its own sources are: a loop.
  bool IsCarried() const { return llvm::isa<mlir::BlockArgument>(receiver); }
};

// Block arguments first, in the order in which they are defined, then results. Empty when `op` is no structured control
// flow.
llvm::SmallVector<Flow> FlowsOf(mlir::Operation* op);
// scf.for, scf.if, scf.while.
bool IsStructured(mlir::Operation* op);

}  // namespace rocxla::triton
