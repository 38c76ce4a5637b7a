#include "base/flag_value.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

namespace rocxla {
namespace {

template <class T>
bool ParseNumber(std::string_view text, T& out) {
  T value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return false;
  if constexpr (std::is_floating_point_v<T>)
    if (!std::isfinite(value)) return false;
  return out = value, true;
}

}  // namespace

bool ParseFlagValue(std::string_view text, bool& out) {
  for (std::string_view yes : {"true", "1", "True", "yes"})
    if (text == yes) return out = true, true;
  for (std::string_view no : {"false", "0", "False", "no"})
    if (text == no) return out = false, true;
  return false;
}
bool ParseFlagValue(std::string_view text, int32_t& out) { return ParseNumber(text, out); }
bool ParseFlagValue(std::string_view text, int64_t& out) { return ParseNumber(text, out); }
bool ParseFlagValue(std::string_view text, float& out) { return ParseNumber(text, out); }
bool ParseFlagValue(std::string_view text, double& out) { return ParseNumber(text, out); }
bool ParseFlagValue(std::string_view text, std::string& out) { return out = text, true; }

std::string FlagValueText(bool value) { return value ? "true" : "false"; }
std::string FlagValueText(int32_t value) { return fmt::format("{}", value); }
std::string FlagValueText(int64_t value) { return fmt::format("{}", value); }
// fmt's shortest text that reads back as the same number.
std::string FlagValueText(float value) { return fmt::format("{}", value); }
std::string FlagValueText(double value) { return fmt::format("{}", value); }
std::string FlagValueText(const std::string& value) { return value; }

std::string FlagTypeName(bool) { return "bool"; }
std::string FlagTypeName(int32_t) { return "int32"; }
std::string FlagTypeName(int64_t) { return "int64"; }
std::string FlagTypeName(float) { return "float"; }
std::string FlagTypeName(double) { return "double"; }
std::string FlagTypeName(const std::string&) { return "string"; }

std::string FlagValueAccepted(bool) { return "true or false"; }
std::string FlagValueAccepted(int32_t) {
  using Limits = std::numeric_limits<int32_t>;
  return fmt::format("a whole number from {} to {}", Limits::min(), Limits::max());
}
std::string FlagValueAccepted(int64_t) { return "a whole number of 64 bits"; }
std::string FlagValueAccepted(float) { return "a number such as 0.5 or 1e-3"; }
std::string FlagValueAccepted(double) { return "a number such as 0.5 or 1e-3"; }
std::string FlagValueAccepted(const std::string&) { return "text"; }

}  // namespace rocxla
