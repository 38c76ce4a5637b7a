// The embedded HIP functions about events.
//
// Records note the host's time when a stream comes to them. It says how long the emulation took and nothing about a
// GPU: hipEventElapsedTime gives it only to those who ask for the host's clock (event_clock.h).
#include <atomic>
#include <chrono>
#include <string_view>

#include "base/environment.h"
#include "emulator/hip/event_clock.h"
#include "emulator/hip/hip_call.h"
#include "emulator/hip/runtime.h"

namespace rocxla::emu {
namespace {

hipError_t BadEvent() { return NotLive("event"); }

struct Recorded {
  Fence fence;
  std::shared_ptr<RecordTime> time;
};
Recorded LastRecord(Event& event) {
  std::lock_guard lock(event.mutex);
  return {event.recorded, event.time};
}

// An event that was recorded in a capture has not happened, and will not.
hipError_t CheckNotCaptured(const Event& event) {
  std::lock_guard lock(Runtime::Get().graph_mutex);
  if (event.capture.capture == nullptr) return hipSuccess;
  event.capture.capture->invalidated = true;
  return Fail(hipErrorCapturedEvent, "the event was recorded in a capture");
}

// hipErrorNotReady is an answer, not an error to remember.
hipError_t Query(const Fence& fence) {
  if (fence.queue == nullptr) return hipSuccess;
  if (!fence.queue->HasPassed(fence.ticket)) return hipErrorNotReady;
  return Report(fence.queue->FailureUpTo(fence.ticket));
}

std::atomic<EventClock>& Clock() {
  static std::atomic<EventClock> clock = [] {
    const char* asked = Environment(EnvironmentVariable::kROCXLA_EMBEDDED_CLOCK);
    return asked != nullptr && std::string_view(asked) == "host" ? EventClock::kHost : EventClock::kNone;
  }();
  return clock;
}

}  // namespace

EventClock CurrentEventClock() { return Clock(); }
void SetEventClock(EventClock clock) { Clock() = clock; }

namespace embedded {

hipError_t hipEventCreateWithFlags(hipEvent_t* event, unsigned flags) {
  if (event == nullptr) return NullPointer("the event");
  constexpr unsigned kKnown = hipEventBlockingSync | hipEventDisableTiming | hipEventDisableSystemFence |
                              hipEventReleaseToDevice | hipEventReleaseToSystem;
  if ((flags & ~kKnown) != 0) {
    return Fail(hipErrorInvalidValue, "an embedded event cannot be shared between processes, and has no unknown flags");
  }
  EmbeddedDevice* device = CurrentEmbeddedDevice();
  if (device == nullptr) return NoDevice(CurrentDevice());
  auto made = std::make_shared<Event>();
  made->device = device;
  made->has_timing = (flags & hipEventDisableTiming) == 0;
  return *event = Runtime::Get().events.Add(std::move(made)), hipSuccess;
}
hipError_t hipEventCreate(hipEvent_t* event) { return hipEventCreateWithFlags(event, hipEventDefault); }

hipError_t hipEventDestroy(hipEvent_t event) {
  return Runtime::Get().events.Remove(event) == nullptr ? BadEvent() : hipSuccess;
}

hipError_t hipEventRecord(hipEvent_t handle, hipStream_t stream_handle) {
  Runtime& runtime = Runtime::Get();
  const std::shared_ptr<Event> event = runtime.events.Find(handle);
  if (event == nullptr) return BadEvent();
  const std::shared_ptr<Stream> stream = runtime.FindStream(stream_handle);
  if (stream == nullptr) return NotLive("stream");
  if (stream->device != event->device) {
    return Fail(hipErrorInvalidHandle, "the event was created on another device than the stream");
  }
  {
    std::lock_guard lock(runtime.graph_mutex);
    Captures::Record(*stream, *event);
    if (stream->capture.capture != nullptr) return hipSuccess;
  }
  return Report(runtime.Submit(stream, RecordOperation{event}));
}

hipError_t hipEventSynchronize(hipEvent_t handle) {
  if (hipError_t error = CheckNotInHostFunction("hipEventSynchronize"); error != hipSuccess) return error;
  const std::shared_ptr<Event> event = Runtime::Get().events.Find(handle);
  if (event == nullptr) return BadEvent();
  if (hipError_t error = CheckNotCaptured(*event); error != hipSuccess) return error;
  const WorkResult result = WaitFor(LastRecord(*event).fence);
  Runtime::Get().TrimPools();
  return Report(result);
}

hipError_t hipEventQuery(hipEvent_t handle) {
  const std::shared_ptr<Event> event = Runtime::Get().events.Find(handle);
  if (event == nullptr) return BadEvent();
  if (hipError_t error = CheckNotCaptured(*event); error != hipSuccess) return error;
  return Query(LastRecord(*event).fence);
}

hipError_t hipEventElapsedTime(float* milliseconds, hipEvent_t start_handle, hipEvent_t stop_handle) {
  if (milliseconds == nullptr) return NullPointer("the time");
  const std::shared_ptr<Event> start = Runtime::Get().events.Find(start_handle);
  const std::shared_ptr<Event> stop = Runtime::Get().events.Find(stop_handle);
  if (start == nullptr || stop == nullptr) return BadEvent();
  if (!start->has_timing || !stop->has_timing) {
    return Fail(hipErrorInvalidHandle, "an event was created without timing");
  }
  if (start->device != stop->device) return Fail(hipErrorInvalidHandle, "the events belong to different devices");
  const Recorded from = LastRecord(*start), to = LastRecord(*stop);
  if (from.time == nullptr || to.time == nullptr) return Fail(hipErrorInvalidHandle, "an event was never recorded");
  for (const Fence& fence : {from.fence, to.fence}) {
    if (hipError_t error = Query(fence); error != hipSuccess) return error;
  }
  if (CurrentEventClock() == EventClock::kNone) {
    return Fail(
        hipErrorNotSupported,
        "the embedded device has no clock: the time that the host needs to execute a kernel says nothing about a "
        "GPU; ROCXLA_EMBEDDED_CLOCK=host gives that time all the same");
  }
  const std::chrono::duration<float, std::milli> elapsed = to.time->since_epoch.load() - from.time->since_epoch.load();
  return *milliseconds = elapsed.count(), hipSuccess;
}

}  // namespace embedded
}  // namespace rocxla::emu
