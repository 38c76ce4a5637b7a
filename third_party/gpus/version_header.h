// Reading version macros from C headers.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"

namespace rocxla {

// Whether a path leads to something, and what prevents knowing it.
enum class PathState { kAbsent, kPresent, kUnknown };
struct PathCheck {
  PathState state;
  std::string reason;  // kUnknown: why, such as "Permission denied"
};
// Follows symbolic links; one that leads nowhere is absent.
PathCheck CheckPath(const std::string& path);

// The text of a regular file of at most 16 MiB. The status of a failure has a plain reason as its message: "a folder",
// "not a regular file", "Permission denied", "larger than 16 MiB".
StatusOr<std::string> ReadHeader(const std::string& path);

// The value of the first `#define name <decimal digits>` in `text`, line by line, as upstream's script reads it:
// comments and conditions are not looked at, and a line with upstream's spacing ("#define" at its start, then one
// space) goes before a line that only C would accept. Digits may end in an integer suffix (u, l) or be followed by
// white space or a comment. The message of a failure is "NAME is not defined", or "NAME is 'value', not a decimal
// number below 1000000000".
StatusOr<int64_t> ReadVersionMacro(std::string_view text, std::string_view name);

}  // namespace rocxla
