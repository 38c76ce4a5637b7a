// HLO to StableHLO text. hlo_to_stablehlo.h is for whoever wants MLIR operations.
#pragma once
#include <string>

#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/status.h"

namespace xla {

// Of a verified module; ConvertStablehloTextToHlo reads it back to one that computes the same. Errors: what
// ConvertHloToStablehlo gives.
StatusOr<std::string> ConvertHloToStablehloText(const HloModule& module);

}  // namespace xla
