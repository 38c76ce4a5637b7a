// Windows that slide over arrays (convolution, reduce-window, select-and-scatter), and which dimension is what in a
// convolution.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace xla {

// One dimension of a window. The array under it is the padded, dilated operand: base_dilation - 1 holes between its
// elements, then padding (negative: cropping) at both ends.
struct WindowDimension {
  int64_t size = 1;
  int64_t stride = 1;
  int64_t padding_low = 0;
  int64_t padding_high = 0;
  int64_t base_dilation = 1;    // "lhs_dilate"
  int64_t window_dilation = 1;  // "rhs_dilate"
  bool window_reversal = false;
  bool operator==(const WindowDimension&) const = default;

  // The operand's index under tap `tap` of the window at position `position`; absent if that is a hole or outside of
  // its `bound` elements.
  std::optional<int64_t> OperandIndex(int64_t position, int64_t tap, int64_t bound) const {
    const int64_t dilated = position * stride + tap * window_dilation - padding_low;
    if (dilated < 0 || dilated % base_dilation != 0 || dilated / base_dilation >= bound) return std::nullopt;
    return dilated / base_dilation;
  }
};
using Window = std::vector<WindowDimension>;

// How many positions the window has along a dimension of `bound` elements; absent if the numbers overflow or make no
// sense (a size, stride or dilation below 1, ...).
std::optional<int64_t> WindowOutputSize(int64_t bound, const WindowDimension& dimension);

struct ConvolutionDimensionNumbers {
  int64_t input_batch_dimension = 0;
  int64_t input_feature_dimension = 0;
  std::vector<int64_t> input_spatial_dimensions;
  int64_t kernel_input_feature_dimension = 0;
  int64_t kernel_output_feature_dimension = 0;
  std::vector<int64_t> kernel_spatial_dimensions;
  int64_t output_batch_dimension = 0;
  int64_t output_feature_dimension = 0;
  std::vector<int64_t> output_spatial_dimensions;
  bool operator==(const ConvolutionDimensionNumbers&) const = default;
};

// "{size=3x3 stride=2x2 pad=1_1x1_1}": fields whose values are all default are left out.
std::string WindowToString(const Window& window);
// "b01f_01io->b01f".
std::string ConvolutionDimensionNumbersToString(const ConvolutionDimensionNumbers& numbers);
// The inverse. Absent if a label is missing, given twice, or unknown, or the three parts have different spatial labels.
std::optional<ConvolutionDimensionNumbers> ParseConvolutionDimensionNumbers(std::string_view text);

}  // namespace xla
