// Triton IR to simpler Triton IR, before anything is planned. What these leave behind, plan and lowering handle: one
// function, one block per region, no descriptors.
#pragma once
#include "base/status.h"
#include "triton/dialect/tt.h"

namespace rocxla::triton {

// Makes scf.if and scf.while of branches between blocks (cf.br, cf.cond_br, cf.switch): early returns, for instance.
// TritonUnsupportedOp when a region ends in different terminators.
Status StructureControlFlow(mlir::ModuleOp module);

// Puts every called function in the place of the call, in `kernel` and all that it calls, and erases the functions.
// Their regions must have one block. TritonSyntax for a call of a function that is missing or takes other types,
// TritonUnsupportedOp for recursion.
Status InlineCalls(mlir::ModuleOp module, tt::FuncOp kernel);

// Makes pointers, masks and numbers of descriptors and block pointers, those that `kernel` takes as arguments included:
// !tt.tensordesc becomes base, extents (i64), strides (i64), and an i1 (out of bounds reads as NaN). Failure with a
// diagnostic when an operation has no such form.
mlir::LogicalResult BlocksToPointers(tt::FuncOp kernel);

}  // namespace rocxla::triton
