// HLO text -> HloModule. The inverse is HloModule::ToString().
#pragma once
#include <memory>
#include <string_view>

#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/status.h"

namespace xla {

// Parses a whole module. `file_name` appears in messages only.
// Errors: HloSyntax, HloUnknownOpcode, HloUnsupportedOpcode, HloUndefinedName, HloUnsupportedFeature.
StatusOr<std::unique_ptr<HloModule>> ParseAndReturnUnverifiedModule(std::string_view text,
                                                                    std::string_view file_name = "<hlo>");
// The same, then the verifier, whose messages then show the place in the text. Also HloVerifier.
StatusOr<std::unique_ptr<HloModule>> ParseAndReturnVerifiedModule(std::string_view text,
                                                                  std::string_view file_name = "<hlo>");

}  // namespace xla
