// Every recorded JAX program from its StableHLO text, against its recorded results.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "base/file.h"
#include "xla/hlo/evaluator/recorded_case_test_util.h"
#include "xla/hlo/stablehlo/stablehlo_import.h"

namespace xla {
namespace {

std::vector<std::string> Cases() {
  std::vector<std::string> names;
  for (const auto& folder : std::filesystem::directory_iterator(std::string(ROCXLA_TEST_CASES) + "/jax"))
    if (std::filesystem::exists(folder.path() / "module.mlir")) names.push_back(folder.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

TEST(StablehloCases, AllAreHere) { EXPECT_GE(Cases().size(), 196u); }

class StablehloCase : public testing::TestWithParam<std::string> {};

TEST_P(StablehloCase, GivesTheRecordedResults) {
  const std::filesystem::path folder = std::filesystem::path(ROCXLA_TEST_CASES) / "jax" / GetParam();
  const auto text = rocxla::ReadFile(folder / "module.mlir");
  ASSERT_TRUE(text.ok()) << text.status().ToString();
  const auto module = ConvertStablehloTextToHlo(*text, "module.mlir");
  ASSERT_TRUE(module.ok()) << module.status().ToString();
  recorded::ExpectRecordedResults(**module, folder);
}

INSTANTIATE_TEST_SUITE_P(Recorded, StablehloCase, testing::ValuesIn(Cases()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace xla
