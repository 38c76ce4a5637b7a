#include "xla/stream_executor/rocm/rocm_event.h"

#include "base/error_ids.h"

namespace stream_executor::gpu {

StatusOr<std::unique_ptr<RocmEvent>> RocmEvent::Create(const HipApi& api, int ordinal, EventTiming timing) {
  const unsigned flags = timing == EventTiming::kEnabled ? rocxla::hipEventDefault : rocxla::hipEventDisableTiming;
  rocxla::hipEvent_t handle = nullptr;
  RETURN_IF_HIP_ERROR(api, hipEventCreateWithFlags, &handle, flags);
  return std::unique_ptr<RocmEvent>(new RocmEvent(api, ordinal, handle));
}

RocmEvent::~RocmEvent() { (void)api_.hipEventDestroy(handle_); }

Event::State RocmEvent::PollForStatus() const {
  switch (api_.hipEventQuery(handle_)) {
    case hipSuccess:
      return State::kComplete;
    case hipErrorNotReady:
      return State::kPending;
    default:
      (void)api_.hipGetLastError();
      return State::kError;
  }
}

rocxla::Status RocmEvent::Synchronize() const {
  return ToStatus(api_.hipEventSynchronize(handle_), api_, "hipEventSynchronize");
}

StatusOr<const RocmEvent*> AsRocmEvent(const Event& event, const HipApi& api) {
  const auto* rocm_event = dynamic_cast<const RocmEvent*>(&event);
  if (rocm_event != nullptr && &rocm_event->api() == &api) return rocm_event;
  return Error(ErrorId::kWrongDevice, {.what = "the event belongs to another runtime than the stream or device",
                                       .found = rocm_event == nullptr ? "an event that is not of HIP"
                                                                      : "an event of " + rocm_event->api().origin,
                                       .expected = "an event of " + api.origin});
}

}  // namespace stream_executor::gpu
