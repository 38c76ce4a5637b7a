// Random HLO modules, compiled for every first-class GPU and run on the embedded device, against the evaluator.
// `random_modules` (random_modules.cc) runs more of them.
#include <gtest/gtest.h>

#include "base/target/target.h"
#include "tests/e2e/random_module_runner.h"

namespace xla::testing {
namespace {

class RandomModules : public ::testing::TestWithParam<int> {};

TEST_P(RandomModules, AgreeWithTheEvaluator) {
  const auto seed = static_cast<uint64_t>(GetParam());
  const RandomModule module = MakeRandomModule(seed);
  const auto evaluated = EvaluateModule(module, seed);
  ASSERT_TRUE(evaluated.ok()) << evaluated.status().ToString() << "\n" << module.text();
  for (const rocxla::GpuTarget& target : rocxla::AllTargets()) {
    if (target.support != rocxla::TargetSupport::kFirstClass) continue;
    EXPECT_EQ(CompareOnDevice(*evaluated, std::string(target.name)), "")
        << "seed " << seed << " on " << target.name << "\n"
        << module.text();
  }
}
INSTANTIATE_TEST_SUITE_P(Seeds, RandomModules, ::testing::Range(0, 40));

TEST(RandomModule, IsTheSameForASeed) {
  EXPECT_EQ(MakeRandomModule(7).text(), MakeRandomModule(7).text());
  EXPECT_NE(MakeRandomModule(7).text(), MakeRandomModule(8).text());
}

// One bit of what is expected, changed.
TEST(RandomModule, ADifferenceIsSeen) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    auto evaluated = EvaluateModule(MakeRandomModule(seed), seed);
    ASSERT_TRUE(evaluated.ok()) << evaluated.status().ToString();
    Literal& last = evaluated->expected.back();
    if (last.shape().element_type() != S32 || last.bytes().empty()) continue;
    std::vector<uint8_t> bytes(last.bytes().begin(), last.bytes().end());
    bytes[0] ^= 1;
    last = Literal::FromBytes(last.shape(), bytes);
    EXPECT_NE(CompareOnDevice(*evaluated, "gfx942").find("number 0: got"), std::string::npos);
    return;
  }
  FAIL() << "no module has s32 numbers as its last result";
}

}  // namespace
}  // namespace xla::testing
