#include "xla/stream_executor/rocm/rocm_executor.h"

#include <fmt/format.h>

#include <utility>

#include "base/error_ids.h"
#include "xla/stream_executor/platform.h"
#include "xla/stream_executor/rocm/rocm_command_buffer.h"
#include "xla/stream_executor/rocm/rocm_device_description.h"
#include "xla/stream_executor/rocm/rocm_event.h"
#include "xla/stream_executor/rocm/rocm_stream.h"
#include "xla/stream_executor/rocm/rocm_virtual_memory.h"
#include "xla/stream_executor/rocm/scoped_device.h"

namespace stream_executor::gpu {

std::string DeviceText(const StreamExecutor& executor) {
  return fmt::format("device {} of {} ({})", executor.device_ordinal(), executor.GetPlatform().Name(),
                     executor.GetDeviceDescription().name());
}

RocmExecutor::RocmExecutor(const Platform& platform, const HipApi& api, int ordinal,
                           std::unique_ptr<DeviceDescription> description)
    : platform_(platform),
      api_(api),
      ordinal_(ordinal),
      description_(std::move(description)),
      memory_(api, ordinal, fmt::format("device {} of {} ({})", ordinal, platform.Name(), description_->name())),
      idle_streams_(api) {}

StatusOr<std::unique_ptr<RocmExecutor>> RocmExecutor::Create(const Platform& platform, const HipApi& api, int ordinal,
                                                             const std::string& sysfs_root) {
  ASSIGN_OR_RETURN(auto description, CreateRocmDeviceDescription(api, ordinal, sysfs_root));
  return std::unique_ptr<RocmExecutor>(new RocmExecutor(platform, api, ordinal, std::move(description)));
}

Status RocmExecutor::CheckSamePlatform(const StreamExecutor& other) const {
  if (&other.GetPlatform() == &platform_) return OkStatus();
  return Error(ErrorId::kWrongDevice, {.what = "the devices belong to different platforms",
                                       .found = DeviceText(other),
                                       .expected = fmt::format("a device of {}", platform_.Name())});
}

Status RocmExecutor::CheckOwn(const Stream& stream, std::string_view what) const {
  if (&stream.parent() == static_cast<const StreamExecutor*>(this)) return OkStatus();
  return Error(ErrorId::kWrongDevice, {.what = fmt::format("{} needs a stream of its own device", what),
                                       .found = fmt::format("a stream of {}", DeviceText(stream.parent())),
                                       .expected = fmt::format("a stream of {}", DeviceText(*this))});
}

// --- Memory.

StatusOr<DeviceAddressBase> RocmExecutor::Allocate(uint64_t size_bytes, MemorySpace space) {
  return memory_.Allocate(size_bytes, space);
}
Status RocmExecutor::Deallocate(const DeviceAddressBase& address) { return memory_.Deallocate(address); }
StatusOr<DeviceMemoryUsage> RocmExecutor::GetDeviceMemoryUsage() const { return memory_.Usage(); }
Status RocmExecutor::HostMemoryRegister(void* pointer, uint64_t size_bytes) {
  return memory_.HostRegister(pointer, size_bytes);
}
Status RocmExecutor::HostMemoryUnregister(void* pointer) { return memory_.HostUnregister(pointer); }
StatusOr<bool> RocmExecutor::IsHostMemoryPinned(const void* pointer, uint64_t size_bytes) const {
  return memory_.IsHostMemoryPinned(pointer, size_bytes);
}
StatusOr<MemorySpace> RocmExecutor::GetPointerMemorySpace(const void* pointer) const {
  return memory_.SpaceOf(pointer);
}
StatusOr<DeviceAddressBase> RocmExecutor::GetMemoryRange(const DeviceAddressBase& address) const {
  return memory_.RangeOf(address);
}

StatusOr<uint64_t> RocmExecutor::GetVirtualMemoryGranularity() const {
  return VirtualMemoryGranularity(api_, ordinal_);
}

StatusOr<std::unique_ptr<MemoryReservation>> RocmExecutor::CreateMemoryReservation(uint64_t size_bytes) {
  ASSIGN_OR_RETURN(const ScopedDevice device, ScopedDevice::Activate(api_, ordinal_));
  ASSIGN_OR_RETURN(std::unique_ptr<MemoryReservation> reservation,
                   RocmMemoryReservation::Create(api_, ordinal_, size_bytes, [this] { return DevicesWithAccess(); }));
  return reservation;
}

StatusOr<std::shared_ptr<RawMemoryAllocation>> RocmExecutor::CreateRawMemoryAllocation(uint64_t size_bytes) {
  ASSIGN_OR_RETURN(const ScopedDevice device, ScopedDevice::Activate(api_, ordinal_));
  ASSIGN_OR_RETURN(std::shared_ptr<RawMemoryAllocation> memory, RocmRawMemory::Create(api_, ordinal_, size_bytes));
  return memory;
}

Status RocmExecutor::SynchronousMemcpy(const DeviceAddressBase& device_dst, const void* host_src, uint64_t size_bytes) {
  RETURN_IF_ERROR(CheckFits("a copy", device_dst, size_bytes));
  if (size_bytes == 0) return OkStatus();
  ASSIGN_OR_RETURN(const ScopedDevice device, ScopedDevice::Activate(api_, ordinal_));
  RETURN_IF_HIP_ERROR(api_, hipMemcpy, device_dst.opaque(), host_src, size_bytes, rocxla::hipMemcpyHostToDevice);
  return OkStatus();
}

Status RocmExecutor::SynchronousMemcpy(void* host_dst, const DeviceAddressBase& device_src, uint64_t size_bytes) {
  RETURN_IF_ERROR(CheckFits("a copy", device_src, size_bytes));
  if (size_bytes == 0) return OkStatus();
  ASSIGN_OR_RETURN(const ScopedDevice device, ScopedDevice::Activate(api_, ordinal_));
  RETURN_IF_HIP_ERROR(api_, hipMemcpy, host_dst, device_src.opaque(), size_bytes, rocxla::hipMemcpyDeviceToHost);
  return OkStatus();
}

Status RocmExecutor::SynchronizeAllActivity() {
  ASSIGN_OR_RETURN(const ScopedDevice device, ScopedDevice::Activate(api_, ordinal_));
  RETURN_IF_HIP_ERROR(api_, hipDeviceSynchronize);
  return OkStatus();
}

StatusOr<std::shared_ptr<const DeviceAddressBase>> RocmExecutor::CreateOrShareConstant(
    Stream& stream, std::span<const uint8_t> content) {
  RETURN_IF_ERROR(CheckOwn(stream, "a constant"));
  return constants_.CreateOrShare(stream, content);
}

// --- Other devices.

StatusOr<bool> RocmExecutor::CanEnablePeerAccessTo(int other_ordinal) const {
  int count = 0;
  RETURN_IF_HIP_ERROR(api_, hipGetDeviceCount, &count);
  if (other_ordinal < 0 || other_ordinal >= count) {
    return Error(ErrorId::kDeviceNotFound, {.what = "there is no such device",
                                            .where = fmt::format("platform {}", platform_.Name()),
                                            .found = fmt::format("device {}", other_ordinal),
                                            .expected = fmt::format("0 to {}", count - 1)});
  }
  if (other_ordinal == ordinal_) return true;
  int can = 0;
  RETURN_IF_HIP_ERROR(api_, hipDeviceCanAccessPeer, &can, ordinal_, other_ordinal);
  return can != 0;
}

Status RocmExecutor::EnablePeerAccessTo(StreamExecutor& other) {
  RETURN_IF_ERROR(CheckSamePlatform(other));
  const int peer = other.device_ordinal();
  if (peer == ordinal_) return OkStatus();
  ASSIGN_OR_RETURN(const bool can, CanEnablePeerAccessTo(peer));
  if (!can) {
    return Error(ErrorId::kPeerAccessUnavailable, {.what = "the devices cannot access each other's memory",
                                                   .where = DeviceText(*this),
                                                   .found = fmt::format("no way to {}", DeviceText(other)),
                                                   .next = "copy with MemcpyFromPeer, which needs no peer access"});
  }
  ASSIGN_OR_RETURN(const ScopedDevice device, ScopedDevice::Activate(api_, ordinal_));
  const hipError_t error = api_.hipDeviceEnablePeerAccess(peer, 0);
  const Status status = ToStatus(error, api_, "hipDeviceEnablePeerAccess");
  if (!status.ok() && error != rocxla::hipErrorPeerAccessAlreadyEnabled) return status;
  std::lock_guard lock(peers_mutex_);
  peers_.insert(peer);
  return OkStatus();
}

std::vector<int> RocmExecutor::DevicesWithAccess() const {
  std::lock_guard lock(peers_mutex_);
  std::vector<int> devices(peers_.begin(), peers_.end());
  devices.push_back(ordinal_);
  return devices;
}

// --- Work.

StatusOr<StreamPriorityRange> RocmExecutor::GetStreamPriorityRange() const {
  ASSIGN_OR_RETURN(const ScopedDevice device, ScopedDevice::Activate(api_, ordinal_));
  StreamPriorityRange range = {};
  RETURN_IF_HIP_ERROR(api_, hipDeviceGetStreamPriorityRange, &range.lowest, &range.highest);
  return range;
}

StatusOr<std::unique_ptr<Stream>> RocmExecutor::CreateStream(AnyStreamPriority priority) {
  ASSIGN_OR_RETURN(const ScopedDevice device, ScopedDevice::Activate(api_, ordinal_));
  ASSIGN_OR_RETURN(std::unique_ptr<Stream> stream, RocmStream::Create(*this, api_, priority));
  return stream;
}

StatusOr<std::unique_ptr<Event>> RocmExecutor::CreateEvent(EventTiming timing) {
  ASSIGN_OR_RETURN(const ScopedDevice device, ScopedDevice::Activate(api_, ordinal_));
  ASSIGN_OR_RETURN(std::unique_ptr<Event> event, RocmEvent::Create(api_, ordinal_, timing));
  return event;
}

StatusOr<std::chrono::duration<float, std::milli>> RocmExecutor::ElapsedTime(const Event& start, const Event& stop) {
  ASSIGN_OR_RETURN(const RocmEvent* rocm_start, AsRocmEvent(start, api_));
  ASSIGN_OR_RETURN(const RocmEvent* rocm_stop, AsRocmEvent(stop, api_));
  float milliseconds = 0;
  RETURN_IF_HIP_ERROR(api_, hipEventElapsedTime, &milliseconds, rocm_start->handle(), rocm_stop->handle());
  return std::chrono::duration<float, std::milli>(milliseconds);
}

StatusOr<std::unique_ptr<CommandBuffer>> RocmExecutor::CreateCommandBuffer() {
  ASSIGN_OR_RETURN(const ScopedDevice device, ScopedDevice::Activate(api_, ordinal_));
  ASSIGN_OR_RETURN(std::unique_ptr<CommandBuffer> buffer, RocmCommandBuffer::Create(*this, api_));
  return buffer;
}

StatusOr<std::shared_ptr<Module>> RocmExecutor::LoadModule(std::span<const uint8_t> code_object) {
  ASSIGN_OR_RETURN(const ScopedDevice device, ScopedDevice::Activate(api_, ordinal_));
  ASSIGN_OR_RETURN(std::shared_ptr<Module> module, modules_.Load(*this, api_, code_object));
  return module;
}

StatusOr<DeviceAddressBase> RocmExecutor::GetSymbol(std::string_view name) { return modules_.GetSymbol(name); }

}  // namespace stream_executor::gpu
