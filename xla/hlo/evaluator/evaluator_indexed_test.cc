// gather, scatter, sort and topk, with values worked out by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "xla/hlo/evaluator/evaluator_test_util.h"

namespace xla {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kComputations = R"(
add { x = s32[] parameter(0)  y = s32[] parameter(1)  ROOT z = s32[] add(x, y) }
take { x = s32[] parameter(0)  ROOT y = s32[] parameter(1) }
ten_x_plus_y {
  x = s32[] parameter(0)  y = s32[] parameter(1)  t = s32[] constant(10)  m = s32[] multiply(x, t)
  ROOT z = s32[] add(m, y)
}
add_and_max {
  a = s32[] parameter(0)  b = f32[] parameter(1)  c = s32[] parameter(2)  d = f32[] parameter(3)
  s = s32[] add(a, c)  m = f32[] maximum(b, d)  ROOT t = (s32[], f32[]) tuple(s, m)
}
less { x = s32[] parameter(0)  y = s32[] parameter(1)  ROOT z = pred[] compare(x, y), direction=LT }
greater { x = s32[] parameter(0)  y = s32[] parameter(1)  ROOT z = pred[] compare(x, y), direction=GT }
less_f32 { x = f32[] parameter(0)  y = f32[] parameter(1)  ROOT z = pred[] compare(x, y), direction=LT }
less_total { x = f32[] parameter(0)  y = f32[] parameter(1)  ROOT z = pred[] compare(x, y), direction=LT, order=TOTAL }
always { x = s32[] parameter(0)  y = s32[] parameter(1)  ROOT z = pred[] constant(true) }
never { x = s32[] parameter(0)  y = s32[] parameter(1)  ROOT z = pred[] constant(false) }
not_equal { x = s32[] parameter(0)  y = s32[] parameter(1)  ROOT z = pred[] compare(x, y), direction=NE }
by_first {
  a = s32[] parameter(0)  b = s32[] parameter(1)  c = s32[] parameter(2)  d = s32[] parameter(3)
  ROOT z = pred[] compare(a, b), direction=LT
}
by_both {
  a = s32[] parameter(0)  b = s32[] parameter(1)  c = s32[] parameter(2)  d = s32[] parameter(3)
  l = pred[] compare(a, b), direction=LT  e = pred[] compare(a, b), direction=EQ
  g = pred[] compare(c, d), direction=GT  k = pred[] and(e, g)  ROOT z = pred[] or(l, k)
}
)";

std::string Result(const std::string& body) { return ResultText(kComputations, body); }

// Rows of a 4x3 array: 00 01 02 / 10 11 12 / 20 21 22 / 30 31 32, as numbers.
const std::string kGrid = "m = s32[4,3] constant({ {0, 1, 2}, {10, 11, 12}, {20, 21, 22}, {30, 31, 32} })\n  ";

std::string Gathered(const std::string& indices, const std::string& shape, const std::string& attributes) {
  return Result(kGrid + "i = " + indices + "\n  r = " + shape + " gather(m, i), " + attributes);
}

TEST(EvaluatorGather, Rows) {
  const std::string rows =
      "offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, "
      "slice_sizes={1,3}";
  EXPECT_EQ(Gathered("s32[2] constant({2, 0})", "s32[2,3]", rows), "{ {20, 21, 22}, {0, 1, 2} }");
  EXPECT_EQ(Gathered("s32[2,1] constant({ {2}, {0} })", "s32[2,3]", rows), "{ {20, 21, 22}, {0, 1, 2} }");
}

TEST(EvaluatorGather, StartsAreClamped) {
  const std::string two_rows =
      "offset_dims={1,2}, collapsed_slice_dims={}, start_index_map={0}, index_vector_dim=1, "
      "slice_sizes={2,1}";
  EXPECT_EQ(Gathered("s32[3] constant({-7, 1, 3})", "s32[3,2,1]", two_rows),
            "{ { {0}, {10} }, { {10}, {20} }, { {20}, {30} } }");
  EXPECT_EQ(Gathered("s8[2] constant({-128, 127})", "s32[2,2,1]", two_rows), "{ { {0}, {10} }, { {20}, {30} } }");
  EXPECT_EQ(Gathered("u8[2] constant({1, 255})", "s32[2,2,1]", two_rows), "{ { {10}, {20} }, { {20}, {30} } }");
  EXPECT_EQ(Gathered("u64[2] constant({1, 18446744073709551615})", "s32[2,2,1]", two_rows),
            "{ { {10}, {20} }, { {20}, {30} } }");
  EXPECT_EQ(Gathered("s64[2] constant({-9223372036854775808, 9223372036854775807})", "s32[2,2,1]", two_rows),
            "{ { {0}, {10} }, { {20}, {30} } }");
}

TEST(EvaluatorGather, IndexVectorsAlongTheFirstDimensionAndSwapped) {
  // Vectors (column, row): (0, 3), (2, 1).
  EXPECT_EQ(Gathered("s32[2,2] constant({ {0, 2}, {3, 1} })", "s32[2]",
                     "offset_dims={}, collapsed_slice_dims={0,1}, start_index_map={1,0}, index_vector_dim=0, "
                     "slice_sizes={1,1}"),
            "{30, 12}");
}

TEST(EvaluatorGather, WindowDimensionsBeforeAndBetweenTheOthers) {
  // Element [w, i, j] of the result: row (indices[i][j]), column w.
  EXPECT_EQ(Gathered("s32[2,2] constant({ {0, 1}, {2, 3} })", "s32[2,2,2]",
                     "offset_dims={0}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=2, "
                     "slice_sizes={1,2}"),
            "{ { {0, 10}, {20, 30} }, { {1, 11}, {21, 31} } }");
  EXPECT_EQ(Gathered("s32[2,2] constant({ {0, 1}, {2, 3} })", "s32[2,2,2]",
                     "offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=2, "
                     "slice_sizes={1,2}"),
            "{ { {0, 10}, {1, 11} }, { {20, 30}, {21, 31} } }");
}

TEST(EvaluatorGather, BatchingDimensions) {
  // Of row b, the columns that indices[.][b] say.
  EXPECT_EQ(Gathered("s32[2,4] constant({ {0, 1, 2, 9}, {2, 2, 0, -9} })", "s32[2,4]",
                     "offset_dims={}, collapsed_slice_dims={1}, start_index_map={1}, operand_batching_dims={0}, "
                     "start_indices_batching_dims={1}, index_vector_dim=2, slice_sizes={1,1}"),
            "{ {0, 11, 22, 32}, {2, 12, 20, 30} }");
}

TEST(EvaluatorGather, ScalarIndexAndNoIndex) {
  EXPECT_EQ(Gathered("s32[] constant(2)", "s32[3]",
                     "offset_dims={0}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=0, "
                     "slice_sizes={1,3}"),
            "{20, 21, 22}");
  EXPECT_EQ(Gathered("s32[2,0] constant({ {}, {} })", "s32[2,1]",
                     "offset_dims={1}, collapsed_slice_dims={0}, start_index_map={}, index_vector_dim=1, "
                     "slice_sizes={1,1}"),
            "{ {0}, {0} }");
}

TEST(EvaluatorGather, EmptyArrays) {
  const std::string scalars = "offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, ";
  EXPECT_EQ(Result("v = s32[0] constant({})\n  i = s32[2] constant({0, 5})\n  r = s32[2] gather(v, i), " + scalars +
                   "slice_sizes={0}"),
            "{0, 0}");
  // An empty window of an array that is not empty has nothing to give either.
  EXPECT_EQ(Result("v = s32[3] constant({7, 8, 9})\n  i = s32[2] constant({0, 5})\n  r = s32[2] gather(v, i), " +
                   scalars + "slice_sizes={0}"),
            "{0, 0}");
  EXPECT_EQ(Result("v = s32[3] constant({7, 8, 9})\n  i = s32[0] constant({})\n  r = s32[0] gather(v, i), " + scalars +
                   "slice_sizes={1}"),
            "{}");
}

std::string Scattered(const std::string& indices, const std::string& updates, const std::string& attributes,
                      const std::string& combiner = "add") {
  return Result(kGrid + "i = " + indices + "\n  u = " + updates + "\n  r = s32[4,3] scatter(m, i, u), " + attributes +
                ", to_apply=" + combiner);
}

TEST(EvaluatorScatter, WindowsThatLeaveTheOperandAreSkippedWhole) {
  const std::string blocks =
      "update_window_dims={1,2}, inserted_window_dims={}, scatter_dims_to_operand_dims={0,1}, "
      "index_vector_dim=1";
  const std::string twos = "s32[1,2,2] constant({ { {100, 200}, {300, 400} } })";
  const std::string unchanged = "{ {0, 1, 2}, {10, 11, 12}, {20, 21, 22}, {30, 31, 32} }";
  EXPECT_EQ(Scattered("s32[1,2] constant({ {2, 1} })", twos, blocks),
            "{ {0, 1, 2}, {10, 11, 12}, {20, 121, 222}, {30, 331, 432} }");
  for (const char* start : {"3, 1", "2, 2", "-1, 0", "0, -1", "4, 0", "2147483647, 0", "-2147483648, 0"}) {
    EXPECT_EQ(Scattered("s32[1,2] constant({ {" + std::string(start) + "} })", twos, blocks), unchanged) << start;
  }
  EXPECT_EQ(Scattered("u64[1,2] constant({ {18446744073709551615, 0} })", twos, blocks), unchanged);
  EXPECT_EQ(Scattered("u8[1,2] constant({ {255, 0} })", twos, blocks), unchanged);
}

TEST(EvaluatorScatter, DuplicatesAreAppliedInOrder) {
  const std::string points =
      "update_window_dims={}, inserted_window_dims={0,1}, scatter_dims_to_operand_dims={0,1}, "
      "index_vector_dim=1";
  const std::string indices = "s32[3,2] constant({ {1, 0}, {3, 3}, {1, 0} })";
  const std::string updates = "s32[3] constant({3, 5, 4})";
  EXPECT_EQ(Scattered(indices, updates, points, "take"), "{ {0, 1, 2}, {4, 11, 12}, {20, 21, 22}, {30, 31, 32} }");
  EXPECT_EQ(Scattered(indices, updates, points, "ten_x_plus_y"),
            "{ {0, 1, 2}, {1034, 11, 12}, {20, 21, 22}, {30, 31, 32} }");
}

TEST(EvaluatorScatter, WindowDimensionFirstAndImplicitVectors) {
  // updates[column, place]: a column of numbers for each place.
  EXPECT_EQ(Scattered("s32[2] constant({3, 0})", "s32[2,2] constant({ {100, 200}, {300, 400} })",
                      "update_window_dims={0}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
                      "index_vector_dim=1"),
            "{ {200, 401, 2}, {10, 11, 12}, {20, 21, 22}, {130, 331, 32} }");
}

TEST(EvaluatorScatter, BatchingDimensions) {
  EXPECT_EQ(Scattered("s32[4,1] constant({ {0}, {2}, {3}, {1} })", "s32[4] constant({100, 200, 300, 400})",
                      "update_window_dims={}, inserted_window_dims={1}, scatter_dims_to_operand_dims={1}, "
                      "input_batching_dims={0}, scatter_indices_batching_dims={0}, index_vector_dim=1"),
            "{ {100, 1, 2}, {10, 11, 212}, {20, 21, 22}, {30, 431, 32} }");
}

TEST(EvaluatorScatter, SeveralOperandsAndEmptyUpdates) {
  EXPECT_EQ(Result("a = s32[3] constant({1, 2, 3})\n  b = f32[3] constant({1, 2, 3})\n"
                   "  i = s32[2] constant({2, 2})\n  u = s32[2] constant({10, 20})\n  v = f32[2] constant({2.5, 3.5})\n"
                   "  r = (s32[3], f32[3]) scatter(a, b, i, u, v), update_window_dims={}, inserted_window_dims={0}, "
                   "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add_and_max"),
            "{1, 2, 33} {1, 2, 3.5}");
  EXPECT_EQ(Scattered("s32[0] constant({})", "s32[0,3] constant({})",
                      "update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
                      "index_vector_dim=1"),
            "{ {0, 1, 2}, {10, 11, 12}, {20, 21, 22}, {30, 31, 32} }");
}

std::string Sorted(const std::string& values, const std::string& comparator, const std::string& type = "s32") {
  const std::string shape = type + "[" + std::to_string(1 + std::count(values.begin(), values.end(), ',')) + "]";
  return Result("x = " + shape + " constant({" + values + "})\n  r = " + shape +
                " sort(x), dimensions={0}, to_apply=" + comparator);
}

TEST(EvaluatorSort, Orders) {
  EXPECT_EQ(Sorted("3, 1, 2, 5, 4, 1, 0", "less"), "{0, 1, 1, 2, 3, 4, 5}");
  EXPECT_EQ(Sorted("3, 1, 2, 5, 4, 1, 0", "greater"), "{5, 4, 3, 2, 1, 1, 0}");
  EXPECT_EQ(Sorted("7", "less"), "{7}");
  EXPECT_EQ(Result("x = s32[0] constant({})\n  r = s32[0] sort(x), dimensions={0}, to_apply=less"), "{}");
}

TEST(EvaluatorSort, IsStableAndMovesAllOperands) {
  const std::string pairs =
      "k = s32[6] constant({2, 1, 2, 1, 0, 2})\n  v = s32[6] constant({0, 1, 2, 3, 4, 5})\n"
      "  r = (s32[6], s32[6]) sort(k, v), dimensions={0}, is_stable=true, to_apply=";
  EXPECT_EQ(Result(pairs + "by_first"), "{0, 1, 1, 2, 2, 2} {4, 1, 3, 0, 2, 5}");
  EXPECT_EQ(Result(pairs + "by_both"), "{0, 1, 1, 2, 2, 2} {4, 3, 1, 5, 2, 0}");
}

TEST(EvaluatorSort, AlongAnyDimension) {
  const std::string cube =
      "x = s32[2,3,2] constant({ { {5, 4}, {3, 2}, {1, 0} }, { {0, 9}, {8, 1}, {2, 7} } })\n"
      "  r = s32[2,3,2] sort(x), to_apply=less, dimensions=";
  EXPECT_EQ(Result(cube + "{0}"), "{ { {0, 4}, {3, 1}, {1, 0} }, { {5, 9}, {8, 2}, {2, 7} } }");
  EXPECT_EQ(Result(cube + "{1}"), "{ { {1, 0}, {3, 2}, {5, 4} }, { {0, 1}, {2, 7}, {8, 9} } }");
  EXPECT_EQ(Result(cube + "{2}"), "{ { {4, 5}, {2, 3}, {0, 1} }, { {0, 9}, {1, 8}, {2, 7} } }");
  EXPECT_EQ(Result("x = s32[3,0] constant({ {}, {}, {} })\n  r = s32[3,0] sort(x), dimensions={0}, to_apply=less"),
            "{ {}, {}, {} }");
}

TEST(EvaluatorSort, TotalOrderOfNans) {
  EXPECT_EQ(Sorted("nan, 1, -nan, -inf, 0, -0, inf", "less_total", "f32"), "{-nan, -inf, -0, 0, 1, inf, nan}");
}

// Any order will do, as long as nothing is lost and nothing outside is read.
TEST(EvaluatorSort, ComparatorsThatContradictThemselves) {
  EXPECT_EQ(Sorted("1, 2, 3, 4, 5", "never"), "{1, 2, 3, 4, 5}");
  for (const char* comparator : {"always", "not_equal"}) {
    std::string numbers = Sorted("1, 2, 3, 4, 5, 6, 7, 8, 9", comparator);
    std::sort(numbers.begin(), numbers.end());
    EXPECT_EQ(numbers, "        ,,,,,,,,123456789{}") << comparator;
  }
  std::string with_nan = Sorted("4, nan, 3, nan, 2, 1", "less_f32", "f32");
  std::sort(with_nan.begin(), with_nan.end());
  EXPECT_EQ(with_nan, "     ,,,,,1234aannnn{}");
}

std::string TopK(const std::string& shape, const std::string& values, const std::string& result,
                 const std::string& attributes) {
  const std::string type = shape.substr(0, shape.find('['));
  return Result("x = " + shape + " constant(" + values + ")\n  r = (" + type + result + ", s32" + result +
                ") topk(x), " + attributes);
}

TEST(EvaluatorTopK, LargestAndSmallestWithTies) {
  EXPECT_EQ(TopK("s32[6]", "{1, 5, 3, 5, 1, 4}", "[4]", "k=4, largest=true"), "{5, 5, 4, 3} {1, 3, 5, 2}");
  EXPECT_EQ(TopK("s32[6]", "{1, 5, 3, 5, 1, 4}", "[3]", "k=3, largest=false"), "{1, 1, 3} {0, 4, 2}");
  EXPECT_EQ(TopK("f32[2,3]", "{ {1, 2, 3}, {6, 5, 4} }", "[2,2]", "k=2, largest=true"),
            "{ {3, 2}, {6, 5} } { {2, 1}, {0, 1} }");
}

TEST(EvaluatorTopK, OrderOfFloatsIsTotal) {
  EXPECT_EQ(TopK("f32[7]", "{0, nan, -0, inf, -nan, -inf, 1}", "[7]", "k=7, largest=true"),
            "{nan, inf, 1, 0, -0, -inf, -nan} {1, 3, 6, 0, 2, 5, 4}");
  EXPECT_EQ(TopK("bf16[7]", "{0, nan, -0, inf, -nan, -inf, 1}", "[7]", "k=7, largest=false"),
            "{-nan, -inf, -0, 0, 1, inf, nan} {4, 5, 2, 0, 6, 3, 1}");
}

TEST(EvaluatorTopK, Unsigned64AndEmpty) {
  EXPECT_EQ(TopK("u64[3]", "{1, 18446744073709551615, 2}", "[2]", "k=2, largest=true"),
            "{18446744073709551615, 2} {1, 2}");
  EXPECT_EQ(TopK("s64[3]", "{1, -1, 2}", "[2]", "k=2, largest=true"), "{2, 1} {2, 0}");
  EXPECT_EQ(TopK("s32[3]", "{1, 2, 3}", "[0]", "k=0, largest=true"), "{} {}");
  EXPECT_EQ(TopK("s32[2,0]", "{ {}, {} }", "[2,0]", "k=0, largest=true"), "{ {}, {} } { {}, {} }");
  EXPECT_THAT(TopK("s32[3]", "{1, 2, 3}", "[4]", "k=4, largest=true"), HasSubstr("topk takes k elements"));
}

}  // namespace
}  // namespace xla
