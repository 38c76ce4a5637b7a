// The memory of one embedded device: which bytes exist, under which name, and which existed lately.
//
// Device pointers are host addresses, so copies are memcpy and nothing is translated; what the class adds is knowledge.
// Every access of a kernel is checked against the live allocations, exactly to the byte.
#pragma once
#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <shared_mutex>
#include <string>
#include <vector>

#include "base/status.h"

namespace rocxla::emu {

// One allocation, [begin, begin + size).
struct Range {
  uint64_t begin = 0;
  uint64_t size = 0;
  std::string label;

  uint64_t end() const { return begin + size; }
};

// A part of an allocation whose bytes kernels may all write, or may all only read.
struct MemoryPart {
  uint64_t begin = 0;
  uint64_t end = 0;
  bool writable = true;
};

// Thread-safe. Owns what Allocate returned until Free or its own end; registered host memory stays the caller's.
class AddressSpace {
 public:
  AddressSpace() = default;
  ~AddressSpace();
  AddressSpace(const AddressSpace&) = delete;
  AddressSpace& operator=(const AddressSpace&) = delete;

  // Returns `bytes` bytes of undefined contents (a zero-sized allocation has an address of its own). `alignment`: a
  // power of two. `label` names the allocation in errors. Error DeviceOutOfMemory if the host has not enough memory.
  StatusOr<void*> Allocate(uint64_t bytes, uint64_t alignment = 256, std::string label = "");
  // Frees what Allocate returned. InvalidArgument for any other pointer. No kernel that may use it must be running.
  Status Free(void* pointer);

  // From now on kernels may only read [begin, begin + bytes) of a live allocation. InvalidArgument if none holds it.
  Status MakeReadOnly(const void* begin, uint64_t bytes);

  // Makes host memory accessible to kernels. InvalidArgument if it overlaps a live range.
  Status Register(void* pointer, uint64_t bytes, std::string label);
  Status Unregister(void* pointer);

  // The live range that holds the address.
  std::optional<Range> Find(const void* pointer) const;
  // The part of that range around the address which kernels may access in the same way.
  std::optional<MemoryPart> FindPart(uint64_t address) const;
  // The live range with the least distance to [address, address + bytes); for error messages.
  std::optional<Range> Nearest(uint64_t address) const;
  // The youngest of the last freed allocations that held the address.
  std::optional<Range> FindFreed(uint64_t address) const;

  // Changes whenever a range goes away: cached results of Find are valid while it stays the same.
  uint64_t generation() const { return generation_.load(std::memory_order_acquire); }
  // Bytes in live allocations of Allocate.
  uint64_t allocated_bytes() const { return allocated_bytes_.load(std::memory_order_relaxed); }

 private:
  enum class Owner { kDevice, kHost };
  struct Entry {
    Range range;
    Owner owner = Owner::kDevice;
    std::vector<MemoryPart> read_only = {};
  };
  // The entry that holds the address, or null. The caller holds the mutex.
  const Entry* FindEntry(uint64_t address) const;
  Status Remove(void* pointer, Owner owner);

  mutable std::shared_mutex mutex_;
  std::map<uint64_t, Entry> ranges_;  // by first address
  std::deque<Range> freed_;           // youngest first
  std::atomic<uint64_t> generation_{1};
  std::atomic<uint64_t> allocated_bytes_{0};
};

}  // namespace rocxla::emu
