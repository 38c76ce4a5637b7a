#include "base/environment.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <string>

namespace rocxla {
namespace {

TEST(Environment, TellsUnsetFromEmpty) {
  unsetenv("ROCXLA_GPU_LOCK_DIR");
  EXPECT_EQ(Environment(EnvironmentVariable::kROCXLA_GPU_LOCK_DIR), nullptr);
  setenv("ROCXLA_GPU_LOCK_DIR", "", 1);
  EXPECT_STREQ(Environment(EnvironmentVariable::kROCXLA_GPU_LOCK_DIR), "");
  EXPECT_EQ(NonEmptyEnvironment(EnvironmentVariable::kROCXLA_GPU_LOCK_DIR), nullptr);
  setenv("ROCXLA_GPU_LOCK_DIR", "/locks", 1);
  EXPECT_STREQ(NonEmptyEnvironment(EnvironmentVariable::kROCXLA_GPU_LOCK_DIR), "/locks");
  unsetenv("ROCXLA_GPU_LOCK_DIR");
}

TEST(Environment, EveryRowIsWholeAndThereOnce) {
  std::set<std::string> names;
  for (const EnvironmentVariableInfo& variable : AllEnvironmentVariables()) {
    EXPECT_TRUE(names.insert(variable.name).second) << variable.name;
    for (std::string_view text : {variable.type, variable.unset, variable.reader, variable.meaning})
      EXPECT_FALSE(text.empty()) << variable.name;
  }
}

}  // namespace
}  // namespace rocxla
