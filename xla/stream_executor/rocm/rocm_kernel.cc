#include "xla/stream_executor/rocm/rocm_kernel.h"

#include <fmt/format.h>

#include <algorithm>

#include "xla/stream_executor/rocm/rocm_executor.h"
#include "xla/stream_executor/rocm/rocm_stream.h"

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

std::string KernelNames(const rocxla::CodeObjectInfo& info) {
  std::string names;
  for (const auto& kernel : info.kernels) names += fmt::format("{}{}", names.empty() ? "" : ", ", kernel.name);
  return names.empty() ? "none" : names;
}

std::string SlotText(const KernelArgs::Slot& slot) { return fmt::format("{} bytes at {}", slot.size, slot.offset); }

}  // namespace

StatusOr<std::shared_ptr<RocmModule>> RocmModule::Load(RocmExecutor& executor, const HipApi& api,
                                                       std::span<const uint8_t> code_object) {
  ASSIGN_OR_RETURN(rocxla::CodeObjectInfo info, rocxla::ReadCodeObject(code_object));
  if (rocxla::CodeObjectSize(code_object.data()) > code_object.size()) {
    return Error(ErrorId::kBadCodeObject,
                 {.what = "the code object is cut short", .found = fmt::format("{} bytes", code_object.size())});
  }
  rocxla::hipModule_t handle = nullptr;
  const hipError_t error = api.hipModuleLoadData(&handle, code_object.data());
  if (error == rocxla::hipErrorNoBinaryForGpu) {
    return Error(ErrorId::kBadCodeObject, {.what = "the code object is for another GPU",
                                           .where = executor.GetDeviceDescription().name(),
                                           .found = fmt::format("a code object for {}", info.target),
                                           .expected = executor.GetDeviceDescription().gcn_arch_name()});
  }
  RETURN_IF_ERROR(ToStatus(error, api, "hipModuleLoadData"));
  return std::shared_ptr<RocmModule>(new RocmModule(executor, api, handle, std::move(info)));
}

RocmModule::~RocmModule() { (void)api_.hipModuleUnload(handle_); }

StatusOr<std::unique_ptr<Kernel>> RocmModule::GetKernel(std::string_view name) {
  const rocxla::CodeObjectKernel* kernel = info_.Find(name);
  if (kernel == nullptr) {
    return rocxla::NotFoundError(fmt::format("the module has no kernel '{}'; it has: {}", name, KernelNames(info_)));
  }
  rocxla::hipFunction_t function = nullptr;
  RETURN_IF_HIP_ERROR(api_, hipModuleGetFunction, &function, handle_, kernel->name.c_str());
  ASSIGN_OR_RETURN(KernelMetadata metadata, ReadMetadata(api_, function));
  std::vector<KernelArgs::Slot> arguments;
  for (const auto& argument : kernel->arguments) arguments.push_back({argument.offset, argument.size});
  return std::unique_ptr<Kernel>(std::make_unique<RocmKernel>(executor_, api_, shared_from_this(), kernel->name,
                                                              function, metadata, std::move(arguments)));
}

StatusOr<DeviceAddressBase> RocmModule::GetSymbol(std::string_view name) {
  rocxla::hipDeviceptr_t pointer = nullptr;
  size_t bytes = 0;
  const hipError_t error = api_.hipModuleGetGlobal(&pointer, &bytes, handle_, std::string(name).c_str());
  if (error == rocxla::hipErrorNotFound) {
    return rocxla::NotFoundError(fmt::format("the module has no global variable '{}'", name));
  }
  RETURN_IF_ERROR(ToStatus(error, api_, "hipModuleGetGlobal"));
  return DeviceAddressBase(pointer, bytes);
}

StatusOr<int> RocmKernel::GetMaxOccupiedBlocksPerCore(const ThreadDim& threads, uint32_t dynamic_shared_bytes) const {
  int blocks = 0;
  RETURN_IF_HIP_ERROR(api_, hipModuleOccupancyMaxActiveBlocksPerMultiprocessor, &blocks, handle_,
                      static_cast<int>(threads.count()), dynamic_shared_bytes);
  return blocks;
}

Status RocmKernel::CheckArguments(const KernelArgs& args) const {
  auto wrong = [this](std::string found, std::string expected) {
    return Error(ErrorId::kWrongInputs, {.what = "the arguments do not fit the kernel",
                                         .where = fmt::format("kernel '{}'", name_),
                                         .found = std::move(found),
                                         .expected = std::move(expected)});
  };
  if (args.number_of_arguments() != arguments_.size()) {
    return wrong(fmt::format("{} arguments", args.number_of_arguments()), fmt::format("{}", arguments_.size()));
  }
  for (size_t i = 0; i < arguments_.size(); ++i) {
    if (args.slots()[i] == arguments_[i]) continue;
    return wrong(fmt::format("argument {}: {}", i, SlotText(args.slots()[i])), SlotText(arguments_[i]));
  }
  return OkStatus();
}

Status RocmKernel::CheckDimensions(const LaunchDimensions& dims, uint32_t dynamic_shared_bytes) const {
  auto wrong = [this](std::string found, std::string expected) {
    return Error(ErrorId::kWrongInputs, {.what = "the launch does not fit the kernel or the device",
                                         .where = fmt::format("kernel '{}'", name_),
                                         .found = std::move(found),
                                         .expected = std::move(expected)});
  };
  const DeviceDescription& device = executor_.GetDeviceDescription();
  auto exceeds = [](const Dim3D& d, const Dim3D& limit) {
    return std::min({d.x, d.y, d.z}) == 0 || d.x > limit.x || d.y > limit.y || d.z > limit.z;
  };
  auto text = [](const Dim3D& d) { return fmt::format("{} x {} x {}", d.x, d.y, d.z); };
  if (exceeds(dims.blocks, device.block_dim_limit())) {
    return wrong(fmt::format("a grid of {} blocks", text(dims.blocks)),
                 fmt::format("1 x 1 x 1 to {}", text(device.block_dim_limit())));
  }
  if (exceeds(dims.threads, device.thread_dim_limit()) ||
      dims.threads.count() > static_cast<uint64_t>(metadata_.max_threads_per_block)) {
    return wrong(fmt::format("blocks of {} threads", text(dims.threads)),
                 fmt::format("1 to {} threads", metadata_.max_threads_per_block));
  }
  const int64_t shared_bytes = metadata_.shared_memory_bytes + dynamic_shared_bytes;
  if (shared_bytes > device.shared_memory_per_block()) {
    return wrong(fmt::format("{} bytes of shared memory", shared_bytes),
                 fmt::format("at most {}", device.shared_memory_per_block()));
  }
  return OkStatus();
}

Status RocmKernel::Launch(const LaunchDimensions& dims, Stream& stream, const KernelArgs& args) const {
  if (&stream.parent() != static_cast<StreamExecutor*>(&executor_)) {
    return rocxla::InvalidArgumentError(
        fmt::format("kernel '{}' was loaded on another device than the stream's", name_));
  }
  auto& rocm_stream = static_cast<RocmStream&>(stream);
  RETURN_IF_ERROR(rocm_stream.known_failure());
  RETURN_IF_ERROR(CheckArguments(args));
  RETURN_IF_ERROR(CheckDimensions(dims, args.number_of_shared_bytes()));
  size_t bytes = args.packed().size();
  void* buffer = const_cast<std::byte*>(args.packed().data());
  void* extra[] = {rocxla::HIP_LAUNCH_PARAM_BUFFER_POINTER, buffer, rocxla::HIP_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                   rocxla::HIP_LAUNCH_PARAM_END};
  auto narrow = [](uint64_t n) { return static_cast<unsigned>(n); };
  RETURN_IF_HIP_ERROR(api_, hipModuleLaunchKernel, handle_, narrow(dims.blocks.x), narrow(dims.blocks.y),
                      narrow(dims.blocks.z), narrow(dims.threads.x), narrow(dims.threads.y), narrow(dims.threads.z),
                      args.number_of_shared_bytes(), rocm_stream.handle(), nullptr, bytes == 0 ? nullptr : extra);
  return OkStatus();
}

}  // namespace stream_executor::gpu
