// The argument bytes of a launch.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "emulator/loader/code_object.h"

namespace rocxla::emu {

// The bytes of all explicit arguments. An empty `error` means that all is well.
struct PackedArguments {
  std::vector<std::byte> bytes;
  std::string error;
};
// From either of the two forms that HIP has: an array of pointers to the arguments, or an `extra` array that names a
// buffer. One of the two is null.
PackedArguments PackArguments(const Kernel& kernel, void** kernel_params, void** extra);

}  // namespace rocxla::emu
