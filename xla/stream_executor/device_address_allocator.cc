#include "xla/stream_executor/device_address_allocator.h"

#include <fmt/format.h>

#include "base/error_ids.h"

namespace stream_executor {

ScopedDeviceAddress& ScopedDeviceAddress::operator=(ScopedDeviceAddress&& other) noexcept {
  if (this == &other) return *this;
  (void)Free();
  address_ = other.Release();
  device_ordinal_ = other.device_ordinal_;
  allocator_ = other.allocator_;
  return *this;
}

ScopedDeviceAddress::~ScopedDeviceAddress() { (void)Free(); }

Status ScopedDeviceAddress::Free() {
  if (address_.is_null()) return OkStatus();
  return allocator_->Deallocate(device_ordinal_, Release());
}

Status NoDeviceOfAllocator(int device_ordinal) {
  return Error(ErrorId::kDeviceNotFound, {.what = "the allocator does not serve this device",
                                          .found = fmt::format("device {}", device_ordinal),
                                          .expected = "one of the devices that it was made for"});
}

Status CheckDeviceMemory(MemorySpace space) {
  if (space == MemorySpace::kDevice) return OkStatus();
  return Error(ErrorId::kBadMemoryRequest, {.what = "only device memory can be allocated in the order of a stream",
                                            .found = std::string(MemorySpaceText(space)),
                                            .expected = std::string(MemorySpaceText(MemorySpace::kDevice))});
}

StatusOr<StreamExecutor*> StreamExecutorAddressAllocator::ExecutorFor(int device_ordinal) const {
  for (StreamExecutor* executor : executors_) {
    if (executor->device_ordinal() == device_ordinal) return executor;
  }
  return NoDeviceOfAllocator(device_ordinal);
}

StatusOr<ScopedDeviceAddress> StreamExecutorAddressAllocator::Allocate(int device_ordinal, uint64_t size_bytes,
                                                                       MemorySpace space) {
  ASSIGN_OR_RETURN(StreamExecutor * executor, ExecutorFor(device_ordinal));
  ASSIGN_OR_RETURN(DeviceAddressBase address, executor->Allocate(size_bytes, space));
  return ScopedDeviceAddress(address, device_ordinal, this);
}

Status StreamExecutorAddressAllocator::Deallocate(int device_ordinal, const DeviceAddressBase& address) {
  ASSIGN_OR_RETURN(StreamExecutor * executor, ExecutorFor(device_ordinal));
  return executor->Deallocate(address);
}

Status StreamOrderedAddressAllocator::CheckDevice(int device_ordinal) const {
  return device_ordinal == stream_.parent().device_ordinal() ? OkStatus() : NoDeviceOfAllocator(device_ordinal);
}

StatusOr<ScopedDeviceAddress> StreamOrderedAddressAllocator::Allocate(int device_ordinal, uint64_t size_bytes,
                                                                      MemorySpace space) {
  RETURN_IF_ERROR(CheckDevice(device_ordinal));
  RETURN_IF_ERROR(CheckDeviceMemory(space));
  ASSIGN_OR_RETURN(const DeviceAddressBase address, stream_.AllocateOrdered(size_bytes));
  return ScopedDeviceAddress(address, device_ordinal, this);
}

Status StreamOrderedAddressAllocator::Deallocate(int device_ordinal, const DeviceAddressBase& address) {
  RETURN_IF_ERROR(CheckDevice(device_ordinal));
  return stream_.DeallocateOrdered(address);
}

}  // namespace stream_executor
