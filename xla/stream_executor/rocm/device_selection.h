// Which device a program runs on: the meaning of `--device`, and the list of devices for `rocxla devices`.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "xla/stream_executor/status.h"
#include "xla/stream_executor/stream_executor.h"

namespace stream_executor::gpu {

struct SelectedDevice {
  StreamExecutor* executor;  // owned by its platform, for the life of the process
  // One line for the user: "AMD Instinct MI300X (gfx942, embedded device 0: executed instruction by instruction on the
  // CPU; no AMD GPU was found: <reason>)".
  std::string description;
  bool is_embedded;
};

// `spec`: "auto" (a real GPU when there is one, else the first embedded device), "hip:0" (a real GPU by ordinal),
// "embedded:0" (an embedded device by ordinal), "embedded:gfx942" (by target, added when none is configured) or
// "gfx942", which means the same.
// BadUsage when it is none of these; DeviceNotFound, or the reason why the runtime is not usable.
StatusOr<SelectedDevice> SelectDevice(std::string_view spec);

struct DeviceListing {
  std::string spec;  // "hip:0", "embedded:1": what SelectDevice takes
  DeviceDescription description;
};
struct ProviderListing {
  std::string provider;  // "hip", "embedded"
  std::vector<DeviceListing> devices;
  Status missing;  // why there are no devices, or fewer than there should be; OK when nothing is missing
};
// Every provider, real GPUs first.
std::vector<ProviderListing> ListDevices();

}  // namespace stream_executor::gpu
