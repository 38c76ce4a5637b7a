#include "xla/stream_executor/device_address_allocator.h"

#include <fmt/format.h>

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

StatusOr<StreamExecutor*> StreamExecutorAddressAllocator::ExecutorFor(int device_ordinal) const {
  for (StreamExecutor* executor : executors_) {
    if (executor->device_ordinal() == device_ordinal) return executor;
  }
  return rocxla::NotFoundError(fmt::format("this allocator serves no device {}", device_ordinal));
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

}  // namespace stream_executor
