// MemoryPool: stream-ordered memory (hipMallocAsync), kept for reuse.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>

#include "base/hip/hip_types.h"
#include "base/status.h"
#include "emulator/hip/memory_table.h"

namespace rocxla::emu {

// Freed memory stays with the pool, invisible to kernels, until it is asked for again or trimmed away. Thread-safe.
class MemoryPool : public std::enable_shared_from_this<MemoryPool> {
 public:
  // `max_bytes`: of reserved memory; 0: only the device limits it.
  MemoryPool(MemoryTable& memory, int device, uint64_t max_bytes)
      : memory_(memory), device_(device), max_bytes_(max_bytes) {}

  int device() const { return device_; }
  // The smallest kept piece that is large enough, or new memory. DeviceOutOfMemory.
  StatusOr<void*> Allocate(uint64_t bytes);
  // Takes memory of Allocate back. Called when its turn in the stream has come.
  void Recycle(void* pointer);
  // Gives kept memory back to the device until at most that much is reserved.
  void TrimTo(uint64_t bytes);
  // TrimTo the release threshold, as HIP does at every synchronisation.
  void TrimToThreshold();
  // Ends the pool: nothing is kept from now on; memory in use stays valid.
  void Close();

  // hipErrorInvalidValue as a Status for attributes that do not exist, or values that cannot be set.
  Status Get(hipMemPoolAttr attribute, void* value) const;
  Status Set(hipMemPoolAttr attribute, const void* value);
  void SetAccess(int device, hipMemAccessFlags flags);
  hipMemAccessFlags GetAccess(int device) const;

 private:
  StatusOr<void*> AllocateNew(uint64_t bytes);
  void TrimLocked(uint64_t bytes);

  MemoryTable& memory_;
  const int device_;
  const uint64_t max_bytes_;
  mutable std::mutex mutex_;
  std::multimap<uint64_t, void*> kept_;  // guarded by mutex_, as all below; by size
  std::map<void*, uint64_t> in_use_;     // reserved bytes
  std::map<void*, uint64_t> asked_;      // bytes that the user asked for
  std::set<int> granted_;
  int reuse_[3] = {1, 1, 1};  // hipMemPoolReuse...: kept, without effect
  uint64_t threshold_ = 0;
  uint64_t reserved_ = 0, reserved_high_ = 0, used_ = 0, used_high_ = 0;
  bool closed_ = false;
};

}  // namespace rocxla::emu
