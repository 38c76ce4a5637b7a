#include "xla/stream_executor/bfc_allocator.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/error_ids.h"

namespace stream_executor {
namespace {

uintptr_t AddressOf(const DeviceAddressBase& address) { return reinterpret_cast<uintptr_t>(address.opaque()); }

// The largest pieces in use, with how many there are of each size: "3 x 1048576, 1 x 4096".
std::string LargestInUse(const std::map<uint64_t, uint64_t>& count_by_size) {
  constexpr int kShown = 4;
  std::string text;
  int shown = 0;
  for (auto it = count_by_size.rbegin(); it != count_by_size.rend() && shown < kShown; ++it, ++shown) {
    text += fmt::format("{}{} x {}", text.empty() ? "" : ", ", it->second, it->first);
  }
  return text.empty() ? "nothing" : text + (count_by_size.size() > kShown ? ", ..." : "");
}

}  // namespace

int AllocatorStats::fragmentation_percent() const {
  if (free_bytes() == 0) return 0;
  return static_cast<int>(100.0 * static_cast<double>(free_bytes() - largest_free_block_bytes) /
                          static_cast<double>(free_bytes()));
}

StatusOr<DeviceAddressBase> BfcAllocator::Allocate(uint64_t size_bytes) {
  if (size_bytes == 0) return DeviceAddressBase();
  std::lock_guard lock(mutex_);
  if (size_bytes > UINT64_MAX - kAlignment) return NoRoom(size_bytes, OkStatus());
  const uint64_t rounded = (size_bytes + kAlignment - 1) / kAlignment * kAlignment;
  void* pointer = TakePiece(rounded, size_bytes);
  if (pointer == nullptr) {
    if (Status added = AddRegion(rounded); !added.ok()) return NoRoom(size_bytes, added);
    pointer = TakePiece(rounded, size_bytes);
  }
  totals_.num_allocs += 1;
  totals_.bytes_in_use += rounded;
  totals_.peak_bytes_in_use = std::max(totals_.peak_bytes_in_use, totals_.bytes_in_use);
  totals_.largest_alloc_size = std::max(totals_.largest_alloc_size, rounded);
  return DeviceAddressBase(pointer, size_bytes);
}

void* BfcAllocator::TakePiece(uint64_t rounded, uint64_t asked) {
  const auto best = free_.lower_bound({rounded, 0});
  if (best == free_.end()) return nullptr;
  const auto [size, address] = *best;
  free_.erase(best);
  Piece& piece = pieces_.at(address);
  piece.asked = asked;
  if (size > rounded) {
    piece.size = rounded;
    pieces_[address + rounded] = {size - rounded, 0, piece.region};
    free_.insert({size - rounded, address + rounded});
  }
  return reinterpret_cast<void*>(address);
}

Status BfcAllocator::TryRegion(uint64_t size_bytes) {
  ASSIGN_OR_RETURN(std::unique_ptr<MemoryAllocation> region, source_->Allocate(size_bytes));
  const uintptr_t address = AddressOf(region->address());
  pieces_[address] = {size_bytes, 0, next_region_};
  free_.insert({size_bytes, address});
  regions_[next_region_++] = std::move(region);
  totals_.bytes_reserved += size_bytes;
  return OkStatus();
}

// First the size that growth suggests, then ever smaller ones; at last what is needed, after giving back free regions.
Status BfcAllocator::AddRegion(uint64_t at_least) {
  if (at_least > options_.limit_bytes) {
    return rocxla::ResourceExhaustedError("more than the allocator's limit");
  }
  auto room = [this] { return (options_.limit_bytes - totals_.bytes_reserved) / kAlignment * kAlignment; };
  uint64_t wanted = std::min(std::max(at_least, next_region_bytes_ / kAlignment * kAlignment), room());
  Status status = rocxla::ResourceExhaustedError("more than the allocator's limit");
  while (wanted >= at_least) {
    status = TryRegion(wanted);
    if (status.ok()) {
      next_region_bytes_ = wanted > UINT64_MAX / 2 ? wanted : std::max(next_region_bytes_, 2 * wanted);
      return status;
    }
    if (status.code() != StatusCode::kResourceExhausted || wanted == at_least) break;
    wanted = std::max(at_least, wanted / 2 / kAlignment * kAlignment);
  }
  const bool out_of_memory = status.code() == StatusCode::kResourceExhausted;
  if (!out_of_memory || ReleaseFreeRegionsLocked() == 0 || room() < at_least) return status;
  return TryRegion(at_least);
}

Status BfcAllocator::NoRoom(uint64_t size_bytes, const Status& cause) const {
  const bool out_of_memory = cause.ok() || cause.code() == StatusCode::kResourceExhausted;
  if (!out_of_memory) return cause;
  const AllocatorStats now = StatsLocked();
  std::map<uint64_t, uint64_t> count_by_size;
  for (const auto& [address, piece] : pieces_) {
    if (piece.asked != 0) ++count_by_size[piece.size];
  }
  std::string found = fmt::format(
      "{} bytes in use in {} pieces ({})\n{} bytes free in {} pieces, the largest {} ({}% fragmented)\n"
      "{} bytes reserved of at most {}",
      now.bytes_in_use, now.pieces_in_use, LargestInUse(count_by_size), now.free_bytes(), now.free_pieces,
      now.largest_free_block_bytes, now.fragmentation_percent(), now.bytes_reserved, now.bytes_limit);
  if (cause.id() != ErrorId::kNone) found += fmt::format("\nno new region: {}", cause.message());
  const ErrorId id = cause.id() == ErrorId::kNone ? ErrorId::kDeviceOutOfMemory : cause.id();
  return Error(id, {.what = "the allocator has no free piece that is large enough, and gets no further memory",
                    .where = options_.name,
                    .found = std::move(found),
                    .expected = fmt::format("{} bytes in one piece", size_bytes)});
}

Status BfcAllocator::Deallocate(const DeviceAddressBase& address) {
  if (address.is_null()) return OkStatus();
  std::lock_guard lock(mutex_);
  auto piece = pieces_.find(AddressOf(address));
  if (piece == pieces_.end() || piece->second.asked == 0) {
    return Error(ErrorId::kBadDeviceAddress, {.what = "the address is no allocation, or was freed already",
                                              .where = options_.name,
                                              .found = fmt::format("{}", address.opaque()),
                                              .expected = "an address that this allocator gave"});
  }
  totals_.bytes_in_use -= piece->second.size;
  piece->second.asked = 0;
  JoinWithNext(piece);
  if (piece != pieces_.begin()) {
    const auto before = std::prev(piece);
    if (before->second.asked == 0 && before->second.region == piece->second.region) {
      free_.erase({before->second.size, before->first});
      piece = JoinWithNext(before);
    }
  }
  free_.insert({piece->second.size, piece->first});
  return OkStatus();
}

// Swallows the next piece when it is free, not yet counted in free_, or about to leave it.
BfcAllocator::Pieces::iterator BfcAllocator::JoinWithNext(Pieces::iterator piece) {
  const auto next = std::next(piece);
  if (next == pieces_.end() || next->second.asked != 0 || next->second.region != piece->second.region) return piece;
  free_.erase({next->second.size, next->first});
  piece->second.size += next->second.size;
  pieces_.erase(next);
  return piece;
}

uint64_t BfcAllocator::ReleaseFreeRegions() {
  std::lock_guard lock(mutex_);
  return ReleaseFreeRegionsLocked();
}

uint64_t BfcAllocator::ReleaseFreeRegionsLocked() {
  uint64_t released = 0;
  for (auto it = pieces_.begin(); it != pieces_.end();) {
    const auto region = regions_.find(it->second.region);
    const bool whole = it->second.asked == 0 && it->second.size == region->second->address().size();
    if (!whole) {
      ++it;
      continue;
    }
    released += it->second.size;
    free_.erase({it->second.size, it->first});
    regions_.erase(region);
    it = pieces_.erase(it);
  }
  totals_.bytes_reserved -= released;
  return released;
}

AllocatorStats BfcAllocator::stats() const {
  std::lock_guard lock(mutex_);
  return StatsLocked();
}

AllocatorStats BfcAllocator::StatsLocked() const {
  AllocatorStats stats = totals_;
  stats.bytes_limit = options_.limit_bytes;
  stats.largest_free_block_bytes = free_.empty() ? 0 : free_.rbegin()->first;
  stats.free_pieces = free_.size();
  stats.pieces_in_use = pieces_.size() - free_.size();
  return stats;
}

BfcAddressAllocator::BfcAddressAllocator(const std::vector<StreamExecutor*>& executors, BfcAllocator::Options options)
    : other_kinds_(executors) {
  for (StreamExecutor* executor : executors) {
    BfcAllocator::Options own = options;
    own.name = fmt::format("{}, device {}", options.name, executor->device_ordinal());
    by_device_[executor->device_ordinal()] =
        std::make_unique<BfcAllocator>(CreateMemoryAllocator(*executor, MemorySpace::kDevice), std::move(own));
  }
}

StatusOr<BfcAllocator*> BfcAddressAllocator::DeviceMemoryOf(int device_ordinal) const {
  if (const auto it = by_device_.find(device_ordinal); it != by_device_.end()) return it->second.get();
  return NoDeviceOfAllocator(device_ordinal);
}

StatusOr<ScopedDeviceAddress> BfcAddressAllocator::Allocate(int device_ordinal, uint64_t size_bytes,
                                                            MemorySpace space) {
  DeviceAddressBase address;
  if (space == MemorySpace::kDevice) {
    ASSIGN_OR_RETURN(BfcAllocator * memory, DeviceMemoryOf(device_ordinal));
    ASSIGN_OR_RETURN(address, memory->Allocate(size_bytes));
  } else {
    ASSIGN_OR_RETURN(ScopedDeviceAddress other, other_kinds_.Allocate(device_ordinal, size_bytes, space));
    address = other.Release();
    std::lock_guard lock(mutex_);
    if (!address.is_null()) others_.insert({device_ordinal, address.opaque()});
  }
  return ScopedDeviceAddress(address, device_ordinal, this);
}

Status BfcAddressAllocator::Deallocate(int device_ordinal, const DeviceAddressBase& address) {
  {
    std::lock_guard lock(mutex_);
    if (others_.erase({device_ordinal, address.opaque()}) != 0) {
      Status status = other_kinds_.Deallocate(device_ordinal, address);
      if (!status.ok()) others_.insert({device_ordinal, address.opaque()});  // it is still there
      return status;
    }
  }
  ASSIGN_OR_RETURN(BfcAllocator * memory, DeviceMemoryOf(device_ordinal));
  return memory->Deallocate(address);
}

StatusOr<AllocatorStats> BfcAddressAllocator::stats(int device_ordinal) const {
  ASSIGN_OR_RETURN(BfcAllocator * memory, DeviceMemoryOf(device_ordinal));
  return memory->stats();
}

}  // namespace stream_executor
