// Shape rules of the opcodes whose places are data: gather, scatter, sort, topk.
#include "xla/hlo/ir/shape_rules_internal.h"

namespace xla::shape_rules {
namespace {

bool Contains(const std::vector<int64_t>& list, int64_t value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

Problem CheckAscending(std::string_view what, const std::vector<int64_t>& list, int64_t rank) {
  RETURN_IF_PROBLEM(CheckDimensionList(what, list, rank));
  if (std::is_sorted(list.begin(), list.end())) return std::nullopt;
  return Wrong(fmt::format("{} must ascend", what), fmt::format("{{{}}}", fmt::join(list, ",")), "ascending numbers");
}

// Elements of an index vector.
int64_t VectorSize(const Shape& indices, int64_t index_vector_dim) {
  return index_vector_dim == indices.rank() ? 1 : indices.dimensions(index_vector_dim);
}

Problem CheckBatching(const IndexDimensionNumbers& numbers, const Shape& operand, const Shape& indices) {
  RETURN_IF_PROBLEM(CheckAscending("the operand's batching dimensions", numbers.operand_batch_dims, operand.rank()));
  RETURN_IF_PROBLEM(CheckDimensionList("the indices' batching dimensions", numbers.indices_batch_dims, indices.rank()));
  bool fits = numbers.operand_batch_dims.size() == numbers.indices_batch_dims.size();
  for (size_t i = 0; fits && i < numbers.operand_batch_dims.size(); ++i) {
    const int64_t of_operand = numbers.operand_batch_dims[i];
    const int64_t of_indices = numbers.indices_batch_dims[i];
    fits = operand.dimensions(of_operand) == indices.dimensions(of_indices) && of_indices != numbers.index_vector_dim &&
           !Contains(numbers.index_map, of_operand) && !Contains(numbers.dropped_dims, of_operand);
  }
  if (fits) return std::nullopt;
  return Wrong("the batching dimensions do not fit together",
               fmt::format("{{{}}} of {} and {{{}}} of {}", fmt::join(numbers.operand_batch_dims, ","),
                           operand.ToString(), fmt::join(numbers.indices_batch_dims, ","), indices.ToString()),
               "pairs of equal sizes that are neither indexed nor dropped");
}

Problem CheckIndexNumbers(const IndexDimensionNumbers& numbers, const Shape& operand, const Shape& indices) {
  if (numbers.index_vector_dim < 0 || numbers.index_vector_dim > indices.rank()) {
    return Wrong("index_vector_dim is no dimension of the indices", fmt::format("{}", numbers.index_vector_dim),
                 fmt::format("0 to {}", indices.rank()));
  }
  RETURN_IF_PROBLEM(CheckDimensionList("the index map", numbers.index_map, operand.rank()));
  RETURN_IF_PROBLEM(CheckAscending("the dropped dimensions", numbers.dropped_dims, operand.rank()));
  const int64_t vector_size = VectorSize(indices, numbers.index_vector_dim);
  if (static_cast<int64_t>(numbers.index_map.size()) != vector_size) {
    return Wrong("the index map must name one operand dimension per element of an index vector",
                 fmt::format("{} entries for vectors of {}", numbers.index_map.size(), vector_size),
                 fmt::format("{} entries", vector_size));
  }
  return CheckBatching(numbers, operand, indices);
}

// The dimensions of the indices without the index vector's.
std::vector<int64_t> PlaceDimensions(const IndexDimensionNumbers& numbers, const Shape& indices) {
  std::vector<int64_t> dimensions;
  for (int64_t i = 0; i < indices.rank(); ++i) {
    if (i != numbers.index_vector_dim) dimensions.push_back(indices.dimensions(i));
  }
  return dimensions;
}

// The operand's dimensions that stay in a window, ascending.
std::vector<int64_t> WindowOperandDimensions(const IndexDimensionNumbers& numbers, const Shape& operand) {
  std::vector<int64_t> dimensions;
  for (int64_t i = 0; i < operand.rank(); ++i) {
    if (!Contains(numbers.dropped_dims, i) && !Contains(numbers.operand_batch_dims, i)) dimensions.push_back(i);
  }
  return dimensions;
}

Problem CheckSliceSizes(const IndexDimensionNumbers& numbers, const Shape& operand, const std::vector<int64_t>& sizes) {
  if (static_cast<int64_t>(sizes.size()) != operand.rank()) {
    return Wrong("slice_sizes must have one entry per dimension of the operand",
                 fmt::format("{} entries for {}", sizes.size(), operand.ToString()),
                 fmt::format("{} entries", operand.rank()));
  }
  for (int64_t i = 0; i < operand.rank(); ++i) {
    const bool is_one = Contains(numbers.dropped_dims, i) || Contains(numbers.operand_batch_dims, i);
    const int64_t most = is_one ? std::min<int64_t>(1, operand.dimensions(i)) : operand.dimensions(i);
    if (sizes[i] < 0 || sizes[i] > most) {
      return Wrong(fmt::format("the slice does not fit dimension {} of the operand", i),
                   fmt::format("slice_sizes={{{}}} of {}", fmt::join(sizes, ","), operand.ToString()),
                   fmt::format("0 to {}", most));
    }
  }
  return std::nullopt;
}

// The updates of a scatter: the window's dimensions fit the operand, the others are the indices' ones.
Problem CheckUpdates(const IndexDimensionNumbers& numbers, const Shape& operand, const Shape& indices,
                     const Shape& updates) {
  const std::vector<int64_t> places = PlaceDimensions(numbers, indices);
  const std::vector<int64_t> windows = WindowOperandDimensions(numbers, operand);
  const auto rank = static_cast<int64_t>(places.size() + windows.size());
  if (updates.rank() != rank || numbers.window_dims.size() != windows.size()) {
    return Wrong("the updates have another rank than indices and windows give",
                 fmt::format("{}, update_window_dims={{{}}}", updates.ToString(), fmt::join(numbers.window_dims, ",")),
                 fmt::format("rank {} with {} window dimensions", rank, windows.size()));
  }
  RETURN_IF_PROBLEM(CheckAscending("update_window_dims", numbers.window_dims, rank));
  size_t window = 0;
  size_t place = 0;
  for (int64_t i = 0; i < rank; ++i) {
    const int64_t size = updates.dimensions(i);
    const bool is_window = Contains(numbers.window_dims, i);
    const int64_t limit = is_window ? operand.dimensions(windows[window++]) : places[place++];
    if (is_window ? size <= limit : size == limit) continue;
    return Wrong(fmt::format("dimension {} of the updates does not fit", i), fmt::format("{}", size),
                 fmt::format("{}{}", is_window ? "at most " : "", limit));
  }
  return std::nullopt;
}

}  // namespace

ShapeRuleResult GatherShape(const HloInstruction& instruction) {
  RETURN_IF_PROBLEM(CheckArrays(instruction));
  const IndexDimensionNumbers numbers = instruction.index_dimension_numbers();
  const Shape& operand = OperandShape(instruction, 0);
  const Shape& indices = OperandShape(instruction, 1);
  RETURN_IF_PROBLEM(CheckIndexNumbers(numbers, operand, indices));
  RETURN_IF_PROBLEM(CheckSliceSizes(numbers, operand, instruction.slice_sizes()));
  const std::vector<int64_t> places = PlaceDimensions(numbers, indices);
  const std::vector<int64_t> windows = WindowOperandDimensions(numbers, operand);
  if (windows.size() != numbers.window_dims.size()) {
    return Wrong("offset_dims must name one dimension of the result per dimension of a slice",
                 fmt::format("{} entries", numbers.window_dims.size()), fmt::format("{} entries", windows.size()));
  }
  const auto rank = static_cast<int64_t>(places.size() + windows.size());
  RETURN_IF_PROBLEM(CheckAscending("offset_dims", numbers.window_dims, rank));
  std::vector<int64_t> dimensions;
  size_t window = 0;
  size_t place = 0;
  for (int64_t i = 0; i < rank; ++i) {
    const bool is_window = Contains(numbers.window_dims, i);
    dimensions.push_back(is_window ? instruction.slice_sizes()[windows[window++]] : places[place++]);
  }
  return Shape::Array(operand.element_type(), std::move(dimensions));
}

ShapeRuleResult ScatterShape(const HloInstruction& instruction) {
  RETURN_IF_PROBLEM(CheckArrays(instruction));
  if (instruction.operand_count() < 3 || instruction.operand_count() % 2 == 0) {
    return Wrong("scatter takes operands, indices, and as many updates as operands",
                 fmt::format("{} operands", instruction.operand_count()), "an odd number, at least 3");
  }
  const int64_t inputs = instruction.input_count();
  const IndexDimensionNumbers numbers = instruction.index_dimension_numbers();
  const Shape& first = OperandShape(instruction, 0);
  const Shape& indices = OperandShape(instruction, inputs);
  if (!IsInteger(indices.element_type())) {
    return Wrong("the indices of scatter must be integers", indices.ToString(), "an integer array");
  }
  RETURN_IF_PROBLEM(CheckIndexNumbers(numbers, first, indices));
  std::vector<Shape> results;
  std::vector<Shape> scalars;
  for (int64_t i = 0; i < inputs; ++i) {
    const Shape& operand = OperandShape(instruction, i);
    const Shape& updates = OperandShape(instruction, inputs + 1 + i);
    if (operand.dimensions() != first.dimensions() || updates.element_type() != operand.element_type()) {
      return Wrong(fmt::format("operand {} of scatter and its updates do not fit the others", i),
                   fmt::format("{} with updates {}", operand.ToString(), updates.ToString()),
                   fmt::format("dimensions of {} and equal element types", first.ToString()));
    }
    RETURN_IF_PROBLEM(CheckUpdates(numbers, operand, indices, updates));
    scalars.push_back(Shape::Scalar(operand.element_type()));
    results.push_back(operand);
  }
  RETURN_IF_PROBLEM(CheckCombiner("to_apply", *instruction.to_apply(), scalars));
  return OneOrTuple(std::move(results));
}

ShapeRuleResult SortShape(const HloInstruction& instruction) {
  RETURN_IF_PROBLEM(CheckArrays(instruction));
  if (instruction.operand_count() == 0) return Wrong("sort needs operands", "none", "at least one");
  const Shape& first = OperandShape(instruction, 0);
  RETURN_IF_PROBLEM(CheckDimensionList("dimensions", instruction.dimensions(), first.rank()));
  if (instruction.dimensions().size() != 1) {
    return Wrong("sort works along one dimension", fmt::format("{}", instruction.dimensions().size()), "1");
  }
  std::vector<Shape> arguments;
  for (const Shape& shape : OperandShapes(instruction)) {
    if (shape.dimensions() != first.dimensions()) {
      return Wrong("all operands of sort must have the same dimensions", ShapesText(OperandShapes(instruction)),
                   fmt::format("the dimensions of {}", first.ToString()));
    }
    arguments.insert(arguments.end(), 2, Shape::Scalar(shape.element_type()));
  }
  RETURN_IF_PROBLEM(CheckParameters("to_apply", *instruction.to_apply(), arguments));
  RETURN_IF_PROBLEM(CheckResult("to_apply", *instruction.to_apply(), Shape::Scalar(PRED)));
  return OneOrTuple(OperandShapes(instruction));
}

ShapeRuleResult TopKShape(const HloInstruction& instruction) {
  RETURN_IF_PROBLEM(CheckArrays(instruction));
  const Shape& operand = OperandShape(instruction, 0);
  const auto k = instruction.attributes().Get<int64_t>(AttributeId::kK);
  if (operand.rank() == 0 || k < 0 || k > operand.dimensions().back()) {
    return Wrong("topk takes k elements of the last dimension", fmt::format("k={} of {}", k, operand.ToString()),
                 "an array with at least k elements in its last dimension");
  }
  std::vector<int64_t> dimensions = operand.dimensions();
  dimensions.back() = k;
  return Shape::Tuple({Shape::Array(operand.element_type(), dimensions), Shape::Array(S32, dimensions)});
}

}  // namespace xla::shape_rules
