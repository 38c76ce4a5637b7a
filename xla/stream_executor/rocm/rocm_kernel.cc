#include "xla/stream_executor/rocm/rocm_kernel.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error_ids.h"
#include "xla/stream_executor/rocm/rocm_executor.h"
#include "xla/stream_executor/rocm/rocm_stream.h"
#include "xla/stream_executor/rocm/scoped_device.h"

namespace stream_executor::gpu {
namespace {

StatusOr<KernelMetadata> ReadMetadata(const HipApi& api, rocxla::hipFunction_t function) {
  using namespace rocxla;  // the attributes' names
  int threads = 0, lds = 0, local = 0, registers = 0;
  RETURN_IF_HIP_ERROR(api, hipFuncGetAttribute, &threads, HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function);
  RETURN_IF_HIP_ERROR(api, hipFuncGetAttribute, &lds, HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function);
  RETURN_IF_HIP_ERROR(api, hipFuncGetAttribute, &local, HIP_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, function);
  RETURN_IF_HIP_ERROR(api, hipFuncGetAttribute, &registers, HIP_FUNC_ATTRIBUTE_NUM_REGS, function);
  return KernelMetadata{registers, lds, local, threads};
}

std::string SlotText(const KernelArgs::Slot& slot) { return fmt::format("{} bytes at {}", slot.size, slot.offset); }

bool IsEmpty(const Dim3D& dim) { return std::min({dim.x, dim.y, dim.z}) == 0; }
bool Exceeds(const Dim3D& dim, const Dim3D& limit) { return dim.x > limit.x || dim.y > limit.y || dim.z > limit.z; }

}  // namespace

StatusOr<std::unique_ptr<RocmKernel>> RocmKernel::Create(RocmExecutor& executor, const HipApi& api,
                                                         std::shared_ptr<RocmModule> module, std::string name,
                                                         rocxla::hipFunction_t handle,
                                                         std::vector<KernelArgs::Slot> arguments) {
  ASSIGN_OR_RETURN(const KernelMetadata metadata, ReadMetadata(api, handle));
  return std::unique_ptr<RocmKernel>(
      new RocmKernel(executor, api, std::move(module), std::move(name), handle, metadata, std::move(arguments)));
}

StatusOr<int> RocmKernel::GetMaxOccupiedBlocksPerCore(const ThreadDim& threads, uint32_t dynamic_shared_bytes) const {
  LaunchDimensions dims;
  dims.threads = threads;
  RETURN_IF_ERROR(CheckDimensions(dims, dynamic_shared_bytes));
  ASSIGN_OR_RETURN(const ScopedDevice device, ScopedDevice::Activate(api_, executor_.device_ordinal()));
  int blocks = 0;
  RETURN_IF_HIP_ERROR(api_, hipModuleOccupancyMaxActiveBlocksPerMultiprocessor, &blocks, handle_,
                      static_cast<int>(threads.count()), dynamic_shared_bytes);
  return blocks;
}

Status RocmKernel::Misfit(std::string what, std::string found, std::string expected) const {
  return Error(ErrorId::kWrongInputs, {.what = std::move(what),
                                       .where = fmt::format("kernel '{}'", name_),
                                       .found = std::move(found),
                                       .expected = std::move(expected)});
}

Status RocmKernel::CheckArguments(const KernelArgs& args) const {
  constexpr const char* kWhat = "the arguments do not fit the kernel";
  if (args.number_of_arguments() != arguments_.size()) {
    return Misfit(kWhat, fmt::format("{} arguments", args.number_of_arguments()), fmt::format("{}", arguments_.size()));
  }
  for (size_t i = 0; i < arguments_.size(); ++i) {
    if (args.slots()[i] == arguments_[i]) continue;
    return Misfit(kWhat, fmt::format("argument {}: {}", i, SlotText(args.slots()[i])), SlotText(arguments_[i]));
  }
  return OkStatus();
}

Status RocmKernel::CheckDimensions(const LaunchDimensions& dims, uint32_t dynamic_shared_bytes) const {
  constexpr const char* kWhat = "the launch does not fit the kernel or the device";
  const DeviceDescription& device = executor_.GetDeviceDescription();
  // A limit that the device does not tell is the runtime's to check.
  if (IsEmpty(dims.blocks) || (device.has_block_dim_limit() && Exceeds(dims.blocks, device.block_dim_limit()))) {
    return Misfit(kWhat, fmt::format("a grid of {} blocks", dims.blocks.ToString()),
                  fmt::format("1 x 1 x 1 to {}", device.block_dim_limit().ToString()));
  }
  if (IsEmpty(dims.threads) || (device.has_thread_dim_limit() && Exceeds(dims.threads, device.thread_dim_limit())) ||
      dims.threads.count() > static_cast<uint64_t>(metadata_.max_threads_per_block)) {
    return Misfit(kWhat, fmt::format("blocks of {} threads", dims.threads.ToString()),
                  fmt::format("1 to {} threads", metadata_.max_threads_per_block));
  }
  const int64_t shared_bytes = metadata_.shared_memory_bytes + dynamic_shared_bytes;
  if (device.has_shared_memory_per_block() && shared_bytes > device.shared_memory_per_block()) {
    return Misfit(kWhat, fmt::format("{} bytes of shared memory", shared_bytes),
                  fmt::format("at most {}", device.shared_memory_per_block()));
  }
  return OkStatus();
}

Status RocmKernel::Check(const LaunchDimensions& dims, const KernelArgs& args) const {
  RETURN_IF_ERROR(CheckArguments(args));
  return CheckDimensions(dims, args.number_of_shared_bytes());
}

Status RocmKernel::Launch(const LaunchDimensions& dims, Stream& stream, const KernelArgs& args) const {
  if (&stream.parent() != static_cast<StreamExecutor*>(&executor_)) {
    return Error(ErrorId::kWrongDevice, {.what = "the kernel was loaded on another device than the stream's",
                                         .where = fmt::format("kernel '{}'", name_),
                                         .found = fmt::format("a stream of {}", DeviceText(stream.parent())),
                                         .expected = fmt::format("a stream of {}", DeviceText(executor_))});
  }
  auto& rocm_stream = static_cast<RocmStream&>(stream);
  RETURN_IF_ERROR(rocm_stream.known_failure());
  RETURN_IF_ERROR(Check(dims, args));
  ASSIGN_OR_RETURN(const ScopedDevice device, ScopedDevice::Activate(api_, executor_.device_ordinal()));
  size_t bytes = args.packed().size();
  void* buffer = const_cast<std::byte*>(args.packed().data());
  void* extra[] = {rocxla::HIP_LAUNCH_PARAM_BUFFER_POINTER, buffer, rocxla::HIP_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                   rocxla::HIP_LAUNCH_PARAM_END};
  auto narrow = [](uint64_t n) { return static_cast<unsigned>(n); };
  RETURN_IF_HIP_ERROR(api_, hipModuleLaunchKernel, handle_, narrow(dims.blocks.x), narrow(dims.blocks.y),
                      narrow(dims.blocks.z), narrow(dims.threads.x), narrow(dims.threads.y), narrow(dims.threads.z),
                      args.number_of_shared_bytes(), rocm_stream.handle(), nullptr, bytes == 0 ? nullptr : extra);
  rocm_stream.NoteLaunch(module_);
  return OkStatus();
}

}  // namespace stream_executor::gpu
