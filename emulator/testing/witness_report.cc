// After all tests of the program: every line of the tables must have been executed by one.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "emulator/testing/instruction_harness.h"

namespace rocxla::emu {
namespace {

class WitnessReport : public testing::Environment {
 public:
  void TearDown() override {
    bool all_ran =
        testing::UnitTest::GetInstance()->test_to_run_count() == testing::UnitTest::GetInstance()->total_test_count();
    if (!all_ran) return;  // a filter was given
    for (int i = 0; i < static_cast<int>(Op::kCount); i++) {
      bool witnessed = InstructionHarness::Witnessed().contains(static_cast<Op>(i));
      EXPECT_TRUE(witnessed) << Info(static_cast<Op>(i)).name
                             << " has no witness: add a case with a formula of its own";
    }
  }
};
const auto* const kReport = testing::AddGlobalTestEnvironment(new WitnessReport);

}  // namespace
}  // namespace rocxla::emu
