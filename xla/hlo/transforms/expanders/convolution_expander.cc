// A convolution is a product of matrices: one row per output pixel with all inputs under the window, one column per
// output feature.
//
// The rows are not copied together. With the padded spatial dimension of L elements repeated and read L + d elements
// apart (reshape to [taps, L + d]), tap t begins t * d elements further: element (t, j) is number t (L + d) + j of the
// repeated array, so element (t d + j) mod L of the one. All of that is index arithmetic (broadcast, reshape, slice),
// which fusion turns into addresses; only padding may cost a copy.
#include <algorithm>
#include <numeric>

#include "xla/hlo/transforms/expanders/graph_writer.h"
#include "xla/hlo/transforms/passes.h"

namespace xla {
namespace {

using Dims = std::vector<int64_t>;

// [.., L, ..] -> [.., taps, positions, ..] at `dimension`: what lies under each tap at each position.
HloInstruction* SlidingWindows(GraphWriter& w, HloInstruction* x, int64_t dimension, const WindowDimension& window,
                               int64_t positions) {
  Dims dimensions = x->shape().dimensions();
  const int64_t length = dimensions[dimension];
  const int64_t period = length + window.window_dilation;
  const int64_t reach = (positions - 1) * window.stride + 1;
  if (window.size == 1) {
    x = w.Slice(x, dimension, 0, reach, window.stride);
    dimensions[dimension] = positions;
    dimensions.insert(dimensions.begin() + dimension, 1);
    return w.Reshape(x, dimensions);
  }
  const int64_t copies = (window.size * period + length - 1) / length;
  Dims places;
  for (int64_t i = 0; i < x->shape().rank(); ++i) places.push_back(i < dimension ? i : i + 1);
  Dims repeated = dimensions;
  repeated.insert(repeated.begin() + dimension, copies);
  x = w.Broadcast(x, repeated, places);
  dimensions[dimension] = copies * length;
  x = w.Reshape(x, dimensions);
  x = w.Slice(x, dimension, 0, window.size * period);
  dimensions[dimension] = period;
  dimensions.insert(dimensions.begin() + dimension, window.size);
  x = w.Reshape(x, dimensions);
  return w.Slice(x, dimension + 1, 0, reach, window.stride);
}

// Splits `dimension` of size a * b into [a, b].
HloInstruction* Split(GraphWriter& w, HloInstruction* x, int64_t dimension, int64_t a) {
  Dims dimensions = x->shape().dimensions();
  dimensions[dimension] /= a;
  dimensions.insert(dimensions.begin() + dimension, a);
  return w.Reshape(x, dimensions);
}

Dims Range(int64_t begin, int64_t count, int64_t step) {
  Dims numbers;
  for (int64_t i = 0; i < count; ++i) numbers.push_back(begin + i * step);
  return numbers;
}

class ConvolutionExpansion {
 public:
  explicit ConvolutionExpansion(HloInstruction* convolution)
      : convolution_(convolution),
        writer_(*convolution->parent()),
        numbers_(convolution->convolution_dimension_numbers()),
        window_(convolution->window()),
        spatial_(static_cast<int64_t>(window_.size())),
        feature_groups_(convolution->feature_group_count()),
        groups_(std::max(feature_groups_, convolution->batch_group_count())) {}

  Status Run() {
    if (ShapeUtil::ElementsIn(convolution_->shape()) == 0 ||
        ShapeUtil::ElementsIn(convolution_->operand(0)->shape()) == 0 ||
        ShapeUtil::ElementsIn(convolution_->operand(1)->shape()) == 0) {
      HloInstruction* zero = writer_.Scalar(convolution_->shape().element_type(), 0);
      return ReplaceExpanded(convolution_, writer_.Splat(zero, convolution_->shape().dimensions()));
    }
    return ReplaceExpanded(convolution_, Result(Product(Rows(), Columns())));
  }

 private:
  // Where the type has no zero to pad with: in f32.
  HloInstruction* Padable(HloInstruction* x) {
    return x->shape().element_type() == F8E8M0FNU ? writer_.Convert(x, F32) : x;
  }
  // [batch, taps, positions, taps, positions, .., features], and `groups` before the batch or before the features.
  HloInstruction* Rows() {
    Dims order{numbers_.input_batch_dimension};
    order.insert(order.end(), numbers_.input_spatial_dimensions.begin(), numbers_.input_spatial_dimensions.end());
    order.push_back(numbers_.input_feature_dimension);
    HloInstruction* x = writer_.Transpose(Padable(convolution_->mutable_operand(0)), order);
    PaddingConfig padding(order.size());
    for (int64_t i = 0; i < spatial_; ++i) {
      padding[i + 1] = {window_[i].padding_low, window_[i].padding_high, window_[i].base_dilation - 1};
    }
    x = writer_.Pad(x, writer_.Scalar(x->shape().element_type(), 0), padding);
    for (int64_t i = 0; i < spatial_; ++i) {
      const int64_t positions = convolution_->shape().dimensions(numbers_.output_spatial_dimensions[i]);
      x = SlidingWindows(writer_, x, 1 + 2 * i, window_[i], positions);
    }
    if (groups_ == 1) return x;
    return Split(writer_, x, feature_groups_ > 1 ? x->shape().rank() - 1 : 0, groups_);
  }

  // [taps, .., input features, (groups,) output features].
  HloInstruction* Columns() {
    Dims order = numbers_.kernel_spatial_dimensions;
    order.push_back(numbers_.kernel_input_feature_dimension);
    order.push_back(numbers_.kernel_output_feature_dimension);
    HloInstruction* kernel = writer_.Transpose(Padable(convolution_->mutable_operand(1)), order);
    Dims reversed;
    for (int64_t i = 0; i < spatial_; ++i) {
      if (window_[i].window_reversal) reversed.push_back(i);
    }
    kernel = writer_.Reverse(kernel, reversed);
    return groups_ == 1 ? kernel : Split(writer_, kernel, spatial_ + 1, groups_);
  }

  // [(groups,) batch, positions, .., output features of a group].
  HloInstruction* Product(HloInstruction* rows, HloInstruction* columns) {
    const bool batch_groups = groups_ > 1 && feature_groups_ == 1;
    const int64_t taps_begin = batch_groups ? 2 : 1;
    const int64_t rank = rows->shape().rank();
    DotDimensionNumbers dot;
    dot.lhs_contracting_dimensions = Range(taps_begin, spatial_, 2);
    dot.lhs_contracting_dimensions.push_back(rank - 1);
    dot.rhs_contracting_dimensions = Range(0, spatial_ + 1, 1);
    if (groups_ > 1) {
      dot.lhs_batch_dimensions = {batch_groups ? 0 : rank - 2};
      dot.rhs_batch_dimensions = {spatial_ + 1};
    }
    Dims dimensions;
    if (groups_ > 1) dimensions.push_back(groups_);
    dimensions.push_back(rows->shape().dimensions(batch_groups ? 1 : 0));
    for (int64_t i = 0; i < spatial_; ++i) dimensions.push_back(rows->shape().dimensions(taps_begin + 2 * i + 1));
    dimensions.push_back(columns->shape().dimensions(columns->shape().rank() - 1));
    HloInstruction* product = writer_.Add(
        HloInstruction::CreateDot(Shape::Array(convolution_->shape().element_type(), dimensions), rows, columns, dot));
    if (const auto* precision = convolution_->attributes().FindValue(AttributeId::kOperandPrecision)) {
      product->SetAttribute(AttributeId::kOperandPrecision, *precision);
    }
    return product;
  }

  HloInstruction* Result(HloInstruction* product) {
    const int64_t without_groups = spatial_ + 2;
    if (groups_ > 1) {  // [groups, batch, positions, .., features] -> [batch, positions, .., groups * features]
      Dims order = Range(1, spatial_ + 1, 1);
      order.push_back(0);
      order.push_back(without_groups);
      product = writer_.Transpose(product, order);
      Dims dimensions = product->shape().dimensions();
      dimensions[spatial_ + 1] *= dimensions[spatial_ + 2];
      dimensions.pop_back();
      product = writer_.Reshape(product, dimensions);
    }
    Dims order(without_groups);
    order[numbers_.output_batch_dimension] = 0;
    order[numbers_.output_feature_dimension] = without_groups - 1;
    for (int64_t i = 0; i < spatial_; ++i) order[numbers_.output_spatial_dimensions[i]] = i + 1;
    return writer_.Transpose(product, order);
  }

  HloInstruction* convolution_;
  GraphWriter writer_;
  ConvolutionDimensionNumbers numbers_;
  Window window_;
  int64_t spatial_;
  int64_t feature_groups_;
  int64_t groups_;  // of either kind
};

Status Expand(HloInstruction* convolution) { return ConvolutionExpansion(convolution).Run(); }

}  // namespace

StatusOr<Changed> ConvolutionExpander::Run(HloModule& module, const PassContext&) {
  return ExpandEach(module, HloOpcode::kConvolution, &Expand);
}

}  // namespace xla
