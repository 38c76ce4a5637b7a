// RocmKernel: a function of a code object that HIP has loaded.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "xla/stream_executor/kernel.h"
#include "xla/stream_executor/rocm/rocm_status.h"

namespace stream_executor::gpu {

class RocmExecutor;
class RocmModule;

class RocmKernel : public Kernel {
 public:
  // `module` stays loaded as long as the kernel; it belongs to `executor`, whose device is the thread's current one.
  static StatusOr<std::unique_ptr<RocmKernel>> Create(RocmExecutor& executor, const HipApi& api,
                                                      std::shared_ptr<RocmModule> module, std::string name,
                                                      rocxla::hipFunction_t handle,
                                                      std::vector<KernelArgs::Slot> arguments);

  std::string_view name() const override { return name_; }
  const std::vector<KernelArgs::Slot>& arguments() const override { return arguments_; }
  const KernelMetadata& metadata() const override { return metadata_; }
  StatusOr<int> GetMaxOccupiedBlocksPerCore(const ThreadDim& threads, uint32_t dynamic_shared_bytes) const override;
  Status Launch(const LaunchDimensions& dims, Stream& stream, const KernelArgs& args) const override;

  // WrongInputs unless number, places and sizes of the arguments, the dimensions and the LDS all fit.
  Status Check(const LaunchDimensions& dims, const KernelArgs& args) const;
  const RocmExecutor& executor() const { return executor_; }
  rocxla::hipFunction_t handle() const { return handle_; }
  const std::shared_ptr<RocmModule>& module() const { return module_; }

 private:
  RocmKernel(RocmExecutor& executor, const HipApi& api, std::shared_ptr<RocmModule> module, std::string name,
             rocxla::hipFunction_t handle, KernelMetadata metadata, std::vector<KernelArgs::Slot> arguments)
      : executor_(executor),
        api_(api),
        module_(std::move(module)),
        name_(std::move(name)),
        handle_(handle),
        metadata_(metadata),
        arguments_(std::move(arguments)) {}
  Status CheckArguments(const KernelArgs& args) const;
  Status CheckDimensions(const LaunchDimensions& dims, uint32_t dynamic_shared_bytes) const;
  Status Misfit(std::string what, std::string found, std::string expected) const;

  RocmExecutor& executor_;
  const HipApi& api_;
  const std::shared_ptr<RocmModule> module_;
  const std::string name_;
  const rocxla::hipFunction_t handle_;
  const KernelMetadata metadata_;
  const std::vector<KernelArgs::Slot> arguments_;
};

}  // namespace stream_executor::gpu
