#include "xla/stream_executor/rocm/rocm_module.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>

#include "base/error_ids.h"
#include "base/hip/offload_bundle.h"
#include "xla/stream_executor/rocm/rocm_executor.h"
#include "xla/stream_executor/rocm/rocm_kernel.h"
#include "xla/stream_executor/rocm/scoped_device.h"

namespace stream_executor::gpu {
namespace {

std::string KernelNames(const rocxla::CodeObjectInfo& info) {
  std::string names;
  for (const auto& kernel : info.kernels) names += fmt::format("{}{}", names.empty() ? "" : ", ", kernel.name);
  return names.empty() ? "none" : names;
}

Status WrongTarget(const DeviceDescription& device, const rocxla::CodeObjectInfo& info) {
  return Error(ErrorId::kEmulatorWrongTarget,
               {.what = "the code object is for another GPU",
                .where = device.name(),
                .found = fmt::format("a code object for {}", info.target),
                .expected = device.gcn_arch_name(),
                .next = fmt::format("compile it for this GPU, or use a device of {}", info.target)});
}

Status NoSymbol(std::string_view name, std::string_view where) {
  return Error(ErrorId::kSymbolNotFound, {.what = "there is no global variable of this name",
                                          .where = std::string(where),
                                          .found = fmt::format("'{}'", name)});
}

}  // namespace

StatusOr<std::shared_ptr<RocmModule>> RocmModule::Load(RocmExecutor& executor, const HipApi& api,
                                                       std::span<const uint8_t> code_object) {
  if (rocxla::IsOffloadBundle(code_object)) {
    ASSIGN_OR_RETURN(const std::vector<uint8_t> selected,
                     rocxla::SelectFromBundle(code_object, executor.GetDeviceDescription().gcn_arch_name()));
    return Load(executor, api, selected);
  }
  ASSIGN_OR_RETURN(rocxla::CodeObjectInfo info, rocxla::ReadCodeObject(code_object));
  if (rocxla::CodeObjectSize(code_object.data()) > code_object.size()) {
    return Error(ErrorId::kBadCodeObject,
                 {.what = "the code object is cut short", .found = fmt::format("{} bytes", code_object.size())});
  }
  std::shared_ptr<RocmModule> module(new RocmModule(executor, api, {code_object.begin(), code_object.end()}, info));
  const hipError_t error = api.hipModuleLoadData(&module->handle_, module->image_.data());
  if (error == hipSuccess) return module;
  module->handle_ = nullptr;
  const Status status = ToStatus(error, api, "hipModuleLoadData");
  if (error == rocxla::hipErrorNoBinaryForGpu) return WrongTarget(executor.GetDeviceDescription(), info);
  return status;
}

RocmModule::~RocmModule() {
  if (handle_ == nullptr) return;
  const StatusOr<ScopedDevice> device = ScopedDevice::Activate(api_, executor_.device_ordinal());
  (void)api_.hipModuleUnload(handle_);
}

StatusOr<std::unique_ptr<Kernel>> RocmModule::GetKernel(std::string_view name) {
  const rocxla::CodeObjectKernel* kernel = info_.Find(name);
  if (kernel == nullptr) {
    return Error(ErrorId::kEmulatorUnknownKernel, {.what = "the module has no kernel of this name",
                                                   .where = fmt::format("a code object for {}", info_.target),
                                                   .found = fmt::format("'{}'", name),
                                                   .expected = fmt::format("one of: {}", KernelNames(info_))});
  }
  ASSIGN_OR_RETURN(const ScopedDevice device, ScopedDevice::Activate(api_, executor_.device_ordinal()));
  rocxla::hipFunction_t function = nullptr;
  RETURN_IF_HIP_ERROR(api_, hipModuleGetFunction, &function, handle_, kernel->name.c_str());
  std::vector<KernelArgs::Slot> arguments;
  for (const auto& argument : kernel->arguments) arguments.push_back({argument.offset, argument.size});
  ASSIGN_OR_RETURN(std::unique_ptr<RocmKernel> made, RocmKernel::Create(executor_, api_, shared_from_this(),
                                                                        kernel->name, function, std::move(arguments)));
  return std::unique_ptr<Kernel>(std::move(made));
}

StatusOr<DeviceAddressBase> RocmModule::GetSymbol(std::string_view name) {
  ASSIGN_OR_RETURN(const ScopedDevice device, ScopedDevice::Activate(api_, executor_.device_ordinal()));
  rocxla::hipDeviceptr_t pointer = nullptr;
  size_t bytes = 0;
  const hipError_t error = api_.hipModuleGetGlobal(&pointer, &bytes, handle_, std::string(name).c_str());
  if (error == hipSuccess) return DeviceAddressBase(pointer, bytes);
  const Status status = ToStatus(error, api_, "hipModuleGetGlobal");
  if (error == rocxla::hipErrorNotFound) return NoSymbol(name, fmt::format("a code object for {}", info_.target));
  return status;
}

StatusOr<std::shared_ptr<RocmModule>> RocmModules::Load(RocmExecutor& executor, const HipApi& api,
                                                        std::span<const uint8_t> code_object) {
  const std::string_view bytes(reinterpret_cast<const char*>(code_object.data()), code_object.size());
  const size_t hash = std::hash<std::string_view>()(bytes);
  std::lock_guard lock(mutex_);
  std::erase_if(entries_, [](const Entry& entry) { return entry.module.expired(); });
  for (const Entry& entry : entries_) {
    if (entry.hash != hash) continue;
    std::shared_ptr<RocmModule> module = entry.module.lock();
    if (module != nullptr && std::ranges::equal(module->image(), code_object)) return module;
  }
  ASSIGN_OR_RETURN(std::shared_ptr<RocmModule> module, RocmModule::Load(executor, api, code_object));
  entries_.push_back({hash, module});
  return module;
}

StatusOr<DeviceAddressBase> RocmModules::GetSymbol(std::string_view name) const {
  std::vector<std::shared_ptr<RocmModule>> modules;
  {
    std::lock_guard lock(mutex_);
    for (const Entry& entry : entries_) {
      if (std::shared_ptr<RocmModule> module = entry.module.lock()) modules.push_back(std::move(module));
    }
  }
  Status failure;  // the first that is more than a miss
  for (const std::shared_ptr<RocmModule>& module : modules) {
    StatusOr<DeviceAddressBase> found = module->GetSymbol(name);
    if (found.ok()) return found;
    if (failure.ok() && found.status().id() != ErrorId::kSymbolNotFound) failure = found.status();
  }
  RETURN_IF_ERROR(failure);
  return NoSymbol(name, fmt::format("the {} loaded modules", modules.size()));
}

}  // namespace stream_executor::gpu
