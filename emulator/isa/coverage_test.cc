// Pins what the embedded GPU does not execute: missing.txt changes with every instruction that is added.
#include "emulator/isa/coverage.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "base/file.h"

namespace rocxla::emu {
namespace {

constexpr const char* kTargets[] = {"gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"};

std::string MissingInstructions() {
  std::map<std::string, std::string> targets_by_name;
  for (const char* target : kTargets) {
    auto coverage = IsaCoverage(*FindTarget(target));
    EXPECT_TRUE(coverage.ok()) << coverage.status().ToString();
    for (const InstructionSupport& one : *coverage) {
      if (one.support == Support::kMissing) targets_by_name[one.name] += fmt::format(" {}", target);
    }
  }
  std::string text = "# Instructions that the embedded GPU lacks, and on which targets.\n";
  for (const auto& [name, targets] : targets_by_name) text += fmt::format("{:<36}{}\n", name, targets);
  return text;
}

// If an instruction was added, replace the file by the text that this test writes beside it.
TEST(CoverageTest, MissingInstructionsAreListed) {
  auto listed = ReadFile(ROCXLA_MISSING_INSTRUCTIONS);
  ASSERT_TRUE(listed.ok()) << listed.status().ToString();
  std::string missing = MissingInstructions();
  if (missing == *listed) return;
  std::string now = testing::TempDir() + "missing.txt";
  EXPECT_TRUE(WriteFile(now, missing).ok());
  FAIL() << "the list differs from " << ROCXLA_MISSING_INSTRUCTIONS << "; the new one is in " << now;
}

// What is not refused is executed, in every form.
TEST(CoverageTest, EveryFormIsCoveredOrRefused) {
  for (const char* target : kTargets) {
    auto coverage = IsaCoverage(*FindTarget(target));
    ASSERT_TRUE(coverage.ok()) << coverage.status().ToString();
    for (const InstructionSupport& one : *coverage) {
      if (one.support == Support::kRefused) continue;
      EXPECT_EQ(one.covered_forms, one.forms) << one.name << " on " << target << ": " << one.reason;
    }
  }
}

TEST(CoverageTest, CountsFormsAndNamesRefusals) {
  auto coverage = IsaCoverage(*FindTarget("gfx1100"));
  ASSERT_TRUE(coverage.ok());
  std::map<std::string, InstructionSupport> by_name;
  for (const InstructionSupport& one : *coverage) by_name[one.name] = one;
  EXPECT_EQ(by_name["v_add_f32"].support, Support::kCovered);
  EXPECT_GE(by_name["v_add_f32"].forms, 4);  // e32, e64, dpp and dpp8
  EXPECT_EQ(by_name["image_load"].support, Support::kRefused);
  EXPECT_EQ(by_name["image_load"].reason, "images are not supported");
  // Forms are refused by themselves, and both wave sizes count.
  EXPECT_EQ(by_name["buffer_load_b32"].refused_forms, 4);
  EXPECT_EQ(by_name["buffer_load_b32"].covered_forms, by_name["buffer_load_b32"].forms);
  EXPECT_EQ(by_name["v_wmma_f32_16x16x16_f16"].covered_forms, 2);
  EXPECT_GT(by_name.size(), 1100u);  // that many LLVM has: see its AMDGPU tables
}

}  // namespace
}  // namespace rocxla::emu
