#include "xla/hlo/ir/dynamic_dimensions.h"

#include <algorithm>

namespace xla {
namespace {

using Sources = std::vector<DimensionSources>;

bool Contains(const std::vector<int64_t>& list, int64_t value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

const Shape& ShapeOf(const HloInstruction& instruction, int64_t operand) {
  return instruction.operand(operand)->shape();
}

// Dimension i of the result is dimension i of the first `operands` that have as many dimensions as it.
Sources DimensionByDimension(const HloInstruction& instruction, int64_t operands, int64_t rank) {
  Sources sources(rank);
  for (int64_t operand = 0; operand < operands; ++operand) {
    if (ShapeOf(instruction, operand).rank() != rank) continue;
    for (int64_t i = 0; i < rank; ++i) sources[i].push_back({operand, i});
  }
  return sources;
}
Sources DimensionByDimension(const HloInstruction& instruction, int64_t operands = 1) {
  return DimensionByDimension(instruction, operands, ShapeOf(instruction, 0).rank());
}

// The dimensions of the inputs that are not in the list, in order.
Sources Kept(const HloInstruction& instruction, int64_t inputs) {
  Sources all = DimensionByDimension(instruction, inputs);
  Sources kept;
  for (size_t i = 0; i < all.size(); ++i) {
    if (!Contains(instruction.dimensions(), static_cast<int64_t>(i))) kept.push_back(std::move(all[i]));
  }
  return kept;
}

Sources OfDot(const HloInstruction& dot) {
  const DotDimensionNumbers numbers = dot.dot_dimension_numbers();
  Sources sources;
  for (size_t i = 0; i < numbers.lhs_batch_dimensions.size(); ++i)
    sources.push_back({{0, numbers.lhs_batch_dimensions[i]}, {1, numbers.rhs_batch_dimensions[i]}});
  const auto append_free = [&](int64_t side, const std::vector<int64_t>& batch, const std::vector<int64_t>& sum) {
    for (int64_t i = 0; i < ShapeOf(dot, side).rank(); ++i) {
      if (!Contains(batch, i) && !Contains(sum, i)) sources.push_back({{side, i}});
    }
  };
  append_free(0, numbers.lhs_batch_dimensions, numbers.lhs_contracting_dimensions);
  append_free(1, numbers.rhs_batch_dimensions, numbers.rhs_contracting_dimensions);
  return sources;
}

Sources OfConvolution(const HloInstruction& convolution) {
  const ConvolutionDimensionNumbers numbers = convolution.convolution_dimension_numbers();
  Sources sources(ShapeOf(convolution, 0).rank());
  sources[numbers.output_batch_dimension] = {{0, numbers.input_batch_dimension}};
  sources[numbers.output_feature_dimension] = {{1, numbers.kernel_output_feature_dimension}};
  for (size_t i = 0; i < numbers.output_spatial_dimensions.size(); ++i)
    sources[numbers.output_spatial_dimensions[i]] = {{0, numbers.input_spatial_dimensions[i]}};
  return sources;
}

// Where the indices are, and the dimensions of the operand that a slice has whole.
Sources OfGather(const HloInstruction& gather) {
  const IndexDimensionNumbers numbers = gather.index_dimension_numbers();
  std::vector<int64_t> windows, places;
  for (int64_t i = 0; i < ShapeOf(gather, 0).rank(); ++i) {
    if (!Contains(numbers.dropped_dims, i) && !Contains(numbers.operand_batch_dims, i)) windows.push_back(i);
  }
  for (int64_t i = 0; i < ShapeOf(gather, 1).rank(); ++i) {
    if (i != numbers.index_vector_dim) places.push_back(i);
  }
  Sources sources(windows.size() + places.size());
  size_t window = 0, place = 0;
  for (size_t i = 0; i < sources.size(); ++i) {
    if (!Contains(numbers.window_dims, static_cast<int64_t>(i))) {
      sources[i].push_back({1, places[place++]});
      continue;
    }
    const int64_t dimension = windows[window++];
    if (gather.slice_sizes()[dimension] == ShapeOf(gather, 0).dimensions(dimension))
      sources[i].push_back({0, dimension});
  }
  return sources;
}

// A part of a dynamic dimension has a fixed size.
Sources OfWholeDimensions(const HloInstruction& slice) {
  Sources sources = DimensionByDimension(slice);
  for (size_t i = 0; i < sources.size(); ++i) {
    const int64_t size = ShapeOf(slice, 0).dimensions(static_cast<int64_t>(i));
    const bool is_whole = slice.opcode() == HloOpcode::kSlice ? slice.slice_ranges()[i] == SliceRange{0, size, 1}
                                                              : slice.dynamic_slice_sizes()[i] == size;
    if (!is_whole) sources[i].clear();
  }
  return sources;
}

bool IsDynamic(const HloInstruction& instruction, const DimensionSources& sources) {
  return std::any_of(sources.begin(), sources.end(), [&](const DimensionSource& source) {
    return ShapeOf(instruction, source.operand).is_dynamic_dimension(source.dimension);
  });
}

}  // namespace

std::optional<Sources> DimensionSourcesOf(const HloInstruction& instruction) {
  if (instruction.IsElementwise() || instruction.opcode() == HloOpcode::kMap) {
    int64_t rank = 0;  // of a select or clamp, scalars stand for all elements
    for (const HloInstruction* operand : instruction.operands()) rank = std::max(rank, operand->shape().rank());
    return DimensionByDimension(instruction, instruction.operand_count(), rank);
  }
  switch (instruction.opcode()) {
    case HloOpcode::kConstant:
      return Sources(instruction.shape().rank());
    case HloOpcode::kIota:
    case HloOpcode::kRng:
      return Sources(instruction.shape().rank());
    case HloOpcode::kBroadcast: {
      Sources sources(instruction.shape().rank());
      for (size_t i = 0; i < instruction.dimensions().size(); ++i)
        sources[instruction.dimensions()[i]].push_back({0, static_cast<int64_t>(i)});
      return sources;
    }
    case HloOpcode::kTranspose: {
      Sources sources;
      for (const int64_t from : instruction.dimensions()) sources.push_back({{0, from}});
      return sources;
    }
    case HloOpcode::kConcatenate:
    case HloOpcode::kSort:
      return DimensionByDimension(instruction, instruction.operand_count());
    case HloOpcode::kBitcastConvert: {
      Sources sources = DimensionByDimension(instruction);
      sources.resize(instruction.shape().rank());
      return sources;
    }
    case HloOpcode::kPad:
    case HloOpcode::kReverse:
    case HloOpcode::kDynamicUpdateSlice:
    case HloOpcode::kSelectAndScatter:
    case HloOpcode::kStochasticConvert:
      return DimensionByDimension(instruction);
    case HloOpcode::kScatter:
    case HloOpcode::kReduceWindow:
      return DimensionByDimension(instruction, instruction.input_count());
    case HloOpcode::kSlice:
    case HloOpcode::kDynamicSlice:
      return OfWholeDimensions(instruction);
    case HloOpcode::kReduce:
      return Kept(instruction, instruction.input_count());
    case HloOpcode::kDot:
    case HloOpcode::kScaledDot:
      return OfDot(instruction);
    case HloOpcode::kConvolution:
      return OfConvolution(instruction);
    case HloOpcode::kGather:
      return OfGather(instruction);
    default:
      return std::nullopt;
  }
}

std::vector<DimensionSources> TiedDimensionsOf(const HloInstruction& instruction) {
  switch (instruction.opcode()) {
    case HloOpcode::kDot: {
      const DotDimensionNumbers numbers = instruction.dot_dimension_numbers();
      Sources tied;
      const auto append = [&](const std::vector<int64_t>& lhs, const std::vector<int64_t>& rhs) {
        for (size_t i = 0; i < lhs.size(); ++i) tied.push_back({{0, lhs[i]}, {1, rhs[i]}});
      };
      append(numbers.lhs_batch_dimensions, numbers.rhs_batch_dimensions);
      append(numbers.lhs_contracting_dimensions, numbers.rhs_contracting_dimensions);
      return tied;
    }
    case HloOpcode::kConvolution: {
      const ConvolutionDimensionNumbers numbers = instruction.convolution_dimension_numbers();
      if (instruction.feature_group_count() != 1) return {};
      return {{{0, numbers.input_feature_dimension}, {1, numbers.kernel_input_feature_dimension}}};
    }
    case HloOpcode::kConcatenate: {
      Sources tied = DimensionByDimension(instruction, instruction.operand_count());
      tied.erase(tied.begin() + instruction.concatenate_dimension());
      return tied;
    }
    case HloOpcode::kReduce:
    case HloOpcode::kReduceWindow:
    case HloOpcode::kScatter:
      return DimensionByDimension(instruction, instruction.input_count());
    case HloOpcode::kSort:
      return DimensionByDimension(instruction, instruction.operand_count());
    default:
      if (instruction.IsElementwise() || instruction.opcode() == HloOpcode::kMap)
        return *DimensionSourcesOf(instruction);
      return {};
  }
}

Shape WithDynamicDimensions(const HloInstruction& instruction, Shape shape) {
  const std::optional<Sources> sources = DimensionSourcesOf(instruction);
  if (!sources) return shape;
  const auto marked = [&](Shape array) {
    for (int64_t i = 0; i < array.rank() && i < static_cast<int64_t>(sources->size()); ++i)
      array.set_dynamic_dimension(i, IsDynamic(instruction, (*sources)[i]));
    return array;
  };
  if (!shape.IsTuple()) return marked(std::move(shape));
  std::vector<Shape> arrays;
  for (const Shape& array : shape.tuple_shapes()) arrays.push_back(marked(array));
  return Shape::Tuple(std::move(arrays));
}

}  // namespace xla
