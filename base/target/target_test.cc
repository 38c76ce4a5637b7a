#include "base/target/target.h"

#include <gtest/gtest.h>

namespace rocxla {
namespace {

TEST(Target, FindsByNameAndByArchString) {
  StatusOr<GpuTarget> target = FindTarget("gfx942:sramecc+:xnack-");
  ASSERT_TRUE(target.ok());
  EXPECT_EQ(target->name, "gfx942");
  EXPECT_EQ(target->wave_size, 64);
  EXPECT_TRUE(target->is_cdna());
  EXPECT_FALSE(FindTarget("gfx1100")->is_cdna());
}

TEST(Target, UnknownNameListsTheKnown) {
  EXPECT_EQ(FindTarget("gfx9").status().ToString(),
            "E3003 TritonUnknownTarget: unknown GPU target\n"
            "  found:    'gfx9'\n"
            "  expected: one of gfx908, gfx90a, gfx942, gfx950, gfx1030, gfx1100, gfx1101, gfx1102, gfx1103, gfx1150, "
            "gfx1151, gfx1200, gfx1201");
}

TEST(Target, FirstClassTargetsHaveAModel) {
  for (const GpuTarget& target : AllTargets()) {
    EXPECT_EQ(target.support == TargetSupport::kFirstClass, !ModelsOf(target).empty()) << target.name;
    EXPECT_TRUE(target.wave_size == 32 || target.wave_size == 64) << target.name;
  }
}

}  // namespace
}  // namespace rocxla
