// The shape rules of collectives: what follows each, and what breaks it with the exact words of the message.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/error_ids.h"
#include "xla/hlo/parser/hlo_parser.h"

namespace xla {
namespace {

using ::testing::HasSubstr;

// A program of 2 replicas of 4 partitions.
Status Verify(const std::string& root) {
  const std::string text = R"(HloModule t, replica_count=2, num_partitions=4
add { x = f32[] parameter(0)  y = f32[] parameter(1)  ROOT z = f32[] add(x, y) }
ENTRY main {
  m = f32[8,3] parameter(0)
  v = f32[8] parameter(1)
  k = s32[8,3] parameter(2)
  ROOT )" + root + "\n}\n";
  return ParseAndReturnVerifiedModule(text, "t").status();
}

TEST(ShapeRulesOfCollectives, Accepted) {
  for (const char* root : {"r = f32[8,3] all-reduce(m), to_apply=add",
                           "r = (f32[8,3], f32[8]) all-reduce(m, v), replica_groups={{0},{1}}, to_apply=add",
                           "r = f32[16,3] all-gather(m), dimensions={0}",                // 2 replicas
                           "r = f32[64,3] all-gather(m), channel_id=1, dimensions={0}",  // with their partitions
                           "r = f32[64,3] all-gather(m), channel_id=1, dimensions={0}, use_global_device_ids=true",
                           "r = f32[8,6] all-gather(m), channel_id=1, replica_groups=[4,2]<=[8], dimensions={1}, "
                           "use_global_device_ids=true",
                           "r = f32[2,3] reduce-scatter(m), channel_id=1, replica_groups={{0,1,2,3},{4,5,6,7}}, "
                           "use_global_device_ids=true, dimensions={0}, to_apply=add",
                           "r = f32[8,3] all-to-all(m), channel_id=1, dimensions={0}",  // 4 partitions
                           "r = (f32[8], f32[8]) all-to-all(v, v)", "r = f32[8,3] collective-broadcast(m)",
                           "r = (f32[8,3], f32[8]) collective-permute(m, v), source_target_pairs={{0,1},{1,0}}",
                           "r = s32[8,3] collective-permute(k), channel_id=1, source_target_pairs={}"}) {
    EXPECT_TRUE(Verify(root).ok()) << root << "\n" << Verify(root).ToString();
  }
}

TEST(ShapeRulesOfCollectives, Refused) {
  const std::pair<const char*, const char*> kCases[] = {
      {"r = f32[8,3] all-gather(m), dimensions={0}", "f32[16,3]"},
      {"r = f32[8,3] all-gather(m), dimensions={2}", "dimensions"},
      {"r = f32[8,3] all-gather(m), dimensions={0,1}", "this collective works along one dimension"},
      {"r = s32[8,3] all-reduce(k), to_apply=add", "to_apply"},
      {"r = f32[8,3] all-reduce(m), replica_groups={{0,0}}, to_apply=add", "the replica groups are no groups"},
      {"r = f32[8,3] all-reduce(m), replica_groups={{0,-1}}, to_apply=add", "the replica groups are no groups"},
      {"r = f32[8,3] all-reduce(m), replica_groups={{}}, to_apply=add", "a replica group is empty"},
      {"r = f32[8,3] all-reduce(m), use_global_device_ids=true, to_apply=add", "use_global_device_ids needs a channel"},
      {"r = f32[8,3] all-gather(m), replica_groups={{0,1},{2}}, dimensions={0}", "the replica groups differ in size"},
      {"r = f32[8,1] reduce-scatter(m), dimensions={1}, to_apply=add",
       "dimension 1 cannot be cut into equal parts for the devices of a group"},
      {"r = (f32[8]) all-to-all(v)", "all-to-all of tuples takes one array for each device of a group"},
      {"r = (f32[8], f32[8,3]) all-to-all(v, m)", "all-to-all of tuples takes one array for each device of a group"},
      {"r = f32[8] collective-permute(v), source_target_pairs={{0,1},{0,2}}", "do not fit together"},
      {"r = f32[8] collective-permute(v), source_target_pairs={{0,1},{2,1}}", "do not fit together"},
      {"r = f32[16,3] all-gather-start(m), dimensions={0}", "all-gather-start gives its operands, its result"},
      {"r = (f32[8,3], f32[8,3]) all-gather-start(m), dimensions={0}", "expected: (f32[8,3], f32[16,3], ...)"},
      {"r = (f32[8], f32[8], f32[8]) collective-permute-start(v), source_target_pairs={}", "scalar contexts if any"},
      {"r = (f32[8], f32[8]) copy-start(v)", "(f32[8], f32[8], u32[])"},
      {"r = f32[8] copy-done(v)", "copy-done waits for what the first half gives"}};
  for (const auto& [root, words] : kCases) {
    const Status status = Verify(root);
    EXPECT_EQ(status.id(), ErrorId::kHloVerifier) << root << "\n" << status.ToString();
    EXPECT_THAT(status.ToString(), HasSubstr(words)) << root;
  }
}

}  // namespace
}  // namespace xla
