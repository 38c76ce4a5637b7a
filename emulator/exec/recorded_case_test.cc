// Code objects that Triton compiled, on the embedded GPU, against the results that Triton's own interpreter recorded.
#include "emulator/exec/recorded_case.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <tuple>
#include <vector>

namespace rocxla::emu {
namespace {

namespace fs = std::filesystem;

struct Recorded {
  std::string name, target;
};
void PrintTo(const Recorded& r, std::ostream* os) { *os << r.name << " on " << r.target; }

// Every case of tests/cases/triton with every code object it has.
std::vector<Recorded> AllCases() {
  std::vector<Recorded> cases;
  std::error_code error;
  for (const auto& folder : fs::directory_iterator(std::string(ROCXLA_TEST_CASES) + "/triton", error)) {
    for (const char* target : {"gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"}) {
      if (!fs::exists(folder.path() / (std::string("triton-") + target) / "kernel.hsaco")) continue;
      cases.push_back({folder.path().filename().string(), target});
    }
  }
  std::sort(cases.begin(), cases.end(),
            [](auto& a, auto& b) { return std::tie(a.name, a.target) < std::tie(b.name, b.target); });
  return cases;
}

// Cases that the embedded GPU runs, but to another result than recorded, each with its reason.
const std::map<std::pair<std::string, std::string>, std::string>& KnownDifferences() {
  static const std::map<std::pair<std::string, std::string>, std::string> known = {
      {{"matmul_fp32_fp32_64x64x32", "gfx942"}, "uses v_mfma_f32_32x32x4_xf32, whose inputs have 10 mantissa bits"}};
  return known;
}

class RecordedCaseTest : public testing::TestWithParam<Recorded> {};

TEST_P(RecordedCaseTest, MatchesTheRecordedResult) {
  auto [name, target] = GetParam();
  auto result = RunRecordedCase(std::string(ROCXLA_TEST_CASES) + "/triton/" + name, target);
  ASSERT_TRUE(result.ok()) << result.status().ToString();
  EXPECT_GT(result->stats.instructions, 0u);
  if (KnownDifferences().contains({name, target})) {
    EXPECT_GT(result->worst, 1) << "it agrees now: remove it from the known differences";
  } else {
    EXPECT_LE(result->worst, 1) << result->worst_place;
  }
}

INSTANTIATE_TEST_SUITE_P(Triton, RecordedCaseTest, testing::ValuesIn(AllCases()),
                         [](const auto& info) { return info.param.name + "_" + info.param.target; });

TEST(RecordedCases, AreThere) { EXPECT_GE(AllCases().size(), 90u); }

}  // namespace
}  // namespace rocxla::emu
