#include "xla/tools/terminal.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace xla::tools {

ProgressLine::ProgressLine() : terminal_(isatty(STDERR_FILENO)) {}
ProgressLine::~ProgressLine() { Clear(); }

void ProgressLine::Show(std::string_view text) {
  if (!terminal_) return;
  fmt::print(stderr, "\r\x1b[K{}", text);
  std::fflush(stderr);
  shown_ = true;
}

void ProgressLine::Clear() {
  if (shown_) fmt::print(stderr, "\r\x1b[K");
  shown_ = false;
}

}  // namespace xla::tools
