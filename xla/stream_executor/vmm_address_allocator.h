// VmmAddressAllocator: device memory of at most a given budget, freed in the order of a stream's work without waiting.
#pragma once
#include <deque>
#include <map>
#include <memory>
#include <mutex>

#include "xla/stream_executor/device_address_allocator.h"
#include "xla/stream_executor/event.h"
#include "xla/stream_executor/memory_allocator.h"

namespace stream_executor {

// What Deallocate takes may still be used by the work that the stream has then; its addresses and its memory come back
// once the stream has passed that work. Allocate looks for it, and waits for it only when the budget is exhausted.
// Serves the stream's device, with memory of kind kDevice; not while the stream is traced into a command buffer
// (CommandBufferMisuse; what was to go back then goes with the allocator). Thread-safe. What it gave must go back
// before it goes, and it waits for the rest then.
class VmmAddressAllocator : public DeviceAddressAllocator {
 public:
  // `budget_bytes`: as for CreateVmmAllocator. The stream outlives the allocator.
  static StatusOr<std::unique_ptr<VmmAddressAllocator>> Create(Stream& stream, uint64_t budget_bytes);
  ~VmmAddressAllocator() override;

  StatusOr<ScopedDeviceAddress> Allocate(int device_ordinal, uint64_t size_bytes, MemorySpace space) override;
  // BadDeviceAddress when it did not give the address, or has it back already.
  Status Deallocate(int device_ordinal, const DeviceAddressBase& address) override;

 private:
  struct Leaving {
    std::unique_ptr<MemoryAllocation> memory;
    std::unique_ptr<Event> passed;
  };
  VmmAddressAllocator(Stream& stream, std::unique_ptr<MemoryAllocator> source)
      : stream_(stream), source_(std::move(source)) {}
  Status CheckDevice(int device_ordinal) const;
  // Frees what the stream has passed.
  void FreePassed();
  // From the source; frees what leaves, oldest first, until there is room.
  StatusOr<std::unique_ptr<MemoryAllocation>> AllocateWithRoom(uint64_t size_bytes);

  Stream& stream_;
  const std::unique_ptr<MemoryAllocator> source_;
  std::mutex mutex_;
  std::map<const void*, std::unique_ptr<MemoryAllocation>> in_use_;  // guarded by mutex_, as is leaving_
  std::deque<Leaving> leaving_;                                      // in the stream's order
};

}  // namespace stream_executor
