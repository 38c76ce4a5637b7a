// RocmModule and RocmKernel: a code object that HIP has loaded, and a function of it.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/hip/code_object_info.h"
#include "xla/stream_executor/kernel.h"
#include "xla/stream_executor/rocm/rocm_status.h"

namespace stream_executor::gpu {

class RocmExecutor;

class RocmModule : public Module, public std::enable_shared_from_this<RocmModule> {
 public:
  // On the thread's current device, which is `executor`'s. Errors: BadCodeObject, HipCallFailed.
  static StatusOr<std::shared_ptr<RocmModule>> Load(RocmExecutor& executor, const HipApi& api,
                                                    std::span<const uint8_t> code_object);
  ~RocmModule() override;

  StatusOr<std::unique_ptr<Kernel>> GetKernel(std::string_view name) override;
  StatusOr<DeviceAddressBase> GetSymbol(std::string_view name) override;

 private:
  RocmModule(RocmExecutor& executor, const HipApi& api, rocxla::hipModule_t handle, rocxla::CodeObjectInfo info)
      : executor_(executor), api_(api), handle_(handle), info_(std::move(info)) {}
  RocmExecutor& executor_;
  const HipApi& api_;
  const rocxla::hipModule_t handle_;
  const rocxla::CodeObjectInfo info_;
};

class RocmKernel : public Kernel {
 public:
  RocmKernel(RocmExecutor& executor, const HipApi& api, std::shared_ptr<RocmModule> module, std::string name,
             rocxla::hipFunction_t handle, KernelMetadata metadata, std::vector<KernelArgs::Slot> arguments)
      : executor_(executor),
        api_(api),
        module_(std::move(module)),
        name_(std::move(name)),
        handle_(handle),
        metadata_(metadata),
        arguments_(std::move(arguments)) {}

  std::string_view name() const override { return name_; }
  const std::vector<KernelArgs::Slot>& arguments() const override { return arguments_; }
  const KernelMetadata& metadata() const override { return metadata_; }
  StatusOr<int> GetMaxOccupiedBlocksPerCore(const ThreadDim& threads, uint32_t dynamic_shared_bytes) const override;
  Status Launch(const LaunchDimensions& dims, Stream& stream, const KernelArgs& args) const override;

 private:
  Status CheckArguments(const KernelArgs& args) const;
  Status CheckDimensions(const LaunchDimensions& dims, uint32_t dynamic_shared_bytes) const;

  RocmExecutor& executor_;
  const HipApi& api_;
  const std::shared_ptr<RocmModule> module_;
  const std::string name_;
  const rocxla::hipFunction_t handle_;
  const KernelMetadata metadata_;
  const std::vector<KernelArgs::Slot> arguments_;
};

}  // namespace stream_executor::gpu
