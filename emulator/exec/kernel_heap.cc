#include "emulator/exec/kernel_heap.h"

#include <cstring>
#include <memory>

namespace rocxla::emu {
namespace {

// The state has about 100 KiB; ROCm's runtime gives it 128.
constexpr u64 kStateBytes = u64{128} << 10;
// A kernel that allocates without an end must not fill the host's memory: beyond this its malloc returns null.
constexpr u64 kMaxBytes = u64{1} << 30;
// The device libraries find the slab of a block by its address, and tell large blocks by theirs.
constexpr u64 kSlab = u64{2} << 20, kPage = 4096;

struct Heaps {
  std::mutex mutex;
  std::map<const AddressSpace*, std::unique_ptr<KernelHeap>> all;
};
Heaps& AllHeaps() {
  static auto* heaps = new Heaps;
  return *heaps;
}

}  // namespace

KernelHeap& KernelHeap::Of(AddressSpace& memory) {
  Heaps& heaps = AllHeaps();
  std::lock_guard lock(heaps.mutex);
  std::unique_ptr<KernelHeap>& heap = heaps.all[&memory];
  if (heap == nullptr) heap = std::make_unique<KernelHeap>(memory);
  return *heap;
}

void KernelHeap::Forget(const AddressSpace& memory) {
  Heaps& heaps = AllHeaps();
  std::lock_guard lock(heaps.mutex);
  heaps.all.erase(&memory);
}

StatusOr<u64> KernelHeap::State() {
  std::lock_guard lock(mutex_);
  if (state_ != 0) return state_;
  ASSIGN_OR_RETURN(void* place, memory_.Allocate(kStateBytes, kPage, "state of the kernels' heap"));
  std::memset(place, 0, kStateBytes);
  return state_ = reinterpret_cast<u64>(place);
}

u64 KernelHeap::Request(u64 address, u64 bytes) {
  std::lock_guard lock(mutex_);
  if (address != 0) {
    auto block = blocks_.find(address);
    if (block == blocks_.end()) return 0;
    bytes_ -= block->second;
    blocks_.erase(block);
    returned_.push_back(address);
    return 0;
  }
  if (bytes == 0 || bytes > kMaxBytes - bytes_) return 0;
  auto place = memory_.Allocate(bytes, bytes >= kSlab ? kSlab : kPage, "memory that kernels have allocated");
  if (!place.ok()) return 0;
  const u64 begin = reinterpret_cast<u64>(*place);
  blocks_[begin] = bytes;
  bytes_ += bytes;
  return begin;
}

void KernelHeap::Release() {
  std::lock_guard lock(mutex_);
  for (u64 address : returned_) [[maybe_unused]]
    Status ignored = memory_.Free(reinterpret_cast<void*>(address));
  returned_.clear();
}

}  // namespace rocxla::emu
