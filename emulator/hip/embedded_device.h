// EmbeddedDevice: one GPU of the embedded runtime: what it pretends to be, its memory and its null stream.
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

#include "base/status.h"
#include "base/target/multiprocessor.h"
#include "base/target/target.h"
#include "emulator/exec/address_space.h"
#include "emulator/hip/launch_gate.h"
#include "emulator/hip/visible_devices.h"
#include "emulator/hip/work_queue.h"

namespace rocxla::emu {

// Thread-safe.
class EmbeddedDevice {
 public:
  EmbeddedDevice(int ordinal, ConfiguredDevice configured) : ordinal_(ordinal), configured_(std::move(configured)) {}

  int ordinal() const { return ordinal_; }
  const GpuTarget& target() const { return configured_.target; }
  const GpuModel& model() const { return configured_.model; }
  std::string uuid() const { return configured_.uuid(); }
  int multiprocessors() const { return model().compute_units / ComputeUnitsPerMultiprocessor(target()); }

  AddressSpace& memory() { return memory_; }
  uint64_t free_bytes() const;
  // Sets `bytes` of the model's memory aside; DeviceOutOfMemory when there are not so many left.
  Status Reserve(uint64_t bytes);
  void Release(uint64_t bytes);

  // The queue of the null stream, which starts at the first use.
  std::shared_ptr<WorkQueue> null_queue();
  // The same, null while it is unused.
  std::shared_ptr<WorkQueue> null_queue_if_used() const;
  // Passed by one kernel at a time.
  LaunchGate& launching() { return launching_; }

  // hipSetDeviceFlags: kept for hipGetDeviceFlags, without effect.
  std::atomic<unsigned> flags{0};

 private:
  const int ordinal_;
  const ConfiguredDevice configured_;
  AddressSpace memory_;
  mutable std::mutex mutex_;
  uint64_t reserved_bytes_ = 0;  // guarded by mutex_, as all below
  std::shared_ptr<WorkQueue> null_queue_;
  LaunchGate launching_;
};

}  // namespace rocxla::emu
