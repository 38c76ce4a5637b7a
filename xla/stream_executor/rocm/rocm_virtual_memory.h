// Virtual memory of an AMD GPU, through HIP's virtual memory management (HIP 6 and later).
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "xla/stream_executor/rocm/rocm_status.h"
#include "xla/stream_executor/virtual_memory.h"

namespace stream_executor::gpu {

// Bytes. Source: hipMemGetAllocationGranularity, the recommended one.
StatusOr<uint64_t> VirtualMemoryGranularity(const HipApi& api, int ordinal);

class RocmRawMemory : public RawMemoryAllocation {
 public:
  static StatusOr<std::shared_ptr<RocmRawMemory>> Create(const HipApi& api, int ordinal, uint64_t size_bytes);
  ~RocmRawMemory() override;
  uint64_t size() const override { return size_bytes_; }
  const HipApi& api() const { return api_; }
  int ordinal() const { return ordinal_; }
  rocxla::hipMemGenericAllocationHandle_t handle() const { return handle_; }

 private:
  RocmRawMemory(const HipApi& api, int ordinal, uint64_t size_bytes, rocxla::hipMemGenericAllocationHandle_t handle)
      : api_(api), ordinal_(ordinal), size_bytes_(size_bytes), handle_(handle) {}
  const HipApi& api_;
  const int ordinal_;
  const uint64_t size_bytes_;
  const rocxla::hipMemGenericAllocationHandle_t handle_;
};

class RocmMemoryReservation : public MemoryReservation {
 public:
  // `devices_with_access`: the ordinals of this device and of its enabled peers, asked at every Map.
  using Devices = std::function<std::vector<int>()>;
  static StatusOr<std::unique_ptr<RocmMemoryReservation>> Create(const HipApi& api, int ordinal, uint64_t size_bytes,
                                                                 Devices devices_with_access);
  ~RocmMemoryReservation() override;

  DeviceAddressBase address() const override { return address_; }
  Status Map(uint64_t offset_bytes, const std::shared_ptr<RawMemoryAllocation>& memory) override;
  Status Unmap(uint64_t offset_bytes) override;

 private:
  RocmMemoryReservation(const HipApi& api, int ordinal, uint64_t granularity, DeviceAddressBase address,
                        Devices devices)
      : api_(api), ordinal_(ordinal), granularity_(granularity), address_(address), devices_(std::move(devices)) {}
  Status CheckPlace(uint64_t offset_bytes, uint64_t size_bytes) const;
  Status SetAccess(void* pointer, uint64_t size_bytes) const;

  const HipApi& api_;
  const int ordinal_;
  const uint64_t granularity_;
  const DeviceAddressBase address_;
  const Devices devices_;
  std::map<uint64_t, std::shared_ptr<RocmRawMemory>> mapped_;  // by offset
};

}  // namespace stream_executor::gpu
