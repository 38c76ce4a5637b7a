// The embedded HIP functions about modules, functions and launches.
#include <fmt/format.h>

#include <cstring>
#include <memory>

#include "base/hip/code_object_info.h"
#include "emulator/hip/hip_call.h"
#include "emulator/hip/occupancy.h"
#include "emulator/hip/runtime.h"

namespace rocxla::emu {
namespace {

hipError_t BadModule() { return Fail(hipErrorInvalidHandle, "not a live module: never loaded, or unloaded already"); }
hipError_t BadFunction() { return Fail(hipErrorInvalidHandle, "not a function of a live module"); }

hipError_t LoadFailure(const Status& status) {
  switch (status.id()) {
    case ErrorId::kEmulatorWrongTarget:
      return Fail(hipErrorNoBinaryForGpu, status.ToString());
    case ErrorId::kDeviceOutOfMemory:
      return Fail(hipErrorOutOfMemory, status.ToString());
    default:
      return Fail(hipErrorInvalidImage, status.ToString());
  }
}

// The argument bytes of a launch, from either of the two forms that HIP has. An empty `error` means that all is well.
struct PackedArguments {
  std::vector<std::byte> bytes;
  std::string error;
};

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

PackedArguments Pack(const Kernel& kernel, void** kernel_params, void** extra) {
  if (kernel_params != nullptr && extra != nullptr) return {{}, "both kernel_params and `extra` are given"};
  if (kernel_params != nullptr) return PackFromPointers(kernel.metadata, kernel_params);
  if (extra != nullptr) return PackFromBuffer(kernel.metadata, extra);
  if (kernel.metadata.explicit_bytes() == 0) return {};
  return {{},
          fmt::format("kernel '{}' takes {} bytes of arguments, none are given", kernel.name,
                      kernel.metadata.explicit_bytes())};
}

}  // namespace

namespace embedded {

hipError_t hipModuleLoadData(hipModule_t* module, const void* image) {
  if (module == nullptr || image == nullptr)
    return Fail(hipErrorInvalidValue, "null pointer for the module or its image");
  EmbeddedDevice* device = Runtime::Get().device(CurrentDevice());
  if (device == nullptr) return Fail(hipErrorNoDevice, "there is no embedded device");
  const uint64_t bytes = CodeObjectSize(image);
  if (bytes == 0) return Fail(hipErrorInvalidImage, "the image is no 64-bit ELF file");
  auto object = CodeObject::Load({static_cast<const uint8_t*>(image), bytes}, device->target(), device->memory());
  if (!object.ok()) return LoadFailure(object.status());
  *module = Runtime::Get().modules.Add(std::make_shared<Module>(device, *std::move(object)));
  return hipSuccess;
}

hipError_t hipModuleUnload(hipModule_t handle) {
  const std::shared_ptr<Module> module = Runtime::Get().modules.Remove(handle);
  if (module == nullptr) return BadModule();
  Runtime::Get().functions.RemoveIf([&](const Function& function) { return function.object == module->object; });
  return hipSuccess;
}

hipError_t hipModuleGetFunction(hipFunction_t* function, hipModule_t handle, const char* name) {
  if (function == nullptr || name == nullptr)
    return Fail(hipErrorInvalidValue, "null pointer for the function or its name");
  const std::shared_ptr<Module> module = Runtime::Get().modules.Find(handle);
  if (module == nullptr) return BadModule();
  const StatusOr<const Kernel*> kernel = module->object->GetKernel(name);
  if (!kernel.ok()) return Fail(hipErrorNotFound, kernel.status().ToString());
  *function = Runtime::Get().functions.Add(std::make_shared<Function>(module->device, module->object, *kernel));
  return hipSuccess;
}

hipError_t hipModuleGetGlobal(hipDeviceptr_t* pointer, size_t* bytes, hipModule_t handle, const char* name) {
  if (name == nullptr) return Fail(hipErrorInvalidValue, "null pointer for the name");
  const std::shared_ptr<Module> module = Runtime::Get().modules.Find(handle);
  if (module == nullptr) return BadModule();
  const std::optional<Symbol> symbol = module->object->FindSymbol(name);
  if (!symbol) return Fail(hipErrorNotFound, fmt::format("the module has no global variable '{}'", name));
  if (pointer != nullptr) *pointer = symbol->address;
  if (bytes != nullptr) *bytes = symbol->size;
  return hipSuccess;
}

hipError_t hipFuncGetAttribute(int* value, hipFunction_attribute attribute, hipFunction_t handle) {
  if (value == nullptr) return Fail(hipErrorInvalidValue, "null pointer for the attribute");
  const std::shared_ptr<Function> function = Runtime::Get().functions.Find(handle);
  if (function == nullptr) return BadFunction();
  const KernelMetadata& metadata = function->kernel->metadata;
  switch (attribute) {
    case HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      return *value = metadata.max_flat_workgroup_size, hipSuccess;
    case HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
      return *value = metadata.static_lds_bytes, hipSuccess;
    case HIP_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
      return *value = 0, hipSuccess;
    case HIP_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
      return *value = metadata.private_segment_bytes, hipSuccess;
    case HIP_FUNC_ATTRIBUTE_NUM_REGS:
      return *value = metadata.vgpr_count, hipSuccess;
    case HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      return *value = function->device->target().lds_bytes - static_cast<int>(metadata.static_lds_bytes), hipSuccess;
  }
  return Fail(hipErrorInvalidValue, fmt::format("no function attribute {}", static_cast<int>(attribute)));
}

hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, hipFunction_t handle, int block_threads,
                                                              size_t dynamic_lds_bytes) {
  const std::shared_ptr<Function> function = Runtime::Get().functions.Find(handle);
  if (function == nullptr) return BadFunction();
  if (blocks == nullptr || block_threads <= 0) return Fail(hipErrorInvalidValue, "no result pointer or no threads");
  const KernelMetadata& metadata = function->kernel->metadata;
  *blocks = WorkgroupsPerComputeUnit(function->device->target(), metadata.vgpr_count,
                                     metadata.static_lds_bytes + dynamic_lds_bytes, block_threads);
  return hipSuccess;
}

hipError_t hipModuleLaunchKernel(hipFunction_t handle, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                 unsigned block_x, unsigned block_y, unsigned block_z, unsigned dynamic_lds_bytes,
                                 hipStream_t stream_handle, void** kernel_params, void** extra) {
  Runtime& runtime = Runtime::Get();
  const std::shared_ptr<Function> function = runtime.functions.Find(handle);
  if (function == nullptr) return BadFunction();
  const std::shared_ptr<Stream> stream = runtime.FindStream(stream_handle);
  if (stream == nullptr) return Fail(hipErrorInvalidHandle, "not a live stream");
  if (stream->device != function->device) {
    return Fail(hipErrorInvalidHandle, "the function was loaded on another device than the stream's");
  }
  PackedArguments arguments = Pack(*function->kernel, kernel_params, extra);
  if (!arguments.error.empty()) return Fail(hipErrorInvalidValue, std::move(arguments.error));
  const LaunchConfig config{{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, dynamic_lds_bytes};
  (void)runtime.Enqueue(*stream, [function, config, bytes = std::move(arguments.bytes)] {
    return Runtime::Get().Launch(*function, config, bytes);
  });
  return hipSuccess;
}

}  // namespace embedded
}  // namespace rocxla::emu
