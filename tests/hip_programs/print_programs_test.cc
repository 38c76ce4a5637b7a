// Programs that print and programs that give up: printf, through the buffer and through host calls; assert; traps.
#include <algorithm>

#include "tests/hip_programs/hip_program_test.h"

namespace rocxla::emu {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class PrintPrograms : public HipProgramTest {
 protected:
  void SetUp() override {
    HipProgramTest::SetUp();
    SetKernelPrint(
        [this](PrintStream stream, std::string_view text) { (stream == PrintStream::kOut ? out : error) += text; });
  }
  void TearDown() override {
    SetKernelPrint(nullptr);
    HipProgramTest::TearDown();
  }
  // What was printed since the last call; lines may come in any order where threads print them.
  std::string TakeOut() { return std::exchange(out, ""); }
  std::vector<std::string> TakeSortedLines() {
    std::vector<std::string> lines;
    for (std::string text = TakeOut(); !text.empty();) {
      size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
      lines.push_back(text.substr(0, end));
      text.erase(0, end);
    }
    std::sort(lines.begin(), lines.end());
    return lines;
  }
  std::string out, error;
};

TEST_P(PrintPrograms, EveryThreadPrints) {
  Load("printf");
  Run("print_from_every_thread", {3}, {70}, 66);
  std::vector<std::string> expected;
  for (int block = 0; block < 3; block++) {
    for (int thread = 0; thread < 66; thread++) {
      expected.push_back("block " + std::to_string(block) + " thread " + std::to_string(thread) + "\n");
    }
  }
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(TakeSortedLines(), expected);
  EXPECT_EQ(error, "");
}

TEST_P(PrintPrograms, AllConversions) {
  Load("printf");
  Run("print_all_kinds", {2}, {64});
  EXPECT_EQ(TakeOut(),
            "no arguments, 100%\n"
            "-1    42|42   |00042 +42 ff FF 10 4000000000\n"
            "-3 -4 -1234567890123456789 -1234567890123456789 18446744073709551615 4\n"
            "3.250000 0.67    1.500|1.234568e+04 0.0001 0x1p+0\n"
            "ok text|     right|left      |cu\n"
            "0x1234\n"
            "     7 1.00\n");
}

TEST_P(PrintPrograms, StringsOfTheHost) {
  Load("printf");
  auto chars = [](std::string text) { return std::vector<char>(text.c_str(), text.c_str() + text.size() + 1); };
  auto format = Upload(chars("%d times, 100%%\n"));
  auto text = Upload(chars("a text that is longer than what one packet of a host call holds"));
  Run("print_strings", {1}, {1}, static_cast<const char*>(format.get()), static_cast<const char*>(text.get()), 12);
  EXPECT_EQ(TakeOut(),
            "12 times, 100%\n"
            "<a text that is longer than what one packet of a host call holds>\n");
  Run("print_nothing", {1}, {64}, text.get());
  EXPECT_EQ(TakeOut(), "");
}

INSTANTIATE_TEST_SUITE_P(Targets, PrintPrograms,
                         ::testing::Values(HIP_BUILDS("O3"), HIP_BUILDS("O0"), HIP_BUILDS("buffered")), NameOfBuild);

using AssertingPrograms = PrintPrograms;

TEST_P(AssertingPrograms, AFailedAssertionIsPrintedAndEndsTheLaunch) {
  Load("assertion");
  std::vector<int> values(128, 3);
  auto in = Upload(values), out = Zeros<int>(128);
  Run("check_positive", {2}, {64}, in.get(), out.get());
  EXPECT_EQ(out.Values(), std::vector<int>(128, 6));
  EXPECT_EQ(error, "");

  values[100] = -1;
  auto with_error = Upload(values);
  EXPECT_EQ(TryToRun("check_positive", {2}, {64}, 0, with_error.get(), out.get()), hipErrorLaunchFailure);
  EXPECT_EQ(error, "assertion.hip:6: Device-side assertion `x > 0' failed.\n");
  EXPECT_THAT(detail_, StartsWith("E2107 EmulatorTrap: the kernel has trapped\n"
                                  "  where:    kernel 'check_positive', workgroup 1,0,0, wave "));
  EXPECT_THAT(detail_, HasSubstr("s_trap 2"));
  EXPECT_THAT(detail_, HasSubstr("print.h:")) << "where the trap stands";
}

TEST_P(AssertingPrograms, Traps) {
  Load("assertion");
  Run("trap_if", {1}, {1}, 0);
  EXPECT_EQ(TryToRun("trap_if", {1}, {1}, 0, 1), hipErrorLaunchFailure);
  EXPECT_THAT(detail_, StartsWith("E2107 EmulatorTrap: the kernel has trapped\n"
                                  "  where:    kernel 'trap_if', workgroup 0,0,0, wave 0, pc "));
  EXPECT_THAT(detail_, HasSubstr("assertion.hip:"));
}

INSTANTIATE_TEST_SUITE_P(Targets, AssertingPrograms, ::testing::Values(HIP_BUILDS("O3"), HIP_BUILDS("O0")),
                         NameOfBuild);

}  // namespace
}  // namespace rocxla::emu
