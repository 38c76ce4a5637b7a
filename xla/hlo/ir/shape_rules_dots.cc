// Shape rules of dot and its kin.
#include "xla/hlo/ir/shape_rules_internal.h"

namespace xla::shape_rules {
namespace {

// The pairs of dimensions `lhs`[i], `rhs`[i] have equal sizes. `kind`: "batch".
Problem CheckDotPairs(std::string_view kind, const HloInstruction& dot, const std::vector<int64_t>& lhs,
                      const std::vector<int64_t>& rhs) {
  RETURN_IF_PROBLEM(CheckDimensionList(fmt::format("lhs_{}_dims", kind), lhs, OperandShape(dot, 0).rank()));
  RETURN_IF_PROBLEM(CheckDimensionList(fmt::format("rhs_{}_dims", kind), rhs, OperandShape(dot, 1).rank()));
  if (lhs.size() != rhs.size()) {
    return Wrong(fmt::format("a dot needs as many lhs as rhs {} dimensions", kind),
                 fmt::format("{} and {}", lhs.size(), rhs.size()), "equal numbers");
  }
  for (size_t i = 0; i < lhs.size(); ++i) {
    const int64_t left = OperandShape(dot, 0).dimensions(lhs[i]);
    const int64_t right = OperandShape(dot, 1).dimensions(rhs[i]);
    if (left != right) {
      return Wrong(
          fmt::format("lhs dimension {} and rhs dimension {} of a dot must have the same size", lhs[i], rhs[i]),
          fmt::format("{} and {}", left, right), "equal sizes");
    }
  }
  return std::nullopt;
}

bool Contains(const std::vector<int64_t>& list, int64_t value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

// The lists name dimensions of equal sizes, each once; the result's element type is not looked at.
Problem CheckDotDimensions(const HloInstruction& dot) {
  const DotDimensionNumbers numbers = dot.dot_dimension_numbers();
  RETURN_IF_PROBLEM(CheckDotPairs("batch", dot, numbers.lhs_batch_dimensions, numbers.rhs_batch_dimensions));
  RETURN_IF_PROBLEM(
      CheckDotPairs("contracting", dot, numbers.lhs_contracting_dimensions, numbers.rhs_contracting_dimensions));
  const auto check_side = [](std::string_view side, const std::vector<int64_t>& batch,
                             const std::vector<int64_t>& sum) -> Problem {
    for (int64_t dimension : batch) {
      if (!Contains(sum, dimension)) continue;
      return Wrong("a dimension of a dot cannot be batch and contracting",
                   fmt::format("{} dimension {}", side, dimension), "different dimensions");
    }
    return std::nullopt;
  };
  RETURN_IF_PROBLEM(check_side("lhs", numbers.lhs_batch_dimensions, numbers.lhs_contracting_dimensions));
  return check_side("rhs", numbers.rhs_batch_dimensions, numbers.rhs_contracting_dimensions);
}

// The sizes of a side's dimensions that are in none of the lists.
void AppendFree(const Shape& side, std::initializer_list<const std::vector<int64_t>*> lists,
                std::vector<int64_t>& sizes) {
  for (int64_t i = 0; i < side.rank(); ++i) {
    const bool is_free =
        std::none_of(lists.begin(), lists.end(), [&](const std::vector<int64_t>* list) { return Contains(*list, i); });
    if (is_free) sizes.push_back(side.dimensions(i));
  }
}

// Batch dimensions, then what is left of the left side and, without `rhs_groups`, of the right one.
std::vector<int64_t> DotResult(const HloInstruction& dot, const std::vector<int64_t>& rhs_groups = {}) {
  const DotDimensionNumbers numbers = dot.dot_dimension_numbers();
  std::vector<int64_t> sizes;
  for (int64_t batch : numbers.lhs_batch_dimensions) sizes.push_back(OperandShape(dot, 0).dimensions(batch));
  AppendFree(OperandShape(dot, 0), {&numbers.lhs_batch_dimensions, &numbers.lhs_contracting_dimensions}, sizes);
  AppendFree(OperandShape(dot, 1), {&numbers.rhs_batch_dimensions, &numbers.rhs_contracting_dimensions, &rhs_groups},
             sizes);
  return sizes;
}

}  // namespace

Problem CheckProductTypes(const HloInstruction& instruction) {
  const PrimitiveType result = instruction.shape().element_type();
  const PrimitiveType left = OperandShape(instruction, 0).element_type();
  const PrimitiveType right = OperandShape(instruction, 1).element_type();
  const bool types_fit = IsArrayType(result) && TypeClassOf(left) == TypeClassOf(right) &&
                         (left == right || BitWidth(left) == BitWidth(right)) && IsComplex(left) == IsComplex(result) &&
                         (!IsFloat(left) || IsFloat(result));
  if (!types_fit) {
    return Wrong(
        fmt::format("the element types of the {} do not fit together", HloOpcodeString(instruction.opcode())),
        fmt::format("{} x {} -> {}", PrimitiveTypeName(left), PrimitiveTypeName(right), PrimitiveTypeName(result)),
        "operands of one kind and width, and a result of their kind or a wider real type");
  }
  return std::nullopt;
}

ShapeRuleResult DotShape(const HloInstruction& instruction) {
  RETURN_IF_PROBLEM(CheckArrays(instruction));
  RETURN_IF_PROBLEM(CheckDotDimensions(instruction));
  RETURN_IF_PROBLEM(CheckProductTypes(instruction));
  return Shape::Array(instruction.shape().element_type(), DotResult(instruction));
}

namespace {

// group_sizes has one entry per group, and one list of them for all, or one for each index of `prefix`.
Problem CheckGroupSizes(const HloInstruction& dot, std::vector<int64_t> prefix, int64_t groups) {
  const Shape& sizes = OperandShape(dot, 2);
  const bool is_one_list = sizes.rank() == 1;
  const int64_t found = sizes.rank() == 0 ? -1 : sizes.dimensions(sizes.rank() - 1);
  if (groups < 0) groups = found;
  prefix.push_back(groups);
  if (found == groups && (is_one_list || sizes.dimensions() == prefix)) return std::nullopt;
  return Wrong("operand 2 of ragged-dot must be the sizes of the groups", sizes.ToString(),
               fmt::format("[{}] or [{}]", prefix.back() < 0 ? "groups" : fmt::format("{}", groups),
                           prefix.back() < 0 ? "..., groups" : fmt::format("{}", fmt::join(prefix, ","))));
}

}  // namespace

// Source: JAX's ragged_dot_general and what XLA's text has.
ShapeRuleResult RaggedDotShape(const HloInstruction& instruction) {
  RETURN_IF_PROBLEM(CheckArrays(instruction));
  RETURN_IF_PROBLEM(CheckDotDimensions(instruction));
  RETURN_IF_PROBLEM(CheckProductTypes(instruction));
  const RaggedDotForm form = instruction.ragged_dot_form();
  const Shape& rhs = OperandShape(instruction, 1);
  const auto ragged = instruction.attributes().Get<std::vector<int64_t>>(AttributeId::kLhsRaggedDims);
  const auto group_dims = instruction.attributes().Get<std::vector<int64_t>>(AttributeId::kRhsGroupDims);
  if (ragged.size() != 1 || ragged[0] < 0 || ragged[0] >= OperandShape(instruction, 0).rank()) {
    return Wrong(
        "ragged-dot has one ragged dimension of its left side",
        fmt::format("lhs_ragged_dims={{{}}} of {}", fmt::join(ragged, ","), OperandShape(instruction, 0).ToString()),
        "lhs_ragged_dims={d}");
  }
  const size_t wanted = form.mode == RaggedDotMode::kNonContracting ? 1 : 0;
  const DotDimensionNumbers numbers = instruction.dot_dimension_numbers();
  bool fits = group_dims.size() == wanted;
  for (int64_t dimension : group_dims) {
    fits &= dimension >= 0 && dimension < rhs.rank() && !Contains(numbers.rhs_batch_dimensions, dimension) &&
            !Contains(numbers.rhs_contracting_dimensions, dimension);
  }
  if (!fits) {
    return Wrong("the right side of ragged-dot has the groups as a dimension where rows are ragged, and only there",
                 fmt::format("rhs_group_dims={{{}}} of {}", fmt::join(group_dims, ","), rhs.ToString()),
                 wanted == 1 ? "rhs_group_dims={d}, neither batch nor contracting" : "no rhs_group_dims");
  }
  std::vector<int64_t> prefix;
  for (int64_t dimension : form.prefix_dims) prefix.push_back(OperandShape(instruction, 0).dimensions(dimension));
  RETURN_IF_PROBLEM(CheckGroupSizes(instruction, prefix, wanted == 1 ? rhs.dimensions(group_dims[0]) : -1));
  std::vector<int64_t> sizes = DotResult(instruction, group_dims);
  if (form.mode == RaggedDotMode::kContracting) {
    sizes.insert(sizes.begin(), OperandShape(instruction, 2).dimensions().back());
  }
  return Shape::Array(instruction.shape().element_type(), std::move(sizes));
}

ShapeRuleResult ScaledDotShape(const HloInstruction& instruction) {
  RETURN_IF_PROBLEM(CheckArrays(instruction));
  RETURN_IF_PROBLEM(CheckDotDimensions(instruction));
  for (int64_t side = 0; side < 2; ++side) {
    const Shape& values = OperandShape(instruction, side);
    const Shape& scales = OperandShape(instruction, side + 2);
    bool fits = IsFloat(values.element_type()) && IsFloat(scales.element_type()) && scales.rank() == values.rank();
    for (int64_t i = 0; fits && i < values.rank(); ++i) {
      fits = scales.dimensions(i) > 0 && values.dimensions(i) % scales.dimensions(i) == 0;
    }
    if (fits) continue;
    return Wrong(fmt::format("operand {} of scaled-dot must be the scales of operand {}", side + 2, side),
                 fmt::format("{} for {}", scales.ToString(), values.ToString()),
                 "floats, and in each dimension a number of scales that divides the number of values");
  }
  if (!instruction.shape().IsArray() || !IsFloat(instruction.shape().element_type())) {
    return Wrong("scaled-dot gives floats", instruction.shape().ToString(), "such as f32");
  }
  return Shape::Array(instruction.shape().element_type(), DotResult(instruction));
}

}  // namespace xla::shape_rules
