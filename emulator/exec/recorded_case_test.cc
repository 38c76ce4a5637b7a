// Code objects that Triton compiled, on the embedded GPU, against the results that Triton's own interpreter recorded.
#include "emulator/exec/recorded_case.h"

#include <gtest/gtest.h>

namespace rocxla::emu {
namespace {

struct Recorded {
  std::string name, target;
};
void PrintTo(const Recorded& r, std::ostream* os) { *os << r.name << " on " << r.target; }

class RecordedCaseTest : public testing::TestWithParam<Recorded> {};

TEST_P(RecordedCaseTest, MatchesTheRecordedResult) {
  auto [name, target] = GetParam();
  auto result = RunRecordedCase(std::string(ROCXLA_TEST_CASES) + "/triton/" + name, target);
  ASSERT_TRUE(result.ok()) << result.status().ToString();
  EXPECT_LE(result->worst, 1) << result->worst_place;
  EXPECT_GT(result->stats.instructions, 0u);
}

INSTANTIATE_TEST_SUITE_P(Triton, RecordedCaseTest,
                         testing::Values(Recorded{"vector_add_fp32", "gfx942"}, Recorded{"vector_add_fp32", "gfx1100"},
                                         Recorded{"softmax_fp32", "gfx942"}, Recorded{"softmax_fp32", "gfx1100"}),
                         [](const auto& info) { return info.param.name + "_" + info.param.target; });

}  // namespace
}  // namespace rocxla::emu
