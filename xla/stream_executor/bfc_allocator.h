// BfcAllocator: carves small pieces out of large regions: best fit, with coalescing of what is freed.
//
// A call of the runtime for each buffer costs more than many kernels; here it is paid once per region. Pieces are
// multiples of 256 bytes. A request takes the smallest free piece that is large enough (among equals the lowest
// address), and gives back its tail; a freed piece joins its free neighbours of the same region. When no piece fits, a
// new region is asked of the source: as large as the last one doubled, or smaller when the source or the limit does not
// give that much; regions that are wholly free go back to the source first when only that makes room.
//
// A freed piece may be given out again at once: who frees memory that a stream still uses must not let another stream
// allocate before the work is done.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "xla/stream_executor/device_address.h"
#include "xla/stream_executor/device_address_allocator.h"
#include "xla/stream_executor/memory_allocator.h"
#include "xla/stream_executor/status.h"

namespace stream_executor {

// All sizes in bytes; pieces count with their rounded size.
struct AllocatorStats {
  uint64_t num_allocs = 0;  // successful ones, ever
  uint64_t bytes_in_use = 0;
  uint64_t peak_bytes_in_use = 0;
  uint64_t largest_alloc_size = 0;
  uint64_t bytes_reserved = 0;  // in regions
  uint64_t bytes_limit = 0;
  uint64_t largest_free_block_bytes = 0;
  uint64_t pieces_in_use = 0;
  uint64_t free_pieces = 0;

  uint64_t free_bytes() const { return bytes_reserved - bytes_in_use; }
  // Of the free bytes, the percentage that is not in the largest piece; 0 when nothing is free.
  int fragmentation_percent() const;
};

class BfcAllocator {
 public:
  struct Options {
    std::string name = "best-fit allocator";          // for messages
    uint64_t limit_bytes = UINT64_MAX;                // of all regions together
    uint64_t first_region_bytes = uint64_t{2} << 20;  // the next are larger
  };
  static constexpr uint64_t kAlignment = 256;

  BfcAllocator(std::unique_ptr<MemoryAllocator> source, Options options)
      : source_(std::move(source)), options_(std::move(options)), next_region_bytes_(options_.first_region_bytes) {}

  // Aligned to 256 bytes; 0 bytes give the null address. When there is no room, the source's error, or
  // DeviceOutOfMemory with a report of what is in use and how scattered the rest is.
  StatusOr<DeviceAddressBase> Allocate(uint64_t size_bytes);
  // Takes back what Allocate gave; the null address is fine. BadDeviceAddress for any other address.
  Status Deallocate(const DeviceAddressBase& address);
  // Gives the regions that are wholly free back to the source; returns how many bytes that were.
  uint64_t ReleaseFreeRegions();
  AllocatorStats stats() const;

 private:
  struct Piece {
    uint64_t size;
    uint64_t asked;  // by the user; 0: free
    int region;
  };
  using Pieces = std::map<uintptr_t, Piece>;  // by address; neighbours of one region touch

  void* TakePiece(uint64_t rounded, uint64_t asked);
  Status AddRegion(uint64_t at_least);
  Status TryRegion(uint64_t size_bytes);
  Pieces::iterator JoinWithNext(Pieces::iterator piece);
  uint64_t ReleaseFreeRegionsLocked();
  AllocatorStats StatsLocked() const;
  Status NoRoom(uint64_t size_bytes, const Status& cause) const;

  const std::unique_ptr<MemoryAllocator> source_;
  const Options options_;
  mutable std::mutex mutex_;
  Pieces pieces_;                                  // guarded by mutex_, as all below
  std::set<std::pair<uint64_t, uintptr_t>> free_;  // size, address of the free pieces
  std::map<int, std::unique_ptr<MemoryAllocation>> regions_;
  int next_region_ = 0;
  uint64_t next_region_bytes_;
  AllocatorStats totals_;  // the sums that are kept up to date
};

// One BfcAllocator per device, as the place where programs get their memory from. Only kDevice memory; the other kinds
// come from the executor, one by one. The executors outlive the allocator.
class BfcAddressAllocator : public DeviceAddressAllocator {
 public:
  BfcAddressAllocator(const std::vector<StreamExecutor*>& executors, BfcAllocator::Options options);

  StatusOr<ScopedDeviceAddress> Allocate(int device_ordinal, uint64_t size_bytes,
                                         MemorySpace space = MemorySpace::kDevice) override;
  Status Deallocate(int device_ordinal, const DeviceAddressBase& address) override;
  StatusOr<AllocatorStats> stats(int device_ordinal) const;

 private:
  StatusOr<BfcAllocator*> DeviceMemoryOf(int device_ordinal) const;

  StreamExecutorAddressAllocator other_kinds_;
  std::map<int, std::unique_ptr<BfcAllocator>> by_device_;
  std::mutex mutex_;
  std::set<std::pair<int, void*>> others_;  // guarded by mutex_; what other_kinds_ gave
};

}  // namespace stream_executor
