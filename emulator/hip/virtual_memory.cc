#include "emulator/hip/virtual_memory.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace rocxla::emu {
namespace {

WorkResult Invalid(std::string detail) { return {hipErrorInvalidValue, std::move(detail)}; }

WorkResult CheckMultiple(const char* what, uint64_t value) {
  if (value % VirtualMemory::kGranularity == 0) return {};
  return Invalid(
      fmt::format("{} {:#x} is no multiple of the granularity, {}", what, value, VirtualMemory::kGranularity));
}

WorkResult CheckRange(const void* pointer, uint64_t bytes) {
  const auto begin = reinterpret_cast<uint64_t>(pointer);
  if (pointer == nullptr || bytes == 0 || bytes > UINT64_MAX - begin) return Invalid("an empty or endless range");
  if (WorkResult result = CheckMultiple("the address", begin); !result.ok()) return result;
  return CheckMultiple("the size", bytes);
}

// Addresses without memory.
void* ReserveAt(void* hint, uint64_t bytes, int more_flags) {
  return mmap(hint, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | more_flags, -1, 0);
}

}  // namespace

PhysicalMemory::~PhysicalMemory() {
  close(file);
  device->Release(bytes);
}

VirtualMemory::~VirtualMemory() {
  for (const auto& [begin, mapping] : mappings_) (void)memory_.Remove(reinterpret_cast<void*>(begin));
  for (const auto& [begin, bytes] : reservations_) munmap(reinterpret_cast<void*>(begin), bytes);
}

WorkResult VirtualMemory::Reserve(void** pointer, uint64_t bytes, uint64_t alignment, void* hint) {
  if (bytes == 0) return Invalid("an empty range");
  if (WorkResult result = CheckMultiple("the size", bytes); !result.ok()) return result;
  if ((alignment & (alignment - 1)) != 0) return Invalid(fmt::format("alignment {} is no power of two", alignment));
  const uint64_t extra = alignment > kGranularity ? alignment : 0;
  if (bytes > (uint64_t{1} << 47) - extra) return {hipErrorOutOfMemory, "no process has so many addresses"};
  void* found = ReserveAt(hint, bytes + extra, 0);
  if (found == MAP_FAILED) return {hipErrorOutOfMemory, fmt::format("no {} addresses in a row are free", bytes)};
  const auto first = reinterpret_cast<uint64_t>(found);
  const uint64_t begin = extra == 0 ? first : (first + alignment - 1) / alignment * alignment;
  if (begin != first) munmap(found, begin - first);
  if (const uint64_t rest = first + bytes + extra - (begin + bytes); rest != 0) {
    munmap(reinterpret_cast<void*>(begin + bytes), rest);
  }
  std::lock_guard lock(mutex_);
  reservations_[begin] = bytes;
  return *pointer = reinterpret_cast<void*>(begin), WorkResult{};
}

WorkResult VirtualMemory::FreeAddress(void* pointer, uint64_t bytes) {
  const auto begin = reinterpret_cast<uint64_t>(pointer);
  std::lock_guard lock(mutex_);
  const auto it = reservations_.find(begin);
  if (it == reservations_.end() || it->second != bytes) {
    return Invalid(
        fmt::format("{} bytes at {} are not a live reservation: never reserved so, or freed already", bytes, pointer));
  }
  if (const auto mapped = mappings_.lower_bound(begin); mapped != mappings_.end() && mapped->first < begin + bytes) {
    return Invalid(fmt::format("the reservation at {} still has memory mapped at {:#x}", pointer, mapped->first));
  }
  reservations_.erase(it);
  munmap(pointer, bytes);
  return {};
}

bool VirtualMemory::IsReserved(const void* pointer) const {
  const auto address = reinterpret_cast<uint64_t>(pointer);
  std::lock_guard lock(mutex_);
  const auto next = reservations_.upper_bound(address);
  return next != reservations_.begin() && address < std::prev(next)->first + std::prev(next)->second;
}

WorkResult VirtualMemory::Create(std::shared_ptr<PhysicalMemory>& physical, EmbeddedDevice* device, uint64_t bytes,
                                 const hipMemAllocationProp& properties) {
  if (bytes == 0) return Invalid("no bytes are asked for");
  if (WorkResult result = CheckMultiple("the size", bytes); !result.ok()) return result;
  if (Status status = device->Reserve(bytes); !status.ok()) return {hipErrorOutOfMemory, status.ToString()};
  const int file = memfd_create("rocxla-embedded-device", MFD_CLOEXEC);
  if (file < 0 || ftruncate(file, static_cast<off_t>(bytes)) != 0) {
    if (file >= 0) close(file);
    device->Release(bytes);
    return {hipErrorOutOfMemory, fmt::format("the host cannot hold {} bytes", bytes)};
  }
  physical = std::make_shared<PhysicalMemory>(device, bytes, file, properties);
  return {};
}

WorkResult VirtualMemory::Map(void* pointer, uint64_t bytes, uint64_t offset,
                              std::shared_ptr<PhysicalMemory> physical) {
  if (WorkResult result = CheckRange(pointer, bytes); !result.ok()) return result;
  if (WorkResult result = CheckMultiple("the offset", offset); !result.ok()) return result;
  if (offset > physical->bytes || bytes > physical->bytes - offset) {
    return Invalid(
        fmt::format("{} bytes at offset {} reach beyond the {} bytes of the handle", bytes, offset, physical->bytes));
  }
  const auto begin = reinterpret_cast<uint64_t>(pointer);
  std::lock_guard lock(mutex_);
  const auto next = reservations_.upper_bound(begin);
  if (next == reservations_.begin() || begin + bytes > std::prev(next)->first + std::prev(next)->second) {
    return Invalid(fmt::format("{} bytes at {} are in no reservation", bytes, pointer));
  }
  Block block{.begin = begin,
              .bytes = bytes,
              .kind = MemoryKind::kMapped,
              .device = physical->device->ordinal(),
              .label = "hipMemMap"};
  if (Status status = memory_.Adopt(std::move(block)); !status.ok()) return {hipErrorAlreadyMapped, status.message()};
  if (mmap(pointer, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, physical->file,
           static_cast<off_t>(offset)) == MAP_FAILED) {
    (void)memory_.Remove(pointer);
    return {hipErrorMapFailed, "the host refuses the mapping"};
  }
  mappings_[begin] = {bytes, std::move(physical)};
  return {};
}

std::set<uint64_t> VirtualMemory::Tiles(uint64_t begin, uint64_t bytes) const {
  std::set<uint64_t> tiles;
  uint64_t at = begin;
  for (auto it = mappings_.find(begin); it != mappings_.end() && it->first == at && at < begin + bytes; ++it) {
    tiles.insert(at);
    at += it->second.bytes;
  }
  return at == begin + bytes ? tiles : std::set<uint64_t>{};
}

void VirtualMemory::UnmapLocked(uint64_t begin) {
  const auto it = mappings_.find(begin);
  void* pointer = reinterpret_cast<void*>(begin);
  (void)memory_.Remove(pointer);
  {
    std::unique_lock nothing_runs(memory_.in_use());
    (void)ReserveAt(pointer, it->second.bytes, MAP_FIXED);
  }
  mappings_.erase(it);
}

WorkResult VirtualMemory::Unmap(void* pointer, uint64_t bytes) {
  if (WorkResult result = CheckRange(pointer, bytes); !result.ok()) return result;
  std::lock_guard lock(mutex_);
  const std::set<uint64_t> tiles = Tiles(reinterpret_cast<uint64_t>(pointer), bytes);
  if (tiles.empty()) return Invalid(fmt::format("{} bytes at {} are not made up of whole mappings", bytes, pointer));
  for (uint64_t begin : tiles) UnmapLocked(begin);
  return {};
}

WorkResult VirtualMemory::SetAccess(void* pointer, uint64_t bytes, const std::map<int, hipMemAccessFlags>& access) {
  if (WorkResult result = CheckRange(pointer, bytes); !result.ok()) return result;
  // A device's address space says which memory there is, not what may be done with it. To let writes pass would hide a
  // program's fault, so that reading alone is refused, as HIP does for memory pools.
  for (const auto& [device, flags] : access) {
    if (flags == hipMemAccessFlagsProtRead) {
      return {hipErrorNotSupported,
              "the embedded device cannot keep kernels from writing to memory that they may read"};
    }
  }
  std::lock_guard lock(mutex_);
  const std::set<uint64_t> tiles = Tiles(reinterpret_cast<uint64_t>(pointer), bytes);
  if (tiles.empty()) return Invalid(fmt::format("{} bytes at {} are not made up of whole mappings", bytes, pointer));
  for (uint64_t begin : tiles) {
    std::set<int> granted = memory_.Find(reinterpret_cast<void*>(begin))->granted;
    for (const auto& [device, flags] : access) {
      if (flags == hipMemAccessFlagsProtNone) {
        granted.erase(device);
      } else {
        granted.insert(device);
      }
    }
    memory_.Grant(reinterpret_cast<void*>(begin), std::move(granted));
  }
  return {};
}

hipMemAccessFlags VirtualMemory::GetAccess(const void* pointer, int device) const {
  const std::optional<Block> block = memory_.Find(pointer);
  const bool granted = block && block->kind == MemoryKind::kMapped && block->granted.contains(device);
  return granted ? hipMemAccessFlagsProtReadWrite : hipMemAccessFlagsProtNone;
}

std::shared_ptr<PhysicalMemory> VirtualMemory::PhysicalAt(const void* pointer) const {
  const auto address = reinterpret_cast<uint64_t>(pointer);
  std::lock_guard lock(mutex_);
  const auto next = mappings_.upper_bound(address);
  if (next == mappings_.begin()) return nullptr;
  const auto& [begin, mapping] = *std::prev(next);
  return address < begin + mapping.bytes ? mapping.physical : nullptr;
}

void VirtualMemory::UnmapAllOf(const EmbeddedDevice* device) {
  std::lock_guard lock(mutex_);
  std::set<uint64_t> own;
  for (const auto& [begin, mapping] : mappings_) {
    if (mapping.physical->device == device) own.insert(begin);
  }
  for (uint64_t begin : own) UnmapLocked(begin);
}

}  // namespace rocxla::emu
