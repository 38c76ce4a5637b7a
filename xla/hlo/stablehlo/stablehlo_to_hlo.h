// StableHLO operations to HLO.
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/status.h"

namespace xla {

// Says where an operation stands, for `where` of a message.
using LocateOperation = llvm::function_ref<std::string(mlir::Location location)>;

// Verified operations, in `context`, which has the dialects. `file_name` is for messages and the operations' locations;
// errors: StablehloSyntax.
StatusOr<mlir::OwningOpRef<mlir::ModuleOp>> ParseStablehloText(std::string_view text, std::string_view file_name,
                                                               mlir::MLIRContext& context);

// Converts a verified module of the dialects that stablehlo::LoadDialects loads; the result passes VerifyHloModule.
// Entry: the function main, or the only one. Locations other than places of the file `own_file` become metadata.
//
// Errors: StablehloUnsupported for what HLO (or rocXLA's HLO) cannot express, StablehloInvalid for operations whose
// attributes make no sense, HloVerifier for types that do not follow from the operands.
StatusOr<std::unique_ptr<HloModule>> ConvertStablehloToHlo(mlir::ModuleOp module, LocateOperation locate = nullptr,
                                                           std::string_view own_file = "");

}  // namespace xla
