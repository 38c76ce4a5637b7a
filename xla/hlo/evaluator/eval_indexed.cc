// The opcodes whose places are data: gather, scatter, sort, topk.
#include <algorithm>
#include <bit>
#include <numeric>

#include "xla/hlo/evaluator/evaluator.h"
#include "xla/hlo/evaluator/values.h"

namespace xla::evaluator {
namespace {

using Dims = std::vector<int64_t>;

bool Contains(const Dims& list, int64_t value) { return std::find(list.begin(), list.end(), value) != list.end(); }

Dims RowMajorStrides(const Shape& shape) { return ShapeUtil::Strides(ShapeUtil::WithDefaultLayout(shape)); }

// An element of an integer array; what does not fit int64 is as far out of every range as int64's largest.
int64_t IndexAt(const Literal& indices, int64_t element) {
  const int64_t value = indices.GetAsInt64(element);
  return IsUnsigned(indices.shape().element_type()) && value < 0 ? INT64_MAX : value;
}

// For gather and scatter: where the element at `index` of the windowed array (gather's result, scatter's updates) lies
// in the operand, as the start of its window and the place inside that window.
class WindowPlaces {
 public:
  WindowPlaces(const IndexDimensionNumbers& numbers, const Shape& operand, const Literal& indices)
      : numbers_(numbers), indices_(indices), strides_(RowMajorStrides(indices.shape())), rank_(operand.rank()) {
    for (int64_t i = 0; i < rank_; ++i) {
      if (!Contains(numbers.dropped_dims, i) && !Contains(numbers.operand_batch_dims, i)) in_window_.push_back(i);
    }
  }

  // Neither clamped nor checked.
  Dims Start(const Dims& index) const {
    Dims place;  // the dimensions of `index` that are not the window's
    for (size_t i = 0; i < index.size(); ++i) {
      if (!Contains(numbers_.window_dims, static_cast<int64_t>(i))) place.push_back(index[i]);
    }
    const bool has_vector = numbers_.index_vector_dim < indices_.shape().rank();
    if (has_vector) place.insert(place.begin() + numbers_.index_vector_dim, 0);
    const int64_t first = std::inner_product(place.begin(), place.end(), strides_.begin(), int64_t{0});
    Dims start(rank_, 0);
    for (size_t i = 0; i < numbers_.index_map.size(); ++i) {
      const int64_t step = has_vector ? strides_[numbers_.index_vector_dim] * static_cast<int64_t>(i) : 0;
      start[numbers_.index_map[i]] = IndexAt(indices_, first + step);
    }
    for (size_t i = 0; i < numbers_.operand_batch_dims.size(); ++i) {
      start[numbers_.operand_batch_dims[i]] = place[numbers_.indices_batch_dims[i]];
    }
    return start;
  }

  Dims Inside(const Dims& index) const {
    Dims inside(rank_, 0);
    for (size_t i = 0; i < in_window_.size(); ++i) inside[in_window_[i]] = index[numbers_.window_dims[i]];
    return inside;
  }

  // The operand's dimensions that a window has, in order.
  const Dims& in_window() const { return in_window_; }

 private:
  const IndexDimensionNumbers& numbers_;
  const Literal& indices_;
  Dims strides_;
  int64_t rank_;
  Dims in_window_;
};

// One element of an array as a scalar, and back.
Literal ScalarAt(const Literal& array, int64_t element) {
  const int width = ByteWidth(array.shape().element_type());
  const auto begin = array.bytes().begin() + element * width;
  return Literal::FromBytes(Shape::Scalar(array.shape().element_type()), {begin, begin + width});
}
void SetScalar(Literal* array, int64_t element, const Literal& scalar) {
  const size_t width = scalar.bytes().size();
  std::memcpy(array->mutable_bytes().data() + element * width, scalar.bytes().data(), width);
}

std::vector<const Literal*> PointersTo(const std::vector<Literal>& literals) {
  std::vector<const Literal*> pointers;
  for (const Literal& literal : literals) pointers.push_back(&literal);
  return pointers;
}

Literal OneOrTuple(std::vector<Literal> results) {
  if (results.size() == 1) return std::move(results[0]);
  return Literal::Tuple(std::move(results));
}

// results[.][element] = to_apply(results[.][element], updates[.][update]).
Status Combine(const HloComputation& combiner, std::vector<Literal>* results, int64_t element, Operands updates,
               int64_t update) {
  std::vector<Literal> scalars;
  for (const Literal& result : *results) scalars.push_back(ScalarAt(result, element));
  for (const Literal* array : updates) scalars.push_back(ScalarAt(*array, update));
  ASSIGN_OR_RETURN(const Literal combined, EvaluateComputation(combiner, PointersTo(scalars)));
  for (size_t i = 0; i < results->size(); ++i) {
    SetScalar(&(*results)[i], element, combined.shape().IsTuple() ? combined.tuple_elements()[i] : combined);
  }
  return OkStatus();
}

// Whether elements a and b of a row stand in this order: to_apply(a0, b0, a1, b1, ...).
StatusOr<bool> ComesBefore(const HloComputation& comparator, Operands operands, int64_t a, int64_t b) {
  std::vector<Literal> scalars;
  for (const Literal* operand : operands) {
    scalars.push_back(ScalarAt(*operand, a));
    scalars.push_back(ScalarAt(*operand, b));
  }
  ASSIGN_OR_RETURN(const Literal before, EvaluateComputation(comparator, PointersTo(scalars)));
  return before.GetAsInt64(0) != 0;
}

// A stable merge sort of `row` (element numbers). The comparator is the program's and may contradict itself: any order
// is fine then, reading out of bounds is not, which std::stable_sort does not promise.
template <class Before>
Status MergeSort(std::vector<int64_t>* row, const Before& before) {
  std::vector<int64_t> merged(row->size());
  for (size_t run = 1; run < row->size(); run *= 2) {
    for (size_t begin = 0; begin < row->size(); begin += 2 * run) {
      const size_t middle = std::min(begin + run, row->size());
      const size_t end = std::min(begin + 2 * run, row->size());
      size_t left = begin;
      size_t right = middle;
      for (size_t i = begin; i < end; ++i) {
        bool take_right = left == middle;
        if (left < middle && right < end) {
          ASSIGN_OR_RETURN(take_right, before((*row)[right], (*row)[left]));
        }
        merged[i] = (*row)[take_right ? right++ : left++];
      }
    }
    std::swap(*row, merged);
  }
  return OkStatus();
}

// Calls f(the element numbers of one row along `dimension`) for each row.
template <class F>
Status ForEachRow(const Shape& shape, int64_t dimension, const F& f) {
  if (ShapeUtil::ElementsIn(shape) == 0) return OkStatus();
  const Dims strides = RowMajorStrides(shape);
  Dims outer = shape.dimensions();
  outer[dimension] = 1;
  IndexCounter counter(outer);
  do {
    const int64_t first = std::inner_product(strides.begin(), strides.end(), counter.index().begin(), int64_t{0});
    std::vector<int64_t> row(shape.dimensions(dimension));
    for (size_t i = 0; i < row.size(); ++i) row[i] = first + static_cast<int64_t>(i) * strides[dimension];
    RETURN_IF_ERROR(f(std::move(row)));
  } while (counter.Next());
  return OkStatus();
}

}  // namespace

// A window that would leave the operand is moved inside. One with a dropped dimension of size 0 has no elements: the
// result is zero there.
StatusOr<Literal> Eval_kGather(const HloInstruction& instruction, Operands operands) {
  const Shape& operand = operands[0]->shape();
  Literal result = Literal::Zeros(instruction.shape());
  if (result.element_count() == 0 || Contains(instruction.slice_sizes(), 0)) return result;
  const IndexDimensionNumbers numbers = instruction.index_dimension_numbers();
  const WindowPlaces places(numbers, operand, *operands[1]);
  const Dims strides = RowMajorStrides(operand);
  const int width = ByteWidth(operand.element_type());
  IndexCounter counter(result.shape().dimensions());
  int64_t to = 0;
  do {
    const Dims start = places.Start(counter.index());
    const Dims inside = places.Inside(counter.index());
    int64_t from = 0;
    for (int64_t d = 0; d < operand.rank(); ++d) {
      const int64_t last = operand.dimensions(d) - instruction.slice_sizes()[d];
      from += (std::clamp<int64_t>(start[d], 0, last) + inside[d]) * strides[d];
    }
    std::memcpy(result.mutable_bytes().data() + to * width, operands[0]->bytes().data() + from * width, width);
    ++to;
  } while (counter.Next());
  return result;
}

// A window that would leave the operand is skipped. Updates are applied in row-major order.
StatusOr<Literal> Eval_kScatter(const HloInstruction& instruction, Operands operands) {
  const auto inputs = static_cast<size_t>(instruction.input_count());
  const Shape& operand = operands[0]->shape();
  const Operands updates = operands.subspan(inputs + 1);
  std::vector<Literal> results;
  for (size_t i = 0; i < inputs; ++i) {
    results.push_back(*operands[i]);
    const Shape& shape = instruction.shape();
    results.back().set_shape(shape.IsTuple() ? shape.tuple_shapes(static_cast<int64_t>(i)) : shape);
  }
  if (updates[0]->element_count() == 0) return OneOrTuple(std::move(results));
  const IndexDimensionNumbers numbers = instruction.index_dimension_numbers();
  const WindowPlaces places(numbers, operand, *operands[inputs]);
  Dims window_sizes(operand.rank(), 1);
  for (size_t i = 0; i < places.in_window().size(); ++i) {
    window_sizes[places.in_window()[i]] = updates[0]->shape().dimensions(numbers.window_dims[i]);
  }
  const Dims strides = RowMajorStrides(operand);
  IndexCounter counter(updates[0]->shape().dimensions());
  int64_t update = 0;
  do {
    const Dims start = places.Start(counter.index());
    const Dims inside = places.Inside(counter.index());
    bool fits = true;
    int64_t element = 0;
    for (int64_t d = 0; d < operand.rank(); ++d) {
      fits = fits && start[d] >= 0 && start[d] <= operand.dimensions(d) - window_sizes[d];
      if (fits) element += (start[d] + inside[d]) * strides[d];
    }
    if (fits) RETURN_IF_ERROR(Combine(*instruction.to_apply(), &results, element, updates, update));
    ++update;
  } while (counter.Next());
  return OneOrTuple(std::move(results));
}

// Always stable.
StatusOr<Literal> Eval_kSort(const HloInstruction& instruction, Operands operands) {
  const int64_t along = instruction.dimensions()[0];
  std::vector<Literal> results;
  for (size_t i = 0; i < operands.size(); ++i) {
    results.push_back(*operands[i]);
    const Shape& shape = instruction.shape();
    results.back().set_shape(shape.IsTuple() ? shape.tuple_shapes(static_cast<int64_t>(i)) : shape);
  }
  RETURN_IF_ERROR(ForEachRow(operands[0]->shape(), along, [&](std::vector<int64_t> row) -> Status {
    std::vector<int64_t> sorted = row;
    RETURN_IF_ERROR(
        MergeSort(&sorted, [&](int64_t a, int64_t b) { return ComesBefore(*instruction.to_apply(), operands, a, b); }));
    for (size_t r = 0; r < results.size(); ++r) {
      for (size_t i = 0; i < row.size(); ++i) SetScalar(&results[r], row[i], ScalarAt(*operands[r], sorted[i]));
    }
    return OkStatus();
  }));
  return OneOrTuple(std::move(results));
}

// By value, equal ones by index; the order of floats is the total one (-NaN < -inf < ... < inf < NaN).
StatusOr<Literal> Eval_kTopK(const HloInstruction& instruction, Operands operands) {
  const Literal& operand = *operands[0];
  const auto k = static_cast<size_t>(instruction.attributes().Get<int64_t>(AttributeId::kK));
  const bool largest = instruction.attributes().Get<bool>(AttributeId::kLargest);
  Literal values = Literal::Zeros(instruction.shape().tuple_shapes(0));
  Literal numbers = Literal::Zeros(instruction.shape().tuple_shapes(1));
  int64_t to = 0;
  const bool is_float = IsFloat(operand.shape().element_type());
  const auto less = [&](int64_t a, int64_t b) {
    if (!is_float) {
      const int64_t x = operand.GetAsInt64(a);
      const int64_t y = operand.GetAsInt64(b);
      const bool is_unsigned = IsUnsigned(operand.shape().element_type());
      return is_unsigned ? static_cast<uint64_t>(x) < static_cast<uint64_t>(y) : x < y;
    }
    const auto key = [&](int64_t element) {  // of a double's bits: ascends in the total order
      const auto bits = std::bit_cast<int64_t>(operand.GetAsDouble(element));
      return bits < 0 ? bits ^ INT64_MAX : bits;
    };
    return key(a) < key(b);
  };
  RETURN_IF_ERROR(ForEachRow(operand.shape(), operand.shape().rank() - 1, [&](std::vector<int64_t> row) -> Status {
    std::vector<int64_t> sorted = row;
    RETURN_IF_ERROR(
        MergeSort(&sorted, [&](int64_t x, int64_t y) -> StatusOr<bool> { return largest ? less(y, x) : less(x, y); }));
    for (size_t i = 0; i < k; ++i, ++to) {
      SetScalar(&values, to, ScalarAt(operand, sorted[i]));
      numbers.SetFromInt64(to, sorted[i] - row[0]);
    }
    return OkStatus();
  }));
  std::vector<Literal> results;
  results.push_back(std::move(values));
  results.push_back(std::move(numbers));
  return Literal::Tuple(std::move(results));
}

}  // namespace xla::evaluator
