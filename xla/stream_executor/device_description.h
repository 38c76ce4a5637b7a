// DeviceDescription: what is known about a device when it was opened. A value.
#pragma once
#include <cstdint>
#include <string>
#include <utility>

#include "xla/stream_executor/launch_dim.h"

namespace stream_executor {

class DeviceDescription {
 public:
  // `core_count()` reads a fact, `set_core_count(x)` states it; device_description.def lists them with their units.
#define DEVICE_FACT(type, name, unknown, text) \
  const type& name() const { return name##_; } \
  void set_##name(type value) { name##_ = std::move(value); }
#include "xla/stream_executor/device_description.def"
#undef DEVICE_FACT

  // One line per known fact: "core_count: 304 (compute units)".
  std::string ToString() const;

 private:
#define DEVICE_FACT(type, name, unknown, text) type name##_ = unknown;
#include "xla/stream_executor/device_description.def"
#undef DEVICE_FACT
};

}  // namespace stream_executor
