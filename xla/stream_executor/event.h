// Event: a point in the work of a stream, for others to wait on.
#pragma once
#include "xla/stream_executor/status.h"

namespace stream_executor {

enum class EventTiming { kDisabled, kEnabled };

class Event {
 public:
  enum class State {
    kPending,   // the work before it is still running
    kComplete,  // it has happened, or the event was never recorded
    kError,     // the device reported an error instead
  };
  virtual ~Event() = default;
  // Never blocks.
  virtual State PollForStatus() const = 0;
  // Blocks the calling thread until the event has happened.
  virtual rocxla::Status Synchronize() const = 0;
};

}  // namespace stream_executor
