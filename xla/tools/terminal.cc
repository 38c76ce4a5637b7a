#include "xla/tools/terminal.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace xla::tools {

ProgressLine::ProgressLine() : terminal_(isatty(STDERR_FILENO)) {}
ProgressLine::~ProgressLine() { Clear(); }

void ProgressLine::Show(std::string_view text) {
  if (!terminal_) return;
  std::fputs(fmt::format("\r\x1b[K{}", text).c_str(), stderr);  // no fmt::print, which throws when the terminal is gone
  std::fflush(stderr);
  shown_ = true;
}

void ProgressLine::Clear() {
  if (shown_) std::fputs("\r\x1b[K", stderr);
  shown_ = false;
}

}  // namespace xla::tools
