#include "emulator/hip/memory_table.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <utility>

#include "base/error_ids.h"

namespace rocxla::emu {
namespace {

constexpr uint64_t kPage = 4096;

uint64_t RoundUp(uint64_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }

bool CountsOnDevice(const Block& block) { return block.kind == MemoryKind::kDevice || block.kind == MemoryKind::kPool; }

}  // namespace

MemoryTable::~MemoryTable() {
  for (auto& [begin, entry] : entries_) {
    if (entry.kept_bytes != 0) munmap(entry.block.pointer(), entry.kept_bytes);
  }
}

bool MemoryTable::MayAccess(const Block& block, int device) const {
  switch (block.kind) {
    case MemoryKind::kHost:
    case MemoryKind::kManaged:
    case MemoryKind::kRegistered:
      return true;
    case MemoryKind::kDevice:
    case MemoryKind::kModule:
      return block.device == device || peers_.contains({device, block.device});
    case MemoryKind::kPool:
      return block.device == device || block.granted.contains(device);
    case MemoryKind::kMapped:
      return block.granted.contains(device);
  }
  return false;
}

// Brings the address spaces in step with what the block's devices may do.
void MemoryTable::Publish(Entry& entry) {
  for (EmbeddedDevice* device : devices_) {
    const int ordinal = device->ordinal();
    const bool wanted = !entry.aside && MayAccess(entry.block, ordinal);
    if (wanted == entry.visible.contains(ordinal)) continue;
    if (!wanted) {
      (void)device->memory().Unregister(entry.block.pointer());
      entry.visible.erase(ordinal);
      continue;
    }
    const bool foreign = !entry.block.is_host() && entry.block.device != ordinal;
    std::string label =
        foreign ? fmt::format("{} of device {}", entry.block.label, entry.block.device) : entry.block.label;
    if (device->memory().Register(entry.block.pointer(), entry.block.bytes, std::move(label)).ok()) {
      entry.visible.insert(ordinal);
    }
  }
}

void MemoryTable::Withdraw(Entry& entry) {
  for (int ordinal : std::exchange(entry.visible, {})) {
    (void)devices_[ordinal]->memory().Unregister(entry.block.pointer());
  }
}

void MemoryTable::AddDevice(EmbeddedDevice* device) {
  std::lock_guard lock(mutex_);
  devices_.push_back(device);
  for (auto& [begin, entry] : entries_) Publish(entry);
}

Status MemoryTable::Insert(Entry entry) {
  std::lock_guard lock(mutex_);
  Block& block = entry.block;
  const auto next = entries_.lower_bound(block.begin);
  const bool overlaps_next = next != entries_.end() && next->first < block.end();
  const bool overlaps_previous = next != entries_.begin() && std::prev(next)->second.block.end() > block.begin;
  if (overlaps_next || overlaps_previous) {
    const Block& other = overlaps_next ? next->second.block : std::prev(next)->second.block;
    return InvalidArgumentError(fmt::format("{} bytes at {:#x} overlap '{}', {} bytes at {:#x}", block.bytes,
                                            block.begin, other.label, other.bytes, other.begin));
  }
  block.id = next_id_++;
  const uint64_t begin = block.begin;
  Publish(entries_[begin] = std::move(entry));
  return OkStatus();
}

StatusOr<void*> MemoryTable::Allocate(Block block) {
  Entry entry;
  entry.kept_bytes = block.bytes > UINT64_MAX - kPage ? 0 : RoundUp(block.bytes);
  EmbeddedDevice* device = nullptr;
  if (CountsOnDevice(block)) {
    {
      std::lock_guard lock(mutex_);
      device = devices_[block.device];
    }
    entry.counted_bytes = block.kind == MemoryKind::kPool ? entry.kept_bytes : block.bytes;
    RETURN_IF_ERROR(device->Reserve(entry.counted_bytes));
  }
  void* pointer = MAP_FAILED;
  if (entry.kept_bytes != 0) {
    pointer =
        mmap(nullptr, entry.kept_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  }
  if (pointer == MAP_FAILED) {
    if (device != nullptr) device->Release(entry.counted_bytes);
    return Error(ErrorId::kDeviceOutOfMemory, {.what = "the host has not enough free memory",
                                               .where = block.label,
                                               .expected = fmt::format("{} bytes", block.bytes)});
  }
  block.begin = reinterpret_cast<uint64_t>(pointer);
  entry.block = std::move(block);
  RETURN_IF_ERROR(Insert(std::move(entry)));
  return pointer;
}

Status MemoryTable::Adopt(Block block) {
  if (block.bytes == 0 || block.begin == 0 || block.bytes > UINT64_MAX - block.begin) {
    return InvalidArgumentError(fmt::format("{} bytes at {:#x} are no range of memory", block.bytes, block.begin));
  }
  Entry entry;
  entry.block = std::move(block);
  return Insert(std::move(entry));
}

std::optional<Block> MemoryTable::Find(const void* pointer) const {
  const auto address = reinterpret_cast<uint64_t>(pointer);
  std::lock_guard lock(mutex_);
  const auto next = entries_.upper_bound(address);
  if (next != entries_.begin() && address < std::prev(next)->second.block.end()) {
    const Entry& entry = std::prev(next)->second;
    return entry.aside ? std::nullopt : std::optional<Block>(entry.block);
  }
  for (EmbeddedDevice* device : devices_) {  // what code objects allocated by themselves
    const std::optional<Range> range = device->memory().Find(pointer);
    if (!range) continue;
    return Block{.begin = range->begin,
                 .bytes = range->size,
                 .kind = MemoryKind::kModule,
                 .device = device->ordinal(),
                 .label = range->label};
  }
  return std::nullopt;
}

bool MemoryTable::IsAside(const void* pointer) const {
  const auto address = reinterpret_cast<uint64_t>(pointer);
  std::lock_guard lock(mutex_);
  const auto next = entries_.upper_bound(address);
  if (next == entries_.begin()) return false;
  const Entry& entry = std::prev(next)->second;
  return entry.aside && address < entry.block.begin + entry.kept_bytes;
}

std::optional<Block> MemoryTable::Remove(const void* begin) {
  Entry entry;
  EmbeddedDevice* device = nullptr;
  {
    std::lock_guard lock(mutex_);
    const auto it = entries_.find(reinterpret_cast<uint64_t>(begin));
    if (it == entries_.end()) return std::nullopt;
    Withdraw(it->second);
    entry = std::move(it->second);
    entries_.erase(it);
    if (CountsOnDevice(entry.block)) device = devices_[entry.block.device];
  }
  if (entry.kept_bytes != 0) {
    std::unique_lock nothing_runs(in_use_);
    munmap(entry.block.pointer(), entry.kept_bytes);
  }
  if (device != nullptr) device->Release(entry.counted_bytes);
  return entry.block;
}

std::vector<Block> MemoryTable::BlocksOf(int device) const {
  std::lock_guard lock(mutex_);
  std::vector<Block> blocks;
  for (const auto& [begin, entry] : entries_) {
    if (entry.block.device == device && !entry.aside) blocks.push_back(entry.block);
  }
  return blocks;
}

void MemoryTable::PutAside(const void* begin) {
  std::lock_guard lock(mutex_);
  const auto it = entries_.find(reinterpret_cast<uint64_t>(begin));
  if (it == entries_.end()) return;
  it->second.aside = true;
  it->second.block.freeing = false;
  it->second.block.pool = nullptr;
  Publish(it->second);
}

void MemoryTable::TakeBack(const void* begin, uint64_t bytes, std::shared_ptr<MemoryPool> pool) {
  std::lock_guard lock(mutex_);
  const auto it = entries_.find(reinterpret_cast<uint64_t>(begin));
  if (it == entries_.end()) return;
  Entry& entry = it->second;
  Withdraw(entry);  // kernels see it with its new size
  entry.aside = false;
  entry.block.bytes = bytes;
  entry.block.id = next_id_++;
  entry.block.pool = std::move(pool);
  Publish(entry);
}

void MemoryTable::Grant(const void* begin, std::set<int> devices) {
  std::lock_guard lock(mutex_);
  const auto it = entries_.find(reinterpret_cast<uint64_t>(begin));
  if (it == entries_.end()) return;
  it->second.block.granted = std::move(devices);
  Publish(it->second);
}

bool MemoryTable::BeginFreeing(const void* begin) {
  std::lock_guard lock(mutex_);
  const auto it = entries_.find(reinterpret_cast<uint64_t>(begin));
  return it != entries_.end() && !std::exchange(it->second.block.freeing, true);
}

void MemoryTable::CancelFreeing(const void* begin) {
  std::lock_guard lock(mutex_);
  const auto it = entries_.find(reinterpret_cast<uint64_t>(begin));
  if (it != entries_.end()) it->second.block.freeing = false;
}

bool MemoryTable::SetPeerAccess(int from, int to, bool enabled) {
  std::lock_guard lock(mutex_);
  const bool changed = enabled ? peers_.insert({from, to}).second : peers_.erase({from, to}) != 0;
  for (auto& [begin, entry] : entries_) Publish(entry);
  return changed;
}

}  // namespace rocxla::emu
