// Windows: how many positions they have, what lies under their taps, and their text.
#include "xla/hlo/ir/window.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace xla {
namespace {

// The padded, dilated array that a window slides over: each place holds the number of an operand element, or -1.
std::vector<int64_t> PaddedArray(int64_t bound, const WindowDimension& d) {
  std::vector<int64_t> places;
  for (int64_t i = 0; i < bound; ++i) {
    if (i > 0) places.insert(places.end(), d.base_dilation - 1, -1);
    places.push_back(i);
  }
  for (int64_t i = 0; i < d.padding_low; ++i) places.insert(places.begin(), -1);
  for (int64_t i = 0; i < d.padding_high; ++i) places.push_back(-1);
  for (int64_t i = d.padding_low; i < 0 && !places.empty(); ++i) places.erase(places.begin());
  for (int64_t i = d.padding_high; i < 0 && !places.empty(); ++i) places.pop_back();
  return places;
}

// Calls f(bound, window dimension) over a grid of numbers.
template <class F>
void ForEachWindow(const F& f) {
  WindowDimension d;
  for (const int64_t bound : {0, 1, 2, 5, 8})
    for (d.size = 1; d.size <= 4; ++d.size)
      for (d.stride = 1; d.stride <= 3; ++d.stride)
        for (d.padding_low = -3; d.padding_low <= 3; ++d.padding_low)
          for (d.padding_high = -2; d.padding_high <= 2; ++d.padding_high)
            for (d.base_dilation = 1; d.base_dilation <= 3; ++d.base_dilation)
              for (d.window_dilation = 1; d.window_dilation <= 3; ++d.window_dilation) f(bound, d);
}

TEST(Window, PositionsAndTapsAreThoseOfThePaddedArray) {
  int64_t checked = 0;
  ForEachWindow([&](int64_t bound, const WindowDimension& d) {
    const std::vector<int64_t> places = PaddedArray(bound, d);
    const auto count = static_cast<int64_t>(places.size());
    int64_t positions = 0;
    for (int64_t at = 0; at + (d.size - 1) * d.window_dilation < count; at += d.stride) {
      for (int64_t tap = 0; tap < d.size; ++tap) {
        const int64_t element = places[at + tap * d.window_dilation];
        ASSERT_EQ(d.OperandIndex(positions, tap, bound).value_or(-1), element) << WindowToString({d}) << " " << bound;
        ++checked;
      }
      ++positions;
    }
    ASSERT_EQ(WindowOutputSize(bound, d), positions) << WindowToString({d}) << " of " << bound;
  });
  EXPECT_GT(checked, 100000);
}

TEST(Window, NumbersThatMakeNoSense) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  EXPECT_EQ(WindowOutputSize(5, {.size = 0}), std::nullopt);
  EXPECT_EQ(WindowOutputSize(5, {.size = -1}), std::nullopt);
  EXPECT_EQ(WindowOutputSize(5, {.stride = 0}), std::nullopt);
  EXPECT_EQ(WindowOutputSize(5, {.base_dilation = 0}), std::nullopt);
  EXPECT_EQ(WindowOutputSize(5, {.window_dilation = 0}), std::nullopt);
  EXPECT_EQ(WindowOutputSize(-1, {}), std::nullopt);
  EXPECT_EQ(WindowOutputSize(3, {.base_dilation = kMost}), std::nullopt);
  EXPECT_EQ(WindowOutputSize(3, {.padding_high = kMost}), std::nullopt);
  EXPECT_EQ(WindowOutputSize(3, {.size = 3, .window_dilation = kMost}), std::nullopt);
  EXPECT_EQ(WindowOutputSize(3, {.size = 2, .window_dilation = kMost}), std::nullopt);
  // The sizes fit here, but not the places behind the padding that OperandIndex computes.
  EXPECT_EQ(WindowOutputSize(5, {.padding_low = kLeast, .padding_high = kMost}), std::nullopt);
}

TEST(Window, SizesAtTheEndOfInt64) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(WindowOutputSize(1, {.padding_high = kMost - 1}), kMost);
  EXPECT_EQ(WindowOutputSize(2, {.size = kMost}), 0);
  EXPECT_EQ(WindowOutputSize(2, {.stride = kMost}), 1);
  EXPECT_EQ(WindowOutputSize(2, {.padding_low = -kMost}), 0);
}

TEST(Window, TextLeavesOutDefaults) {
  EXPECT_EQ(WindowToString({}), "{}");
  EXPECT_EQ(WindowToString({{}}), "{size=1}");
  EXPECT_EQ(WindowToString({{.size = 3}, {.size = 2}}), "{size=3x2}");
  EXPECT_EQ(WindowToString({{.size = 3}, {.size = 2, .stride = 2}}), "{size=3x2 stride=1x2}");
  EXPECT_EQ(WindowToString({{.size = 3, .padding_low = -1, .padding_high = 2}, {}}), "{size=3x1 pad=-1_2x0_0}");
  EXPECT_EQ(WindowToString({{.base_dilation = 2}, {.window_dilation = 3}, {.window_reversal = true}}),
            "{size=1x1x1 lhs_dilate=2x1x1 rhs_dilate=1x3x1 rhs_reversal=0x0x1}");
}

TEST(Window, DimensionLabels) {
  const auto numbers = ParseConvolutionDimensionNumbers("b1f0_o0i1->01fb");
  ASSERT_TRUE(numbers.has_value());
  EXPECT_EQ(numbers->input_batch_dimension, 0);
  EXPECT_EQ(numbers->input_feature_dimension, 2);
  EXPECT_EQ(numbers->input_spatial_dimensions, (std::vector<int64_t>{3, 1}));
  EXPECT_EQ(numbers->kernel_input_feature_dimension, 2);
  EXPECT_EQ(numbers->kernel_output_feature_dimension, 0);
  EXPECT_EQ(numbers->kernel_spatial_dimensions, (std::vector<int64_t>{1, 3}));
  EXPECT_EQ(numbers->output_batch_dimension, 3);
  EXPECT_EQ(numbers->output_feature_dimension, 2);
  EXPECT_EQ(numbers->output_spatial_dimensions, (std::vector<int64_t>{0, 1}));
}

TEST(Window, DimensionLabelsRoundTrip) {
  for (const char* text :
       {"bf_io->bf", "fb_oi->fb", "b0f_0io->b0f", "bf01_oi01->bf01", "b01f_01io->b01f", "1b0f_i1o0->f10b",
        "b012f_012io->b012f", "b01234f_01234io->b01234f", "9876543210bf_io0123456789->b0123456789f"}) {
    const auto numbers = ParseConvolutionDimensionNumbers(text);
    ASSERT_TRUE(numbers.has_value()) << text;
    EXPECT_EQ(ConvolutionDimensionNumbersToString(*numbers), text);
  }
}

TEST(Window, MalformedDimensionLabels) {
  for (const char* text : {"",
                           "_->",
                           "b_i->b",
                           "b0f",
                           "b0f_0io",
                           "b0f->b0f_0io",
                           "b0f_0io>b0f",
                           "b0f_0io->",
                           "b0f_0io->b0",
                           "b0f_0io->b01f",
                           "b0f_io->b0f",
                           "b00_0io->b0f",
                           "bbf_0io->b0f",
                           "b1f_0io->b0f",
                           "b0i_0io->b0f",
                           "b0f_0bo->b0f",
                           "b0f_0io->i0o",
                           "b0?_0io->b0f",
                           "b0f_0io->b0f ",
                           "b02f_01io->b01f",
                           "b0123456789:f_0123456789:io->b0123456789:f"}) {
    EXPECT_FALSE(ParseConvolutionDimensionNumbers(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace xla
