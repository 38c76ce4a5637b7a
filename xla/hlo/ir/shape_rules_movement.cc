// Shape rules of the opcodes that move elements.
#include "xla/hlo/ir/shape_rules_internal.h"

namespace xla::shape_rules {
namespace {

std::string Braced(const std::vector<int64_t>& list) { return fmt::format("{{{}}}", fmt::join(list, ",")); }

// `list` has one entry per dimension of the operand.
Problem CheckPerDimension(std::string_view attribute, size_t entries, const Shape& operand) {
  if (static_cast<int64_t>(entries) == operand.rank()) return std::nullopt;
  return Wrong(fmt::format("{} must have one entry per dimension of the operand", attribute),
               fmt::format("{} entries for {}", entries, operand.ToString()),
               fmt::format("{} entries", operand.rank()));
}

Problem CheckSameElementCount(const HloInstruction& instruction) {
  const Shape& operand = OperandShape(instruction, 0);
  const Shape& result = instruction.shape();
  if (result.IsArray() && ShapeUtil::ElementsIn(operand) == ShapeUtil::ElementsIn(result)) return std::nullopt;
  return Wrong(fmt::format("{} must keep the number of elements", HloOpcodeString(instruction.opcode())),
               fmt::format("{} to {}", operand.ToString(), result.ToString()),
               fmt::format("{} elements", ShapeUtil::ElementsIn(operand)));
}

}  // namespace

ShapeRuleResult BitcastShape(const HloInstruction& instruction) {
  RETURN_IF_PROBLEM(CheckArrays(instruction));
  const int64_t from = ShapeUtil::ByteSizeOf(OperandShape(instruction, 0));
  if (!instruction.shape().IsArray() || ShapeUtil::ByteSizeOf(instruction.shape()) != from) {
    return Wrong("bitcast must keep the number of bytes",
                 fmt::format("{} to {}", OperandShape(instruction, 0).ToString(), instruction.shape().ToString()),
                 fmt::format("{} bytes", from));
  }
  return instruction.shape();
}

ShapeRuleResult BroadcastShape(const HloInstruction& instruction) {
  RETURN_IF_PROBLEM(CheckArrays(instruction));
  const Shape& operand = OperandShape(instruction, 0);
  const Shape& result = instruction.shape();
  const std::vector<int64_t>& dimensions = instruction.dimensions();
  RETURN_IF_PROBLEM(CheckPerDimension("dimensions", dimensions.size(), operand));
  RETURN_IF_PROBLEM(CheckDimensionList("dimensions", dimensions, result.rank()));
  if (!std::is_sorted(dimensions.begin(), dimensions.end())) {
    return Wrong("the dimensions of a broadcast must ascend", "dimensions=" + Braced(dimensions),
                 "ascending numbers; use transpose to reorder");
  }
  for (int64_t i = 0; i < operand.rank(); ++i) {
    if (operand.dimensions(i) != result.dimensions(dimensions[i])) {
      return Wrong(
          fmt::format("dimension {} of the operand and dimension {} of the result must be equal", i, dimensions[i]),
          fmt::format("{} and {}", operand.dimensions(i), result.dimensions(dimensions[i])),
          "equal sizes (HLO's broadcast does not expand dimensions of size 1; reshape first)");
    }
  }
  return Shape::Array(operand.element_type(), result.dimensions());
}

ShapeRuleResult ConcatenateShape(const HloInstruction& instruction) {
  RETURN_IF_PROBLEM(CheckArrays(instruction));
  if (instruction.operand_count() == 0) return Wrong("concatenate needs operands", "none", "at least one");
  const Shape& first = OperandShape(instruction, 0);
  if (instruction.dimensions().size() != 1) {
    return Wrong("concatenate works along one dimension", "dimensions=" + Braced(instruction.dimensions()),
                 "one number");
  }
  RETURN_IF_PROBLEM(CheckDimensionList("dimensions", instruction.dimensions(), first.rank()));
  const int64_t along = instruction.concatenate_dimension();
  std::vector<int64_t> dimensions = first.dimensions();
  for (int64_t i = 1; i < instruction.operand_count(); ++i) {
    const Shape& next = OperandShape(instruction, i);
    std::vector<int64_t> expected = first.dimensions();
    if (next.rank() == first.rank()) expected[along] = next.dimensions(along);
    if (next.element_type() != first.element_type() || next.dimensions() != expected) {
      return Wrong(fmt::format("operands 0 and {} of concatenate may differ in dimension {} only", i, along),
                   fmt::format("{} and {}", first.ToString(), next.ToString()), "equal other dimensions and types");
    }
    if (__builtin_add_overflow(dimensions[along], next.dimensions(along), &dimensions[along])) {
      return Wrong("the concatenated dimension is too large", fmt::format("dimension {}", along), "a size in 64 bits");
    }
  }
  return Shape::Array(first.element_type(), std::move(dimensions));
}

ShapeRuleResult DynamicSliceShape(const HloInstruction& instruction) {
  if (instruction.operand_count() == 0)
    return Wrong("dynamic-slice needs an operand", "none", "an array, then indices");
  RETURN_IF_PROBLEM(CheckArrays(instruction));
  const Shape& operand = OperandShape(instruction, 0);
  RETURN_IF_PROBLEM(CheckPerDimension("the list of start indices", instruction.operand_count() - 1, operand));
  for (int64_t i = 1; i < instruction.operand_count(); ++i) RETURN_IF_PROBLEM(CheckScalarIndex(instruction, i));
  const std::vector<int64_t>& sizes = instruction.dynamic_slice_sizes();
  RETURN_IF_PROBLEM(CheckPerDimension("dynamic_slice_sizes", sizes.size(), operand));
  for (int64_t i = 0; i < operand.rank(); ++i) {
    if (sizes[i] < 0 || sizes[i] > operand.dimensions(i)) {
      return Wrong("a slice cannot be larger than its operand",
                   fmt::format("dynamic_slice_sizes={} of {}", Braced(sizes), operand.ToString()),
                   fmt::format("at most {} in dimension {}", operand.dimensions(i), i));
    }
  }
  return Shape::Array(operand.element_type(), sizes);
}

ShapeRuleResult DynamicUpdateSliceShape(const HloInstruction& instruction) {
  if (instruction.operand_count() < 2) {
    return Wrong("dynamic-update-slice needs an operand and an update",
                 fmt::format("{} operands", instruction.operand_count()), "an array, an update, then indices");
  }
  RETURN_IF_PROBLEM(CheckArrays(instruction));
  const Shape& operand = OperandShape(instruction, 0);
  const Shape& update = OperandShape(instruction, 1);
  RETURN_IF_PROBLEM(CheckPerDimension("the list of start indices", instruction.operand_count() - 2, operand));
  for (int64_t i = 2; i < instruction.operand_count(); ++i) RETURN_IF_PROBLEM(CheckScalarIndex(instruction, i));
  bool fits = update.element_type() == operand.element_type() && update.rank() == operand.rank();
  for (int64_t i = 0; fits && i < operand.rank(); ++i) fits = update.dimensions(i) <= operand.dimensions(i);
  if (!fits) {
    return Wrong("the update must fit into the operand",
                 fmt::format("{} into {}", update.ToString(), operand.ToString()),
                 "the same element type and rank, no dimension larger");
  }
  return operand;
}

ShapeRuleResult PadShape(const HloInstruction& instruction) {
  RETURN_IF_PROBLEM(CheckArrays(instruction));
  const Shape& operand = OperandShape(instruction, 0);
  const Shape& value = OperandShape(instruction, 1);
  const PaddingConfig& config = instruction.padding_config();
  if (!value.IsScalar() || value.element_type() != operand.element_type()) {
    return Wrong("operand 1 of pad must be the padding value", value.ToString(),
                 fmt::format("{}[]", PrimitiveTypeName(operand.element_type())));
  }
  RETURN_IF_PROBLEM(CheckPerDimension("padding", config.size(), operand));
  std::vector<int64_t> dimensions;
  for (int64_t i = 0; i < operand.rank(); ++i) {
    const auto& [low, high, interior] = config[i];
    const int64_t gaps = std::max<int64_t>(operand.dimensions(i) - 1, 0);
    int64_t inner = 0;
    int64_t size = 0;
    const bool overflows = __builtin_mul_overflow(gaps, interior, &inner) ||
                           __builtin_add_overflow(operand.dimensions(i), inner, &size) ||
                           __builtin_add_overflow(size, low, &size) || __builtin_add_overflow(size, high, &size);
    if (interior < 0 || overflows || size < 0) {
      return Wrong(fmt::format("the padding of dimension {} gives no array", i),
                   fmt::format("{}_{}_{} on a dimension of {}", low, high, interior, operand.dimensions(i)),
                   "interior padding >= 0, and a size >= 0 after negative padding");
    }
    dimensions.push_back(size);
  }
  return Shape::Array(operand.element_type(), std::move(dimensions));
}

ShapeRuleResult ReshapeShape(const HloInstruction& instruction) {
  RETURN_IF_PROBLEM(CheckArrays(instruction));
  RETURN_IF_PROBLEM(CheckSameElementCount(instruction));
  const Shape& operand = OperandShape(instruction, 0);
  const Shape& declared = instruction.shape();
  Shape result = Shape::Array(operand.element_type(), declared.dimensions());
  // Which dimensions of the result hold the missing elements is a choice.
  for (int64_t i = 0; operand.IsDynamic() && i < result.rank(); ++i)
    result.set_dynamic_dimension(i, declared.is_dynamic_dimension(i));
  if (operand.IsDynamic() && !result.IsDynamic()) {
    return Wrong("a reshape of an array with dynamic dimensions has some too",
                 fmt::format("{} to {}", operand.ToString(), declared.ToString()), "a bound, such as <=5");
  }
  return result;
}

ShapeRuleResult ReverseShape(const HloInstruction& instruction) {
  RETURN_IF_PROBLEM(CheckArrays(instruction));
  const Shape& operand = OperandShape(instruction, 0);
  RETURN_IF_PROBLEM(CheckDimensionList("dimensions", instruction.dimensions(), operand.rank()));
  return operand;
}

ShapeRuleResult SliceShape(const HloInstruction& instruction) {
  RETURN_IF_PROBLEM(CheckArrays(instruction));
  const Shape& operand = OperandShape(instruction, 0);
  const SliceRanges& ranges = instruction.slice_ranges();
  RETURN_IF_PROBLEM(CheckPerDimension("slice", ranges.size(), operand));
  std::vector<int64_t> dimensions;
  for (int64_t i = 0; i < operand.rank(); ++i) {
    const auto& [start, limit, stride] = ranges[i];
    if (start < 0 || start > limit || limit > operand.dimensions(i) || stride < 1) {
      return Wrong(fmt::format("the slice of dimension {} is out of range", i),
                   fmt::format("[{}:{}:{}] of {} elements", start, limit, stride, operand.dimensions(i)),
                   fmt::format("0 <= start <= limit <= {}, stride >= 1", operand.dimensions(i)));
    }
    dimensions.push_back((limit - start) / stride + ((limit - start) % stride != 0 ? 1 : 0));
  }
  return Shape::Array(operand.element_type(), std::move(dimensions));
}

ShapeRuleResult TransposeShape(const HloInstruction& instruction) {
  RETURN_IF_PROBLEM(CheckArrays(instruction));
  const Shape& operand = OperandShape(instruction, 0);
  RETURN_IF_PROBLEM(CheckPerDimension("dimensions", instruction.dimensions().size(), operand));
  RETURN_IF_PROBLEM(CheckDimensionList("dimensions", instruction.dimensions(), operand.rank()));
  std::vector<int64_t> dimensions;
  for (int64_t from : instruction.dimensions()) dimensions.push_back(operand.dimensions(from));
  return Shape::Array(operand.element_type(), std::move(dimensions));
}

}  // namespace xla::shape_rules
