// Portable artifacts as StableHLO operations, for whoever has MLIR.
#pragma once
#include <string_view>

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "xla/hlo/ir/status.h"

namespace xla::vhlo {

// Verified operations of the dialects that stablehlo::LoadDialects loads, which `context` has. Old versions of
// operations become what they mean today. Errors: VhloBadArtifact, VhloUnsupported; StablehloInvalid from the verifier.
StatusOr<mlir::OwningOpRef<mlir::ModuleOp>> ReadPortableArtifact(std::string_view bytes, std::string_view file_name,
                                                                 mlir::MLIRContext& context);

}  // namespace xla::vhlo
