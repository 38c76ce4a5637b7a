#include "emulator/observe/check_list.h"

#include <fmt/format.h>

#include <mutex>
#include <optional>

#include "base/environment.h"
#include "base/error_ids.h"

namespace rocxla::emu {
namespace {

struct Active {
  std::mutex mutex;
  std::optional<Checks> checks;  // guarded by mutex
};
Active& TheActive() {
  static auto* active = new Active;
  return *active;
}

Status Unknown(std::string_view name) {
  std::string known;
#define X(check, member, meaning) known += fmt::format("{}, ", check);
  ROCXLA_CHECKS(X)
#undef X
  return InvalidArgumentError(fmt::format("there is no check '{}': expected a list of {}or all", name, known));
}

Status TurnOn(std::string_view name, Checks& checks) {
  bool known = false;
#define X(check, member, meaning)       \
  if (name == check || name == "all") { \
    checks.member = known = true;       \
  }
  ROCXLA_CHECKS(X)
#undef X
  return known ? OkStatus() : Unknown(name);
}

}  // namespace

StatusOr<Checks> ParseChecks(std::string_view text) {
  Checks checks;
  while (!text.empty()) {
    const size_t comma = text.find(',');
    RETURN_IF_ERROR(TurnOn(text.substr(0, comma), checks));
    text = comma == text.npos ? "" : text.substr(comma + 1);
  }
  return checks;
}

StatusOr<Checks> ActiveChecks() {
  Active& active = TheActive();
  std::lock_guard lock(active.mutex);
  if (!active.checks) {
    const char* text = NonEmptyEnvironment(EnvironmentVariable::kROCXLA_EMULATOR_CHECKS);
    StatusOr<Checks> parsed = ParseChecks(text == nullptr ? "" : text);
    if (!parsed.ok()) {
      return Error(ErrorId::kBadEnvironment, {.what = "ROCXLA_EMULATOR_CHECKS is no list of checks",
                                              .found = fmt::format("'{}'", text),
                                              .expected = std::string(parsed.status().message())});
    }
    active.checks = *parsed;
  }
  return *active.checks;
}

void SetActiveChecks(const Checks& checks) {
  Active& active = TheActive();
  std::lock_guard lock(active.mutex);
  active.checks = checks;
}

}  // namespace rocxla::emu
