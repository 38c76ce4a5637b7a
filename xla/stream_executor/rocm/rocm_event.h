// RocmEvent: a HIP event.
#pragma once
#include <memory>

#include "xla/stream_executor/event.h"
#include "xla/stream_executor/rocm/rocm_status.h"

namespace stream_executor::gpu {

class RocmEvent : public Event {
 public:
  // On the thread's current device, which is `ordinal`. `api` outlives the event.
  static StatusOr<std::unique_ptr<RocmEvent>> Create(const HipApi& api, int ordinal, EventTiming timing);
  ~RocmEvent() override;

  State PollForStatus() const override;
  rocxla::Status Synchronize() const override;

  const HipApi& api() const { return api_; }
  int ordinal() const { return ordinal_; }
  rocxla::hipEvent_t handle() const { return handle_; }

 private:
  RocmEvent(const HipApi& api, int ordinal, rocxla::hipEvent_t handle)
      : api_(api), ordinal_(ordinal), handle_(handle) {}
  const HipApi& api_;
  const int ordinal_;
  const rocxla::hipEvent_t handle_;
};

// The event as one of that runtime's; WrongDevice when it is another's.
StatusOr<const RocmEvent*> AsRocmEvent(const Event& event, const HipApi& api);

}  // namespace stream_executor::gpu
