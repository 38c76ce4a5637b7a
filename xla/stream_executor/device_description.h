// DeviceDescription: what is known about a device when it was opened. A value.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "base/json.h"
#include "xla/stream_executor/launch_dim.h"

namespace stream_executor {

class DeviceDescription {
 public:
  // `core_count()` reads a fact, `has_core_count()` tells whether it is known, `set_core_count(x)` states it;
  // device_description.def lists them with their units and sources.
#define DEVICE_FACT(type, name, unknown, proto, unit, source)   \
  type name() const { return name##_.value_or(type(unknown)); } \
  bool has_##name() const { return name##_.has_value(); }       \
  void set_##name(std::optional<type> value) { name##_ = std::move(value); }
#include "xla/stream_executor/device_description.def"
#undef DEVICE_FACT

  // One line per known fact: "core_count: 304 (compute units)".
  std::string ToString() const;
  // An object with every fact; null for what is not known, [x, y, z] for dimensions.
  rocxla::Json ToJson() const;
  // Upstream's GpuDeviceInfoProto in protobuf's text format, one known field a line.
  std::string ToTextProto() const;

 private:
#define DEVICE_FACT(type, name, unknown, proto, unit, source) std::optional<type> name##_;
#include "xla/stream_executor/device_description.def"
#undef DEVICE_FACT
};

}  // namespace stream_executor
