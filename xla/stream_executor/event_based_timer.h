// EventBasedTimer: device time between two points of a stream.
#pragma once
#include <chrono>
#include <memory>

#include "xla/stream_executor/event.h"
#include "xla/stream_executor/status.h"

namespace stream_executor {

class Stream;
class StreamHold;

enum class TimerStart {
  kAtOnce,
  // The stream waits until the timer's end is queued, for 100 ms at most, so that the time it takes to queue the work
  // is not measured. Where a stream cannot be held (Stream::Hold) this is kAtOnce.
  kHeld,
};

class EventBasedTimer {
 public:
  ~EventBasedTimer();
  // Begins with what `stream` runs after this call.
  static StatusOr<std::unique_ptr<EventBasedTimer>> Create(Stream& stream, TimerStart start = TimerStart::kAtOnce);

  // Ends with what the stream has now, waits for that, and returns the device time in between. Only once;
  // FailedPrecondition afterwards, and when the stream is gone. The embedded device has no clock and says so
  // (NotSupportedByRuntime): time is never made up.
  StatusOr<std::chrono::duration<float, std::milli>> GetElapsedDuration();

 private:
  EventBasedTimer(Stream& stream, std::unique_ptr<StreamHold> hold, std::unique_ptr<Event> start,
                  std::unique_ptr<Event> stop);

  Stream* stream_;  // null once stopped
  const std::weak_ptr<const void> stream_lives_;
  const std::unique_ptr<Event> start_, stop_;
  const std::unique_ptr<StreamHold> hold_;  // may be null
};

}  // namespace stream_executor
