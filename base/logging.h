// Logging to standard error, and checks of our own invariants.
//   ROCXLA_LOG=error|warning|info|debug sets the level (default warning); an unknown word means the default, and says
//   so once. LOG(kInfo) << ...;     CHECK(x) << ...;
#pragma once
#include <sstream>
#include <string_view>

namespace rocxla {

enum class LogLevel { kError, kWarning, kInfo, kDebug };

// The level in force; read from the environment once. Thread-safe.
LogLevel CurrentLogLevel();
// "error", ... -> level; false when the word is none of them.
bool ParseLogLevel(std::string_view word, LogLevel& level);

// Collects one message and writes it as one line, "W rocm_stream.cc:42] ...", when it goes out of scope.
class LogMessage {
 public:
  LogMessage(LogLevel level, const char* file, int line);
  ~LogMessage();
  std::ostream& stream() { return text_; }

 private:
  std::ostringstream text_;
};

// The same, and then aborts the process: only for broken invariants of our own, never for what a user can cause.
class FatalMessage {
 public:
  FatalMessage(const char* condition, const char* file, int line);
  [[noreturn]] ~FatalMessage();
  std::ostream& stream() { return text_; }

 private:
  std::ostringstream text_;
};

struct LogVoidify {
  void operator&(std::ostream&) const {}
};

}  // namespace rocxla

#define LOG(level)                                            \
  !(::rocxla::LogLevel::level <= ::rocxla::CurrentLogLevel()) \
      ? (void)0                                               \
      : ::rocxla::LogVoidify() & ::rocxla::LogMessage(::rocxla::LogLevel::level, __FILE__, __LINE__).stream()
#define CHECK(condition) \
  (condition) ? (void)0 : ::rocxla::LogVoidify() & ::rocxla::FatalMessage(#condition, __FILE__, __LINE__).stream()
