// Collectives over simulated devices, against loops over the devices' values.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "xla/hlo/evaluator/hlo_evaluator.h"
#include "xla/hlo/parser/hlo_parser.h"

namespace xla {
namespace {

using testing::HasSubstr;

// Device d holds 10 d, 10 d + 1, ...
std::vector<std::vector<Literal>> Numbered(int64_t devices, const Shape& shape) {
  std::vector<std::vector<Literal>> arguments(devices);
  for (int64_t d = 0; d < devices; ++d) {
    Literal literal = Literal::Zeros(shape);
    for (int64_t i = 0; i < literal.element_count(); ++i) literal.SetFromInt64(i, 10 * d + i);
    arguments[d].push_back(std::move(literal));
  }
  return arguments;
}

std::string Module(std::string_view counts, std::string_view body) {
  return fmt::format(
      "HloModule m, {}\nadd {{\n  a = s32[] parameter(0)\n  b = s32[] parameter(1)\n"
      "  ROOT s = s32[] add(a, b)\n}}\nENTRY e {{\n{}}}\n",
      counts, body);
}

StatusOr<std::vector<std::vector<int64_t>>> Evaluated(std::string_view text, int64_t devices, const Shape& shape) {
  ASSIGN_OR_RETURN(std::unique_ptr<HloModule> module, ParseAndReturnVerifiedModule(text, "test"));
  ASSIGN_OR_RETURN(auto results, EvaluateOnDevices(*module, Numbered(devices, shape)));
  std::vector<std::vector<int64_t>> values(results.size());
  for (size_t d = 0; d < results.size(); ++d) {
    for (const Literal& leaf : results[d]) {
      for (int64_t i = 0; i < leaf.element_count(); ++i) values[d].push_back(leaf.GetAsInt64(i));
    }
  }
  return values;
}
using Values = std::vector<std::vector<int64_t>>;

TEST(CollectivesTest, AllReduceAddsWithinItsGroup) {
  auto values = Evaluated(Module("replica_count=4",
                                 "  p = s32[2] parameter(0)\n  ROOT r = s32[2] all-reduce(p), "
                                 "replica_groups={{0,2},{1,3}}, to_apply=add\n"),
                          4, Shape::Array(S32, {2}));
  ASSERT_TRUE(values.ok()) << values.status().ToString();
  EXPECT_EQ(*values, (Values{{20, 22}, {40, 42}, {20, 22}, {40, 42}}));
}

// The same groups in the spellings that XLA prints.
TEST(CollectivesTest, GroupsInEverySpelling) {
  const Values kRows = {{10, 12}, {10, 12}, {50, 52}, {50, 52}}, kColumns = {{20, 22}, {40, 42}, {20, 22}, {40, 42}};
  const std::vector<std::pair<std::string, Values>> spellings = {{"{{0,1},{2,3}}", kRows},
                                                                 {"[2,2]<=[4]", kRows},
                                                                 {"mesh['x'=2,'y'=2] {'y'}", kRows},
                                                                 {"[2,2]<=[2,2]T(1,0)", kColumns},
                                                                 {"{{0,2},{1,3}}", kColumns},
                                                                 {"mesh['x'=2,'y'=2] {'x'}", kColumns},
                                                                 {"mesh['x'=2,'y'=2] {'x','y'}", Values(4, {60, 64})},
                                                                 {"{}", Values(4, {60, 64})}};
  for (const auto& [spelling, want] : spellings) {
    auto values =
        Evaluated(Module("num_partitions=4",
                         fmt::format("  p = s32[2] parameter(0)\n  ROOT r = s32[2] all-reduce(p), channel_id=1, "
                                     "replica_groups={}, use_global_device_ids=true, to_apply=add\n",
                                     spelling)),
                  4, Shape::Array(S32, {2}));
    ASSERT_TRUE(values.ok()) << spelling << values.status().ToString();
    EXPECT_EQ(*values, want) << spelling;
  }
}

// Two replicas of two partitions: device = replica * 2 + partition.
TEST(CollectivesTest, ModesCountReplicasPartitionsOrDevices) {
  struct Mode {
    std::string attributes;
    Values want;
  };
  const Mode kModes[] = {
      {"replica_groups={{0,1}}", {{20}, {40}, {20}, {40}}},                  // replicas of one partition
      {"channel_id=1, replica_groups={{0},{1}}", {{10}, {10}, {50}, {50}}},  // a replica with its partitions
      {"channel_id=1, replica_groups={{0,3},{1,2}}, use_global_device_ids=true", {{30}, {30}, {30}, {30}}}};
  for (const Mode& mode : kModes) {
    auto values = Evaluated(Module("replica_count=2, num_partitions=2",
                                   fmt::format("  p = s32[1] parameter(0)\n  ROOT r = s32[1] all-reduce(p), {}, "
                                               "to_apply=add\n",
                                               mode.attributes)),
                            4, Shape::Array(S32, {1}));
    ASSERT_TRUE(values.ok()) << mode.attributes << values.status().ToString();
    EXPECT_EQ(*values, mode.want) << mode.attributes;
  }
}

TEST(CollectivesTest, GathersAlongEachDimension) {
  for (int64_t dimension : {0, 1}) {
    const std::string shape = dimension == 0 ? "s32[4,2]" : "s32[2,4]";
    auto values = Evaluated(Module("replica_count=2", fmt::format("  p = s32[2,2] parameter(0)\n  ROOT r = {} "
                                                                  "all-gather(p), dimensions={{{}}}\n",
                                                                  shape, dimension)),
                            2, Shape::Array(S32, {2, 2}));
    ASSERT_TRUE(values.ok()) << values.status().ToString();
    const std::vector<int64_t> want = dimension == 0 ? std::vector<int64_t>{0, 1, 2, 3, 10, 11, 12, 13}
                                                     : std::vector<int64_t>{0, 1, 10, 11, 2, 3, 12, 13};
    EXPECT_EQ(*values, Values(2, want));
  }
}

TEST(CollectivesTest, ReduceScatterGivesEachItsPart) {
  auto values = Evaluated(Module("replica_count=2",
                                 "  p = s32[2,4] parameter(0)\n  ROOT r = s32[2,2] reduce-scatter(p), "
                                 "dimensions={1}, to_apply=add\n"),
                          2, Shape::Array(S32, {2, 4}));
  ASSERT_TRUE(values.ok()) << values.status().ToString();
  EXPECT_EQ(*values, (Values{{10, 12, 18, 20}, {14, 16, 22, 24}}));
}

TEST(CollectivesTest, AllToAllTransposesBlocks) {
  auto array = Evaluated(Module("replica_count=2",
                                "  p = s32[4] parameter(0)\n  ROOT r = s32[4] all-to-all(p), "
                                "dimensions={0}\n"),
                         2, Shape::Array(S32, {4}));
  ASSERT_TRUE(array.ok()) << array.status().ToString();
  EXPECT_EQ(*array, (Values{{0, 1, 10, 11}, {2, 3, 12, 13}}));
  auto tuple = Evaluated(Module("replica_count=2",
                                "  p = s32[1] parameter(0)\n  n = s32[1] negate(p)\n"
                                "  ROOT r = (s32[1], s32[1]) all-to-all(p, n)\n"),
                         2, Shape::Array(S32, {1}));
  ASSERT_TRUE(tuple.ok()) << tuple.status().ToString();
  EXPECT_EQ(*tuple, (Values{{0, 10}, {0, -10}}));
}

TEST(CollectivesTest, PermuteSendsAlongItsPairsAndZerosElsewhere) {
  auto values = Evaluated(Module("num_partitions=3",
                                 "  p = s32[1] parameter(0)\n  ROOT r = s32[1] collective-permute(p), "
                                 "channel_id=1, source_target_pairs={{1,0},{0,2}}\n"),
                          3, Shape::Array(S32, {1}));
  ASSERT_TRUE(values.ok()) << values.status().ToString();
  EXPECT_EQ(*values, (Values{{10}, {0}, {0}}));
}

TEST(CollectivesTest, BroadcastSendsTheFirstOfTheGroup) {
  auto values = Evaluated(Module("replica_count=3",
                                 "  p = s32[1] parameter(0)\n  ROOT r = s32[1] collective-broadcast(p), "
                                 "replica_groups={{2,0},{1}}\n"),
                          3, Shape::Array(S32, {1}));
  ASSERT_TRUE(values.ok()) << values.status().ToString();
  EXPECT_EQ(*values, (Values{{20}, {10}, {20}}));
}

TEST(CollectivesTest, DevicesKnowTheirPlace) {
  auto values = Evaluated(Module("replica_count=2, num_partitions=3",
                                 "  p = s32[1] parameter(0)\n  i = u32[] partition-id()\n  j = u32[] replica-id()\n"
                                 "  ROOT r = (u32[], u32[]) tuple(j, i)\n"),
                          6, Shape::Array(S32, {1}));
  ASSERT_TRUE(values.ok()) << values.status().ToString();
  EXPECT_EQ(*values, (Values{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}}));
}

// A loop that each device runs twice: meetings of different rounds do not mix.
TEST(CollectivesTest, MeetsAgainInLoops) {
  constexpr std::string_view kText = R"(HloModule m, replica_count=2
add { a = s32[] parameter(0)
  b = s32[] parameter(1)
  ROOT s = s32[] add(a, b) }
cond { p = (s32[], s32[]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  n = s32[] constant(3)
  ROOT c = pred[] compare(i, n), direction=LT }
body { p = (s32[], s32[]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = s32[] get-tuple-element(p), index=1
  one = s32[] constant(1)
  j = s32[] add(i, one)
  y = s32[] all-reduce(x), to_apply=add
  ROOT t = (s32[], s32[]) tuple(j, y) }
ENTRY e { x = s32[] parameter(0)
  zero = s32[] constant(0)
  t = (s32[], s32[]) tuple(zero, x)
  w = (s32[], s32[]) while(t), condition=cond, body=body
  ROOT r = s32[] get-tuple-element(w), index=1 }
)";
  auto values = Evaluated(kText, 2, Shape::Scalar(S32));
  ASSERT_TRUE(values.ok()) << values.status().ToString();
  EXPECT_EQ(*values, (Values{{40}, {40}}));
}

TEST(CollectivesTest, HalvesDoWhatTheWholeDoes) {
  const std::pair<const char*, Values> kCases[] = {
      {"  s = s32[2] all-reduce-start(p), to_apply=add\n  ROOT r = s32[2] all-reduce-done(s)\n", {{10, 12}, {10, 12}}},
      {"  s = (s32[2], s32[4]) all-gather-start(p), dimensions={0}\n  ROOT r = s32[4] all-gather-done(s)\n",
       {{0, 1, 10, 11}, {0, 1, 10, 11}}},
      {"  q = s32[2] negate(p)\n  s = ((s32[2], s32[2]), (s32[4], s32[4])) all-gather-start(p, q), dimensions={0}\n"
       "  d = (s32[4], s32[4]) all-gather-done(s)\n  ROOT r = s32[4] get-tuple-element(d), index=1\n",
       {{0, -1, -10, -11}, {0, -1, -10, -11}}},
      {"  s = (s32[2], s32[2], u32[], u32[]) collective-permute-start(p), source_target_pairs={{0,1}}\n"
       "  ROOT r = s32[2] collective-permute-done(s)\n",
       {{0, 0}, {0, 1}}},
      {"  s = (s32[2], s32[2], u32[]) copy-start(p)\n  ROOT r = s32[2] copy-done(s)\n", {{0, 1}, {10, 11}}}};
  for (const auto& [body, want] : kCases) {
    auto values = Evaluated(Module("replica_count=2", std::string("  p = s32[2] parameter(0)\n") + body), 2,
                            Shape::Array(S32, {2}));
    ASSERT_TRUE(values.ok()) << body << values.status().ToString();
    EXPECT_EQ(*values, want) << body;
  }
}

TEST(CollectivesTest, AsyncComputations) {
  constexpr std::string_view kText = R"(HloModule m
work { a = s32[2] parameter(0)
  b = s32[2] parameter(1)
  ROOT s = s32[2] add(a, b) }
ENTRY e { p = s32[2] parameter(0)
  start = ((s32[2], s32[2]), s32[2], u32[]) async-start(p, p), calls=work, async_execution_thread="parallel"
  update = ((s32[2], s32[2]), s32[2], u32[]) async-update(start)
  ROOT done = s32[2] async-done(update) }
)";
  auto values = Evaluated(kText, 1, Shape::Array(S32, {2}));
  ASSERT_TRUE(values.ok()) << values.status().ToString();
  EXPECT_EQ(*values, (Values{{0, 2}}));
}

// A device that goes another way leaves the others waiting: an error, not a hang.
TEST(CollectivesTest, WaitingInVainIsAnError) {
  constexpr std::string_view kText = R"(HloModule m, replica_count=2
add { a = s32[] parameter(0)
  b = s32[] parameter(1)
  ROOT s = s32[] add(a, b) }
yes { a = s32[] parameter(0)
  ROOT r = s32[] all-reduce(a), to_apply=add }
no { ROOT a = s32[] parameter(0) }
ENTRY e { x = s32[] parameter(0)
  id = u32[] replica-id()
  branch = s32[] convert(id)
  ROOT r = s32[] conditional(branch, x, x), branch_computations={yes, no} }
)";
  auto values = Evaluated(kText, 2, Shape::Scalar(S32));
  ASSERT_FALSE(values.ok());
  EXPECT_THAT(values.status().ToString(), HasSubstr("do not come to this collective"));
}

TEST(CollectivesTest, OneDeviceAloneCannotMeetOthers) {
  auto module = ParseAndReturnVerifiedModule(Module("replica_count=1",
                                                    "  p = s32[1] parameter(0)\n  ROOT r = s32[1] all-reduce(p), "
                                                    "replica_groups={{0,1}}, to_apply=add\n"),
                                             "test");
  ASSERT_TRUE(module.ok()) << module.status().ToString();
  auto result = Evaluate(**module, Numbered(1, Shape::Array(S32, {1}))[0]);
  ASSERT_FALSE(result.ok());
  EXPECT_THAT(result.status().ToString(), HasSubstr("device 1 takes part, but the run has 1"));
}

TEST(CollectivesTest, ArgumentsForEachDevice) {
  auto values = Evaluated(Module("replica_count=2", "  ROOT p = s32[1] parameter(0)\n"), 3, Shape::Array(S32, {1}));
  ASSERT_FALSE(values.ok());
  EXPECT_THAT(values.status().ToString(), HasSubstr("arguments of 3 devices"));
}

// Device 0 sends its row 0 to itself and rows 1 and 2 to device 1; device 1 its row 2 to device 0 and nothing to
// itself.
constexpr char kRagged[] = R"(HloModule m, replica_count=2
ENTRY main {
  p = s32[4] parameter(0)
  z = s32[] constant(-1)
  o = s32[3] broadcast(z), dimensions={}
  i = u32[] replica-id()
  zero = u32[] constant(0)
  first = pred[] compare(i, zero), direction=EQ
  f = pred[2] broadcast(first), dimensions={}
  in0 = s32[2] constant({0, 1})
  in1 = s32[2] constant({2, 0})
  in = s32[2] select(f, in0, in1)
  n0 = s32[2] constant({1, 2})
  n1 = s32[2] constant({1, 0})
  n = s32[2] select(f, n0, n1)
  out0 = s32[2] constant({0, 1})
  out1 = s32[2] constant({2, 0})
  out = s32[2] select(f, out0, out1)
  r0 = s32[2] constant({1, 1})
  r1 = s32[2] constant({RECEIVED})
  r = s32[2] select(f, r0, r1)
  ROOT x = s32[3] ragged-all-to-all(p, o, in, n, out, r), replica_groups={{0,1}}
}
)";

std::string RaggedText(const std::string& received) {
  std::string text = kRagged;
  text.replace(text.find("RECEIVED"), 8, received);
  return text;
}

TEST(CollectivesTest, RaggedAllToAllSendsRows) {
  auto values = Evaluated(RaggedText("2, 0"), 2, Shape::Array(S32, {4}));
  ASSERT_TRUE(values.ok()) << values.status().ToString();
  EXPECT_EQ(*values, (Values{{0, -1, 12}, {-1, 1, 2}}));
  EXPECT_THAT(Evaluated(RaggedText("1, 0"), 2, Shape::Array(S32, {4})).status().ToString(),
              HasSubstr("member 0 sends rows 1 to 3 to rows 1 to 3 of member 1, which expects 1 rows"));
}

}  // namespace
}  // namespace xla
