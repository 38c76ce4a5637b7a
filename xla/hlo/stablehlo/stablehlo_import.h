// StableHLO text (with CHLO and the parts of Shardy that JAX writes) to HLO. stablehlo_to_hlo.h is for whoever has MLIR
// operations.
#pragma once
#include <memory>
#include <string_view>

#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/status.h"

namespace xla {

// The result passes VerifyHloModule. `file_name` is for messages. Errors: StablehloSyntax with line, column and the
// line itself; what ConvertStablehloToHlo gives.
StatusOr<std::unique_ptr<HloModule>> ConvertStablehloTextToHlo(std::string_view text, std::string_view file_name);

}  // namespace xla
