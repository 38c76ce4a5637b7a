// StableHLO operations as portable artifacts, for whoever has MLIR.
#pragma once
#include <string>

#include "mlir/IR/BuiltinOps.h"
#include "xla/hlo/ir/status.h"
#include "xla/hlo/stablehlo/vhlo/rules.h"

namespace xla::vhlo {

// MLIR bytecode of format 6 that StableHLO `version` and newer ones read. `module` is verified.
// Errors: VhloUnsupported for what that version, or VHLO at all, cannot express.
StatusOr<std::string> WritePortableArtifact(mlir::ModuleOp module, Version version = kNewestVersion);

}  // namespace xla::vhlo
