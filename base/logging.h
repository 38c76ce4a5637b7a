// Logging, and checks of our own invariants.     LOG(kInfo) << ...;     CHECK(x) << ...;
//
// ROCXLA_LOG says what is logged:
//   ROCXLA_LOG = entry {"," entry}        entry = level | module "=" level
//   level  = error | warning | info | debug | trace     (each includes those before it)
//   module = a source file without ending ("rocm_stream"), or a folder from the root ("emulator/exec")
// An entry without a module is the level of everything else (warning, when there is none). The last entry that names
// the file wins, else the longest folder that holds it: ROCXLA_LOG=error,xla/service=info,kernel_compiler=debug.
#pragma once
#include <map>
#include <mutex>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace rocxla {

enum class LogLevel { kError, kWarning, kInfo, kDebug, kTrace };
std::string_view LogLevelName(LogLevel level);  // "warning"

struct LogConfig {
  LogLevel level = LogLevel::kWarning;
  std::map<std::string, LogLevel, std::less<>> modules;

  // The level for a source file, given as __FILE__.
  LogLevel For(std::string_view file) const;
};

// Reads the grammar above; blanks around names are allowed, an empty text means the defaults. BadEnvironment quotes the
// entry at fault, and says what is accepted.
StatusOr<LogConfig> ParseLogConfig(std::string_view text);

// Puts the value of ROCXLA_LOG in force. Programs call it first thing, and end when it fails. Without this call the
// first message does it, and logs the failure as an error.
Status ConfigureLogging();
// Puts a configuration in force. Thread-safe.
void SetLogConfig(LogConfig config);

// Receives every message as one line without line end. Calls come from any thread, never two at once; a sink must not
// log.
class LogSink {
 public:
  virtual ~LogSink() = default;
  virtual void Write(LogLevel level, std::string_view line) = 0;
};
// Replaces standard error as the receiver; nullptr is standard error again. The sink must outlive its use. Returns the
// one before. Thread-safe.
LogSink* SetLogSink(LogSink* sink);

// For tests: takes the place of the configuration and of the sink while it lives.
class CapturedLog : public LogSink {
 public:
  explicit CapturedLog(LogConfig config);
  ~CapturedLog() override;
  void Write(LogLevel level, std::string_view line) override;
  std::vector<std::string> lines() const;

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> lines_;
  LogConfig previous_config_;
  LogSink* previous_sink_;
};

// Whether messages of this level are wanted from a source file. Cheap when no module wants the level.
bool LogEnabled(LogLevel level, std::string_view file);

// Collects one message and passes it on as one line, "W rocm_stream.cc:42] ...", when it goes out of scope.
class LogMessage {
 public:
  LogMessage(LogLevel level, std::string_view file, int line);
  ~LogMessage();
  std::ostream& stream() { return text_; }

 private:
  LogLevel level_;
  std::ostringstream text_;
};

// The same on standard error, and then aborts the process: only for broken invariants of our own, never for what a user
// can cause.
class FatalMessage {
 public:
  FatalMessage(const char* condition, std::string_view file, int line);
  [[noreturn]] ~FatalMessage();
  std::ostream& stream() { return text_; }

 private:
  std::ostringstream text_;
};

struct LogVoidify {
  void operator&(std::ostream&) const {}
};

}  // namespace rocxla

#define LOG(level)                                           \
  !::rocxla::LogEnabled(::rocxla::LogLevel::level, __FILE__) \
      ? (void)0                                              \
      : ::rocxla::LogVoidify() & ::rocxla::LogMessage(::rocxla::LogLevel::level, __FILE__, __LINE__).stream()
#define CHECK(condition) \
  (condition) ? (void)0 : ::rocxla::LogVoidify() & ::rocxla::FatalMessage(#condition, __FILE__, __LINE__).stream()
