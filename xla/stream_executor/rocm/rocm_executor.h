// RocmExecutor: a device of a HIP runtime, real or embedded.
#pragma once
#include <memory>
#include <mutex>
#include <unordered_map>

#include "xla/stream_executor/rocm/rocm_status.h"
#include "xla/stream_executor/stream_executor.h"

namespace stream_executor::gpu {

class RocmExecutor : public StreamExecutor {
 public:
  // `platform` and `api` outlive the executor.
  static StatusOr<std::unique_ptr<RocmExecutor>> Create(const Platform& platform, const HipApi& api, int ordinal);

  const Platform& GetPlatform() const override { return platform_; }
  int device_ordinal() const override { return ordinal_; }
  const DeviceDescription& GetDeviceDescription() const override { return *description_; }

  StatusOr<DeviceAddressBase> Allocate(uint64_t size_bytes, MemorySpace space) override;
  Status Deallocate(const DeviceAddressBase& address) override;
  StatusOr<DeviceMemoryUsage> GetDeviceMemoryUsage() const override;

  Status SynchronousMemcpy(const DeviceAddressBase& device_dst, const void* host_src, uint64_t size_bytes) override;
  Status SynchronousMemcpy(void* host_dst, const DeviceAddressBase& device_src, uint64_t size_bytes) override;
  Status SynchronizeAllActivity() override;

  StatusOr<std::unique_ptr<Stream>> CreateStream(StreamPriority priority) override;
  StatusOr<std::unique_ptr<Event>> CreateEvent(EventTiming timing) override;
  StatusOr<std::chrono::duration<float, std::milli>> ElapsedTime(const Event& start, const Event& stop) override;
  StatusOr<std::shared_ptr<Module>> LoadModule(std::span<const uint8_t> code_object) override;

 private:
  RocmExecutor(const Platform& platform, const HipApi& api, int ordinal, std::unique_ptr<DeviceDescription> description)
      : platform_(platform), api_(api), ordinal_(ordinal), description_(std::move(description)) {}
  Status OutOfMemory(uint64_t size_bytes, Status cause) const;

  const Platform& platform_;
  const HipApi& api_;
  const int ordinal_;
  const std::unique_ptr<DeviceDescription> description_;
  std::mutex mutex_;
  std::unordered_map<void*, MemorySpace> allocations_;  // guarded by mutex_
};

// InvalidArgument when a device range is too small for `what`, an operation on so many bytes.
Status CheckFits(std::string_view what, const DeviceAddressBase& address, uint64_t size_bytes);

}  // namespace stream_executor::gpu
