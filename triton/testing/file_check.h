// For tests: LLVM's FileCheck, in this process.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace rocxla::triton {

// Whether `input` has what the directives in `checks` ("PREFIX: ...", "PREFIX-NEXT: ...") demand. Empty if so, else
// what FileCheck says. No directive at all is an error, a prefix without one is not.
std::string FileCheckFault(std::string_view checks, const std::vector<std::string>& prefixes, std::string_view input);

}  // namespace rocxla::triton
