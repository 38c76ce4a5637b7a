#include "base/target/target_id.h"

#include <gtest/gtest.h>

namespace rocxla {
namespace {

std::optional<int> Match(const char* code, const char* device) {
  return TargetMatch(ParseTargetId(code).value(), ParseTargetId(device).value());
}

TEST(TargetId, Parses) {
  const TargetId id = ParseTargetId("gfx90a:sramecc+:xnack-").value();
  EXPECT_EQ(id.processor, "gfx90a");
  EXPECT_TRUE(id.features.at("sramecc"));
  EXPECT_FALSE(id.features.at("xnack"));
  EXPECT_EQ(ParseTargetId("gfx9-4-generic")->processor, "gfx9-4-generic");
  for (const char* bad : {"", "sm_80", "gfx90a:", "gfx90a:xnack", "gfx90a:+", "gfx90a:xnack+:xnack-"}) {
    EXPECT_FALSE(ParseTargetId(bad)) << bad;
  }
}

TEST(TargetId, FeaturesMustAgreeWhereTheyAreNamed) {
  EXPECT_TRUE(Match("gfx90a", "gfx90a:sramecc+:xnack-"));
  EXPECT_TRUE(Match("gfx90a:xnack-", "gfx90a:sramecc+:xnack-"));
  EXPECT_FALSE(Match("gfx90a:xnack+", "gfx90a:sramecc+:xnack-"));
  EXPECT_TRUE(Match("gfx90a:xnack-", "gfx90a"));
  EXPECT_GT(Match("gfx90a:xnack-", "gfx90a:xnack-"), Match("gfx90a", "gfx90a:xnack-"));
}

TEST(TargetId, GenericTargets) {
  EXPECT_TRUE(Match("gfx9-4-generic", "gfx942"));
  EXPECT_TRUE(Match("gfx11-generic", "gfx1100"));
  EXPECT_TRUE(Match("gfx12-generic", "gfx1201"));
  EXPECT_FALSE(Match("gfx9-generic", "gfx90a")) << "gfx90a and gfx908 belong to no generic target";
  EXPECT_FALSE(Match("gfx11-generic", "gfx110"));
  EXPECT_FALSE(Match("gfx942", "gfx950"));
  EXPECT_GT(Match("gfx942", "gfx942"), Match("gfx9-4-generic:xnack-", "gfx942:xnack-"));
}

}  // namespace
}  // namespace rocxla
