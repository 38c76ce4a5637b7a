#include "base/logging.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "base/environment.h"
#include "base/error_ids.h"

namespace rocxla {
namespace {

constexpr std::string_view kLevelNames[] = {"error", "warning", "info", "debug", "trace"};
constexpr std::string_view kLetters = "EWIDT";
constexpr std::string_view kGrammar =
    "LEVEL or MODULE=LEVEL, separated by commas; levels: error, warning, info, debug, trace";

std::string_view BaseName(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// What everybody who logs shares. Never destroyed: threads may log while the process ends.
struct LogState {
  // The most that any module wants: messages above it need no lock. Unset (-1) until the configuration is in force.
  std::atomic<int> most = -1;
  std::mutex mutex;  // guards what follows, and is held while a sink writes
  LogConfig config;
  LogSink* sink = nullptr;
};
LogState& State() {
  static LogState* const state = new LogState;
  return *state;
}

void PutInForce(LogState& state, LogConfig config) {
  LogLevel most = config.level;
  for (const auto& [module, level] : config.modules) most = std::max(most, level);
  state.config = std::move(config);
  state.most.store(static_cast<int>(most), std::memory_order_release);
}

void WriteLine(LogState& state, LogLevel level, std::string_view line) {
  if (state.sink) return state.sink->Write(level, line);
  std::string text(line);
  text += '\n';
  std::fwrite(text.data(), 1, text.size(), stderr);
}

StatusOr<LogConfig> ConfigFromEnvironment() {
  const char* text = Environment(EnvironmentVariable::kROCXLA_LOG);
  return ParseLogConfig(text ? text : "");
}

void ConfigureOnFirstUse(LogState& state) {
  std::lock_guard lock(state.mutex);
  if (state.most.load(std::memory_order_relaxed) >= 0) return;
  StatusOr<LogConfig> config = ConfigFromEnvironment();
  PutInForce(state, config.ok() ? *config : LogConfig());
  if (!config.ok()) WriteLine(state, LogLevel::kError, fmt::format("E {}", config.status().ToString()));
}

std::string_view Trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\n\r";
  const size_t first = text.find_first_not_of(kBlanks);
  return first == text.npos ? "" : text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

std::optional<LogLevel> LevelOf(std::string_view name) {
  const auto* found = std::ranges::find(kLevelNames, name);
  if (found == std::end(kLevelNames)) return std::nullopt;
  return static_cast<LogLevel>(found - std::begin(kLevelNames));
}

Status ParseEntry(std::string_view entry, bool& has_level, LogConfig& config) {
  const size_t equals = entry.find('=');
  const bool names_module = equals != entry.npos;
  const std::string_view module = Trimmed(entry.substr(0, names_module ? equals : 0));
  const std::optional<LogLevel> level = LevelOf(Trimmed(names_module ? entry.substr(equals + 1) : entry));
  const bool twice = !names_module && has_level;
  if (!level || twice || (names_module && module.empty()))
    return Error(ErrorId::kBadEnvironment,
                 {.what = twice ? "the general log level is given twice" : "a log level is not understood",
                  .where = "environment variable ROCXLA_LOG",
                  .found = fmt::format("'{}'", entry),
                  .expected = std::string(kGrammar),
                  .next = "For instance: ROCXLA_LOG=info, or ROCXLA_LOG=warning,xla/service=debug"});
  if (names_module)
    config.modules[std::string(module)] = *level;
  else
    config.level = *level, has_level = true;
  return OkStatus();
}

// Whether `path` lies in `folder`, which is written from the project's root.
bool LiesIn(std::string_view path, std::string_view folder) {
  for (size_t at = path.find(folder); at != path.npos; at = path.find(folder, at + 1)) {
    const size_t end = at + folder.size();
    if ((at == 0 || path[at - 1] == '/') && end < path.size() && path[end] == '/') return true;
  }
  return false;
}

}  // namespace

std::string_view LogLevelName(LogLevel level) { return kLevelNames[static_cast<int>(level)]; }

LogLevel LogConfig::For(std::string_view file) const {
  if (modules.empty()) return level;
  std::string_view name = BaseName(file);
  name = name.substr(0, name.rfind('.'));
  if (auto it = modules.find(name); it != modules.end()) return it->second;
  LogLevel found = level;
  size_t longest = 0;
  for (const auto& [module, module_level] : modules)
    if (module.size() > longest && LiesIn(file, module)) longest = module.size(), found = module_level;
  return found;
}

StatusOr<LogConfig> ParseLogConfig(std::string_view text) {
  LogConfig config;
  bool has_level = false;
  if (Trimmed(text).empty()) return config;
  for (size_t at = 0; at <= text.size();) {
    const size_t comma = std::min(text.find(',', at), text.size());
    RETURN_IF_ERROR(ParseEntry(Trimmed(text.substr(at, comma - at)), has_level, config));
    at = comma + 1;
  }
  return config;
}

Status ConfigureLogging() {
  ASSIGN_OR_RETURN(LogConfig config, ConfigFromEnvironment());
  SetLogConfig(std::move(config));
  return OkStatus();
}

void SetLogConfig(LogConfig config) {
  LogState& state = State();
  std::lock_guard lock(state.mutex);
  PutInForce(state, std::move(config));
}

LogSink* SetLogSink(LogSink* sink) {
  LogState& state = State();
  std::lock_guard lock(state.mutex);
  return std::exchange(state.sink, sink);
}

bool LogEnabled(LogLevel level, std::string_view file) {
  LogState& state = State();
  if (state.most.load(std::memory_order_acquire) < 0) ConfigureOnFirstUse(state);
  if (static_cast<int>(level) > state.most.load(std::memory_order_acquire)) return false;
  std::lock_guard lock(state.mutex);
  return level <= state.config.For(file);
}

LogMessage::LogMessage(LogLevel level, std::string_view file, int line) : level_(level) {
  text_ << kLetters[static_cast<int>(level)] << ' ' << BaseName(file) << ':' << line << "] ";
}

LogMessage::~LogMessage() {
  LogState& state = State();
  const std::string line = std::move(text_).str();
  std::lock_guard lock(state.mutex);
  WriteLine(state, level_, line);
}

CapturedLog::CapturedLog(LogConfig config) {
  LogState& state = State();
  std::lock_guard lock(state.mutex);
  previous_config_ = state.config;
  previous_sink_ = std::exchange(state.sink, this);
  PutInForce(state, std::move(config));
}

CapturedLog::~CapturedLog() {
  LogState& state = State();
  std::lock_guard lock(state.mutex);
  state.sink = previous_sink_;
  PutInForce(state, std::move(previous_config_));
}

void CapturedLog::Write(LogLevel, std::string_view line) {
  std::lock_guard lock(mutex_);
  lines_.emplace_back(line);
}

std::vector<std::string> CapturedLog::lines() const {
  std::lock_guard lock(mutex_);
  return lines_;
}

FatalMessage::FatalMessage(const char* condition, std::string_view file, int line) {
  text_ << "F " << BaseName(file) << ':' << line << "] bug: " << condition << " does not hold. ";
}

FatalMessage::~FatalMessage() {
  text_ << '\n';
  std::fputs(text_.str().c_str(), stderr);
  std::abort();
}

}  // namespace rocxla
