#include "xla/hlo/evaluator/array_parts.h"

namespace xla::evaluator {
namespace {

// An array as [outer, size, inner] around one dimension, in bytes.
struct Cut {
  int64_t outer = 1, size = 1, inner = 1;
};
Cut CutAt(const Shape& shape, int64_t dimension) {
  Cut cut;
  for (int64_t d = 0; d < shape.rank(); ++d) {
    int64_t& part = d < dimension ? cut.outer : d == dimension ? cut.size : cut.inner;
    part *= shape.dimensions(d);
  }
  cut.inner *= ByteWidth(shape.element_type());
  return cut;
}

}  // namespace

Literal PartOf(const Literal& array, int64_t dimension, int64_t first, int64_t size) {
  const Cut cut = CutAt(array.shape(), dimension);
  std::vector<int64_t> dimensions = array.shape().dimensions();
  dimensions[dimension] = size;
  std::vector<uint8_t> bytes;
  for (int64_t i = 0; i < cut.outer; ++i) {
    const auto begin = array.bytes().begin() + (i * cut.size + first) * cut.inner;
    bytes.insert(bytes.end(), begin, begin + size * cut.inner);
  }
  return Literal::FromBytes(Shape::Array(array.shape().element_type(), std::move(dimensions)), std::move(bytes));
}

Literal Joined(const std::vector<const Literal*>& arrays, int64_t dimension, const Shape& result) {
  const Cut cut = CutAt(arrays[0]->shape(), dimension);
  std::vector<uint8_t> bytes;
  for (int64_t i = 0; i < cut.outer; ++i) {
    for (const Literal* array : arrays) {
      const auto begin = array->bytes().begin() + i * cut.size * cut.inner;
      bytes.insert(bytes.end(), begin, begin + cut.size * cut.inner);
    }
  }
  return Literal::FromBytes(result, std::move(bytes));
}

}  // namespace xla::evaluator
