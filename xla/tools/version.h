// What `rocxla --version` prints.
#pragma once
#include <string>

namespace xla::tools {

// "rocxla 0.1.0 (LLVM 22.1.8; compiles for gfx908, ...; executes gfx90a, ...)", one item a line.
std::string VersionText();

}  // namespace xla::tools
