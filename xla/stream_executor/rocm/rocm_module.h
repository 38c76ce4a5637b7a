// RocmModule: a code object that HIP has loaded; RocmModules: those of one device, by content.
#pragma once
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <vector>

#include "base/hip/code_object_info.h"
#include "xla/stream_executor/kernel.h"
#include "xla/stream_executor/rocm/rocm_status.h"

namespace stream_executor::gpu {

class RocmExecutor;

class RocmModule : public Module, public std::enable_shared_from_this<RocmModule> {
 public:
  // On the thread's current device, which is `executor`'s. Errors: BadCodeObject, EmulatorWrongTarget, HipCallFailed.
  static StatusOr<std::shared_ptr<RocmModule>> Load(RocmExecutor& executor, const HipApi& api,
                                                    std::span<const uint8_t> code_object);
  ~RocmModule() override;

  StatusOr<std::unique_ptr<Kernel>> GetKernel(std::string_view name) override;
  StatusOr<DeviceAddressBase> GetSymbol(std::string_view name) override;

  std::span<const uint8_t> image() const { return image_; }

 private:
  RocmModule(RocmExecutor& executor, const HipApi& api, std::vector<uint8_t> image, rocxla::CodeObjectInfo info)
      : executor_(executor), api_(api), image_(std::move(image)), info_(std::move(info)) {}

  RocmExecutor& executor_;
  const HipApi& api_;
  const std::vector<uint8_t> image_;  // of our own: the runtime may read it later, and it is the module's identity
  const rocxla::CodeObjectInfo info_;
  rocxla::hipModule_t handle_ = nullptr;
};

// Thread-safe.
class RocmModules {
 public:
  // The loaded module of these bytes, or a new one.
  StatusOr<std::shared_ptr<RocmModule>> Load(RocmExecutor& executor, const HipApi& api,
                                             std::span<const uint8_t> code_object);
  // In every loaded module, oldest first: one that lacks the symbol does not end the search.
  StatusOr<DeviceAddressBase> GetSymbol(std::string_view name) const;

 private:
  struct Entry {
    size_t hash;
    std::weak_ptr<RocmModule> module;
  };
  mutable std::mutex mutex_;
  std::vector<Entry> entries_;  // guarded by mutex_; oldest first
};

}  // namespace stream_executor::gpu
