// RocmMemory: the allocations of one device. It knows what every address is, so that a double free or a foreign pointer
// is an error here, and not undefined behaviour in the runtime. Thread-safe.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "xla/stream_executor/device_address.h"
#include "xla/stream_executor/memory_space.h"
#include "xla/stream_executor/rocm/rocm_collective_memory.h"
#include "xla/stream_executor/rocm/rocm_status.h"
#include "xla/stream_executor/stream_executor.h"

namespace stream_executor::gpu {

class RocmMemory {
 public:
  // `where`: the device, for messages. `api` outlives this.
  RocmMemory(const HipApi& api, int ordinal, std::string where)
      : api_(api), ordinal_(ordinal), where_(std::move(where)) {}

  // As StreamExecutor's methods of the same names.
  StatusOr<DeviceAddressBase> Allocate(uint64_t size_bytes, MemorySpace space);
  Status Deallocate(const DeviceAddressBase& address);
  StatusOr<DeviceMemoryUsage> Usage() const;
  // As Stream's, on that stream of this device.
  StatusOr<DeviceAddressBase> AllocateOrdered(uint64_t size_bytes, rocxla::hipStream_t stream);
  Status DeallocateOrdered(const DeviceAddressBase& address, rocxla::hipStream_t stream);
  Status HostRegister(void* pointer, uint64_t size_bytes);
  Status HostUnregister(void* pointer);
  StatusOr<bool> IsHostMemoryPinned(const void* pointer, uint64_t size_bytes) const;
  StatusOr<MemorySpace> SpaceOf(const void* pointer) const;
  StatusOr<DeviceAddressBase> RangeOf(const DeviceAddressBase& address) const;

 private:
  enum class Origin {
    kAllocated,   // by Allocate
    kOrdered,     // by AllocateOrdered
    kRegistered,  // the host's own memory, page-locked by HostRegister
  };
  struct Block {
    uint64_t size_bytes;
    MemorySpace space;
    Origin origin;
  };
  using Blocks = std::map<uintptr_t, Block>;

  Status AllocateIn(MemorySpace space, void** pointer, uint64_t size_bytes) const;
  Status FreeIn(MemorySpace space, void* pointer) const;
  Status OutOfMemory(uint64_t size_bytes, MemorySpace space, const Status& cause) const;
  Status Unknown(const void* pointer, std::string_view what, std::string_view expected) const;
  // The block of ours that holds the address: its start, and what it is.
  std::optional<Blocks::value_type> Find(const void* pointer) const;
  // Takes the block out that begins there, if there is one of that origin.
  std::optional<Block> Take(const void* pointer, Origin origin);
  void Add(const void* pointer, Block block);
  // Puts a block back that the runtime did not let go of: it is still there, and may be freed later. Returns `status`.
  Status KeepUnlessOk(Status status, const void* pointer, const Block& block);

  const HipApi& api_;
  const int ordinal_;
  const std::string where_;
  mutable std::mutex mutex_;
  Blocks blocks_;                                          // guarded by mutex_; by address
  std::optional<StatusOr<CollectiveLibrary>> collective_;  // guarded by mutex_; opened at the first use
};

}  // namespace stream_executor::gpu
