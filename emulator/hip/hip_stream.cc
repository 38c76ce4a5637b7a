// The embedded HIP functions about streams and events.
#include "emulator/hip/hip_call.h"
#include "emulator/hip/runtime.h"

namespace rocxla::emu {
namespace {

hipError_t BadStream() { return Fail(hipErrorInvalidHandle, "not a live stream: never created, or destroyed already"); }
hipError_t BadEvent() { return Fail(hipErrorInvalidHandle, "not a live event: never created, or destroyed already"); }
hipError_t MayNotWait() { return Fail(hipErrorIllegalState, "a host function may not wait for the device"); }

Fence FenceOf(Event& event) {
  std::lock_guard lock(event.mutex);
  return event.recorded;
}

// hipErrorNotReady is an answer, not an error to remember.
hipError_t Query(const Fence& fence) {
  if (fence.queue == nullptr) return hipSuccess;
  if (!fence.queue->HasPassed(fence.ticket)) return hipErrorNotReady;
  return Report(fence.queue->FailureUpTo(fence.ticket));
}

}  // namespace

namespace embedded {

hipError_t hipStreamCreateWithPriority(hipStream_t* stream, unsigned flags, int) {
  if (stream == nullptr) return Fail(hipErrorInvalidValue, "null pointer for the stream");
  if (flags != hipStreamDefault && flags != hipStreamNonBlocking) {
    return Fail(hipErrorInvalidValue, "a stream's flags are hipStreamDefault or hipStreamNonBlocking");
  }
  Runtime& runtime = Runtime::Get();
  EmbeddedDevice* device = runtime.device(CurrentDevice());
  if (device == nullptr) return Fail(hipErrorNoDevice, "there is no embedded device");
  *stream =
      runtime.streams.Add(std::make_shared<Stream>(device, std::make_shared<WorkQueue>(), flags == hipStreamDefault));
  return hipSuccess;
}

hipError_t hipStreamDestroy(hipStream_t handle) {
  if (WorkQueue::OnWorkerThread()) return Fail(hipErrorIllegalState, "a host function may not destroy a stream");
  const std::shared_ptr<Stream> stream = Runtime::Get().streams.Remove(handle);
  if (stream == nullptr) return BadStream();
  (void)stream->queue->Wait(stream->queue->last_ticket());  // its failures end with it
  return hipSuccess;
}

hipError_t hipStreamSynchronize(hipStream_t handle) {
  if (WorkQueue::OnWorkerThread()) return MayNotWait();
  const std::shared_ptr<Stream> stream = Runtime::Get().FindStream(handle);
  if (stream == nullptr) return BadStream();
  return Report(WaitFor(Runtime::Get().Mark(*stream)));
}

hipError_t hipStreamQuery(hipStream_t handle) {
  const std::shared_ptr<Stream> stream = Runtime::Get().FindStream(handle);
  if (stream == nullptr) return BadStream();
  return Query({stream->queue, stream->queue->last_ticket()});
}

hipError_t hipStreamWaitEvent(hipStream_t handle, hipEvent_t event_handle, unsigned flags) {
  Runtime& runtime = Runtime::Get();
  const std::shared_ptr<Stream> stream = runtime.FindStream(handle);
  if (stream == nullptr) return BadStream();
  const std::shared_ptr<Event> event = runtime.events.Find(event_handle);
  if (event == nullptr) return BadEvent();
  if (flags != 0) return Fail(hipErrorInvalidValue, "hipStreamWaitEvent has no flags");
  return runtime.EnqueueWait(*stream, FenceOf(*event)), hipSuccess;
}

hipError_t hipLaunchHostFunc(hipStream_t handle, hipHostFn_t function, void* user_data) {
  if (function == nullptr) return Fail(hipErrorInvalidValue, "null pointer for the function");
  const std::shared_ptr<Stream> stream = Runtime::Get().FindStream(handle);
  if (stream == nullptr) return BadStream();
  (void)Runtime::Get().Enqueue(*stream, [=] { return function(user_data), WorkResult{}; });
  return hipSuccess;
}

hipError_t hipEventCreateWithFlags(hipEvent_t* event, unsigned flags) {
  if (event == nullptr) return Fail(hipErrorInvalidValue, "null pointer for the event");
  if ((flags & ~hipEventDisableTiming) != 0) {
    return Fail(hipErrorInvalidValue, "an embedded event's flags are hipEventDefault or hipEventDisableTiming");
  }
  auto made = std::make_shared<Event>();
  made->has_timing = (flags & hipEventDisableTiming) == 0;
  return *event = Runtime::Get().events.Add(std::move(made)), hipSuccess;
}

hipError_t hipEventDestroy(hipEvent_t event) {
  return Runtime::Get().events.Remove(event) == nullptr ? BadEvent() : hipSuccess;
}

hipError_t hipEventRecord(hipEvent_t handle, hipStream_t stream_handle) {
  Runtime& runtime = Runtime::Get();
  const std::shared_ptr<Event> event = runtime.events.Find(handle);
  if (event == nullptr) return BadEvent();
  const std::shared_ptr<Stream> stream = runtime.FindStream(stream_handle);
  if (stream == nullptr) return BadStream();
  std::lock_guard lock(event->mutex);
  event->recorded = runtime.Mark(*stream);
  return hipSuccess;
}

hipError_t hipEventSynchronize(hipEvent_t handle) {
  if (WorkQueue::OnWorkerThread()) return MayNotWait();
  const std::shared_ptr<Event> event = Runtime::Get().events.Find(handle);
  return event == nullptr ? BadEvent() : Report(WaitFor(FenceOf(*event)));
}

hipError_t hipEventQuery(hipEvent_t handle) {
  const std::shared_ptr<Event> event = Runtime::Get().events.Find(handle);
  return event == nullptr ? BadEvent() : Query(FenceOf(*event));
}

hipError_t hipEventElapsedTime(float* milliseconds, hipEvent_t start_handle, hipEvent_t stop_handle) {
  const std::shared_ptr<Event> start = Runtime::Get().events.Find(start_handle);
  const std::shared_ptr<Event> stop = Runtime::Get().events.Find(stop_handle);
  if (start == nullptr || stop == nullptr) return BadEvent();
  if (milliseconds == nullptr) return Fail(hipErrorInvalidValue, "null pointer for the time");
  if (!start->has_timing || !stop->has_timing)
    return Fail(hipErrorInvalidHandle, "an event was created without timing");
  return Fail(
      hipErrorNotSupported,
      "the embedded device has no clock: the time that the host needs to execute a kernel says nothing about a GPU");
}

}  // namespace embedded
}  // namespace rocxla::emu
