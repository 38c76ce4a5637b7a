#include "xla/stream_executor/event_based_timer.h"

#include <utility>

#include "xla/stream_executor/stream.h"
#include "xla/stream_executor/stream_executor.h"

namespace stream_executor {

EventBasedTimer::EventBasedTimer(Stream& stream, std::unique_ptr<Event> start, std::unique_ptr<Event> stop)
    : stream_(&stream), stream_lives_(stream.lifetime()), start_(std::move(start)), stop_(std::move(stop)) {}

StatusOr<std::unique_ptr<EventBasedTimer>> EventBasedTimer::Create(Stream& stream) {
  StreamExecutor& executor = stream.parent();
  ASSIGN_OR_RETURN(std::unique_ptr<Event> start, executor.CreateEvent(EventTiming::kEnabled));
  ASSIGN_OR_RETURN(std::unique_ptr<Event> stop, executor.CreateEvent(EventTiming::kEnabled));
  RETURN_IF_ERROR(stream.RecordEvent(*start));
  return std::unique_ptr<EventBasedTimer>(new EventBasedTimer(stream, std::move(start), std::move(stop)));
}

StatusOr<std::chrono::duration<float, std::milli>> EventBasedTimer::GetElapsedDuration() {
  Stream* stream = std::exchange(stream_, nullptr);
  if (stream == nullptr) return rocxla::FailedPreconditionError("the timer was stopped already");
  if (stream_lives_.expired()) return rocxla::FailedPreconditionError("the timer's stream does not exist any more");
  RETURN_IF_ERROR(stream->RecordEvent(*stop_));
  RETURN_IF_ERROR(stop_->Synchronize());
  return stream->parent().ElapsedTime(*start_, *stop_);
}

}  // namespace stream_executor
