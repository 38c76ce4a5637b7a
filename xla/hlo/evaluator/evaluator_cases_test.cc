// The evaluator against the recorded JAX programs: every one whose module can be read, with its recorded results.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "base/error_ids.h"
#include "base/file.h"
#include "xla/hlo/evaluator/recorded_case_test_util.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/hlo/transforms/passes.h"

namespace xla {
namespace {

StatusOr<std::unique_ptr<HloModule>> ReadCase(const std::filesystem::path& folder) {
  ASSIGN_OR_RETURN(const std::string text, rocxla::ReadFile(folder / "module.hlo"));
  return ParseAndReturnVerifiedModule(text, (folder / "module.hlo").string());
}

struct CaseLists {
  std::vector<std::string> readable;
  std::vector<std::string> unsupported;  // an opcode that cannot be read yet
  std::vector<std::string> broken;       // any other error
};
const CaseLists& Cases() {
  static const CaseLists* const lists = [] {
    auto* all = new CaseLists;
    for (const std::string kind : {"jax", "hlo"}) {
      for (const auto& folder : std::filesystem::directory_iterator(std::string(ROCXLA_TEST_CASES) + "/" + kind)) {
        const std::string name = kind + "/" + folder.path().filename().string();
        if (!std::filesystem::exists(folder.path() / "io.safetensors")) continue;
        const auto module = ReadCase(folder.path());
        const bool unsupported = module.status().id() == ErrorId::kHloUnsupportedOpcode;
        (module.ok() ? all->readable : unsupported ? all->unsupported : all->broken).push_back(name);
      }
    }
    std::sort(all->readable.begin(), all->readable.end());
    return all;
  }();
  return *lists;
}

TEST(EvaluatorCases, AllProgramsAreReadable) {
  EXPECT_GE(Cases().readable.size(), 269u);
  EXPECT_EQ(Cases().unsupported, std::vector<std::string>{});
  EXPECT_EQ(Cases().broken, std::vector<std::string>{});
}

class EvaluatorCase : public testing::TestWithParam<std::string> {};

TEST_P(EvaluatorCase, GivesTheRecordedResults) {
  const std::filesystem::path folder = std::filesystem::path(ROCXLA_TEST_CASES) / GetParam();
  const auto module = ReadCase(folder);
  ASSERT_TRUE(module.ok()) << module.status().ToString();
  const std::vector<Literal> results = recorded::ExpectRecordedResults(**module, folder);

  // The passes are exact: afterwards the results are the same bits.
  HloPassPipeline pipeline("all");
  ASSERT_TRUE(AddPassesByName("call_inliner,algebraic_simplifier,cse,dce,layout_views_to_bitcast", pipeline).ok());
  const auto changed = pipeline.Run(**module, {});
  ASSERT_TRUE(changed.ok()) << changed.status().ToString();
  const auto tensors = rocxla::ReadSafetensors(folder / "io.safetensors");
  ASSERT_TRUE(tensors.ok()) << tensors.status().ToString();
  const auto again = Evaluate(**module, recorded::Arguments(**module, *tensors));
  ASSERT_TRUE(again.ok()) << again.status().ToString();
  ASSERT_EQ(again->size(), results.size());
  for (size_t i = 0; i < results.size(); ++i) recorded::ExpectClose((*again)[i], results[i], 0, 0);
}

INSTANTIATE_TEST_SUITE_P(Recorded, EvaluatorCase, testing::ValuesIn(Cases().readable), [](const auto& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
});

}  // namespace
}  // namespace xla
