// What printf of a kernel prints.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "emulator/isa/types.h"

namespace rocxla::emu {

// Formats as C's printf does. `arguments`: 8 bytes each: integers extended, floating-point numbers as double, pointers;
// strings lie there themselves, ended by a zero and padded to a multiple of 8. That is how LLVM passes them, whether
// through a buffer or through host calls. Conversions without an argument, unknown ones and "%n" print as they stand;
// arguments that are left over print nothing. Source: LLVM's AMDGPUEmitPrintf.
std::string FormatPrintf(std::string_view format, std::span<const std::byte> arguments);

}  // namespace rocxla::emu
