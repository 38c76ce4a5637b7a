// What MLIR's parser, verifier and printer, which call themselves for each level of a text, can be given.
#pragma once
#include <optional>
#include <string_view>

#include "base/status.h"

namespace rocxla {

// Why MLIR must not read a text: brackets that nest more than 256 levels, aliases that stand for such counted in, or an
// affine map, whose expressions need no brackets to nest. What is in strings and comments does not count.
std::optional<ErrorText> TextLimitFault(std::string_view text, std::string_view file_name);

}  // namespace rocxla
