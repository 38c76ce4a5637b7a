// Every recorded case on the embedded device, against what jax.txt, hlo.txt, pallas.txt, examples.txt, triton.txt and
// triton_objects.txt beside this file say of it: "pass", or the number of the error that it ends with for now. A case
// that does better than its line fails too: the line must then be brought up to date. Cases without a line fail.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "base/flags.h"
#include "xla/tools/case_runner.h"

namespace xla::tools {
namespace {

struct Expected {
  Case one;
  std::string outcome;  // "pass", "E4001", or "" without a line
};

std::string OutcomeOf(const rocxla::Status& status) {
  return status.ok() ? "pass" : "E" + std::to_string(static_cast<int>(status.id()));
}

// Lines "NAME TARGET OUTCOME"; '#' begins a comment.
std::map<std::string, std::string> ReadExpectations(const std::string& path) {
  std::map<std::string, std::string> lines;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string name, target, outcome;
    if (words >> name >> target >> outcome) lines[name + " " + target] = outcome;
  }
  return lines;
}

std::vector<Expected> Cases(const std::string& folder, const std::string& list, bool objects,
                            const std::vector<std::string>& targets) {
  std::map<std::string, std::string> lines = ReadExpectations(std::string(ROCXLA_EXPECTATIONS) + "/" + list);
  std::vector<Expected> all;
  for (const std::string& target : targets) {
    FindOptions find{.device = "embedded:" + target, .objects = objects};
    auto cases = FindCases({std::string(ROCXLA_TEST_CASES) + "/" + folder}, find);
    EXPECT_TRUE(cases.ok()) << cases.status().ToString();
    if (!cases.ok()) continue;
    for (const Case& one : *cases) {
      auto line = lines.extract(one.folder.filename().string() + " " + target);
      all.push_back({one, line.empty() ? "" : line.mapped()});
    }
  }
  for (const auto& [name, outcome] : lines) ADD_FAILURE() << list << ": no recorded case for the line '" << name << "'";
  return all;
}

class RecordedCase : public testing::TestWithParam<Expected> {};

TEST_P(RecordedCase, HasItsExpectedOutcome) {
  const auto& [one, outcome] = GetParam();
  CaseResult result = RunCase(one, rocxla::DebugOptions());
  EXPECT_EQ(OutcomeOf(result.status), outcome) << one.Label() << ": " << result.status.ToString();
}

std::string NameOf(const testing::TestParamInfo<Expected>& info) {
  std::string name = info.param.one.folder.filename().string() + "_" + info.param.one.device.substr(9);
  return info.param.outcome == "pass" ? name : name + "_not_yet";
}

const std::vector<std::string> kTargets = {"gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"};
INSTANTIATE_TEST_SUITE_P(Jax, RecordedCase, testing::ValuesIn(Cases("jax", "jax.txt", false, kTargets)), NameOf);
INSTANTIATE_TEST_SUITE_P(Hlo, RecordedCase, testing::ValuesIn(Cases("hlo", "hlo.txt", false, kTargets)), NameOf);
INSTANTIATE_TEST_SUITE_P(Pallas, RecordedCase, testing::ValuesIn(Cases("pallas", "pallas.txt", false, kTargets)),
                         NameOf);
INSTANTIATE_TEST_SUITE_P(Examples, RecordedCase,
                         testing::ValuesIn(Cases("../../examples", "examples.txt", false, kTargets)), NameOf);
INSTANTIATE_TEST_SUITE_P(Triton, RecordedCase, testing::ValuesIn(Cases("triton", "triton.txt", false, kTargets)),
                         NameOf);
INSTANTIATE_TEST_SUITE_P(TritonObjects, RecordedCase,
                         testing::ValuesIn(Cases("triton", "triton_objects.txt", true, kTargets)), NameOf);

}  // namespace
}  // namespace xla::tools
