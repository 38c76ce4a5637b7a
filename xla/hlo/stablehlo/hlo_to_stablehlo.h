// HLO to StableHLO operations.
#pragma once
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/status.h"

namespace xla {

// Of a verified module; loads the dialects that it needs. Calls and fusions become functions, other computations
// regions; tuples become several values. Layouts other than the entry's and those of custom calls are left out.
// HloNotInStablehlo for what StableHLO cannot say.
StatusOr<mlir::OwningOpRef<mlir::ModuleOp>> ConvertHloToStablehlo(const HloModule& module, mlir::MLIRContext& context);

}  // namespace xla
