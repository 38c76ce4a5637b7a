// ScopedDevice: makes a device the calling thread's current one, and puts the old one back.
#pragma once
#include "xla/stream_executor/rocm/rocm_status.h"

namespace stream_executor::gpu {

class ScopedDevice {
 public:
  static StatusOr<ScopedDevice> Activate(const HipApi& api, int ordinal) {
    int previous = 0;
    RETURN_IF_HIP_ERROR(api, hipGetDevice, &previous);
    if (previous != ordinal) RETURN_IF_HIP_ERROR(api, hipSetDevice, ordinal);
    return ScopedDevice(previous == ordinal ? nullptr : &api, previous);
  }
  ScopedDevice(ScopedDevice&& other) noexcept : api_(other.api_), previous_(other.previous_) { other.api_ = nullptr; }
  ScopedDevice& operator=(ScopedDevice&&) = delete;
  ~ScopedDevice() {
    if (api_ != nullptr) (void)api_->hipSetDevice(previous_);
  }

 private:
  ScopedDevice(const HipApi* api, int previous) : api_(api), previous_(previous) {}
  const HipApi* api_;  // null: nothing to put back
  int previous_;
};

}  // namespace stream_executor::gpu
