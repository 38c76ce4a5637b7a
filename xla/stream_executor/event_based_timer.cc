#include "xla/stream_executor/event_based_timer.h"

#include <utility>

#include "base/error_ids.h"
#include "base/logging.h"
#include "xla/stream_executor/stream.h"
#include "xla/stream_executor/stream_executor.h"

namespace stream_executor {

EventBasedTimer::EventBasedTimer(Stream& stream, std::unique_ptr<StreamHold> hold, std::unique_ptr<Event> start,
                                 std::unique_ptr<Event> stop)
    : stream_(&stream),
      stream_lives_(stream.lifetime()),
      start_(std::move(start)),
      stop_(std::move(stop)),
      hold_(std::move(hold)) {}

EventBasedTimer::~EventBasedTimer() = default;

StatusOr<std::unique_ptr<EventBasedTimer>> EventBasedTimer::Create(Stream& stream, TimerStart when) {
  StreamExecutor& executor = stream.parent();
  ASSIGN_OR_RETURN(std::unique_ptr<Event> start, executor.CreateEvent(EventTiming::kEnabled));
  ASSIGN_OR_RETURN(std::unique_ptr<Event> stop, executor.CreateEvent(EventTiming::kEnabled));
  std::unique_ptr<StreamHold> hold;
  if (when == TimerStart::kHeld) {
    StatusOr<std::unique_ptr<StreamHold>> held = stream.Hold();
    if (!held.ok() && held.status().id() != ErrorId::kNotSupportedByRuntime) return held.status();
    if (held.ok()) hold = std::move(held).value();
  }
  RETURN_IF_ERROR(stream.RecordEvent(*start));
  return std::unique_ptr<EventBasedTimer>(
      new EventBasedTimer(stream, std::move(hold), std::move(start), std::move(stop)));
}

StatusOr<std::chrono::duration<float, std::milli>> EventBasedTimer::GetElapsedDuration() {
  Stream* stream = std::exchange(stream_, nullptr);
  if (stream == nullptr) return rocxla::FailedPreconditionError("the timer was stopped already");
  if (stream_lives_.expired()) return rocxla::FailedPreconditionError("the timer's stream does not exist any more");
  RETURN_IF_ERROR(stream->RecordEvent(*stop_));
  if (hold_ != nullptr && !hold_->Release()) {
    LOG(kWarning) << "a timer's work took longer to queue than its stream can be held; its time includes that";
  }
  RETURN_IF_ERROR(stop_->Synchronize());
  return stream->parent().ElapsedTime(*start_, *stop_);
}

}  // namespace stream_executor
