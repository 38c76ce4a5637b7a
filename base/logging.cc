#include "base/logging.h"

#include <cstdio>
#include <cstdlib>
#include <string>

#include "base/environment.h"

namespace rocxla {
namespace {

constexpr std::string_view kWords[] = {"error", "warning", "info", "debug"};

std::string_view BaseName(std::string_view path) { return path.substr(path.rfind('/') + 1); }

LogLevel LevelFromEnvironment() {
  LogLevel level = LogLevel::kWarning;
  const char* word = NonEmptyEnvironment(EnvironmentVariable::kROCXLA_LOG);
  if (word && !ParseLogLevel(word, level))
    std::fprintf(stderr, "W ROCXLA_LOG=%s is no level; levels are error, warning, info, debug\n", word);
  return level;
}

}  // namespace

bool ParseLogLevel(std::string_view word, LogLevel& level) {
  for (int i = 0; i < 4; ++i)
    if (word == kWords[i]) return level = static_cast<LogLevel>(i), true;
  return false;
}

LogLevel CurrentLogLevel() {
  static const LogLevel level = LevelFromEnvironment();
  return level;
}

LogMessage::LogMessage(LogLevel level, const char* file, int line) {
  text_ << "EWID"[static_cast<int>(level)] << ' ' << BaseName(file) << ':' << line << "] ";
}
LogMessage::~LogMessage() {
  text_ << '\n';
  std::string line = text_.str();
  std::fwrite(line.data(), 1, line.size(), stderr);
}

FatalMessage::FatalMessage(const char* condition, const char* file, int line) {
  text_ << "F " << BaseName(file) << ':' << line << "] bug: " << condition << " does not hold. ";
}
FatalMessage::~FatalMessage() {
  text_ << '\n';
  std::fputs(text_.str().c_str(), stderr);
  std::abort();
}

}  // namespace rocxla
