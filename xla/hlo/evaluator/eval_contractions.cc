// dot, reduce and map.
#include <algorithm>

#include "xla/hlo/evaluator/evaluator.h"
#include "xla/hlo/evaluator/values.h"

namespace xla::evaluator {
namespace {

using Dims = std::vector<int64_t>;

bool Contains(const Dims& list, int64_t value) { return std::find(list.begin(), list.end(), value) != list.end(); }

int64_t ProductOf(const Shape& shape, const Dims& dimensions) {
  int64_t product = 1;
  for (int64_t dimension : dimensions) product *= shape.dimensions(dimension);
  return product;
}

// The dimensions that are in neither list, ascending.
Dims OtherDimensions(int64_t rank, const Dims& a, const Dims& b) {
  Dims others;
  for (int64_t i = 0; i < rank; ++i) {
    if (!Contains(a, i) && !Contains(b, i)) others.push_back(i);
  }
  return others;
}

// For each index over `order` (all dimensions of `shape`, row-major in that order) the row-major element number.
std::vector<int64_t> ElementsInOrder(const Shape& shape, const Dims& order) {
  const std::vector<int64_t> strides = ShapeUtil::Strides(ShapeUtil::WithDefaultLayout(shape));
  std::vector<int64_t> elements;
  if (ShapeUtil::ElementsIn(shape) == 0) return elements;
  Dims sizes;
  for (int64_t dimension : order) sizes.push_back(shape.dimensions(dimension));
  IndexCounter counter(sizes);
  do {
    int64_t element = 0;
    for (size_t d = 0; d < order.size(); ++d) element += counter.index()[d] * strides[order[d]];
    elements.push_back(element);
  } while (counter.Next());
  return elements;
}

Dims Joined(Dims a, const Dims& b, const Dims& c) {
  a.insert(a.end(), b.begin(), b.end());
  a.insert(a.end(), c.begin(), c.end());
  return a;
}

// The values of an operand in the given order of dimensions, in the type that sums are kept in.
template <class Sum>
std::vector<Sum> ValuesInOrder(const Literal& literal, const Dims& order) {
  std::vector<Sum> values;
  WithComputeType(literal.shape().element_type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (AnyComplex<T> == AnyComplex<Sum>) {
      const std::vector<T> all = ValuesOf<T>(literal);
      for (int64_t element : ElementsInOrder(literal.shape(), order)) values.push_back(static_cast<Sum>(all[element]));
    }
  });
  return values;
}

}  // namespace

StatusOr<Literal> Eval_kDot(const HloInstruction& instruction, Operands operands) {
  const DotDimensionNumbers numbers = instruction.dot_dimension_numbers();
  const Shape& lhs = operands[0]->shape();
  const Shape& rhs = operands[1]->shape();
  const Dims lhs_free = OtherDimensions(lhs.rank(), numbers.lhs_batch_dimensions, numbers.lhs_contracting_dimensions);
  const Dims rhs_free = OtherDimensions(rhs.rank(), numbers.rhs_batch_dimensions, numbers.rhs_contracting_dimensions);
  const int64_t batches = ProductOf(lhs, numbers.lhs_batch_dimensions);
  const int64_t rows = ProductOf(lhs, lhs_free);
  const int64_t columns = ProductOf(rhs, rhs_free);
  const int64_t depth = ProductOf(lhs, numbers.lhs_contracting_dimensions);
  return WithComputeType(lhs.element_type(), [&](auto tag) -> StatusOr<Literal> {
    using T = typename decltype(tag)::type;
    using Sum = SumOf<T>;
    // [batch, row, depth] x [batch, depth, column]
    const std::vector<Sum> a = ValuesInOrder<Sum>(
        *operands[0], Joined(numbers.lhs_batch_dimensions, lhs_free, numbers.lhs_contracting_dimensions));
    const std::vector<Sum> b = ValuesInOrder<Sum>(
        *operands[1], Joined(numbers.rhs_batch_dimensions, numbers.rhs_contracting_dimensions, rhs_free));
    std::vector<Sum> sums(batches * rows * columns, Sum(0));
    for (int64_t row = 0; row < batches * rows; ++row) {
      const int64_t batch = row / rows;
      for (int64_t k = 0; k < depth; ++k) {
        const Sum factor = a[row * depth + k];
        const Sum* const line = b.data() + (batch * depth + k) * columns;
        for (int64_t column = 0; column < columns; ++column) sums[row * columns + column] += factor * line[column];
      }
    }
    return WithComputeType(instruction.shape().element_type(), [&](auto result_tag) -> StatusOr<Literal> {
      using R = typename decltype(result_tag)::type;
      if constexpr (AnyComplex<R> == AnyComplex<Sum>) {
        std::vector<R> result;
        for (const Sum& sum : sums) result.push_back(FromSum<T, R>(sum));
        return LiteralOf(instruction.shape(), result);
      } else {
        return NotEvaluable(instruction, "the evaluator does not compute a dot of these element types");
      }
    });
  });
}

namespace {

// `count` rows of `width` elements each; takes the columns begin, begin + step, ... (`taken` of them) of every row.
Literal Columns(const Literal& rows, int64_t count, int64_t width, int64_t begin, int64_t step, int64_t taken) {
  const PrimitiveType type = rows.shape().element_type();
  const int bytes = ByteWidth(type);
  Literal result = Literal::Zeros(Shape::Array(type, {count, taken}));
  for (int64_t row = 0; row < count; ++row) {
    for (int64_t i = 0; i < taken; ++i) {
      std::memcpy(result.mutable_bytes().data() + (row * taken + i) * bytes,
                  rows.bytes().data() + (row * width + begin + i * step) * bytes, bytes);
    }
  }
  return result;
}

std::vector<const Literal*> Pointers(const std::vector<Literal>& a, const std::vector<Literal>& b) {
  std::vector<const Literal*> pointers;
  for (const Literal& literal : a) pointers.push_back(&literal);
  for (const Literal& literal : b) pointers.push_back(&literal);
  return pointers;
}

// Reduces rows to one column: neighbours are combined in order, until one element is left in each row.
StatusOr<std::vector<Literal>> ReduceRows(const HloComputation& computation, std::vector<Literal> rows, int64_t count,
                                          int64_t width) {
  while (width > 1) {
    const int64_t pairs = width / 2;
    std::vector<Literal> left;
    std::vector<Literal> right;
    for (const Literal& input : rows) {
      left.push_back(Columns(input, count, width, 0, 2, pairs));
      right.push_back(Columns(input, count, width, 1, 2, pairs));
    }
    ASSIGN_OR_RETURN(std::vector<Literal> combined, ApplyElementwise(computation, Pointers(left, right)));
    if (width % 2 != 0) {
      // The last column has no partner. It joins the last pair, so that the order stays.
      std::vector<Literal> last_pair;
      std::vector<Literal> odd;
      for (size_t i = 0; i < rows.size(); ++i) {
        last_pair.push_back(Columns(combined[i], count, pairs, pairs - 1, 1, 1));
        odd.push_back(Columns(rows[i], count, width, width - 1, 1, 1));
      }
      ASSIGN_OR_RETURN(const std::vector<Literal> joined, ApplyElementwise(computation, Pointers(last_pair, odd)));
      for (size_t i = 0; i < rows.size(); ++i) {
        const int bytes = ByteWidth(combined[i].shape().element_type());
        for (int64_t row = 0; row < count; ++row) {
          std::memcpy(combined[i].mutable_bytes().data() + (row * pairs + pairs - 1) * bytes,
                      joined[i].bytes().data() + row * bytes, bytes);
        }
      }
    }
    rows = std::move(combined);
    width = pairs;
  }
  return rows;
}

}  // namespace

StatusOr<Literal> Eval_kReduce(const HloInstruction& instruction, Operands operands) {
  const auto inputs = static_cast<size_t>(instruction.input_count());
  const Shape& input_shape = operands[0]->shape();
  const Dims kept = OtherDimensions(input_shape.rank(), instruction.dimensions(), {});
  const Dims order = Joined(kept, OtherDimensions(input_shape.rank(), kept, {}), {});
  const int64_t count = ProductOf(input_shape, kept);
  const int64_t width = ProductOf(input_shape, instruction.dimensions());
  const std::vector<int64_t> elements = ElementsInOrder(input_shape, order);

  std::vector<Literal> rows;
  std::vector<Literal> initial;  // one for each row
  for (size_t i = 0; i < inputs; ++i) {
    const PrimitiveType type = operands[i]->shape().element_type();
    const int bytes = ByteWidth(type);
    Literal sorted = Literal::Zeros(Shape::Array(type, {count, width}));
    for (size_t e = 0; e < elements.size(); ++e) {
      std::memcpy(sorted.mutable_bytes().data() + e * bytes, operands[i]->bytes().data() + elements[e] * bytes, bytes);
    }
    rows.push_back(std::move(sorted));
    Literal first = Literal::Zeros(Shape::Array(type, {count, 1}));
    for (int64_t row = 0; row < count; ++row) {
      std::memcpy(first.mutable_bytes().data() + row * bytes, operands[inputs + i]->bytes().data(), bytes);
    }
    initial.push_back(std::move(first));
  }
  std::vector<Literal> results = std::move(initial);
  if (width > 0 && count > 0) {
    ASSIGN_OR_RETURN(const std::vector<Literal> reduced,
                     ReduceRows(*instruction.to_apply(), std::move(rows), count, width));
    ASSIGN_OR_RETURN(results, ApplyElementwise(*instruction.to_apply(), Pointers(results, reduced)));
  }
  const Shape& shape = instruction.shape();
  for (size_t i = 0; i < inputs; ++i) results[i].set_shape(shape.IsTuple() ? shape.tuple_shapes(i) : shape);
  if (!shape.IsTuple()) return std::move(results[0]);
  return Literal::Tuple(std::move(results));
}

StatusOr<Literal> Eval_kMap(const HloInstruction& instruction, Operands operands) {
  ASSIGN_OR_RETURN(std::vector<Literal> results, ApplyElementwise(*instruction.to_apply(), operands));
  results[0].set_shape(instruction.shape());
  return std::move(results[0]);
}

}  // namespace xla::evaluator
