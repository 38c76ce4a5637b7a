// The DeviceDescription of an AMD GPU, from what HIP says about it.
#pragma once
#include <memory>

#include "xla/stream_executor/device_description.h"
#include "xla/stream_executor/rocm/rocm_status.h"

namespace stream_executor::gpu {

// Facts that the runtime does not tell stay unknown; only an unknown architecture is an error, for nothing can run
// without.
StatusOr<std::unique_ptr<DeviceDescription>> CreateRocmDeviceDescription(const HipApi& api, int ordinal);

}  // namespace stream_executor::gpu
