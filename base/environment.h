// The environment variables that the program reads. The rows are in environment.def; nothing else calls getenv.
#pragma once
#include <string_view>
#include <vector>

namespace rocxla {

enum class EnvironmentVariable {
#define ENVIRONMENT_VARIABLE(name, type, unset, reader, meaning) k##name,
#include "base/environment.def"
#undef ENVIRONMENT_VARIABLE
};

struct EnvironmentVariableInfo {
  const char* name;
  std::string_view type;
  std::string_view unset;   // what it means that the variable is not set
  std::string_view reader;  // who reads it
  std::string_view meaning;
};
// One per row of environment.def, in its order.
const std::vector<EnvironmentVariableInfo>& AllEnvironmentVariables();

const char* EnvironmentVariableName(EnvironmentVariable variable);

// The variable's value, or nullptr when it is not set. Valid until the environment changes.
const char* Environment(EnvironmentVariable variable);
// The same; an empty value counts as not set.
const char* NonEmptyEnvironment(EnvironmentVariable variable);

}  // namespace rocxla
