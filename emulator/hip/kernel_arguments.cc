#include "emulator/hip/kernel_arguments.h"

#include <fmt/format.h>

#include <cstring>

#include "base/hip/hip_types.h"

namespace rocxla::emu {
namespace {

PackedArguments PackFromPointers(const KernelMetadata& metadata, void** kernel_params) {
  PackedArguments packed;
  packed.bytes.resize(metadata.explicit_bytes());
  size_t index = 0;
  for (const KernelArgument& argument : metadata.arguments) {
    if (argument.is_hidden()) continue;
    if (kernel_params[index] == nullptr) return {{}, fmt::format("kernel_params[{}] is null", index)};
    std::memcpy(packed.bytes.data() + argument.offset, kernel_params[index++], argument.size);
  }
  return packed;
}

PackedArguments PackFromBuffer(const KernelMetadata& metadata, void** extra) {
  const void* buffer = nullptr;
  const size_t* size = nullptr;
  for (; *extra != HIP_LAUNCH_PARAM_END; extra += 2) {
    if (extra[0] == HIP_LAUNCH_PARAM_BUFFER_POINTER) {
      buffer = extra[1];
    } else if (extra[0] == HIP_LAUNCH_PARAM_BUFFER_SIZE) {
      size = static_cast<const size_t*>(extra[1]);
    } else {
      return {{}, fmt::format("`extra` holds the unknown key {}", extra[0])};
    }
  }
  if (buffer == nullptr || size == nullptr) return {{}, "`extra` lacks the buffer or its size"};
  if (*size < metadata.explicit_bytes()) {
    return {{}, fmt::format("the argument buffer has {} bytes, the kernel takes {}", *size, metadata.explicit_bytes())};
  }
  const auto* begin = static_cast<const std::byte*>(buffer);
  return {{begin, begin + metadata.explicit_bytes()}, ""};
}

}  // namespace

PackedArguments PackArguments(const Kernel& kernel, void** kernel_params, void** extra) {
  PackedArguments packed;
  if (kernel_params != nullptr && extra != nullptr) {
    packed.error = "both kernel_params and `extra` are given";
  } else if (kernel_params != nullptr) {
    packed = PackFromPointers(kernel.metadata, kernel_params);
  } else if (extra != nullptr) {
    packed = PackFromBuffer(kernel.metadata, extra);
  } else if (const uint64_t bytes = kernel.metadata.explicit_bytes(); bytes != 0) {
    packed.error = fmt::format("the kernel takes {} bytes of arguments, none are given", bytes);
  }
  if (!packed.error.empty()) packed.error = fmt::format("kernel '{}': {}", kernel.name, packed.error);
  return packed;
}

}  // namespace rocxla::emu
