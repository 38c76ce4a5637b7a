#include "base/environment.h"

#include <cstdlib>

namespace rocxla {

const std::vector<EnvironmentVariableInfo>& AllEnvironmentVariables() {
  static const std::vector<EnvironmentVariableInfo> all = {
#define ENVIRONMENT_VARIABLE(name, type, unset, reader, meaning) {#name, type, unset, reader, meaning},
#include "base/environment.def"
#undef ENVIRONMENT_VARIABLE
  };
  return all;
}

const char* EnvironmentVariableName(EnvironmentVariable variable) {
  return AllEnvironmentVariables()[static_cast<size_t>(variable)].name;
}

const char* Environment(EnvironmentVariable variable) { return std::getenv(EnvironmentVariableName(variable)); }

const char* NonEmptyEnvironment(EnvironmentVariable variable) {
  const char* value = Environment(variable);
  return value != nullptr && *value != '\0' ? value : nullptr;
}

}  // namespace rocxla
