// ROCmPlatform: the devices of one HIP runtime.
#pragma once
#include <memory>
#include <mutex>
#include <string>

#include "xla/stream_executor/executor_cache.h"
#include "xla/stream_executor/platform.h"
#include "xla/stream_executor/rocm/rocm_platform_id.h"
#include "xla/stream_executor/rocm/rocm_status.h"

namespace stream_executor::gpu {

// Opens the runtime lazily: hipInit is called once, however many threads ask, and a failure is remembered. Thread-safe.
class ROCmPlatform : public Platform {
 public:
  // `provider`: a name of base/hip/hip_providers.h. That of real GPUs, "hip", gives the platform "ROCM"; another, such
  // as "embedded", the platform "ROCM:embedded".
  explicit ROCmPlatform(std::string provider);

  Id id() const override;
  const std::string& Name() const override { return name_; }
  int VisibleDeviceCount() const override;
  Status InitStatus() const override;
  StatusOr<std::unique_ptr<DeviceDescription>> DescriptionForDevice(int ordinal) const override;
  StatusOr<StreamExecutor*> ExecutorForDevice(int ordinal) override;
  StatusOr<StreamExecutor*> FindExisting(int ordinal) override;

  const std::string& provider() const { return provider_; }
  // The initialised runtime, or why there is none.
  StatusOr<const HipApi*> hip() const;

 private:
  StatusOr<std::unique_ptr<StreamExecutor>> GetUncachedExecutor(int ordinal) const;
  Status CheckOrdinal(const HipApi& api, int ordinal) const;
  // Where to read what Linux knows of the devices; a folder that does not exist for devices that Linux does not have.
  std::string sysfs_root() const;

  const std::string provider_;
  const std::string name_;
  mutable std::once_flag init_once_;
  mutable StatusOr<const HipApi*> hip_;  // set under init_once_
  ExecutorCache executor_cache_;
};

// The platform of a HIP provider, registered with PlatformManager at the first call. PlatformNotFound for an unknown
// provider.
StatusOr<ROCmPlatform*> RocmPlatformOf(std::string_view provider);

}  // namespace stream_executor::gpu
