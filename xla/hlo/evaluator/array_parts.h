// Arrays cut and joined along one dimension.
#pragma once
#include <vector>

#include "xla/hlo/ir/literal.h"

namespace xla::evaluator {

// The indices [first, first + size) of the dimension.
Literal PartOf(const Literal& array, int64_t dimension, int64_t first, int64_t size);

// Arrays of equal shapes, one behind the other along the dimension, as an array of shape `result`.
Literal Joined(const std::vector<const Literal*>& arrays, int64_t dimension, const Shape& result);

}  // namespace xla::evaluator
