// The embedded HIP functions about streams.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <shared_mutex>
#include <thread>

#include "emulator/hip/hip_call.h"
#include "emulator/hip/runtime.h"

namespace rocxla::emu {
namespace {

hipError_t BadStream() { return Runtime::Get().device_count() == 0 ? NoDevice(0) : NotLive("stream"); }

// Fails, and invalidates the capture, for calls that a captured stream cannot answer.
hipError_t CheckNotCapturing(Stream& stream, const char* function) {
  std::lock_guard lock(Runtime::Get().graph_mutex);
  return Report(Captures::CheckNotCapturing(stream, function));
}

// As the kernel with which the HIP runtime waits: without signs, and the mask is for what is in memory.
template <class Value>
bool Satisfied(Value current, Value wanted, unsigned flags, Value mask) {
  switch (flags) {
    case hipStreamWaitValueGte:
      return (current & mask) >= wanted;
    case hipStreamWaitValueEq:
      return (current & mask) == wanted;
    case hipStreamWaitValueAnd:
      return (current & mask & wanted) != 0;
    default:  // hipStreamWaitValueNor
      return ((current | wanted) & mask) != mask;
  }
}

template <class Value>
hipError_t CheckCell(const char* function, const void* pointer) {
  if (reinterpret_cast<uintptr_t>(pointer) % sizeof(Value) != 0) {
    return Fail(hipErrorInvalidValue, fmt::format("{}: {} is not a multiple of {}", function, pointer, sizeof(Value)));
  }
  return Report(CheckLive(Runtime::Get(), function, pointer, sizeof(Value)));
}

template <class Value>
hipError_t WriteValue(const char* function, hipStream_t handle, void* pointer, Value value, unsigned flags) {
  if (flags != 0) return Fail(hipErrorInvalidValue, fmt::format("{} has no flags here", function));
  const std::shared_ptr<Stream> stream = Runtime::Get().FindStream(handle);
  if (stream == nullptr) return BadStream();
  if (hipError_t error = CheckCell<Value>(function, pointer); error != hipSuccess) return error;
  return Report(Runtime::Get().SubmitUncapturable(stream, function, [=] {
    std::shared_lock running(Runtime::Get().memory.in_use());
    WorkResult live = CheckLive(Runtime::Get(), function, pointer, sizeof(Value));
    if (live.ok()) std::atomic_ref(*static_cast<Value*>(pointer)).store(value);
    return live;
  }));
}

// Looks again and again: the memory may be written by the host, by any stream, or by a kernel.
template <class Value>
hipError_t WaitValue(const char* function, hipStream_t handle, void* pointer, Value value, unsigned flags, Value mask) {
  if (flags > hipStreamWaitValueNor)
    return Fail(hipErrorInvalidValue, fmt::format("{}: no flags {:#x}", function, flags));
  const std::shared_ptr<Stream> stream = Runtime::Get().FindStream(handle);
  if (stream == nullptr) return BadStream();
  if (hipError_t error = CheckCell<Value>(function, pointer); error != hipSuccess) return error;
  return Report(Runtime::Get().SubmitUncapturable(stream, function, [=] {
    constexpr std::chrono::microseconds kPause(100);
    while (true) {
      {
        std::shared_lock running(Runtime::Get().memory.in_use());
        WorkResult live = CheckLive(Runtime::Get(), function, pointer, sizeof(Value));
        if (!live.ok()) return live;
        const Value current = std::atomic_ref(*static_cast<Value*>(pointer)).load();
        if (Satisfied(current, value, flags, mask)) return WorkResult{};
      }
      std::this_thread::sleep_for(kPause);
    }
  }));
}

}  // namespace

namespace embedded {

hipError_t hipStreamCreateWithPriority(hipStream_t* stream, unsigned flags, int priority) {
  if (stream == nullptr) return NullPointer("the stream");
  if (flags != hipStreamDefault && flags != hipStreamNonBlocking) {
    return Fail(hipErrorInvalidValue, "a stream's flags are hipStreamDefault or hipStreamNonBlocking");
  }
  EmbeddedDevice* device = CurrentEmbeddedDevice();
  if (device == nullptr) return NoDevice(CurrentDevice());
  int least = 0, greatest = 0;
  (void)hipDeviceGetStreamPriorityRange(&least, &greatest);
  *stream = Runtime::Get().streams.Add(std::make_shared<Stream>(device, std::make_shared<WorkQueue>(), flags,
                                                                std::clamp(priority, greatest, least), false));
  return hipSuccess;
}
hipError_t hipStreamCreateWithFlags(hipStream_t* stream, unsigned flags) {
  return hipStreamCreateWithPriority(stream, flags, 0);
}
hipError_t hipStreamCreate(hipStream_t* stream) { return hipStreamCreateWithPriority(stream, hipStreamDefault, 0); }

// Waits for the stream's work, whose failures end with it.
hipError_t hipStreamDestroy(hipStream_t handle) {
  if (hipError_t error = CheckNotInHostFunction("hipStreamDestroy"); error != hipSuccess) return error;
  Runtime& runtime = Runtime::Get();
  const std::shared_ptr<Stream> stream = runtime.streams.Find(handle);
  if (stream == nullptr) return BadStream();
  {
    std::lock_guard lock(runtime.graph_mutex);
    runtime.captures.EndWith(*stream);
  }
  if (runtime.streams.Remove(handle) == nullptr) return BadStream();
  (void)stream->queue->Wait(stream->queue->last_ticket());
  return hipSuccess;
}

hipError_t hipStreamGetFlags(hipStream_t handle, unsigned* flags) {
  if (flags == nullptr) return NullPointer("the flags");
  const std::shared_ptr<Stream> stream = Runtime::Get().FindStream(handle);
  if (stream == nullptr) return BadStream();
  return *flags = stream->flags, hipSuccess;
}

hipError_t hipStreamGetPriority(hipStream_t handle, int* priority) {
  if (priority == nullptr) return NullPointer("the priority");
  const std::shared_ptr<Stream> stream = Runtime::Get().FindStream(handle);
  if (stream == nullptr) return BadStream();
  return *priority = stream->priority, hipSuccess;
}

hipError_t hipStreamGetDevice(hipStream_t handle, hipDevice_t* device) {
  if (device == nullptr) return NullPointer("the device");
  const std::shared_ptr<Stream> stream = Runtime::Get().FindStream(handle);
  if (stream == nullptr) return BadStream();
  return *device = stream->device->ordinal(), hipSuccess;
}

hipError_t hipStreamSynchronize(hipStream_t handle) {
  if (hipError_t error = CheckNotInHostFunction("hipStreamSynchronize"); error != hipSuccess) return error;
  Runtime& runtime = Runtime::Get();
  const std::shared_ptr<Stream> stream = runtime.FindStream(handle);
  if (stream == nullptr) return BadStream();
  if (hipError_t error = CheckNotCapturing(*stream, "hipStreamSynchronize"); error != hipSuccess) return error;
  const WorkResult result = WaitFor(runtime.Mark(*stream));
  runtime.TrimPools();
  return Report(result);
}

hipError_t hipStreamQuery(hipStream_t handle) {
  const std::shared_ptr<Stream> stream = Runtime::Get().FindStream(handle);
  if (stream == nullptr) return BadStream();
  if (hipError_t error = CheckNotCapturing(*stream, "hipStreamQuery"); error != hipSuccess) return error;
  const uint64_t last = stream->queue->last_ticket();
  if (!stream->queue->HasPassed(last)) return hipErrorNotReady;  // an answer, not an error to remember
  return Report(stream->queue->FailureUpTo(last));
}

hipError_t hipStreamWaitEvent(hipStream_t handle, hipEvent_t event_handle, unsigned flags) {
  Runtime& runtime = Runtime::Get();
  const std::shared_ptr<Stream> stream = runtime.FindStream(handle);
  if (stream == nullptr) return BadStream();
  const std::shared_ptr<Event> event = runtime.events.Find(event_handle);
  if (event == nullptr) return NotLive("event");
  if (flags != 0) return Fail(hipErrorInvalidValue, "hipStreamWaitEvent has no flags");
  {
    std::lock_guard lock(runtime.graph_mutex);
    if (stream->capture.capture != nullptr || event->capture.capture != nullptr) {
      if (stream->is_null) return Fail(hipErrorStreamCaptureImplicit, "the null stream cannot join a capture");
      return Report(runtime.captures.Wait(stream, *event));
    }
  }
  return Report(runtime.Submit(stream, WaitOperation{event}));
}

hipError_t hipLaunchHostFunc(hipStream_t handle, hipHostFn_t function, void* user_data) {
  if (function == nullptr) return NullPointer("the function");
  const std::shared_ptr<Stream> stream = Runtime::Get().FindStream(handle);
  if (stream == nullptr) return BadStream();
  return Report(Runtime::Get().Submit(stream, HostOperation{function, user_data}));
}

hipError_t hipStreamAddCallback(hipStream_t handle, hipStreamCallback_t callback, void* user_data, unsigned flags) {
  if (callback == nullptr) return NullPointer("the callback");
  if (flags != 0) return Fail(hipErrorInvalidValue, "hipStreamAddCallback has no flags");
  const std::shared_ptr<Stream> stream = Runtime::Get().FindStream(handle);
  if (stream == nullptr) return BadStream();
  return Report(Runtime::Get().SubmitUncapturable(stream, "hipStreamAddCallback", [=] {
    callback(handle, hipSuccess, user_data);
    return WorkResult{};
  }));
}

hipError_t hipStreamWriteValue32(hipStream_t stream, void* pointer, uint32_t value, unsigned flags) {
  return WriteValue("hipStreamWriteValue32", stream, pointer, value, flags);
}
hipError_t hipStreamWriteValue64(hipStream_t stream, void* pointer, uint64_t value, unsigned flags) {
  return WriteValue("hipStreamWriteValue64", stream, pointer, value, flags);
}
hipError_t hipStreamWaitValue32(hipStream_t stream, void* pointer, uint32_t value, unsigned flags, uint32_t mask) {
  return WaitValue("hipStreamWaitValue32", stream, pointer, value, flags, mask);
}
hipError_t hipStreamWaitValue64(hipStream_t stream, void* pointer, uint64_t value, unsigned flags, uint64_t mask) {
  return WaitValue("hipStreamWaitValue64", stream, pointer, value, flags, mask);
}

// Capture.

hipError_t hipStreamBeginCapture(hipStream_t handle, hipStreamCaptureMode mode) {
  Runtime& runtime = Runtime::Get();
  const std::shared_ptr<Stream> stream = runtime.FindStream(handle);
  if (stream == nullptr) return BadStream();
  if (stream->is_null) return Fail(hipErrorStreamCaptureUnsupported, "the null stream cannot be captured");
  if (mode < hipStreamCaptureModeGlobal || mode > hipStreamCaptureModeRelaxed) {
    return Fail(hipErrorInvalidValue, fmt::format("no capture mode {}", static_cast<int>(mode)));
  }
  std::lock_guard lock(runtime.graph_mutex);
  return Report(runtime.captures.Begin(*stream, mode, runtime.graphs));
}

hipError_t hipStreamEndCapture(hipStream_t handle, hipGraph_t* graph) {
  if (graph == nullptr) return NullPointer("the graph");
  Runtime& runtime = Runtime::Get();
  const std::shared_ptr<Stream> stream = runtime.FindStream(handle);
  if (stream == nullptr) return BadStream();
  std::lock_guard lock(runtime.graph_mutex);
  std::shared_ptr<Graph> captured;
  const WorkResult result = runtime.captures.End(*stream, captured);
  *graph = captured == nullptr ? nullptr : captured->handle();
  return Report(result);
}

hipError_t hipStreamIsCapturing(hipStream_t handle, hipStreamCaptureStatus* status) {
  return hipStreamGetCaptureInfo_v2(handle, status, nullptr, nullptr, nullptr, nullptr);
}

hipError_t hipStreamGetCaptureInfo_v2(hipStream_t handle, hipStreamCaptureStatus* status, unsigned long long* id,
                                      hipGraph_t* graph, const hipGraphNode_t** dependencies, size_t* count) {
  if (status == nullptr) return NullPointer("the status");
  Runtime& runtime = Runtime::Get();
  const std::shared_ptr<Stream> stream = runtime.FindStream(handle);
  if (stream == nullptr) return BadStream();
  std::lock_guard lock(runtime.graph_mutex);
  *status = Captures::StatusOf(*stream);
  if (*status != hipStreamCaptureStatusActive) return hipSuccess;
  thread_local std::vector<hipGraphNode_t> tails;  // lives until the thread's next call
  tails.clear();
  for (const GraphNode* node : stream->capture.tails) tails.push_back(node->handle);
  if (id != nullptr) *id = stream->capture.capture->id;
  if (graph != nullptr) *graph = stream->capture.capture->graph->handle();
  if (dependencies != nullptr) *dependencies = tails.data();
  if (count != nullptr) *count = tails.size();
  return hipSuccess;
}

hipError_t hipThreadExchangeStreamCaptureMode(hipStreamCaptureMode* mode) {
  if (mode == nullptr) return NullPointer("the mode");
  if (*mode < hipStreamCaptureModeGlobal || *mode > hipStreamCaptureModeRelaxed) {
    return Fail(hipErrorInvalidValue, fmt::format("no capture mode {}", static_cast<int>(*mode)));
  }
  return *mode = Captures::ExchangeThreadMode(*mode), hipSuccess;
}

}  // namespace embedded
}  // namespace rocxla::emu
