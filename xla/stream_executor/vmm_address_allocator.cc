#include "xla/stream_executor/vmm_address_allocator.h"

#include <fmt/format.h>

#include <utility>

#include "base/error_ids.h"
#include "xla/stream_executor/virtual_memory.h"

namespace stream_executor {

StatusOr<std::unique_ptr<VmmAddressAllocator>> VmmAddressAllocator::Create(Stream& stream, uint64_t budget_bytes) {
  ASSIGN_OR_RETURN(std::unique_ptr<MemoryAllocator> source, CreateVmmAllocator(stream.parent(), budget_bytes));
  return std::unique_ptr<VmmAddressAllocator>(new VmmAddressAllocator(stream, std::move(source)));
}

VmmAddressAllocator::~VmmAddressAllocator() {
  for (const Leaving& leaving : leaving_) (void)leaving.passed->Synchronize();
}

Status VmmAddressAllocator::CheckDevice(int device_ordinal) const {
  return device_ordinal == stream_.parent().device_ordinal() ? OkStatus() : NoDeviceOfAllocator(device_ordinal);
}

void VmmAddressAllocator::FreePassed() {
  while (!leaving_.empty() && leaving_.front().passed->PollForStatus() != Event::State::kPending) leaving_.pop_front();
}

StatusOr<std::unique_ptr<MemoryAllocation>> VmmAddressAllocator::AllocateWithRoom(uint64_t size_bytes) {
  while (true) {
    FreePassed();
    StatusOr<std::unique_ptr<MemoryAllocation>> memory = source_->Allocate(size_bytes);
    if (memory.ok() || memory.status().id() != ErrorId::kDeviceOutOfMemory || leaving_.empty()) return memory;
    (void)leaving_.front().passed->Synchronize();  // a failed stream has passed it, too
    leaving_.pop_front();
  }
}

StatusOr<ScopedDeviceAddress> VmmAddressAllocator::Allocate(int device_ordinal, uint64_t size_bytes,
                                                            MemorySpace space) {
  RETURN_IF_ERROR(CheckDevice(device_ordinal));
  RETURN_IF_ERROR(CheckDeviceMemory(space));
  if (size_bytes == 0) return ScopedDeviceAddress(DeviceAddressBase(), device_ordinal, this);
  RETURN_IF_ERROR(stream_.CheckNotCapturing("an allocation"));
  std::lock_guard lock(mutex_);
  ASSIGN_OR_RETURN(std::unique_ptr<MemoryAllocation> memory, AllocateWithRoom(size_bytes));
  const DeviceAddressBase address = memory->address();
  in_use_[address.opaque()] = std::move(memory);
  return ScopedDeviceAddress(address, device_ordinal, this);
}

Status VmmAddressAllocator::Deallocate(int device_ordinal, const DeviceAddressBase& address) {
  RETURN_IF_ERROR(CheckDevice(device_ordinal));
  if (address.is_null()) return OkStatus();
  // A traced event says nothing about the stream's work, and what is traced may use the memory later.
  RETURN_IF_ERROR(stream_.CheckNotCapturing("a release of memory"));
  std::lock_guard lock(mutex_);
  const auto found = in_use_.find(address.opaque());
  if (found == in_use_.end()) {
    return Error(ErrorId::kBadDeviceAddress,
                 {.what = "the address is no allocation of this allocator, or was freed already",
                  .where = fmt::format("device {}", device_ordinal),
                  .found = fmt::format("{}", address.opaque()),
                  .expected = "an address that Allocate of this allocator gave"});
  }
  std::unique_ptr<MemoryAllocation> memory = std::move(in_use_.extract(found).mapped());
  StatusOr<std::unique_ptr<Event>> passed = stream_.parent().CreateEvent();
  if (passed.ok() && stream_.RecordEvent(**passed).ok()) {
    leaving_.push_back({std::move(memory), std::move(*passed)});
    return OkStatus();
  }
  // A failed stream takes no event: what it still has is waited for here.
  (void)stream_.BlockHostUntilDone();
  return OkStatus();
}

}  // namespace stream_executor
