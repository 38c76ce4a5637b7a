// scan against loops.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "xla/hlo/evaluator/evaluator_test_util.h"

namespace xla {
namespace {

constexpr char kComputations[] = R"(
running_sum { x = s32[] parameter(0)  c = s32[] parameter(1)  s = s32[] add(c, x)  ROOT t = (s32[], s32[]) tuple(s, s) }
rows { x = s32[3] parameter(0)  c = s32[3] parameter(1)  s = s32[3] add(c, x)  ROOT t = (s32[3], s32[3]) tuple(c, s) }
two {
  x = s32[] parameter(0)  y = f32[] parameter(1)  c = s32[] parameter(2)  d = f32[] parameter(3)
  s = s32[] multiply(c, x)  m = f32[] maximum(d, y)  p = pred[] compare(y, d), direction=GT
  ROOT t = (pred[], s32[], f32[]) tuple(p, s, m)
}
squares { x = s32[] parameter(0)  ROOT s = s32[] multiply(x, x) }
)";

std::string Result(const std::string& body) { return ResultText(kComputations, body); }

TEST(EvaluatorScanTest, RunningSums) {
  const std::string body =
      "a = s32[4] constant({1, 2, 3, 4})\n  i = s32[] constant(10)\n  ROOT r = (s32[4], s32[]) "
      "scan(a, i), dimensions={0}, num_carries=1, to_apply=running_sum";
  EXPECT_EQ(Result(body), "{11, 13, 16, 20} 20");
  EXPECT_EQ(Result(body + ", is_reverse=true, is_associative=true"), "{20, 19, 17, 14} 20");
}

// The outputs of rows are the carries before each step.
TEST(EvaluatorScanTest, CarriesMayBeArrays) {
  EXPECT_EQ(Result("a = s32[2,3] constant({{1, 2, 3}, {4, 5, 6}})\n  i = s32[3] constant({0, 1, 2})\n"
                   "  ROOT r = (s32[2,3], s32[3]) scan(a, i), dimensions={0}, num_carries=1, to_apply=rows"),
            "{ {0, 1, 2}, {1, 3, 5} } {5, 8, 11}");
  EXPECT_EQ(Result("a = s32[3,2] constant({{1, 4}, {2, 5}, {3, 6}})\n  i = s32[3] constant({0, 1, 2})\n"
                   "  ROOT r = (s32[3,2], s32[3]) scan(a, i), dimensions={1}, num_carries=1, to_apply=rows"),
            "{ {0, 1}, {1, 3}, {2, 5} } {5, 8, 11}");
}

TEST(EvaluatorScanTest, SeveralInputsAndCarriesAndOtherOutputs) {
  EXPECT_EQ(Result("a = s32[3] constant({2, 3, 4})\n  b = f32[3] constant({1, 0.5, 7})\n  i = s32[] constant(1)\n"
                   "  j = f32[] constant(0.75)\n  ROOT r = (pred[3], s32[], f32[]) scan(a, b, i, j), dimensions={0}, "
                   "num_carries=2, to_apply=two"),
            "{1, 0, 1} 24 7");
}

TEST(EvaluatorScanTest, WithoutCarriesAndWithoutSteps) {
  EXPECT_EQ(Result("a = s32[3] constant({2, 3, 4})\n  ROOT r = s32[3] scan(a), dimensions={0}, num_carries=0, "
                   "to_apply=squares"),
            "{4, 9, 16}");
  EXPECT_EQ(Result("a = s32[0] constant({})\n  i = s32[] constant(10)\n  ROOT r = (s32[0], s32[]) scan(a, i), "
                   "dimensions={0}, num_carries=1, to_apply=running_sum"),
            "{} 10");
}

}  // namespace
}  // namespace xla
