// Portable artifacts of StableHLO (VHLO in MLIR bytecode, .mlirbc), to HLO and StableHLO text, and from the text.
// importer.h and exporter.h are for whoever has MLIR.
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/status.h"

namespace xla {

// Whether the bytes are MLIR bytecode.
bool IsMlirBytecode(std::string_view bytes);

// Versions of VHLO up to 1.20.0. The result passes VerifyHloModule; `file_name` is for messages.
// Errors: VhloBadArtifact, VhloUnsupported; what ConvertStablehloToHlo gives.
StatusOr<std::unique_ptr<HloModule>> ConvertPortableArtifactToHlo(std::string_view bytes, std::string_view file_name);

// StableHLO text as an artifact of the newest version, which does not name the text's file. Errors: StablehloSyntax;
// VhloUnsupported for CHLO, and what else artifacts do not have.
StatusOr<std::string> StablehloTextToPortableArtifact(std::string_view text, std::string_view file_name);
// The text does not have the operations' locations. Errors: VhloBadArtifact, VhloUnsupported, StablehloInvalid.
StatusOr<std::string> PortableArtifactToStablehloText(std::string_view bytes, std::string_view file_name);

}  // namespace xla
