// What a trace shows.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/status.h"

namespace rocxla::emu {

// Which waves a trace shows; what is not set stands for all.
struct TraceFilter {
  std::optional<std::array<uint32_t, 3>> block;
  std::optional<uint32_t> wave;
};
// "X,Y,Z" or "X,Y,Z:WAVE". Error InvalidArgument.
StatusOr<TraceFilter> ParseTraceFilter(std::string_view text);

}  // namespace rocxla::emu
