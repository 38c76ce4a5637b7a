// VirtualMemory: address ranges and physical memory apart, joined by mappings (hipMemAddressReserve and its like).
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>

#include "base/hip/hip_types.h"
#include "emulator/hip/embedded_device.h"
#include "emulator/hip/memory_table.h"
#include "emulator/hip/work_queue.h"

namespace rocxla::emu {

// Memory of a device without an address; gives its bytes back when the last handle and mapping are gone.
struct PhysicalMemory {
  EmbeddedDevice* device;
  uint64_t bytes;
  int file;  // that holds the bytes
  hipMemAllocationProp properties;

  PhysicalMemory(EmbeddedDevice* device, uint64_t bytes, int file, const hipMemAllocationProp& properties)
      : device(device), bytes(bytes), file(file), properties(properties) {}
  ~PhysicalMemory();
  PhysicalMemory(const PhysicalMemory&) = delete;
  PhysicalMemory& operator=(const PhysicalMemory&) = delete;
};

// Sizes, offsets and addresses are multiples of kGranularity. Reserved addresses fault, for kernels and copies, until
// they are mapped and a device has been given access. Thread-safe.
class VirtualMemory {
 public:
  // As the HSA runtime reports them on AMD GPUs.
  static constexpr uint64_t kGranularity = 4096;
  static constexpr uint64_t kRecommendedGranularity = 2 << 20;

  explicit VirtualMemory(MemoryTable& memory) : memory_(memory) {}
  ~VirtualMemory();

  WorkResult Reserve(void** pointer, uint64_t bytes, uint64_t alignment, void* hint);
  // Ends a reservation; nothing may be mapped in it.
  WorkResult FreeAddress(void* pointer, uint64_t bytes);
  // True for an address in a reservation, mapped or not.
  bool IsReserved(const void* pointer) const;

  static WorkResult Create(std::shared_ptr<PhysicalMemory>& physical, EmbeddedDevice* device, uint64_t bytes,
                           const hipMemAllocationProp& properties);
  WorkResult Map(void* pointer, uint64_t bytes, uint64_t offset, std::shared_ptr<PhysicalMemory> physical);
  // Ends the mappings that make up exactly these bytes.
  WorkResult Unmap(void* pointer, uint64_t bytes);
  // Lets devices into, or keeps them out of, the mappings that make up exactly these bytes.
  WorkResult SetAccess(void* pointer, uint64_t bytes, const std::map<int, hipMemAccessFlags>& access);
  // None where nothing is mapped.
  hipMemAccessFlags GetAccess(const void* pointer, int device) const;
  // What the address is mapped to; null where nothing is.
  std::shared_ptr<PhysicalMemory> PhysicalAt(const void* pointer) const;
  // Ends all mappings of memory of that device.
  void UnmapAllOf(const EmbeddedDevice* device);

 private:
  struct Mapping {
    uint64_t bytes;
    std::shared_ptr<PhysicalMemory> physical;
  };
  // The starts of the mappings that make up [begin, begin + bytes); empty when they do not.
  std::set<uint64_t> Tiles(uint64_t begin, uint64_t bytes) const;
  void UnmapLocked(uint64_t begin);

  MemoryTable& memory_;
  mutable std::mutex mutex_;
  std::map<uint64_t, uint64_t> reservations_;  // guarded by mutex_, as below; bytes by first address
  std::map<uint64_t, Mapping> mappings_;       // by first address
};

}  // namespace rocxla::emu
