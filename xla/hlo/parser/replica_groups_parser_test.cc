// Replica groups: each spelling means what it says and prints as it was written; what is wrong is shown.
#include "xla/hlo/parser/replica_groups_parser.h"
#include "base/error_ids.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace xla {
namespace {

using ::testing::HasSubstr;
using Groups = std::vector<std::vector<int64_t>>;

StatusOr<ReplicaGroups> Parse(std::string_view text) {
  TextCursor cursor(text, "t.hlo");
  return ParseReplicaGroups(cursor);
}

TEST(ReplicaGroups, Spellings) {
  const std::pair<const char*, Groups> kCases[] = {{"{}", {}},
                                                   {"{{0,2},{1,3}}", {{0, 2}, {1, 3}}},
                                                   {"{{0,1},{2}}", {{0, 1}, {2}}},
                                                   {"[2,3]<=[6]", {{0, 1, 2}, {3, 4, 5}}},
                                                   {"[3,2]<=[2,3]T(1,0)", {{0, 3}, {1, 4}, {2, 5}}},
                                                   {"[2,4]<=[2,2,2]T(1,0,2)", {{0, 1, 4, 5}, {2, 3, 6, 7}}},
                                                   {"[4,2]<=[2,2,2]T(2,1,0)", {{0, 4}, {2, 6}, {1, 5}, {3, 7}}},
                                                   {"mesh['d'=3] {'d'}", {{0, 1, 2}}},
                                                   {"mesh['x'=2,'y'=3] {'y'}", {{0, 1, 2}, {3, 4, 5}}},
                                                   {"mesh['x'=2,'y'=3] {'x'}", {{0, 3}, {1, 4}, {2, 5}}},
                                                   {"mesh['x'=2,'y'=3] {'y','x'}", {{0, 3, 1, 4, 2, 5}}},
                                                   {"mesh['x'=2] {}", {{0}, {1}}}};
  for (const auto& [text, want] : kCases) {
    const auto groups = Parse(text);
    ASSERT_TRUE(groups.ok()) << text << groups.status().ToString();
    EXPECT_EQ(groups->groups, want) << text;
    EXPECT_EQ(groups->text, text);
  }
}

TEST(ReplicaGroups, Refused) {
  const std::pair<const char*, const char*> kCases[] = {
      {"", "a list is missing"},
      {"{0,1}", "a list is missing"},
      {"{{0,1}", "the list is not closed"},
      {"[2,4]", "groups in short form are [groups,members]<=[dimensions]"},
      {"[2,4]<=[6]", "the groups do not hold the devices that they are made of"},
      {"[8]<=[8]", "the groups do not hold the devices that they are made of"},
      {"[2,4]<=[2,4]T(0,0)", "this is no permutation of the dimensions"},
      {"[2,4]<=[2,4]T(0)", "this is no permutation of the dimensions"},
      {"[0,4]<=[0]", "these are no counts of devices"},
      {"[2,4]<=[99999999,99999999,99999999]", "these are no counts of devices"},
      {"[-2,-4]<=[8]", "these are no counts of devices"},
      {"mesh['x'=2] {'y'}", "the mesh has no such axis"},
      {"mesh['x'=2] {'x','x'}", "the axis is named twice"},
      {"mesh['x'=0] {'x'}", "these are no counts of devices"},
      {"mesh[x=2] {'x'}", "an axis of a mesh is a name in quotes"}};
  for (const auto& [text, words] : kCases) {
    const auto groups = Parse(text);
    ASSERT_FALSE(groups.ok()) << text;
    EXPECT_EQ(groups.status().id(), ErrorId::kHloSyntax) << text;
    EXPECT_THAT(groups.status().ToString(), HasSubstr(words)) << text;
  }
}

}  // namespace
}  // namespace xla
