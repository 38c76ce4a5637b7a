// All passes on the recorded JAX programs: they verify after each, keep their promises, and a second run changes
// nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/file.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/hlo/transforms/passes.h"

namespace xla {
namespace {

TEST(TransformsCases, PassesKeepProgramsValid) {
  int programs = 0;
  for (const auto& folder : std::filesystem::directory_iterator(std::string(ROCXLA_TEST_CASES) + "/jax")) {
    if (!std::filesystem::exists(folder.path() / "module.hlo")) continue;
    SCOPED_TRACE(folder.path().string());
    const auto text = rocxla::ReadFile(folder.path() / "module.hlo");
    ASSERT_TRUE(text.ok());
    auto module = ParseAndReturnVerifiedModule(*text, "module.hlo");
    if (!module.ok()) continue;
    ++programs;
    HloPassPipeline pipeline("all", {.check_unchanged = CheckUnchangedPromise::kYes});
    ASSERT_TRUE(AddPassesByName(
                    "call_inliner,algebraic_simplifier,cse,algebraic_simplifier,dce,layout_views_to_bitcast", pipeline)
                    .ok());
    const auto first = pipeline.Run(**module, {});
    ASSERT_TRUE(first.ok()) << first.status().ToString();
    for (const HloInstruction* instruction : (*module)->entry_computation()->instructions()) {
      EXPECT_NE(instruction->opcode(), HloOpcode::kCall);
    }
    ASSERT_TRUE(pipeline.Run(**module, {}).ok());  // bitcasts may meet
    const auto third = pipeline.Run(**module, {});
    ASSERT_TRUE(third.ok());
    EXPECT_EQ(*third, Changed::kNo) << (*module)->ToString();
  }
  EXPECT_GT(programs, 130);
}

}  // namespace
}  // namespace xla
