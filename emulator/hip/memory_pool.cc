#include "emulator/hip/memory_pool.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error_ids.h"

namespace rocxla::emu {
namespace {

constexpr uint64_t kGranule = 4096;  // what the memory table gives and takes back

}  // namespace

StatusOr<void*> MemoryPool::AllocateNew(uint64_t reserved) {
  if (max_bytes_ != 0 && reserved > max_bytes_ - std::min(max_bytes_, reserved_)) {
    return Error(ErrorId::kDeviceOutOfMemory, {.what = "the memory pool has not enough free memory",
                                               .where = fmt::format("a pool of at most {} bytes", max_bytes_),
                                               .found = fmt::format("{} bytes are reserved", reserved_),
                                               .expected = fmt::format("{} bytes", reserved)});
  }
  return memory_.Allocate({.bytes = reserved, .kind = MemoryKind::kPool, .device = device_, .label = "hipMallocAsync"});
}

StatusOr<void*> MemoryPool::Allocate(uint64_t bytes) {
  std::lock_guard lock(mutex_);
  if (bytes > UINT64_MAX - kGranule) return AllocateNew(bytes);  // says why not
  uint64_t reserved = (bytes + kGranule - 1) / kGranule * kGranule;
  void* pointer = nullptr;
  if (const auto fit = kept_.lower_bound(reserved); fit != kept_.end()) {
    reserved = fit->first;
    pointer = fit->second;
    kept_.erase(fit);
  } else {
    StatusOr<void*> made = AllocateNew(reserved);
    if (!made.ok() && !kept_.empty()) {
      TrimLocked(0);
      made = AllocateNew(reserved);
    }
    if (!made.ok()) return made.status();
    pointer = *made;
    reserved_ += reserved;
    reserved_high_ = std::max(reserved_high_, reserved_);
  }
  memory_.TakeBack(pointer, bytes, shared_from_this());
  memory_.Grant(pointer, granted_);
  in_use_[pointer] = reserved;
  asked_[pointer] = bytes;
  used_ += bytes;
  used_high_ = std::max(used_high_, used_);
  return pointer;
}

void MemoryPool::Recycle(void* pointer) {
  std::lock_guard lock(mutex_);
  const auto it = in_use_.find(pointer);
  if (it == in_use_.end()) return;
  used_ -= asked_[pointer];
  asked_.erase(pointer);
  memory_.PutAside(pointer);
  kept_.emplace(it->second, pointer);
  in_use_.erase(it);
  if (closed_) TrimLocked(0);
}

void MemoryPool::TrimLocked(uint64_t bytes) {
  while (reserved_ > bytes && !kept_.empty()) {
    const auto largest = std::prev(kept_.end());
    (void)memory_.Remove(largest->second);
    reserved_ -= largest->first;
    kept_.erase(largest);
  }
}

void MemoryPool::TrimTo(uint64_t bytes) {
  std::lock_guard lock(mutex_);
  TrimLocked(bytes);
}

void MemoryPool::TrimToThreshold() {
  std::lock_guard lock(mutex_);
  TrimLocked(threshold_);
}

void MemoryPool::Close() {
  std::lock_guard lock(mutex_);
  closed_ = true;
  TrimLocked(0);
}

Status MemoryPool::Get(hipMemPoolAttr attribute, void* value) const {
  std::lock_guard lock(mutex_);
  auto* number = static_cast<uint64_t*>(value);
  switch (attribute) {
    case hipMemPoolReuseFollowEventDependencies:
    case hipMemPoolReuseAllowOpportunistic:
    case hipMemPoolReuseAllowInternalDependencies:
      *static_cast<int*>(value) = reuse_[attribute - hipMemPoolReuseFollowEventDependencies];
      return OkStatus();
    case hipMemPoolAttrReleaseThreshold:
      return *number = threshold_, OkStatus();
    case hipMemPoolAttrReservedMemCurrent:
      return *number = reserved_, OkStatus();
    case hipMemPoolAttrReservedMemHigh:
      return *number = reserved_high_, OkStatus();
    case hipMemPoolAttrUsedMemCurrent:
      return *number = used_, OkStatus();
    case hipMemPoolAttrUsedMemHigh:
      return *number = used_high_, OkStatus();
  }
  return InvalidArgumentError(fmt::format("a memory pool has no attribute {}", static_cast<int>(attribute)));
}

Status MemoryPool::Set(hipMemPoolAttr attribute, const void* value) {
  std::lock_guard lock(mutex_);
  const auto* number = static_cast<const uint64_t*>(value);
  switch (attribute) {
    case hipMemPoolReuseFollowEventDependencies:
    case hipMemPoolReuseAllowOpportunistic:
    case hipMemPoolReuseAllowInternalDependencies:
      reuse_[attribute - hipMemPoolReuseFollowEventDependencies] = *static_cast<const int*>(value) != 0;
      return OkStatus();
    case hipMemPoolAttrReleaseThreshold:
      return threshold_ = *number, OkStatus();
    case hipMemPoolAttrReservedMemHigh:
      if (*number != 0) return InvalidArgumentError("a high-water mark can only be set to 0");
      return reserved_high_ = reserved_, OkStatus();
    case hipMemPoolAttrUsedMemHigh:
      if (*number != 0) return InvalidArgumentError("a high-water mark can only be set to 0");
      return used_high_ = used_, OkStatus();
    case hipMemPoolAttrReservedMemCurrent:
    case hipMemPoolAttrUsedMemCurrent:
      return InvalidArgumentError("what a memory pool uses now can only be read");
  }
  return InvalidArgumentError(fmt::format("a memory pool has no attribute {}", static_cast<int>(attribute)));
}

void MemoryPool::SetAccess(int device, hipMemAccessFlags flags) {
  std::lock_guard lock(mutex_);
  if (flags == hipMemAccessFlagsProtNone) {
    granted_.erase(device);
  } else {
    granted_.insert(device);
  }
  for (const auto& [pointer, bytes] : in_use_) memory_.Grant(pointer, granted_);
}

hipMemAccessFlags MemoryPool::GetAccess(int device) const {
  std::lock_guard lock(mutex_);
  return device == device_ || granted_.contains(device) ? hipMemAccessFlagsProtReadWrite : hipMemAccessFlagsProtNone;
}

}  // namespace rocxla::emu
