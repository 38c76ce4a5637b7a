// ragged-dot and scaled-dot.
#include <algorithm>

#include "xla/hlo/evaluator/evaluator.h"
#include "xla/hlo/evaluator/values.h"

namespace xla::evaluator {
namespace {

using Dims = std::vector<int64_t>;

bool Contains(const Dims& list, int64_t value) { return std::find(list.begin(), list.end(), value) != list.end(); }

template <class Sum>
std::vector<Sum> SumsOf(const Literal& literal) {
  std::vector<Sum> values;
  WithComputeType(literal.shape().element_type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (AnyComplex<T> == AnyComplex<Sum>) {
      for (const T& value : ValuesOf<T>(literal)) values.push_back(static_cast<Sum>(value));
    }
  });
  return values;
}

// An operand of a product: which of its dimensions each dimension of the result, and of the sum, counts; -1: none.
struct Side {
  Dims strides;
  Dims of_result;
  Dims of_sum;

  int64_t ElementAt(const Dims& result, const Dims& sum) const {
    int64_t element = 0;
    for (size_t i = 0; i < result.size(); ++i) element += of_result[i] < 0 ? 0 : result[i] * strides[of_result[i]];
    for (size_t i = 0; i < sum.size(); ++i) element += sum[i] * strides[of_sum[i]];
    return element;
  }
};

Dims StridesOf(const Shape& shape) { return ShapeUtil::Strides(ShapeUtil::WithDefaultLayout(shape)); }

class RaggedDot {
 public:
  RaggedDot(const HloInstruction& instruction, Operands operands)
      : numbers_(instruction.dot_dimension_numbers()),
        form_(instruction.ragged_dot_form()),
        ragged_(instruction.attributes().Get<Dims>(AttributeId::kLhsRaggedDims)[0]),
        group_dims_(instruction.attributes().Get<Dims>(AttributeId::kRhsGroupDims)),
        group_sizes_(*operands[2]) {
    const Shape& lhs = operands[0]->shape();
    const Shape& rhs = operands[1]->shape();
    lhs_ = {StridesOf(lhs), {}, numbers_.lhs_contracting_dimensions};
    rhs_ = {StridesOf(rhs), {}, numbers_.rhs_contracting_dimensions};
    if (form_.mode == RaggedDotMode::kContracting) AppendResult(-1, -1);
    for (size_t i = 0; i < numbers_.lhs_batch_dimensions.size(); ++i)
      AppendResult(numbers_.lhs_batch_dimensions[i], numbers_.rhs_batch_dimensions[i]);
    for (int64_t i = 0; i < lhs.rank(); ++i) {
      if (!Contains(numbers_.lhs_batch_dimensions, i) && !Contains(numbers_.lhs_contracting_dimensions, i))
        AppendResult(i, -1);
    }
    for (int64_t i = 0; i < rhs.rank(); ++i) {
      if (!Contains(numbers_.rhs_batch_dimensions, i) && !Contains(numbers_.rhs_contracting_dimensions, i) &&
          !Contains(group_dims_, i))
        AppendResult(-1, i);
    }
    for (int64_t dimension : numbers_.lhs_contracting_dimensions) sum_sizes.push_back(lhs.dimensions(dimension));
    for (int64_t dimension : form_.prefix_dims) prefix_sizes_.push_back(lhs.dimensions(dimension));
  }

  Dims sum_sizes;

  // The elements of both sides whose product belongs to a sum; false if it belongs to none.
  bool Factors(const Dims& result, const Dims& sum, int64_t& left, int64_t& right) const {
    left = lhs_.ElementAt(result, sum);
    right = rhs_.ElementAt(result, sum);
    if (form_.mode == RaggedDotMode::kBatch) return true;
    const int64_t group = GroupOf(result, sum);
    if (form_.mode == RaggedDotMode::kContracting) return group == result[0];
    if (group >= 0) right += group * rhs_.strides[group_dims_[0]];
    return group >= 0;
  }

 private:
  void AppendResult(int64_t of_lhs, int64_t of_rhs) {
    lhs_.of_result.push_back(of_lhs);
    rhs_.of_result.push_back(of_rhs);
  }

  // The index of a dimension of the left side.
  int64_t LhsIndex(int64_t dimension, const Dims& result, const Dims& sum) const {
    for (size_t i = 0; i < result.size(); ++i) {
      if (lhs_.of_result[i] == dimension) return result[i];
    }
    const auto at = std::find(lhs_.of_sum.begin(), lhs_.of_sum.end(), dimension);
    return sum[at - lhs_.of_sum.begin()];
  }

  // The group that the ragged index is in; -1 behind the last.
  int64_t GroupOf(const Dims& result, const Dims& sum) const {
    const int64_t groups = group_sizes_.shape().dimensions().back();
    int64_t list = 0;
    if (group_sizes_.shape().rank() > 1) {
      for (size_t i = 0; i < prefix_sizes_.size(); ++i)
        list = list * prefix_sizes_[i] + LhsIndex(form_.prefix_dims[i], result, sum);
    }
    int64_t left = LhsIndex(ragged_, result, sum);
    for (int64_t group = 0; group < groups; ++group) {
      const int64_t size = group_sizes_.GetAsInt64(list * groups + group);
      if (left < size) return group;
      left -= size;
    }
    return -1;
  }

  DotDimensionNumbers numbers_;
  RaggedDotForm form_;
  int64_t ragged_;
  Dims group_dims_;
  const Literal& group_sizes_;
  Dims prefix_sizes_;
  Side lhs_;
  Side rhs_;
};

}  // namespace

// Rows and products behind the last group count nothing: zeros.
StatusOr<Literal> Eval_kRaggedDot(const HloInstruction& instruction, Operands operands) {
  const Shape& shape = instruction.shape();
  const RaggedDot dot(instruction, operands);
  Dims lengths = shape.dimensions();
  lengths.insert(lengths.end(), dot.sum_sizes.begin(), dot.sum_sizes.end());
  RETURN_IF_ERROR(CheckSteps(instruction, lengths));
  const bool is_empty = std::find(dot.sum_sizes.begin(), dot.sum_sizes.end(), 0) != dot.sum_sizes.end();
  return WithComputeType(operands[0]->shape().element_type(), [&](auto tag) -> StatusOr<Literal> {
    using T = typename decltype(tag)::type;
    using Sum = SumOf<T>;
    const std::vector<Sum> a = SumsOf<Sum>(*operands[0]), b = SumsOf<Sum>(*operands[1]);
    std::vector<Sum> sums(ShapeUtil::ElementsIn(shape), Sum(0));
    IndexCounter place(shape.dimensions());
    for (Sum& sum : sums) {
      IndexCounter step(dot.sum_sizes);
      int64_t left = 0, right = 0;
      do {
        if (!is_empty && dot.Factors(place.index(), step.index(), left, right)) sum += a[left] * b[right];
      } while (!is_empty && step.Next());
      place.Next();
    }
    return WithComputeType(shape.element_type(), [&](auto result_tag) -> StatusOr<Literal> {
      using R = typename decltype(result_tag)::type;
      if constexpr (AnyComplex<R> == AnyComplex<Sum>) {
        std::vector<R> result;
        for (const Sum& sum : sums) result.push_back(FromSum<T, R>(sum));
        return LiteralOf(shape, result);
      } else {
        return NotEvaluable(instruction, "the evaluator does not compute a ragged-dot of these element types");
      }
    });
  });
}

namespace {

// Each value times the scale of its block; in f64 if either is, else in f32.
template <class T>
Literal Scaled(const Literal& values, const Literal& scales, PrimitiveType type) {
  const Shape& shape = values.shape();
  Dims block;
  for (int64_t i = 0; i < shape.rank(); ++i) block.push_back(shape.dimensions(i) / scales.shape().dimensions(i));
  const Dims strides = StridesOf(scales.shape());
  std::vector<T> x = ValuesOf<T>(values);
  const std::vector<T> s = ValuesOf<T>(scales);
  IndexCounter place(shape.dimensions());
  for (T& value : x) {
    int64_t scale = 0;
    for (size_t i = 0; i < block.size(); ++i) scale += place.index()[i] / block[i] * strides[i];
    value *= s[scale];
    place.Next();
  }
  return LiteralOf(Shape::Array(type, shape.dimensions()), x);
}

}  // namespace

StatusOr<Literal> Eval_kScaledDot(const HloInstruction& instruction, Operands operands) {
  const bool is_f64 =
      std::any_of(operands.begin(), operands.end(), [](const Literal* x) { return x->shape().element_type() == F64; });
  const auto scaled = [&](int side) {
    return is_f64 ? Scaled<double>(*operands[side], *operands[side + 2], F64)
                  : Scaled<float>(*operands[side], *operands[side + 2], F32);
  };
  const Literal lhs = scaled(0), rhs = scaled(1);
  const Literal* const sides[] = {&lhs, &rhs};
  return Eval_kDot(instruction, sides);
}

}  // namespace xla::evaluator
