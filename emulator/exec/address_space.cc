#include "emulator/exec/address_space.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <utility>

#include "base/error_ids.h"
#include "emulator/exec/kernel_heap.h"
#include "emulator/observe/check_list.h"
#include "emulator/observe/unwritten.h"

namespace rocxla::emu {
namespace {

constexpr size_t kFreedRemembered = 256;
// Hosts may hand out more than they have; beyond this no request can be meant.
constexpr uint64_t kMaxAllocation = uint64_t{1} << 46;

std::string Describe(const Range& r) { return fmt::format("'{}' at {:#x}, {} bytes", r.label, r.begin, r.size); }

}  // namespace

AddressSpace::~AddressSpace() {
  KernelHeap::Forget(*this);
  for (auto& [begin, entry] : ranges_) {
    if (entry.owner == Owner::kDevice) std::free(reinterpret_cast<void*>(begin));
  }
}

StatusOr<void*> AddressSpace::Allocate(uint64_t bytes, uint64_t alignment, std::string label) {
  if (alignment == 0 || (alignment & (alignment - 1)) != 0 || alignment > (uint64_t{1} << 30)) {
    return InvalidArgumentError(fmt::format("allocation '{}': alignment {} is not a power of two", label, alignment));
  }
  alignment = std::max<uint64_t>(alignment, 16);
  void* pointer = nullptr;
  // At least one unit, so that every allocation has an address of its own.
  uint64_t padded = bytes == 0 ? alignment : bytes;
  if (bytes > kMaxAllocation || posix_memalign(&pointer, alignment, padded) != 0) {
    return Error(ErrorId::kDeviceOutOfMemory,
                 {.what = fmt::format("cannot allocate {} bytes for '{}'", bytes, label),
                  .found = fmt::format("{} bytes are allocated on this device", allocated_bytes())});
  }
  if (const StatusOr<Checks> checks = ActiveChecks(); checks.ok() && checks->uninitialized)
    MarkUnwritten(pointer, bytes);
  std::unique_lock lock(mutex_);
  uint64_t begin = reinterpret_cast<uint64_t>(pointer);
  ranges_[begin] = Entry{{begin, bytes, std::move(label)}, Owner::kDevice};
  allocated_bytes_ += bytes;
  return pointer;
}

Status AddressSpace::Free(void* pointer) { return Remove(pointer, Owner::kDevice); }
Status AddressSpace::Unregister(void* pointer) { return Remove(pointer, Owner::kHost); }

Status AddressSpace::Remove(void* pointer, Owner owner) {
  std::unique_lock lock(mutex_);
  auto it = ranges_.find(reinterpret_cast<uint64_t>(pointer));
  if (it == ranges_.end() || it->second.owner != owner) {
    return InvalidArgumentError(fmt::format("{} does not begin {} of this device", pointer,
                                            owner == Owner::kDevice ? "an allocation" : "registered host memory"));
  }
  ++generation_;
  freed_.push_front(it->second.range);
  if (freed_.size() > kFreedRemembered) freed_.pop_back();
  if (owner == Owner::kDevice) {
    allocated_bytes_ -= it->second.range.size;
    std::free(pointer);
  }
  ranges_.erase(it);
  return OkStatus();
}

Status AddressSpace::Register(void* pointer, uint64_t bytes, std::string label) {
  std::unique_lock lock(mutex_);
  uint64_t begin = reinterpret_cast<uint64_t>(pointer);
  if (begin == 0 || bytes == 0) return InvalidArgumentError("cannot register an empty range");
  auto next = ranges_.lower_bound(begin);
  if (next != ranges_.end() && next->first < begin + bytes) {
    return InvalidArgumentError("host memory overlaps " + Describe(next->second.range));
  }
  if (next != ranges_.begin() && std::prev(next)->second.range.end() > begin) {
    return InvalidArgumentError("host memory overlaps " + Describe(std::prev(next)->second.range));
  }
  ranges_[begin] = Entry{{begin, bytes, std::move(label)}, Owner::kHost};
  return OkStatus();
}

Status AddressSpace::MakeReadOnly(const void* begin, uint64_t bytes) {
  if (bytes == 0) return OkStatus();
  std::unique_lock lock(mutex_);
  const auto first = reinterpret_cast<uint64_t>(begin);
  const Entry* entry = FindEntry(first);
  if (entry == nullptr || bytes > entry->range.end() - first) {
    return InvalidArgumentError(fmt::format("no allocation holds the {} bytes at {:#x}", bytes, first));
  }
  ranges_[entry->range.begin].read_only.push_back({first, first + bytes, false});
  ++generation_;
  return OkStatus();
}

const AddressSpace::Entry* AddressSpace::FindEntry(uint64_t address) const {
  auto it = ranges_.upper_bound(address);
  if (it == ranges_.begin()) return nullptr;
  const Entry& entry = std::prev(it)->second;
  bool inside = address < entry.range.end() || address == entry.range.begin;
  return inside ? &entry : nullptr;
}

std::optional<Range> AddressSpace::Find(const void* pointer) const {
  std::shared_lock lock(mutex_);
  const Entry* entry = FindEntry(reinterpret_cast<uint64_t>(pointer));
  return entry != nullptr ? std::optional<Range>(entry->range) : std::nullopt;
}

std::optional<MemoryPart> AddressSpace::FindPart(uint64_t address) const {
  std::shared_lock lock(mutex_);
  const Entry* entry = FindEntry(address);
  if (entry == nullptr) return std::nullopt;
  MemoryPart part{entry->range.begin, entry->range.end(), true};
  for (const MemoryPart& fixed : entry->read_only) {
    if (address >= fixed.begin && address < fixed.end) return fixed;
    if (fixed.end <= address) part.begin = std::max(part.begin, fixed.end);
    if (fixed.begin > address) part.end = std::min(part.end, fixed.begin);
  }
  return part;
}

std::optional<Range> AddressSpace::Nearest(uint64_t address) const {
  std::shared_lock lock(mutex_);
  if (ranges_.empty()) return std::nullopt;
  auto above = ranges_.upper_bound(address);
  if (above == ranges_.begin()) return above->second.range;
  const Range& below = std::prev(above)->second.range;
  if (above == ranges_.end()) return below;
  uint64_t gap_below = address - std::min(address, below.end());
  return gap_below <= above->first - address ? below : above->second.range;
}

std::optional<Range> AddressSpace::FindFreed(uint64_t address) const {
  std::shared_lock lock(mutex_);
  for (const Range& range : freed_) {
    if (address >= range.begin && address < range.end()) return range;
  }
  return std::nullopt;
}

}  // namespace rocxla::emu
