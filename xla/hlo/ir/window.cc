#include "xla/hlo/ir/window.h"

#include <fmt/format.h>

#include <algorithm>

namespace xla {
namespace {

// " name=AxB", or nothing if every dimension has the default.
template <class Get>
std::string Field(const Window& window, std::string_view name, const Get& get) {
  const std::string usual = get(WindowDimension());
  std::string text;
  bool is_needed = false;
  for (const WindowDimension& dimension : window) {
    is_needed |= get(dimension) != usual;
    text += (text.empty() ? "" : "x") + get(dimension);
  }
  return is_needed ? fmt::format(" {}={}", name, text) : "";
}

struct Labels {
  int64_t first = -1;   // of letter `first_letter`
  int64_t second = -1;  // of letter `second_letter`
  std::vector<int64_t> spatial;
};

// "b01f": the positions of two letters and of the digits 0, 1, ...
std::optional<Labels> ParseLabels(std::string_view text, char first_letter, char second_letter) {
  if (text.size() < 2) return std::nullopt;
  Labels labels;
  labels.spatial.assign(text.size() - 2, -1);
  for (size_t i = 0; i < text.size(); ++i) {
    int64_t* place = nullptr;
    const size_t digit = static_cast<size_t>(text[i] - '0');
    if (text[i] == first_letter) place = &labels.first;
    if (text[i] == second_letter) place = &labels.second;
    if (text[i] >= '0' && text[i] <= '9' && digit < labels.spatial.size()) place = &labels.spatial[digit];
    if (place == nullptr || *place != -1) return std::nullopt;
    *place = static_cast<int64_t>(i);
  }
  return labels;
}

std::string LabelsText(int64_t first, char first_letter, int64_t second, char second_letter,
                       const std::vector<int64_t>& spatial) {
  std::string text(spatial.size() + 2, '?');
  text[first] = first_letter;
  text[second] = second_letter;
  for (size_t i = 0; i < spatial.size(); ++i) text[spatial[i]] = static_cast<char>('0' + i);
  return text;
}

}  // namespace

std::optional<int64_t> WindowOutputSize(int64_t bound, const WindowDimension& dimension) {
  const WindowDimension& d = dimension;
  if (bound < 0 || d.size < 1 || d.stride < 1 || d.base_dilation < 1 || d.window_dilation < 1) return std::nullopt;
  int64_t padded = 0;
  int64_t window = 0;
  int64_t behind_padding = 0;  // OperandIndex subtracts so from each place in the padded array
  const bool overflows = __builtin_mul_overflow(std::max<int64_t>(bound - 1, 0), d.base_dilation, &padded) ||
                         __builtin_add_overflow(padded, bound > 0 ? 1 : 0, &padded) ||
                         __builtin_add_overflow(padded, d.padding_low, &padded) ||
                         __builtin_add_overflow(padded, d.padding_high, &padded) ||
                         __builtin_sub_overflow(padded, d.padding_low, &behind_padding) ||
                         __builtin_mul_overflow(d.size - 1, d.window_dilation, &window) ||
                         __builtin_add_overflow(window, 1, &window);
  if (overflows) return std::nullopt;
  return padded <= 0 || window > padded ? 0 : (padded - window) / d.stride + 1;
}

std::string WindowToString(const Window& window) {
  std::string text;
  for (const WindowDimension& dimension : window) {
    text += fmt::format("{}{}", text.empty() ? "size=" : "x", dimension.size);
  }
  text += Field(window, "stride", [](const WindowDimension& d) { return fmt::format("{}", d.stride); });
  text += Field(window, "pad",
                [](const WindowDimension& d) { return fmt::format("{}_{}", d.padding_low, d.padding_high); });
  text += Field(window, "lhs_dilate", [](const WindowDimension& d) { return fmt::format("{}", d.base_dilation); });
  text += Field(window, "rhs_dilate", [](const WindowDimension& d) { return fmt::format("{}", d.window_dilation); });
  text +=
      Field(window, "rhs_reversal", [](const WindowDimension& d) { return fmt::format("{:d}", d.window_reversal); });
  return "{" + text + "}";
}

std::string ConvolutionDimensionNumbersToString(const ConvolutionDimensionNumbers& numbers) {
  const ConvolutionDimensionNumbers& n = numbers;
  return fmt::format(
      "{}_{}->{}", LabelsText(n.input_batch_dimension, 'b', n.input_feature_dimension, 'f', n.input_spatial_dimensions),
      LabelsText(n.kernel_input_feature_dimension, 'i', n.kernel_output_feature_dimension, 'o',
                 n.kernel_spatial_dimensions),
      LabelsText(n.output_batch_dimension, 'b', n.output_feature_dimension, 'f', n.output_spatial_dimensions));
}

std::optional<ConvolutionDimensionNumbers> ParseConvolutionDimensionNumbers(std::string_view text) {
  const size_t underscore = text.find('_');
  const size_t arrow = text.find("->");
  if (underscore == text.npos || arrow == text.npos || arrow < underscore) return std::nullopt;
  const auto input = ParseLabels(text.substr(0, underscore), 'b', 'f');
  const auto kernel = ParseLabels(text.substr(underscore + 1, arrow - underscore - 1), 'i', 'o');
  const auto output = ParseLabels(text.substr(arrow + 2), 'b', 'f');
  if (!input || !kernel || !output || input->spatial.size() != kernel->spatial.size() ||
      input->spatial.size() != output->spatial.size()) {
    return std::nullopt;
  }
  return ConvolutionDimensionNumbers{.input_batch_dimension = input->first,
                                     .input_feature_dimension = input->second,
                                     .input_spatial_dimensions = input->spatial,
                                     .kernel_input_feature_dimension = kernel->first,
                                     .kernel_output_feature_dimension = kernel->second,
                                     .kernel_spatial_dimensions = kernel->spatial,
                                     .output_batch_dimension = output->first,
                                     .output_feature_dimension = output->second,
                                     .output_spatial_dimensions = output->spatial};
}

}  // namespace xla
