// MemoryAllocator: a source of memory of one kind; MemoryAllocation: what it gave, freed when it goes out of scope.
#pragma once
#include <cstdint>
#include <memory>

#include "xla/stream_executor/device_address.h"
#include "xla/stream_executor/memory_space.h"
#include "xla/stream_executor/status.h"

namespace stream_executor {

class StreamExecutor;

class MemoryAllocation {
 public:
  virtual ~MemoryAllocation() = default;
  virtual DeviceAddressBase address() const = 0;
};

// Thread-safe.
class MemoryAllocator {
 public:
  virtual ~MemoryAllocator() = default;
  // Uninitialised memory, aligned to 256 bytes at least; 0 bytes give the null address. The allocation may outlive the
  // allocator, but not the executor behind it. Errors: DeviceOutOfMemory, OutOfHostMemory and what else the source has.
  virtual StatusOr<std::unique_ptr<MemoryAllocation>> Allocate(uint64_t size_bytes) = 0;
};

// Memory of that kind from StreamExecutor::Allocate. `executor` outlives the allocator and what it gives.
std::unique_ptr<MemoryAllocator> CreateMemoryAllocator(StreamExecutor& executor, MemorySpace space);

}  // namespace stream_executor
