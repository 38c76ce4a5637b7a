#include "xla/stream_executor/rocm/rocm_executor.h"

#include <fmt/format.h>

#include <utility>

#include "xla/stream_executor/rocm/rocm_device_description.h"
#include "xla/stream_executor/rocm/rocm_event.h"
#include "xla/stream_executor/rocm/rocm_kernel.h"
#include "xla/stream_executor/rocm/rocm_stream.h"
#include "xla/stream_executor/rocm/scoped_device.h"

namespace stream_executor::gpu {
namespace {

hipError_t AllocateIn(const HipApi& api, MemorySpace space, void** pointer, uint64_t size_bytes) {
  switch (space) {
    case MemorySpace::kUnified:
      return api.hipMallocManaged(pointer, size_bytes, rocxla::hipMemAttachGlobal);
    case MemorySpace::kHost:
      return api.hipHostMalloc(pointer, size_bytes, rocxla::hipHostMallocPortable);
    case MemorySpace::kDevice:
      break;
  }
  return api.hipMalloc(pointer, size_bytes);
}

}  // namespace

StatusOr<std::unique_ptr<RocmExecutor>> RocmExecutor::Create(const Platform& platform, const HipApi& api, int ordinal) {
  ASSIGN_OR_RETURN(auto description, CreateRocmDeviceDescription(api, ordinal));
  return std::unique_ptr<RocmExecutor>(new RocmExecutor(platform, api, ordinal, std::move(description)));
}

Status RocmExecutor::OutOfMemory(uint64_t size_bytes, Status cause) const {
  if (cause.id() != ErrorId::kDeviceOutOfMemory) return cause;
  const StatusOr<DeviceMemoryUsage> usage = GetDeviceMemoryUsage();
  return Error(ErrorId::kDeviceOutOfMemory,
               {.what = "the device has not enough free memory",
                .where = fmt::format("device {}, {}", ordinal_, description_->name()),
                .found = usage.ok() ? fmt::format("{} of {} bytes are free", usage->free_bytes, usage->total_bytes)
                                    : usage.status().message(),
                .expected = fmt::format("{} bytes", size_bytes)});
}

StatusOr<DeviceAddressBase> RocmExecutor::Allocate(uint64_t size_bytes, MemorySpace space) {
  if (size_bytes == 0) return DeviceAddressBase();
  ASSIGN_OR_RETURN(const ScopedDevice device, ScopedDevice::Activate(api_, ordinal_));
  void* pointer = nullptr;
  if (hipError_t error = AllocateIn(api_, space, &pointer, size_bytes); error != hipSuccess) {
    return OutOfMemory(size_bytes, ToStatus(error, api_, "hipMalloc"));
  }
  std::lock_guard lock(mutex_);
  allocations_[pointer] = space;
  return DeviceAddressBase(pointer, size_bytes);
}

Status RocmExecutor::Deallocate(const DeviceAddressBase& address) {
  if (address.is_null()) return OkStatus();
  MemorySpace space;
  {
    std::lock_guard lock(mutex_);
    const auto node = allocations_.extract(address.opaque());
    if (node.empty()) {
      return rocxla::InvalidArgumentError(
          fmt::format("{} is no allocation of device {}, or freed already", address.opaque(), ordinal_));
    }
    space = node.mapped();
  }
  ASSIGN_OR_RETURN(const ScopedDevice device, ScopedDevice::Activate(api_, ordinal_));
  if (space == MemorySpace::kHost) {
    RETURN_IF_HIP_ERROR(api_, hipHostFree, address.opaque());
  } else {
    RETURN_IF_HIP_ERROR(api_, hipFree, address.opaque());
  }
  return OkStatus();
}

StatusOr<DeviceMemoryUsage> RocmExecutor::GetDeviceMemoryUsage() const {
  ASSIGN_OR_RETURN(const ScopedDevice device, ScopedDevice::Activate(api_, ordinal_));
  size_t free_bytes = 0, total_bytes = 0;
  RETURN_IF_HIP_ERROR(api_, hipMemGetInfo, &free_bytes, &total_bytes);
  return DeviceMemoryUsage{free_bytes, total_bytes};
}

Status RocmExecutor::SynchronousMemcpy(const DeviceAddressBase& device_dst, const void* host_src, uint64_t size_bytes) {
  RETURN_IF_ERROR(CheckFits("a copy", device_dst, size_bytes));
  ASSIGN_OR_RETURN(const ScopedDevice device, ScopedDevice::Activate(api_, ordinal_));
  RETURN_IF_HIP_ERROR(api_, hipMemcpy, device_dst.opaque(), host_src, size_bytes, rocxla::hipMemcpyHostToDevice);
  return OkStatus();
}

Status RocmExecutor::SynchronousMemcpy(void* host_dst, const DeviceAddressBase& device_src, uint64_t size_bytes) {
  RETURN_IF_ERROR(CheckFits("a copy", device_src, size_bytes));
  ASSIGN_OR_RETURN(const ScopedDevice device, ScopedDevice::Activate(api_, ordinal_));
  RETURN_IF_HIP_ERROR(api_, hipMemcpy, host_dst, device_src.opaque(), size_bytes, rocxla::hipMemcpyDeviceToHost);
  return OkStatus();
}

Status RocmExecutor::SynchronizeAllActivity() {
  ASSIGN_OR_RETURN(const ScopedDevice device, ScopedDevice::Activate(api_, ordinal_));
  RETURN_IF_HIP_ERROR(api_, hipDeviceSynchronize);
  return OkStatus();
}

StatusOr<std::unique_ptr<Stream>> RocmExecutor::CreateStream(StreamPriority priority) {
  ASSIGN_OR_RETURN(const ScopedDevice device, ScopedDevice::Activate(api_, ordinal_));
  ASSIGN_OR_RETURN(std::unique_ptr<Stream> stream, RocmStream::Create(*this, api_, priority));
  return stream;
}

StatusOr<std::unique_ptr<Event>> RocmExecutor::CreateEvent(EventTiming timing) {
  ASSIGN_OR_RETURN(const ScopedDevice device, ScopedDevice::Activate(api_, ordinal_));
  ASSIGN_OR_RETURN(std::unique_ptr<Event> event, RocmEvent::Create(api_, timing));
  return event;
}

StatusOr<std::chrono::duration<float, std::milli>> RocmExecutor::ElapsedTime(const Event& start, const Event& stop) {
  ASSIGN_OR_RETURN(const RocmEvent* rocm_start, AsRocmEvent(start, api_));
  ASSIGN_OR_RETURN(const RocmEvent* rocm_stop, AsRocmEvent(stop, api_));
  float milliseconds = 0;
  RETURN_IF_HIP_ERROR(api_, hipEventElapsedTime, &milliseconds, rocm_start->handle(), rocm_stop->handle());
  return std::chrono::duration<float, std::milli>(milliseconds);
}

StatusOr<std::shared_ptr<Module>> RocmExecutor::LoadModule(std::span<const uint8_t> code_object) {
  ASSIGN_OR_RETURN(const ScopedDevice device, ScopedDevice::Activate(api_, ordinal_));
  ASSIGN_OR_RETURN(std::shared_ptr<Module> module, RocmModule::Load(*this, api_, code_object));
  return module;
}

}  // namespace stream_executor::gpu
