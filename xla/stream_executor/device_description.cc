#include "xla/stream_executor/device_description.h"

#include <fmt/format.h>

#include <string_view>
#include <type_traits>

namespace stream_executor {
namespace {

template <class T>
std::string TextOf(const T& value) {
  if constexpr (std::is_same_v<T, Dim3D>) {
    return value.ToString();
  } else {
    return fmt::format("{}", value);
  }
}

template <class T>
void AppendFact(std::string& out, std::string_view name, const std::optional<T>& value, std::string_view unit) {
  if (!value) return;
  out += fmt::format("{}: {}", name, TextOf(*value));
  if (!unit.empty()) out += fmt::format(" ({})", unit);
  out += '\n';
}

template <class T>
rocxla::Json JsonOf(const std::optional<T>& value) {
  if (!value) return nullptr;
  if constexpr (std::is_same_v<T, Dim3D>) {
    return {value->x, value->y, value->z};
  } else {
    return *value;
  }
}

// A string of protobuf's text format.
std::string Quoted(std::string_view text) {
  std::string out = "\"";
  for (const unsigned char c : text) {
    if (c == '"' || c == '\\') {
      out += fmt::format("\\{}", static_cast<char>(c));
    } else if (c < 0x20 || c >= 0x7f) {
      out += fmt::format("\\{:03o}", c);
    } else {
      out += static_cast<char>(c);
    }
  }
  return out + '"';
}

// `field` may be "message.field".
void AppendProtoLine(std::string& out, std::string_view field, std::string_view value) {
  const size_t dot = field.find('.');
  if (dot == field.npos) {
    out += fmt::format("{}: {}\n", field, value);
  } else {
    out += fmt::format("{} {{ {}: {} }}\n", field.substr(0, dot), field.substr(dot + 1), value);
  }
}

template <class T>
void AppendProto(std::string& out, const std::string& field, const std::optional<T>& value) {
  if (!value || field.empty()) return;
  if constexpr (std::is_same_v<T, Dim3D>) {
    AppendProtoLine(out, field + "_x", TextOf(value->x));
    AppendProtoLine(out, field + "_y", TextOf(value->y));
    AppendProtoLine(out, field + "_z", TextOf(value->z));
  } else if constexpr (std::is_same_v<T, std::string>) {
    AppendProtoLine(out, field, Quoted(*value));
  } else {
    AppendProtoLine(out, field, TextOf(*value));
  }
}

}  // namespace

std::string DeviceDescription::ToString() const {
  std::string out;
#define DEVICE_FACT(type, name, unknown, proto, unit, source) AppendFact(out, #name, name##_, unit);
#include "xla/stream_executor/device_description.def"
#undef DEVICE_FACT
  return out;
}

rocxla::Json DeviceDescription::ToJson() const {
  rocxla::Json json = rocxla::Json::object();
#define DEVICE_FACT(type, name, unknown, proto, unit, source) json[#name] = JsonOf(name##_);
#include "xla/stream_executor/device_description.def"
#undef DEVICE_FACT
  return json;
}

std::string DeviceDescription::ToTextProto() const {
  std::string out;
#define DEVICE_FACT(type, name, unknown, proto, unit, source) AppendProto(out, proto, name##_);
#include "xla/stream_executor/device_description.def"
#undef DEVICE_FACT
  return out;
}

}  // namespace stream_executor
