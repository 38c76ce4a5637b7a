// RocmExecutor: a device of a HIP runtime, real or embedded.
#pragma once
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "xla/stream_executor/rocm/idle_streams.h"
#include "xla/stream_executor/rocm/rocm_constants.h"
#include "xla/stream_executor/rocm/rocm_memory.h"
#include "xla/stream_executor/rocm/rocm_module.h"
#include "xla/stream_executor/rocm/rocm_status.h"
#include "xla/stream_executor/stream_executor.h"

namespace stream_executor::gpu {

class RocmExecutor : public StreamExecutor {
 public:
  // `platform` and `api` outlive the executor. `sysfs_root`: as for CreateRocmDeviceDescription.
  static StatusOr<std::unique_ptr<RocmExecutor>> Create(const Platform& platform, const HipApi& api, int ordinal,
                                                        const std::string& sysfs_root);

  const Platform& GetPlatform() const override { return platform_; }
  int device_ordinal() const override { return ordinal_; }
  const DeviceDescription& GetDeviceDescription() const override { return *description_; }

  StatusOr<DeviceAddressBase> Allocate(uint64_t size_bytes, MemorySpace space) override;
  Status Deallocate(const DeviceAddressBase& address) override;
  StatusOr<DeviceMemoryUsage> GetDeviceMemoryUsage() const override;
  Status HostMemoryRegister(void* pointer, uint64_t size_bytes) override;
  Status HostMemoryUnregister(void* pointer) override;
  StatusOr<bool> IsHostMemoryPinned(const void* pointer, uint64_t size_bytes) const override;
  StatusOr<MemorySpace> GetPointerMemorySpace(const void* pointer) const override;
  StatusOr<DeviceAddressBase> GetMemoryRange(const DeviceAddressBase& address) const override;
  StatusOr<uint64_t> GetVirtualMemoryGranularity() const override;
  StatusOr<std::unique_ptr<MemoryReservation>> CreateMemoryReservation(uint64_t size_bytes) override;
  StatusOr<std::shared_ptr<RawMemoryAllocation>> CreateRawMemoryAllocation(uint64_t size_bytes) override;
  Status SynchronousMemcpy(const DeviceAddressBase& device_dst, const void* host_src, uint64_t size_bytes) override;
  Status SynchronousMemcpy(void* host_dst, const DeviceAddressBase& device_src, uint64_t size_bytes) override;
  Status SynchronizeAllActivity() override;
  StatusOr<std::shared_ptr<const DeviceAddressBase>> CreateOrShareConstant(Stream& stream,
                                                                           std::span<const uint8_t> content) override;

  StatusOr<bool> CanEnablePeerAccessTo(int other_ordinal) const override;
  Status EnablePeerAccessTo(StreamExecutor& other) override;

  StatusOr<StreamPriorityRange> GetStreamPriorityRange() const override;
  StatusOr<std::unique_ptr<Stream>> CreateStream(AnyStreamPriority priority) override;
  StatusOr<std::unique_ptr<Event>> CreateEvent(EventTiming timing) override;
  StatusOr<std::chrono::duration<float, std::milli>> ElapsedTime(const Event& start, const Event& stop) override;
  StatusOr<std::unique_ptr<CommandBuffer>> CreateCommandBuffer() override;
  StatusOr<std::shared_ptr<Module>> LoadModule(std::span<const uint8_t> code_object) override;
  StatusOr<DeviceAddressBase> GetSymbol(std::string_view name) override;

  RocmMemory& memory() { return memory_; }
  IdleStreams& idle_streams() { return idle_streams_; }
  // WrongDevice unless the other one is of this platform.
  Status CheckSamePlatform(const StreamExecutor& other) const;
  // WrongDevice unless the stream is this device's.
  Status CheckOwn(const Stream& stream, std::string_view what) const;

 private:
  RocmExecutor(const Platform& platform, const HipApi& api, int ordinal,
               std::unique_ptr<DeviceDescription> description);
  // This device and those whose access it has enabled.
  std::vector<int> DevicesWithAccess() const;

  const Platform& platform_;
  const HipApi& api_;
  const int ordinal_;
  const std::unique_ptr<DeviceDescription> description_;
  RocmMemory memory_;
  IdleStreams idle_streams_;
  RocmModules modules_;
  RocmConstants constants_;
  mutable std::mutex peers_mutex_;
  std::set<int> peers_;  // guarded by peers_mutex_; ordinals whose access is enabled
};

// For messages: "device 0 of ROCM (AMD Instinct MI300X)".
std::string DeviceText(const StreamExecutor& executor);

}  // namespace stream_executor::gpu
