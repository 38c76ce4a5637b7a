// malloc and free in kernels. The device libraries manage small blocks themselves, in slabs that they ask the host for
// by host calls, as they do large blocks; what they remember lies in the heap's state, a hidden argument. Blocks
// outlive the launch, so there is one heap per device.
#pragma once
#include <map>
#include <mutex>
#include <vector>

#include "base/status.h"
#include "emulator/exec/address_space.h"
#include "emulator/isa/types.h"

namespace rocxla::emu {

// Thread-safe.
class KernelHeap {
 public:
  // The heap of a device's memory, which must outlive it.
  static KernelHeap& Of(AddressSpace& memory);
  // The memory is about to end, and its heap with it.
  static void Forget(const AddressSpace& memory);

  explicit KernelHeap(AddressSpace& memory) : memory_(memory) {}

  // The device address of its state, which is zero at first. Error DeviceOutOfMemory.
  StatusOr<u64> State();
  // What the device libraries ask: `bytes` bytes, or to free what lies at `address`. Returns the new block's address, 0
  // if there is no memory.
  u64 Request(u64 address, u64 bytes);
  // Frees what was given back since. Not earlier: waves remember where they found memory.
  void Release();

 private:
  AddressSpace& memory_;
  std::mutex mutex_;
  u64 state_ = 0, bytes_ = 0;
  std::map<u64, u64> blocks_;  // address -> bytes
  std::vector<u64> returned_;
};

}  // namespace rocxla::emu
