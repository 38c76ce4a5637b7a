// Which embedded devices there are, and which of them this process sees: ROCXLA_EMBEDDED_DEVICES, ROCR_VISIBLE_DEVICES
// and HIP_VISIBLE_DEVICES.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "base/target/target.h"

namespace rocxla::emu {

// The variables' values; nothing for one that is not set.
struct EmbeddedEnvironment {
  std::optional<std::string> devices;       // ROCXLA_EMBEDDED_DEVICES
  std::optional<std::string> rocr_visible;  // ROCR_VISIBLE_DEVICES
  std::optional<std::string> hip_visible;   // HIP_VISIBLE_DEVICES
  std::optional<std::string> cuda_visible;  // CUDA_VISIBLE_DEVICES, which HIP reads when its own is not set or empty
  static EmbeddedEnvironment OfProcess();
};

// One device that is configured, whether visible or not.
struct ConfiguredDevice {
  GpuTarget target;
  GpuModel model;
  int slot;  // 0, 1, ... in the order of configuration; stays the same however few of the devices are visible

  // "GPU-" and 16 hexadecimal digits, as rocminfo shows a GPU's UUID. The digits name target and slot.
  std::string uuid() const;
};

// One item of the list: a target ("gfx942", with or without features: "gfx942:sramecc+:xnack-"), whose first model is
// taken, or a model's key ("mi250x"). DeviceNotFound for what is unknown or cannot be emulated.
StatusOr<ConfiguredDevice> ConfigureDevice(std::string_view item, int slot);
// A comma-separated list of items, each with an optional count: "gfx942:2,gfx1100". The empty list has no devices.
// DeviceNotFound for a malformed item.
StatusOr<std::vector<ConfiguredDevice>> ConfigureDevices(std::string_view list);

// How a *_VISIBLE_DEVICES value is read. Both are lists of ordinals and UUIDs that end at the first item which names no
// device. Source: the HIP and HSA runtimes of ROCm 6 and 7.
enum class VisibilityRules {
  kHip,   // ordinals exactly as one writes them; any part of a UUID from "GPU-" on; a second mention is passed over
  kRocr,  // ordinals as C reads them (0x1); spaces around; the beginning of one UUID, in any case; a second mention
          // ends
};
// Indices into `uuids` that a value lets through, in its order.
std::vector<int> SelectVisible(VisibilityRules rules, std::string_view value, const std::vector<std::string>& uuids);

// The devices that the process sees, in its order. `reason`: which variable hid all of them; "" when there is a device.
struct VisibleDevices {
  std::vector<ConfiguredDevice> devices;
  std::string reason;
};
StatusOr<VisibleDevices> FindVisibleDevices(const EmbeddedEnvironment& environment);

}  // namespace rocxla::emu
