// Bounded dynamic dimensions, against values worked out by hand on the elements that there are.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "xla/hlo/evaluator/evaluator_test_util.h"

namespace xla {
namespace {

using testing::HasSubstr;

constexpr char kComputations[] = R"(
add { x = s32[] parameter(0)  y = s32[] parameter(1)  ROOT z = s32[] add(x, y) }
less { x = s32[] parameter(0)  y = s32[] parameter(1)  ROOT p = pred[] compare(x, y), direction=LT }
)";

// v: s32[<=5], of which there are {1, 2, 3}; w: s32[5]; m: s32[<=3,2], of which there are {{1, 2}, {3, 4}}.
std::string Result(const std::string& body) {
  return ResultText(kComputations,
                    "w = s32[5] constant({1, 2, 3, 4, 5})\n  three = s32[] constant(3)\n  two = s32[] constant(2)\n"
                    "  v = s32[<=5] set-dimension-size(w, three), dimensions={0}\n"
                    "  f = s32[3,2] constant({{1, 2}, {3, 4}, {5, 6}})\n"
                    "  m = s32[<=3,2] set-dimension-size(f, two), dimensions={0}\n"
                    "  zero = s32[] constant(0)\n  one = s32[] constant(1)\n  ROOT r = " +
                        body);
}

TEST(DynamicShapesTest, SizesAreSetAndAsked) {
  EXPECT_EQ(Result("s32[<=5] copy(v)"), "{1, 2, 3}");
  EXPECT_EQ(Result("s32[] get-dimension-size(v), dimensions={0}"), "3");
  EXPECT_EQ(Result("s32[] get-dimension-size(m), dimensions={1}"), "2");
  // A size that grows, and one that is no longer dynamic, have zeros where there was nothing.
  EXPECT_EQ(Result("s32[<=3,2] set-dimension-size(m, three), dimensions={0}"), "{ {1, 2}, {3, 4}, {0, 0} }");
  EXPECT_EQ(Result("s32[5] set-dimension-size(v, three), dimensions={0}"), "{1, 2, 3, 0, 0}");
  EXPECT_EQ(Result("s32[<=3,<=2] set-dimension-size(m, one), dimensions={1}"), "{ {1}, {3} }");
}

TEST(DynamicShapesTest, ASizeAboveTheBoundIsAnError) {
  EXPECT_EQ(ResultText("",
                       "w = s32[2] constant({1, 2})\n  n = s32[] constant(3)\n"
                       "  ROOT v = s32[<=2] set-dimension-size(w, n), dimensions={0}"),
            "E1007 HloNotEvaluable: a dimension of at most 2 cannot have the size 3\n"
            "  where:    instruction 'v' of computation 'main'\n"
            "  found:    v = s32[<=2]{0} set-dimension-size(w, n), dimensions={0}");
}

TEST(DynamicShapesTest, ElementwiseTakesTheDynamicSize) {
  EXPECT_EQ(Result("s32[<=5] negate(v)"), "{-1, -2, -3}");
  EXPECT_EQ(Result("s32[<=5] multiply(v, v)"), "{1, 4, 9}");
  EXPECT_EQ(Result("s32[<=5] add(w, v)"), "{2, 4, 6}");
  EXPECT_EQ(Result("s32[<=5] clamp(two, v, two)"), "{2, 2, 2}");
  EXPECT_THAT(ResultText("",
                         "w = s32[2] constant({1, 2})\n  n = s32[] constant(1)\n  k = s32[] constant(2)\n"
                         "  a = s32[<=2] set-dimension-size(w, n), dimensions={0}\n"
                         "  b = s32[<=2] set-dimension-size(w, k), dimensions={0}\n  ROOT s = s32[<=2] add(a, b)"),
              HasSubstr("dimension 0 of operand 0 has the size 1, and dimension 0 of operand 1 the size 2"));
}

// What does not exist is neither summed nor sorted.
TEST(DynamicShapesTest, ReductionsSkipWhatIsNotThere) {
  EXPECT_EQ(Result("s32[] reduce(v, zero), dimensions={0}, to_apply=add"), "6");
  EXPECT_EQ(Result("s32[2] reduce(m, zero), dimensions={0}, to_apply=add"), "{4, 6}");
  EXPECT_EQ(Result("s32[<=3] reduce(m, zero), dimensions={1}, to_apply=add"), "{3, 7}");
  EXPECT_EQ(Result("s32[] dot(v, w), lhs_contracting_dims={0}, rhs_contracting_dims={0}"), "14");
  EXPECT_EQ(Result("s32[<=3,<=3] dot(m, m), lhs_contracting_dims={1}, rhs_contracting_dims={1}"),
            "{ {5, 11}, {11, 25} }");
  EXPECT_EQ(Result("s32[<=5] sort(v), dimensions={0}, to_apply=less"), "{1, 2, 3}");
  EXPECT_EQ(Result("s32[<=4] reduce-window(v, zero), window={size=2}, to_apply=add"), "{3, 5}");
}

TEST(DynamicShapesTest, MovesWhatIsThere) {
  EXPECT_EQ(Result("s32[2,<=3] transpose(m), dimensions={1,0}"), "{ {1, 3}, {2, 4} }");
  EXPECT_EQ(Result("s32[<=5] reverse(v), dimensions={0}"), "{3, 2, 1}");
  EXPECT_EQ(Result("s32[2,<=5] broadcast(v), dimensions={1}"), "{ {1, 2, 3}, {1, 2, 3} }");
  EXPECT_EQ(Result("s32[<=10] concatenate(v, v), dimensions={0}"), "{1, 2, 3, 1, 2, 3}");
  EXPECT_EQ(Result("s32[<=8] pad(v, zero), padding=1_2"), "{0, 1, 2, 3, 0, 0}");
  EXPECT_EQ(Result("s32[<=3,1] slice(m), slice={[0:3], [1:2]}"), "{ {2}, {4} }");
  EXPECT_EQ(Result("s32[<=3,1] dynamic-slice(m, zero, one), dynamic_slice_sizes={3,1}"), "{ {2}, {4} }");
}

// A part of a dynamic dimension has its own size, and zeros where there is nothing.
TEST(DynamicShapesTest, PartsAreStatic) {
  EXPECT_EQ(Result("s32[3] slice(v), slice={[1:4]}"), "{2, 3, 0}");
  EXPECT_EQ(Result("s32[2] dynamic-slice(v, three), dynamic_slice_sizes={2}"), "{0, 0}");
  EXPECT_EQ(ResultText("",
                       "w = s32[5] constant({1, 2, 3, 4, 5})\n  u = s32[2] constant({8, 9})\n"
                       "  n = s32[] constant(3)\n  v = s32[<=5] set-dimension-size(w, n), dimensions={0}\n"
                       "  i = s32[] constant(2)\n  ROOT r = s32[<=5] dynamic-update-slice(v, u, i)"),
            "{1, 2, 8}");
}

TEST(DynamicShapesTest, GatherAndScatter) {
  const std::string rows =
      "f = s32[3,2] constant({{1, 2}, {3, 4}, {5, 6}})\n  i = s32[3] constant({2, 0, 1})\n  n = s32[] constant(2)\n"
      "  d = s32[<=3] set-dimension-size(i, n), dimensions={0}\n  ROOT r = ";
  EXPECT_EQ(ResultText("", rows + "s32[<=3,2] gather(f, d), offset_dims={1}, collapsed_slice_dims={0}, "
                                  "start_index_map={0}, index_vector_dim=1, slice_sizes={1,2}"),
            "{ {5, 6}, {1, 2} }");
  // Row 2 is not there any more: its update is lost.
  EXPECT_EQ(ResultText(kComputations,
                       "f = s32[3,2] constant({{1, 2}, {3, 4}, {5, 6}})\n  i = s32[2] constant({2, 0})\n"
                       "  n = s32[] constant(2)\n  m = s32[<=3,2] set-dimension-size(f, n), dimensions={0}\n"
                       "  u = s32[2,2] constant({{10, 10}, {20, 20}})\n"
                       "  ROOT r = s32[<=3,2] scatter(m, i, u), update_window_dims={1}, inserted_window_dims={0}, "
                       "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add"),
            "{ {21, 22}, {3, 4} }");
}

TEST(DynamicShapesTest, Reshapes) {
  EXPECT_EQ(Result("s32[<=6] reshape(m)"), "{1, 2, 3, 4}");
  EXPECT_EQ(Result("s32[1,<=3,1,2] reshape(m)"), "{ { { {1, 2} }, { {3, 4} } } }");
  EXPECT_EQ(Result("s32[<=4] dynamic-reshape(v, three)"), "{1, 2, 3}");
  EXPECT_EQ(Result("s32[2,<=2] dynamic-reshape(m, two, two)"), "{ {1, 2}, {3, 4} }");
  EXPECT_THAT(Result("s32[<=4] dynamic-reshape(v, two)"), HasSubstr("3 elements cannot become [2]"));
  EXPECT_THAT(ResultText("",
                         "a = s32[6] constant({1, 2, 3, 4, 5, 6})\n  m = s32[] constant(-2)\n  n = s32[] "
                         "constant(-3)\n  ROOT r = s32[<=6,<=6] dynamic-reshape(a, m, n)"),
              HasSubstr("6 elements cannot become [-2,-3]"));
}

// Each group of dimensions on its own; both in one group have no answer.
TEST(DynamicShapesTest, ReshapesOfSeveralDynamicDimensions) {
  const std::string sizes =
      "f = s32[2,6] constant({{1, 2, 3, 4, 5, 6}, {7, 8, 9, 10, 11, 12}})\n  one = s32[] constant(1)\n"
      "  four = s32[] constant(4)\n  g = s32[<=2,6] set-dimension-size(f, one), dimensions={0}\n"
      "  h = s32[<=2,<=6] set-dimension-size(g, four), dimensions={1}\n  ROOT r = ";
  EXPECT_EQ(ResultText("", sizes + "s32[<=2,<=3,2] reshape(h)"), "{ { {1, 2}, {3, 4} } }");
  EXPECT_THAT(ResultText("", sizes + "s32[<=2,<=3,<=2] reshape(h)"), HasSubstr("both depend on the operand's"));
}

// The state of a loop changes its size: 1 + 2 + 3 + 4 elements are counted.
TEST(DynamicShapesTest, LoopsAndCalls) {
  EXPECT_EQ(
      ResultText(R"(
add { x = s32[] parameter(0)  y = s32[] parameter(1)  ROOT z = s32[] add(x, y) }
condition {
  t = (s32[<=4], s32[]) parameter(0)  v = s32[<=4] get-tuple-element(t), index=0
  n = s32[] get-dimension-size(v), dimensions={0}  c = s32[] constant(4)
  ROOT p = pred[] compare(n, c), direction=LT
}
body {
  t = (s32[<=4], s32[]) parameter(0)  v = s32[<=4] get-tuple-element(t), index=0
  s = s32[] get-tuple-element(t), index=1  zero = s32[] constant(0)
  k = s32[] reduce(v, zero), dimensions={0}, to_apply=add
  n = s32[] get-dimension-size(v), dimensions={0}  one = s32[] constant(1)  m = s32[] add(n, one)
  ones = s32[4] broadcast(one), dimensions={}
  w = s32[<=4] set-dimension-size(ones, m), dimensions={0}  u = s32[] add(s, k)
  ROOT r = (s32[<=4], s32[]) tuple(w, u)
}
twice { v = s32[<=4] parameter(0)  ROOT d = s32[<=4] add(v, v) }
)",
                 "zero = s32[] constant(0)\n  one = s32[] constant(1)\n  ones = s32[4] broadcast(one), dimensions={}\n"
                 "  v = s32[<=4] set-dimension-size(ones, one), dimensions={0}\n"
                 "  t = (s32[<=4], s32[]) tuple(v, zero)\n"
                 "  w = (s32[<=4], s32[]) while(t), condition=condition, body=body\n"
                 "  x = s32[<=4] get-tuple-element(w), index=0\n  s = s32[] get-tuple-element(w), index=1\n"
                 "  d = s32[<=4] call(x), to_apply=twice\n  ROOT r = (s32[<=4], s32[]) tuple(d, s)"),
      "{2, 2, 2, 2} 6");
}

TEST(DynamicShapesTest, ArgumentsHaveTheirActualSize) {
  const auto module = ParseAndReturnVerifiedModule(
      "ENTRY main {\n  p = s32[<=4] parameter(0)\n  ROOT n = s32[<=4] negate(p)\n}\n", "test");
  ASSERT_TRUE(module.ok()) << module.status().ToString();
  const auto run = [&](int64_t size) {
    return Evaluate(**module, std::vector<Literal>{Literal::Zeros(Shape::Array(S32, {size}))});
  };
  ASSERT_TRUE(run(3).ok()) << run(3).status().ToString();
  EXPECT_EQ((*run(3))[0].shape(), Shape::Array(S32, {3}));
  EXPECT_THAT(run(5).status().ToString(), HasSubstr("expected: (s32[<=4])"));
}

TEST(DynamicShapesTest, OthersAreRefused) {
  EXPECT_EQ(ResultText("",
                       "w = f32[2] constant({1, 2})\n  n = s32[] constant(1)\n"
                       "  v = f32[<=2] set-dimension-size(w, n), dimensions={0}\n  ROOT t = (f32[1], s32[1]) "
                       "topk(v), k=1, largest=true"),
            "E1007 HloNotEvaluable: the evaluator has no topk of dynamic dimensions\n"
            "  where:    instruction 't' of computation 'main'\n"
            "  found:    t = (f32[1]{0}, s32[1]{0}) topk(v), k=1, largest=true");
}

}  // namespace
}  // namespace xla
