#include "xla/hlo/ir/shape.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace xla {
namespace {

Shape WithLayout(std::vector<int64_t> dimensions, std::vector<int64_t> minor_to_major) {
  return Shape::Array(F32, std::move(dimensions), Layout(std::move(minor_to_major)));
}

// The offset in memory of the element with row-major number `linear`, from the definition of a layout.
int64_t OffsetOf(const Shape& shape, int64_t linear) {
  std::vector<int64_t> index(shape.rank());
  for (int64_t d = shape.rank() - 1; d >= 0; --d) {
    index[d] = linear % shape.dimensions(d);
    linear /= shape.dimensions(d);
  }
  int64_t offset = 0;
  const auto& order = shape.layout().minor_to_major();
  for (auto it = order.rbegin(); it != order.rend(); ++it) offset = offset * shape.dimensions(*it) + index[*it];
  return offset;
}

std::vector<std::vector<int64_t>> Permutations(int64_t rank) {
  std::vector<int64_t> order(rank);
  std::iota(order.begin(), order.end(), 0);
  std::vector<std::vector<int64_t>> all;
  do all.push_back(order);
  while (std::next_permutation(order.begin(), order.end()));
  return all;
}

TEST(Shape, DynamicDimensions) {
  Shape shape = Shape::Array(F32, {5, 3});
  shape.set_dynamic_dimension(0, true);
  EXPECT_EQ(shape.ToStringWithLayout(), "f32[<=5,3]{1,0}");
  EXPECT_TRUE(Shape::Tuple({Shape::Scalar(S32), shape}).IsDynamic());
  const Shape bounds = Shape::Array(F32, {5, 3});
  EXPECT_TRUE(ShapeUtil::Compatible(shape, bounds));
  EXPECT_FALSE(ShapeUtil::SameValues(shape, bounds));
  EXPECT_NE(shape, bounds);
  EXPECT_TRUE(ShapeUtil::IsValueOf(Shape::Array(F32, {2, 3}), shape));
  EXPECT_FALSE(ShapeUtil::IsValueOf(Shape::Array(F32, {6, 3}), shape));
  EXPECT_FALSE(ShapeUtil::IsValueOf(Shape::Array(F32, {5, 2}), shape));
  shape.set_dynamic_dimension(0, false);
  EXPECT_EQ(shape, bounds);
}

TEST(Shape, Text) {
  EXPECT_EQ(Shape::Array(F32, {2, 3}).ToString(), "f32[2,3]");
  EXPECT_EQ(Shape::Array(F32, {2, 3}).ToStringWithLayout(), "f32[2,3]{1,0}");
  EXPECT_EQ(Shape::Array(BF16, {2, 3}, Layout({0, 1}, "T(8,128)S(1)")).ToStringWithLayout(),
            "bf16[2,3]{0,1:T(8,128)S(1)}");
  EXPECT_EQ(Shape::Scalar(S32).ToStringWithLayout(), "s32[]");
  EXPECT_EQ(Shape::Token().ToString(), "token[]");
  EXPECT_EQ(Shape::Tuple({Shape::Scalar(PRED), Shape::Tuple({})}).ToString(), "(pred[], ())");
}

TEST(Shape, ByteSizes) {
  EXPECT_EQ(ShapeUtil::ByteSizeOf(Shape::Array(F64, {3, 5})), 120);
  EXPECT_EQ(ShapeUtil::ByteSizeOf(Shape::Array(S4, {3})), 2);
  EXPECT_EQ(ShapeUtil::ByteSizeOf(Shape::Tuple({Shape::Array(C128, {2}), Shape::Scalar(PRED)})), 33);
  EXPECT_EQ(ShapeUtil::ElementsIn(Shape::Array(F32, {4, 0})), 0);
}

TEST(Shape, SizesThatDoNotFitAreFound) {
  using Dims = std::vector<int64_t>;
  EXPECT_EQ(ShapeUtil::CheckedElementsIn(F32, Dims{1 << 20, 1 << 20}), int64_t{1} << 40);
  EXPECT_EQ(ShapeUtil::CheckedElementsIn(F32, Dims{int64_t{1} << 61}), std::nullopt);  // the bytes do not fit
  EXPECT_EQ(ShapeUtil::CheckedElementsIn(S8, Dims{int64_t{1} << 32, int64_t{1} << 32}), std::nullopt);
  EXPECT_EQ(ShapeUtil::CheckedElementsIn(S8, Dims{0, int64_t{1} << 32, int64_t{1} << 32}), std::nullopt);
  EXPECT_EQ(ShapeUtil::CheckedElementsIn(F32, Dims{-1}), std::nullopt);
}

TEST(Shape, StridesFollowTheLayout) {
  for (const auto& order : Permutations(3)) {
    const Shape shape = WithLayout({2, 3, 5}, order);
    const std::vector<int64_t> strides = ShapeUtil::Strides(shape);
    for (int64_t i = 0; i < 30; ++i) {
      EXPECT_EQ(OffsetOf(shape, i), i / 15 * strides[0] + i / 5 % 3 * strides[1] + i % 5 * strides[2]);
    }
  }
}

TEST(Shape, TransposeIsBitcastExactlyWhenNoElementMoves) {
  for (const std::vector<int64_t>& dimensions : {std::vector<int64_t>{2, 3, 4}, {2, 1, 4}, {1, 1, 4}}) {
    for (const auto& input_order : Permutations(3)) {
      for (const auto& output_order : Permutations(3)) {
        for (const auto& permutation : Permutations(3)) {
          const Shape input = WithLayout(dimensions, input_order);
          const Shape output = WithLayout(
              {dimensions[permutation[0]], dimensions[permutation[1]], dimensions[permutation[2]]}, output_order);
          bool stays = true;
          for (int64_t i = 0; i < ShapeUtil::ElementsIn(output); ++i) {
            const int64_t b = output.dimensions(1);
            const int64_t c = output.dimensions(2);
            const int64_t index[3] = {i / (b * c), i / c % b, i % c};
            int64_t from[3];
            for (int d = 0; d < 3; ++d) from[permutation[d]] = index[d];
            const int64_t linear = (from[0] * dimensions[1] + from[1]) * dimensions[2] + from[2];
            stays &= OffsetOf(input, linear) == OffsetOf(output, i);
          }
          EXPECT_EQ(ShapeUtil::TransposeIsBitcast(input, output, permutation), stays);
        }
      }
    }
  }
}

TEST(Shape, ReshapeIsBitcastExactlyWhenNoElementMoves) {
  const std::vector<std::vector<int64_t>> views = {{24},      {4, 6},    {6, 4},    {2, 12},
                                                   {2, 3, 4}, {4, 1, 6}, {2, 2, 6}, {1, 24, 1}};
  for (const auto& from : views) {
    for (const auto& to : views) {
      for (const auto& input_order : Permutations(static_cast<int64_t>(from.size()))) {
        for (const auto& output_order : Permutations(static_cast<int64_t>(to.size()))) {
          const Shape input = WithLayout(from, input_order);
          const Shape output = WithLayout(to, output_order);
          bool stays = true;
          for (int64_t i = 0; i < 24; ++i) stays &= OffsetOf(input, i) == OffsetOf(output, i);
          EXPECT_EQ(ShapeUtil::ReshapeIsBitcast(input, output), stays)
              << input.ToStringWithLayout() << " -> " << output.ToStringWithLayout();
        }
      }
    }
  }
}

}  // namespace
}  // namespace xla
