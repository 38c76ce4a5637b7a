// The embedded HIP functions about modules, functions and launches.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/error_ids.h"
#include "base/hip/code_object_info.h"
#include "base/hip/offload_bundle.h"
#include "emulator/hip/hip_call.h"
#include "emulator/hip/kernel_arguments.h"
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

hipError_t SubmitLaunch(hipFunction_t handle, const LaunchConfig& config, hipStream_t stream_handle,
                        void** kernel_params, void** extra) {
  Runtime& runtime = Runtime::Get();
  std::shared_ptr<Function> function = runtime.functions.Find(handle);
  if (function == nullptr) return BadFunction();
  const std::shared_ptr<Stream> stream = runtime.FindStream(stream_handle);
  if (stream == nullptr) return NotLive("stream");
  if (stream->device != function->device) {
    return Fail(hipErrorInvalidHandle, "the function was loaded on another device than the stream's");
  }
  // Told at once, as HIP does: the stream lives on.
  if (Status fits = CheckLaunch(*function->kernel, config); !fits.ok()) {
    return Fail(hipErrorInvalidConfiguration, fits.ToString());
  }
  PackedArguments arguments = PackArguments(*function->kernel, kernel_params, extra);
  if (!arguments.error.empty()) return Fail(hipErrorInvalidValue, std::move(arguments.error));
  return Report(runtime.Submit(stream, KernelOperation{std::move(function), config, std::move(arguments.bytes)}));
}

// Workgroups that wait for each other must all have a place on the device.
hipError_t CheckWholeGridFits(const Function& function, const LaunchConfig& config) {
  const auto [gx, gy, gz] = config.grid_blocks;
  const auto [bx, by, bz] = config.block_threads;
  const uint64_t blocks = uint64_t{gx} * gy * gz, threads = uint64_t{bx} * by * bz;
  const GpuTarget& target = function.device->target();
  if (threads == 0 || threads > static_cast<uint64_t>(target.max_block_threads)) return hipSuccess;  // the launch tells
  const KernelMetadata& metadata = function.kernel->metadata;
  const int64_t lds_bytes = int64_t{metadata.static_lds_bytes} + config.dynamic_lds_bytes;
  const int each = WorkgroupsPerMultiprocessor(target, metadata.vgpr_count, lds_bytes, static_cast<int>(threads));
  const int multiprocessors = function.device->multiprocessors();
  const uint64_t limit = static_cast<uint64_t>(each) * multiprocessors;
  if (blocks <= limit) return hipSuccess;
  return Fail(hipErrorCooperativeLaunchTooLarge,
              fmt::format("kernel '{}': {} workgroups are launched cooperatively, {} fit the device at the same time "
                          "({} on each of {} multiprocessors)",
                          function.kernel->name, blocks, limit, each, multiprocessors));
}

}  // namespace

namespace embedded {

hipError_t hipModuleLoadData(hipModule_t* module, const void* image) {
  if (module == nullptr || image == nullptr)
    return Fail(hipErrorInvalidValue, "null pointer for the module or its image");
  EmbeddedDevice* device = Runtime::Get().device(CurrentDevice());
  if (device == nullptr) return NoDevice(CurrentDevice());
  const auto* first = static_cast<const uint8_t*>(image);
  std::span<const uint8_t> code(first, CodeObjectSize(image));
  std::vector<uint8_t> selected;
  if (const uint64_t bundle_bytes = OffloadBundleSize(image); bundle_bytes != 0) {
    StatusOr<std::vector<uint8_t>> best = SelectFromBundle({first, bundle_bytes}, device->target().name);
    if (!best.ok()) return LoadFailure(best.status());
    selected = std::move(*best);
    code = selected;
  }
  if (code.empty()) return Fail(hipErrorInvalidImage, "the image is no 64-bit ELF file, and no offload bundle");
  auto object = CodeObject::Load(code, device->target(), device->memory());
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
  *blocks = WorkgroupsPerMultiprocessor(function->device->target(), metadata.vgpr_count,
                                        metadata.static_lds_bytes + dynamic_lds_bytes, block_threads);
  return hipSuccess;
}

// As many threads per workgroup as the kernel allows, in whole waves, and as many workgroups as then fit the device.
hipError_t hipModuleOccupancyMaxPotentialBlockSize(int* grid_blocks, int* block_threads, hipFunction_t handle,
                                                   size_t dynamic_lds_bytes, int block_thread_limit) {
  if (grid_blocks == nullptr || block_threads == nullptr) return NullPointer("a size");
  const std::shared_ptr<Function> function = Runtime::Get().functions.Find(handle);
  if (function == nullptr) return BadFunction();
  const GpuTarget& target = function->device->target();
  const KernelMetadata& metadata = function->kernel->metadata;
  int threads = target.max_block_threads;
  if (metadata.max_flat_workgroup_size != 0) threads = std::min<int>(threads, metadata.max_flat_workgroup_size);
  if (block_thread_limit > 0) threads = std::min(threads, block_thread_limit);
  if (threads > target.wave_size) threads = threads / target.wave_size * target.wave_size;
  const int per_core = WorkgroupsPerMultiprocessor(
      target, metadata.vgpr_count, metadata.static_lds_bytes + static_cast<int64_t>(dynamic_lds_bytes), threads);
  if (per_core == 0) return Fail(hipErrorInvalidConfiguration, "no workgroup of the kernel fits on a multiprocessor");
  *block_threads = threads;
  return *grid_blocks = per_core * function->device->multiprocessors(), hipSuccess;
}

// Takes a function of a module in place of a host symbol. The limit on dynamic LDS is the device's, always.
hipError_t hipFuncSetAttribute(const void* handle, hipFuncAttribute attribute, int value) {
  const std::shared_ptr<Function> function =
      Runtime::Get().functions.Find(static_cast<hipFunction_t>(const_cast<void*>(handle)));
  if (function == nullptr) return BadFunction();
  switch (attribute) {
    case hipFuncAttributeMaxDynamicSharedMemorySize: {
      const int limit =
          function->device->target().lds_bytes - static_cast<int>(function->kernel->metadata.static_lds_bytes);
      if (value >= 0 && value <= limit) return hipSuccess;
      return Fail(hipErrorInvalidValue,
                  fmt::format("{} bytes of dynamic LDS; the kernel can have 0 to {}", value, limit));
    }
    case hipFuncAttributePreferredSharedMemoryCarveout:
      if (value >= -1 && value <= 100) return hipSuccess;  // LDS is never shared with a cache
      return Fail(hipErrorInvalidValue, "a carveout is a percentage, or -1");
  }
  return Fail(hipErrorInvalidValue, fmt::format("no function attribute {}", static_cast<int>(attribute)));
}

hipError_t hipModuleLaunchKernel(hipFunction_t handle, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                 unsigned block_x, unsigned block_y, unsigned block_z, unsigned dynamic_lds_bytes,
                                 hipStream_t stream, void** kernel_params, void** extra) {
  const LaunchConfig config{{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, dynamic_lds_bytes};
  return SubmitLaunch(handle, config, stream, kernel_params, extra);
}

hipError_t hipModuleLaunchCooperativeKernel(hipFunction_t handle, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                            unsigned block_x, unsigned block_y, unsigned block_z,
                                            unsigned dynamic_lds_bytes, hipStream_t stream, void** kernel_params) {
  const LaunchConfig config{
      {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, dynamic_lds_bytes, Residency::kWholeGrid};
  const std::shared_ptr<Function> function = Runtime::Get().functions.Find(handle);
  if (function == nullptr) return BadFunction();
  if (hipError_t error = CheckWholeGridFits(*function, config); error != hipSuccess) return error;
  return SubmitLaunch(handle, config, stream, kernel_params, nullptr);
}

}  // namespace embedded
}  // namespace rocxla::emu
