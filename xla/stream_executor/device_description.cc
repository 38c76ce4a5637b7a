#include "xla/stream_executor/device_description.h"

#include <fmt/format.h>

#include <string_view>
#include <type_traits>

namespace stream_executor {
namespace {

template <class T>
std::string TextOf(const T& value) {
  if constexpr (std::is_same_v<T, Dim3D>) {
    return fmt::format("{} x {} x {}", value.x, value.y, value.z);
  } else {
    return fmt::format("{}", value);
  }
}

template <class T>
void AppendFact(std::string& out, std::string_view name, const T& value, const T& unknown, std::string_view unit) {
  if (value == unknown) return;
  out += fmt::format("{}: {}", name, TextOf(value));
  if (!unit.empty()) out += fmt::format(" ({})", unit);
  out += '\n';
}

}  // namespace

std::string DeviceDescription::ToString() const {
  std::string out;
#define DEVICE_FACT(type, name, unknown, text) AppendFact<type>(out, #name, name##_, unknown, text);
#include "xla/stream_executor/device_description.def"
#undef DEVICE_FACT
  return out;
}

}  // namespace stream_executor
