// The opcodes with a window: convolution, reduce-window, select-and-scatter.
#include <algorithm>
#include <numeric>
#include <optional>

#include "xla/hlo/evaluator/evaluator.h"
#include "xla/hlo/evaluator/values.h"

namespace xla::evaluator {
namespace {

using Dims = std::vector<int64_t>;

Dims RowMajorStrides(const Shape& shape) { return ShapeUtil::Strides(ShapeUtil::WithDefaultLayout(shape)); }

Dims SizesOf(const Window& window) {
  Dims sizes;
  for (const WindowDimension& dimension : window) sizes.push_back(dimension.size);
  return sizes;
}

// Each of `windows` windows visits all its taps, and does `steps_per_tap` there.
Status CheckWindowSteps(const HloInstruction& instruction, int64_t windows, int64_t steps_per_tap) {
  Dims lengths = SizesOf(instruction.window());
  lengths.push_back(windows);
  lengths.push_back(steps_per_tap);
  return CheckSteps(instruction, lengths);
}

// The operand's element under tap `tap` of the window at `position`; absent if there is none.
std::optional<int64_t> ElementUnder(const Window& window, const Shape& operand, const Dims& strides,
                                    const Dims& position, const Dims& tap) {
  int64_t element = 0;
  for (size_t d = 0; d < window.size(); ++d) {
    const auto index = window[d].OperandIndex(position[d], tap[d], operand.dimensions(static_cast<int64_t>(d)));
    if (!index) return std::nullopt;
    element += *index * strides[d];
  }
  return element;
}

// The elements of `array` with these numbers, as a vector.
Literal Picked(const Literal& array, const std::vector<int64_t>& elements) {
  const PrimitiveType type = array.shape().element_type();
  const int width = ByteWidth(type);
  Literal picked = Literal::Zeros(Shape::Array(type, {static_cast<int64_t>(elements.size())}));
  for (size_t i = 0; i < elements.size(); ++i) {
    std::memcpy(picked.mutable_bytes().data() + i * width, array.bytes().data() + elements[i] * width, width);
  }
  return picked;
}

// The inverse: array[elements[i]] = values[i].
void Put(const Literal& values, const std::vector<int64_t>& elements, Literal* array) {
  const int width = ByteWidth(array->shape().element_type());
  for (size_t i = 0; i < elements.size(); ++i) {
    std::memcpy(array->mutable_bytes().data() + elements[i] * width, values.bytes().data() + i * width, width);
  }
}

std::vector<const Literal*> Joined(const std::vector<Literal>& a, const std::vector<Literal>& b) {
  std::vector<const Literal*> pointers;
  for (const Literal& literal : a) pointers.push_back(&literal);
  for (const Literal& literal : b) pointers.push_back(&literal);
  return pointers;
}

// Adds, for every window at once, the elements under one tap to the results.
Status ReduceTap(const HloInstruction& instruction, Operands inputs, const Dims& tap, std::vector<Literal>* results) {
  const Shape& input = inputs[0]->shape();
  const Dims strides = RowMajorStrides(input);
  std::vector<int64_t> from;
  std::vector<int64_t> to;
  IndexCounter position((*results)[0].shape().dimensions());
  int64_t window = 0;
  do {
    if (const auto element = ElementUnder(instruction.window(), input, strides, position.index(), tap)) {
      from.push_back(*element);
      to.push_back(window);
    }
    ++window;
  } while (position.Next());
  if (from.empty()) return OkStatus();
  std::vector<Literal> sums;
  std::vector<Literal> values;
  for (size_t i = 0; i < inputs.size(); ++i) {
    sums.push_back(Picked((*results)[i], to));
    values.push_back(Picked(*inputs[i], from));
  }
  ASSIGN_OR_RETURN(const std::vector<Literal> combined,
                   ApplyElementwise(*instruction.to_apply(), Joined(sums, values)));
  for (size_t i = 0; i < inputs.size(); ++i) Put(combined[i], to, &(*results)[i]);
  return OkStatus();
}

// The product of one input element and one kernel element for each tap, summed over taps and input features.
template <class Sum>
class Convolution {
 public:
  Convolution(const HloInstruction& instruction, std::vector<Sum> input, std::vector<Sum> kernel)
      : numbers_(instruction.convolution_dimension_numbers()),
        window_(instruction.window()),
        input_shape_(instruction.operand(0)->shape()),
        input_strides_(RowMajorStrides(input_shape_)),
        kernel_strides_(RowMajorStrides(instruction.operand(1)->shape())),
        input_(std::move(input)),
        kernel_(std::move(kernel)),
        batch_(instruction.shape().dimensions(numbers_.output_batch_dimension)),
        features_(instruction.operand(1)->shape().dimensions(numbers_.kernel_input_feature_dimension)),
        outputs_per_group_(instruction.shape().dimensions(numbers_.output_feature_dimension) /
                           instruction.feature_group_count()),
        outputs_per_batch_group_(instruction.shape().dimensions(numbers_.output_feature_dimension) /
                                 instruction.batch_group_count()) {}

  Sum At(const Dims& index) const {
    const int64_t output = index[numbers_.output_feature_dimension];
    // Each feature group of outputs reads its own input features; each batch group its own part of the batch.
    const int64_t first_feature = output / outputs_per_group_ * features_;
    const int64_t batch = index[numbers_.output_batch_dimension] + output / outputs_per_batch_group_ * batch_;
    const int64_t input_feature_stride = input_strides_[numbers_.input_feature_dimension];
    const int64_t kernel_feature_stride = kernel_strides_[numbers_.kernel_input_feature_dimension];
    Sum sum(0);
    IndexCounter tap(SizesOf(window_));
    do {
      int64_t from = batch * input_strides_[numbers_.input_batch_dimension] + first_feature * input_feature_stride;
      int64_t factor = output * kernel_strides_[numbers_.kernel_output_feature_dimension];
      if (!AddTap(index, tap.index(), &from, &factor)) continue;
      for (int64_t f = 0; f < features_; ++f) {
        sum += input_[from + f * input_feature_stride] * kernel_[factor + f * kernel_feature_stride];
      }
    } while (tap.Next());
    return sum;
  }

 private:
  // Moves both element numbers to a tap of the window; false if there is no input element under it.
  bool AddTap(const Dims& index, const Dims& tap, int64_t* from, int64_t* factor) const {
    for (size_t d = 0; d < window_.size(); ++d) {
      const int64_t input_dimension = numbers_.input_spatial_dimensions[d];
      const auto place = window_[d].OperandIndex(index[numbers_.output_spatial_dimensions[d]], tap[d],
                                                 input_shape_.dimensions(input_dimension));
      if (!place) return false;
      *from += *place * input_strides_[input_dimension];
      const int64_t kernel_index = window_[d].window_reversal ? window_[d].size - 1 - tap[d] : tap[d];
      *factor += kernel_index * kernel_strides_[numbers_.kernel_spatial_dimensions[d]];
    }
    return true;
  }

  ConvolutionDimensionNumbers numbers_;
  const Window& window_;
  const Shape& input_shape_;
  Dims input_strides_, kernel_strides_;
  std::vector<Sum> input_, kernel_;
  int64_t batch_;                    // of the result
  int64_t features_;                 // of the kernel
  int64_t outputs_per_group_;        // output features
  int64_t outputs_per_batch_group_;  // likewise
};

Status CheckConvolutionSteps(const HloInstruction& instruction) {
  const int64_t feature_dimension = instruction.convolution_dimension_numbers().kernel_input_feature_dimension;
  const int64_t features = instruction.operand(1)->shape().dimensions(feature_dimension);
  return CheckWindowSteps(instruction, ShapeUtil::ElementsIn(instruction.shape()), std::max<int64_t>(features, 1));
}

template <class Sum>
std::vector<Sum> Widened(const Literal& literal) {
  std::vector<Sum> values;
  WithComputeType(literal.shape().element_type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (AnyComplex<T> == AnyComplex<Sum>) {
      for (const T& value : ValuesOf<T>(literal)) values.push_back(static_cast<Sum>(value));
    }
  });
  return values;
}

}  // namespace

StatusOr<Literal> Eval_kConvolution(const HloInstruction& instruction, Operands operands) {
  RETURN_IF_ERROR(CheckConvolutionSteps(instruction));
  return WithComputeType(operands[0]->shape().element_type(), [&](auto tag) -> StatusOr<Literal> {
    using T = typename decltype(tag)::type;
    using Sum = SumOf<T>;
    const Convolution<Sum> convolution(instruction, Widened<Sum>(*operands[0]), Widened<Sum>(*operands[1]));
    return WithComputeType(instruction.shape().element_type(), [&](auto result_tag) -> StatusOr<Literal> {
      using R = typename decltype(result_tag)::type;
      if constexpr (AnyComplex<R> == AnyComplex<Sum>) {
        std::vector<R> result;
        if (ShapeUtil::ElementsIn(instruction.shape()) > 0) {
          IndexCounter counter(instruction.shape().dimensions());
          do {
            result.push_back(FromSum<T, R>(convolution.At(counter.index())));
          } while (counter.Next());
        }
        return LiteralOf(instruction.shape(), result);
      } else {
        return NotEvaluable(instruction, "the evaluator does not compute a convolution of these element types");
      }
    });
  });
}

// Taps are combined in row-major order, after the initial value.
StatusOr<Literal> Eval_kReduceWindow(const HloInstruction& instruction, Operands operands) {
  const auto inputs = static_cast<size_t>(instruction.input_count());
  const Shape& shape = instruction.shape();
  std::vector<Literal> results;
  for (size_t i = 0; i < inputs; ++i) {
    Literal result = Literal::Zeros(shape.IsTuple() ? shape.tuple_shapes(static_cast<int64_t>(i)) : shape);
    const std::vector<uint8_t>& initial = operands[inputs + i]->bytes();
    for (size_t at = 0; at < result.bytes().size(); at += initial.size()) {
      std::copy(initial.begin(), initial.end(), result.mutable_bytes().begin() + static_cast<int64_t>(at));
    }
    results.push_back(std::move(result));
  }
  RETURN_IF_ERROR(CheckWindowSteps(instruction, results[0].element_count(), instruction.input_count()));
  if (results[0].element_count() > 0) {
    IndexCounter tap(SizesOf(instruction.window()));
    do {
      RETURN_IF_ERROR(ReduceTap(instruction, operands.subspan(0, inputs), tap.index(), &results));
    } while (tap.Next());
  }
  if (!shape.IsTuple()) return std::move(results[0]);
  return Literal::Tuple(std::move(results));
}

// In each window the first element stays selected until `select` prefers another; the source's element goes there.
StatusOr<Literal> Eval_kSelectAndScatter(const HloInstruction& instruction, Operands operands) {
  RETURN_IF_ERROR(CheckWindowSteps(instruction, operands[1]->element_count(), 1));
  const Literal& operand = *operands[0];
  Literal result = Literal::Zeros(instruction.shape());
  const std::vector<uint8_t>& initial = operands[2]->bytes();
  for (size_t at = 0; at < result.bytes().size(); at += initial.size()) {
    std::copy(initial.begin(), initial.end(), result.mutable_bytes().begin() + static_cast<int64_t>(at));
  }
  if (operands[1]->element_count() == 0) return result;
  const Dims strides = RowMajorStrides(operand.shape());
  IndexCounter position(operands[1]->shape().dimensions());
  int64_t source = 0;
  do {
    std::optional<int64_t> selected;
    IndexCounter tap(SizesOf(instruction.window()));
    do {
      const auto element = ElementUnder(instruction.window(), operand.shape(), strides, position.index(), tap.index());
      if (!element) continue;
      if (!selected) {
        selected = element;
        continue;
      }
      const Literal pair[] = {Picked(operand, {*selected}), Picked(operand, {*element})};
      const Literal* arguments[] = {&pair[0], &pair[1]};
      ASSIGN_OR_RETURN(const std::vector<Literal> keep, ApplyElementwise(*instruction.select(), arguments));
      if (keep[0].GetAsInt64(0) == 0) selected = element;
    } while (tap.Next());
    if (selected) {
      const Literal pair[] = {Picked(result, {*selected}), Picked(*operands[1], {source})};
      const Literal* arguments[] = {&pair[0], &pair[1]};
      ASSIGN_OR_RETURN(const std::vector<Literal> sum, ApplyElementwise(*instruction.scatter(), arguments));
      Put(sum[0], {*selected}, &result);
    }
    ++source;
  } while (position.Next());
  return result;
}

}  // namespace xla::evaluator
