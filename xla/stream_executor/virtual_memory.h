// Virtual memory: addresses and physical memory apart, so that memory can appear, grow or move behind fixed addresses.
#pragma once
#include <cstdint>
#include <memory>

#include "xla/stream_executor/device_address.h"
#include "xla/stream_executor/memory_allocator.h"
#include "xla/stream_executor/status.h"

namespace stream_executor {

class StreamExecutor;

// Physical memory of a device, without an address. Freed when the last mapping and this owner are gone.
class RawMemoryAllocation {
 public:
  virtual ~RawMemoryAllocation() = default;
  virtual uint64_t size() const = 0;  // bytes; a multiple of the granularity
};

// A range of addresses of a device. Unmaps and gives back everything when it goes out of scope. Not thread-safe.
class MemoryReservation {
 public:
  virtual ~MemoryReservation() = default;
  virtual DeviceAddressBase address() const = 0;
  // Puts all of `memory` at `offset_bytes`, readable and writable by the device and by every device whose access it has
  // enabled. BadMemoryRequest when the offset is no multiple of the granularity, or the place is outside the
  // reservation or taken. WrongDevice when the memory is another device's.
  virtual Status Map(uint64_t offset_bytes, const std::shared_ptr<RawMemoryAllocation>& memory) = 0;
  // Takes away what Map put at exactly that offset; BadMemoryRequest when nothing begins there. No work that uses the
  // memory may be pending.
  virtual Status Unmap(uint64_t offset_bytes) = 0;
};

// Whole allocations by way of virtual memory, of at most `budget_bytes` in all (physical, so rounded up to the
// granularity): a source of regions whose size is known exactly. DeviceOutOfMemory when the budget or the device is
// exhausted. `executor` outlives the allocator and what it gives.
StatusOr<std::unique_ptr<MemoryAllocator>> CreateVmmAllocator(StreamExecutor& executor, uint64_t budget_bytes);

}  // namespace stream_executor
