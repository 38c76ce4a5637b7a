#include "xla/stream_executor/rocm/rocm_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error_ids.h"
#include "xla/stream_executor/rocm/rocm_executor.h"
#include "xla/stream_executor/rocm/rocm_stream_hold.h"
#include "xla/stream_executor/rocm/scoped_device.h"

namespace stream_executor::gpu {
namespace {

// Within the device's range.
StatusOr<int> HipPriority(const RocmExecutor& executor, AnyStreamPriority priority) {
  ASSIGN_OR_RETURN(const StreamPriorityRange range, executor.GetStreamPriorityRange());
  if (const int* number = std::get_if<int>(&priority)) return std::clamp(*number, range.highest, range.lowest);
  switch (std::get<StreamPriority>(priority)) {
    case StreamPriority::kLowest:
      return range.lowest;
    case StreamPriority::kHighest:
      return range.highest;
    case StreamPriority::kDefault:
      break;
  }
  return 0;
}

}  // namespace

Status CheckFits(std::string_view what, const DeviceAddressBase& address, uint64_t size_bytes) {
  if (size_bytes <= address.size()) return OkStatus();
  return Error(ErrorId::kBadDeviceAddress,
               {.what = fmt::format("{} goes beyond its device range", what),
                .found = fmt::format("a range of {} bytes at {}", address.size(), address.opaque()),
                .expected = fmt::format("{} bytes", size_bytes)});
}

StatusOr<std::unique_ptr<RocmStream>> RocmStream::Create(RocmExecutor& executor, const HipApi& api,
                                                         AnyStreamPriority priority) {
  ASSIGN_OR_RETURN(const int hip_priority, HipPriority(executor, priority));
  ASSIGN_OR_RETURN(const rocxla::hipStream_t handle, executor.idle_streams().Take(hip_priority));
  return std::unique_ptr<RocmStream>(new RocmStream(executor, api, priority, hip_priority, handle));
}

RocmStream::~RocmStream() {
  const bool is_idle =
      ToStatus(api_.hipStreamSynchronize(handle_), api_, "hipStreamSynchronize").ok() && known_failure().ok();
  executor_.idle_streams().GiveBack(handle_, hip_priority_, is_idle);
  // A failed stream skips its callbacks. They own the state, so that the cycle must be cut.
  std::list<std::unique_ptr<Callback>> skipped;
  std::lock_guard lock(state_->mutex);
  skipped.swap(state_->callbacks);
}

StreamExecutor& RocmStream::parent() const { return executor_; }

Status RocmStream::known_failure() const {
  std::lock_guard lock(state_->mutex);
  return state_->failure;
}

Status RocmStream::Note(Status status) const {
  // What a capture refuses does no harm to the stream's work.
  if (status.id() == ErrorId::kCommandBufferMisuse) return status;
  std::lock_guard lock(state_->mutex);
  if (state_->failure.ok()) state_->failure = std::move(status);
  return state_->failure;
}

void RocmStream::SetCapture(std::vector<std::shared_ptr<RocmModule>>* modules) {
  std::lock_guard lock(state_->mutex);
  state_->capture = modules;
}

void RocmStream::NoteLaunch(const std::shared_ptr<RocmModule>& module) {
  std::lock_guard lock(state_->mutex);
  if (state_->capture != nullptr) state_->capture->push_back(module);
}

Status RocmStream::CheckNotCapturing(std::string_view what) const {
  std::lock_guard lock(state_->mutex);
  if (state_->capture == nullptr) return OkStatus();
  return Error(ErrorId::kCommandBufferMisuse, {.what = fmt::format("{} cannot be part of a command buffer", what),
                                               .where = "a stream that is being traced",
                                               .expected = "launches, copies and fills on the device, events"});
}

Status RocmStream::status() const {
  RETURN_IF_ERROR(known_failure());
  if (!CheckNotCapturing("").ok()) return OkStatus();  // nothing of it runs, and to ask would end the capture
  const hipError_t state = api_.hipStreamQuery(handle_);
  return Note(state == hipErrorNotReady ? OkStatus() : ToStatus(state, api_, "hipStreamQuery"));
}

// Copies and fills make the stream's device the current one: the HIP runtime asks whether that device, not the
// stream's, has access to virtual memory.

Status RocmStream::Memcpy(const DeviceAddressBase& device_dst, const void* host_src, uint64_t size_bytes) {
  RETURN_IF_ERROR(known_failure());
  RETURN_IF_ERROR(CheckFits("a copy", device_dst, size_bytes));
  if (size_bytes == 0) return OkStatus();
  ASSIGN_OR_RETURN(const ScopedDevice device, ScopedDevice::Activate(api_, executor_.device_ordinal()));
  RETURN_IF_HIP_ERROR(api_, hipMemcpyAsync, device_dst.opaque(), host_src, size_bytes, rocxla::hipMemcpyHostToDevice,
                      handle_);
  return OkStatus();
}

Status RocmStream::Memcpy(void* host_dst, const DeviceAddressBase& device_src, uint64_t size_bytes) {
  RETURN_IF_ERROR(known_failure());
  RETURN_IF_ERROR(CheckFits("a copy", device_src, size_bytes));
  if (size_bytes == 0) return OkStatus();
  ASSIGN_OR_RETURN(const ScopedDevice device, ScopedDevice::Activate(api_, executor_.device_ordinal()));
  RETURN_IF_HIP_ERROR(api_, hipMemcpyAsync, host_dst, device_src.opaque(), size_bytes, rocxla::hipMemcpyDeviceToHost,
                      handle_);
  return OkStatus();
}

Status RocmStream::MemcpyD2D(const DeviceAddressBase& dst, const DeviceAddressBase& src, uint64_t size_bytes) {
  RETURN_IF_ERROR(known_failure());
  RETURN_IF_ERROR(CheckFits("a copy", dst, size_bytes));
  RETURN_IF_ERROR(CheckFits("a copy", src, size_bytes));
  if (size_bytes == 0) return OkStatus();
  ASSIGN_OR_RETURN(const ScopedDevice device, ScopedDevice::Activate(api_, executor_.device_ordinal()));
  RETURN_IF_HIP_ERROR(api_, hipMemcpyAsync, dst.opaque(), src.opaque(), size_bytes, rocxla::hipMemcpyDeviceToDevice,
                      handle_);
  return OkStatus();
}

Status RocmStream::MemcpyFromPeer(const DeviceAddressBase& dst, const StreamExecutor& src_device,
                                  const DeviceAddressBase& src, uint64_t size_bytes) {
  RETURN_IF_ERROR(known_failure());
  RETURN_IF_ERROR(executor_.CheckSamePlatform(src_device));
  RETURN_IF_ERROR(CheckFits("a copy", dst, size_bytes));
  RETURN_IF_ERROR(CheckFits("a copy", src, size_bytes));
  if (size_bytes == 0) return OkStatus();
  ASSIGN_OR_RETURN(const ScopedDevice device, ScopedDevice::Activate(api_, executor_.device_ordinal()));
  RETURN_IF_HIP_ERROR(api_, hipMemcpyPeerAsync, dst.opaque(), executor_.device_ordinal(), src.opaque(),
                      src_device.device_ordinal(), size_bytes, handle_);
  return OkStatus();
}

Status RocmStream::MemZero(const DeviceAddressBase& location, uint64_t size_bytes) {
  RETURN_IF_ERROR(known_failure());
  RETURN_IF_ERROR(CheckFits("a fill", location, size_bytes));
  if (size_bytes == 0) return OkStatus();
  ASSIGN_OR_RETURN(const ScopedDevice device, ScopedDevice::Activate(api_, executor_.device_ordinal()));
  RETURN_IF_HIP_ERROR(api_, hipMemsetAsync, location.opaque(), 0, size_bytes, handle_);
  return OkStatus();
}

Status RocmStream::Memset32(const DeviceAddressBase& location, uint32_t pattern, uint64_t size_bytes) {
  RETURN_IF_ERROR(known_failure());
  RETURN_IF_ERROR(CheckFits("a fill", location, size_bytes));
  if (reinterpret_cast<uintptr_t>(location.opaque()) % 4 != 0 || size_bytes % 4 != 0) {
    return Error(ErrorId::kBadMemoryRequest, {.what = "a fill with a 32-bit pattern needs whole patterns",
                                              .found = fmt::format("{} bytes at {}", size_bytes, location.opaque()),
                                              .expected = "address and size that are multiples of 4"});
  }
  if (size_bytes == 0) return OkStatus();
  ASSIGN_OR_RETURN(const ScopedDevice device, ScopedDevice::Activate(api_, executor_.device_ordinal()));
  RETURN_IF_HIP_ERROR(api_, hipMemsetD32Async, location.opaque(), static_cast<int>(pattern), size_bytes / 4, handle_);
  return OkStatus();
}

StatusOr<DeviceAddressBase> RocmStream::AllocateOrdered(uint64_t size_bytes) {
  RETURN_IF_ERROR(known_failure());
  RETURN_IF_ERROR(CheckNotCapturing("an allocation"));
  return executor_.memory().AllocateOrdered(size_bytes, handle_);
}

// Also of a failed stream: the memory must not be lost.
Status RocmStream::DeallocateOrdered(const DeviceAddressBase& address) {
  RETURN_IF_ERROR(CheckNotCapturing("a release of memory"));
  return executor_.memory().DeallocateOrdered(address, handle_);
}

Status RocmStream::RecordEvent(Event& event) {
  RETURN_IF_ERROR(known_failure());
  ASSIGN_OR_RETURN(const RocmEvent* rocm_event, AsRocmEvent(event, api_));
  if (rocm_event->ordinal() != executor_.device_ordinal()) {
    return Error(ErrorId::kWrongDevice, {.what = "an event can only be recorded on streams of its own device",
                                         .found = fmt::format("an event of device {}", rocm_event->ordinal()),
                                         .expected = fmt::format("an event of device {}", executor_.device_ordinal())});
  }
  RETURN_IF_HIP_ERROR(api_, hipEventRecord, rocm_event->handle(), handle_);
  return OkStatus();
}

Status RocmStream::WaitFor(const Event& event) {
  RETURN_IF_ERROR(known_failure());
  ASSIGN_OR_RETURN(const RocmEvent* rocm_event, AsRocmEvent(event, api_));
  RETURN_IF_HIP_ERROR(api_, hipStreamWaitEvent, handle_, rocm_event->handle(), 0);
  return OkStatus();
}

Status RocmStream::WaitFor(Stream& other) {
  if (&other == this) return known_failure();
  ASSIGN_OR_RETURN(const std::unique_ptr<Event> event, other.parent().CreateEvent());
  RETURN_IF_ERROR(other.RecordEvent(*event));
  return WaitFor(*event);
}

void RocmStream::RunCallback(void* opaque) {
  auto* callback = static_cast<Callback*>(opaque);
  const std::shared_ptr<State> state = callback->state;
  Status status = callback->function();
  std::unique_ptr<Callback> done;  // freed after the lock: what the function captured may be anything
  std::lock_guard lock(state->mutex);
  if (state->failure.ok()) state->failure = std::move(status);
  done = std::move(*callback->self);
  state->callbacks.erase(done->self);
}

Status RocmStream::DoHostCallbackWithStatus(std::function<Status()> function) {
  RETURN_IF_ERROR(known_failure());
  RETURN_IF_ERROR(CheckNotCapturing("a callback of the host"));
  auto owned = std::make_unique<Callback>(std::move(function), state_);
  Callback* callback = owned.get();
  {
    std::lock_guard lock(state_->mutex);
    callback->self = state_->callbacks.insert(state_->callbacks.end(), std::move(owned));
  }
  const hipError_t error = api_.hipLaunchHostFunc(handle_, RunCallback, callback);
  if (error == hipSuccess) return OkStatus();
  const Status status = ToStatus(error, api_, "hipLaunchHostFunc");
  std::lock_guard lock(state_->mutex);
  state_->callbacks.erase(callback->self);
  return status;
}

StatusOr<std::unique_ptr<StreamHold>> RocmStream::Hold() {
  RETURN_IF_ERROR(known_failure());
  RETURN_IF_ERROR(CheckNotCapturing("a hold"));
  return HoldRocmStream(*this, api_);
}

Status RocmStream::BlockHostUntilDone() {
  RETURN_IF_ERROR(CheckNotCapturing("waiting for the stream"));
  // Waits in any case: the caller may free what queued work uses.
  return Note(ToStatus(api_.hipStreamSynchronize(handle_), api_, "hipStreamSynchronize"));
}

}  // namespace stream_executor::gpu
