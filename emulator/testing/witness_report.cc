// Prints, after all tests of the program, which lines of the tables no test has executed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "emulator/testing/instruction_harness.h"

namespace rocxla::emu {
namespace {

class WitnessReport : public testing::Environment {
 public:
  void TearDown() override {
    std::string missing;
    int count = 0;
    for (int i = 0; i < static_cast<int>(Op::kCount); i++) {
      if (InstructionHarness::Witnessed().contains(static_cast<Op>(i))) continue;
      missing += fmt::format(" {}", Info(static_cast<Op>(i)).name);
      count++;
    }
    fmt::print(stderr, "{} of {} operations without a witness:{}\n", count, static_cast<int>(Op::kCount), missing);
  }
};
const auto* const kReport = testing::AddGlobalTestEnvironment(new WitnessReport);

}  // namespace
}  // namespace rocxla::emu
