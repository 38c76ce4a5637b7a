// EmbeddedDevice: one GPU of the embedded runtime: what it pretends to be, its memory and its null stream.
#pragma once
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "base/status.h"
#include "base/target/target.h"
#include "emulator/exec/address_space.h"
#include "emulator/hip/work_queue.h"

namespace rocxla::emu {

// Thread-safe.
class EmbeddedDevice {
 public:
  EmbeddedDevice(int ordinal, const GpuTarget& target, const GpuModel& model)
      : ordinal_(ordinal), target_(target), model_(model) {}

  int ordinal() const { return ordinal_; }
  const GpuTarget& target() const { return target_; }
  const GpuModel& model() const { return model_; }
  AddressSpace& memory() { return memory_; }
  uint64_t free_bytes() const;

  // Device memory, never more in all than the model has; the host provides pages only when they are touched.
  StatusOr<void*> Allocate(uint64_t bytes);
  // False when Allocate did not return the pointer, or it is freed already.
  bool Free(void* pointer);

  // The queue of the null stream, which starts at the first use.
  std::shared_ptr<WorkQueue> null_queue();
  // The same, null while it is unused.
  std::shared_ptr<WorkQueue> null_queue_if_used() const;
  // Held while a kernel runs: a launch uses all host cores by itself.
  std::mutex& launching() { return launching_; }

 private:
  const int ordinal_;
  const GpuTarget target_;
  const GpuModel model_;
  AddressSpace memory_;
  mutable std::mutex mutex_;
  std::unordered_map<void*, uint64_t> allocations_;  // guarded by mutex_; bytes by address
  std::shared_ptr<WorkQueue> null_queue_;            // guarded by mutex_
  std::mutex launching_;
};

// "E5004 ..." for a request that does not fit.
Status DeviceOutOfMemory(const EmbeddedDevice& device, uint64_t bytes);

}  // namespace rocxla::emu
