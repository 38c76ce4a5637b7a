// The DeviceDescription of an AMD GPU, from what HIP says about it.
#pragma once
#include <memory>
#include <string>

#include "xla/stream_executor/device_description.h"
#include "xla/stream_executor/rocm/rocm_status.h"

namespace stream_executor::gpu {

// Facts that the runtime does not tell stay unknown; only an unknown architecture is an error, for nothing can run
// without. `sysfs_root`: where Linux describes its devices; another folder in tests only.
StatusOr<std::unique_ptr<DeviceDescription>> CreateRocmDeviceDescription(const HipApi& api, int ordinal,
                                                                         const std::string& sysfs_root = "/sys");

}  // namespace stream_executor::gpu
