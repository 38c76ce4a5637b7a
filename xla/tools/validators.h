// What the options of several subcommands accept: checks for CLI11. Each gives "" or what is wrong.
#pragma once
#include <fmt/format.h>

#include <cmath>
#include <string>

namespace xla::tools {

inline std::string NotEmpty(const std::string& text) { return text.empty() ? "must not be empty" : ""; }

inline std::string Tolerable(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  const bool usable = !text.empty() && *end == '\0' && std::isfinite(value) && value >= 0;
  return usable ? "" : fmt::format("'{}' is no tolerance: expected a finite number, 0 or more", text);
}

}  // namespace xla::tools
