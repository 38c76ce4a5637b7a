// Shape rules of the opcodes with a window.
#include "xla/hlo/ir/shape_rules_internal.h"

namespace xla::shape_rules {
namespace {

// The dimensions of what a window with one entry per dimension of `operand` gives.
Problem WindowedDimensions(const HloInstruction& instruction, const Shape& operand, std::vector<int64_t>* result) {
  const Window& window = instruction.window();
  if (static_cast<int64_t>(window.size()) != operand.rank()) {
    return Wrong("the window must have one entry per dimension of the operand",
                 fmt::format("window={} for {}", WindowToString(window), operand.ToString()),
                 fmt::format("{} entries", operand.rank()));
  }
  for (int64_t i = 0; i < operand.rank(); ++i) {
    const std::optional<int64_t> size = WindowOutputSize(operand.dimensions(i), window[i]);
    if (!size) {
      return Wrong(fmt::format("the window gives no array in dimension {}", i), WindowToString(window),
                   "sizes, strides and dilations of at least 1");
    }
    result->push_back(*size);
  }
  return std::nullopt;
}

Problem CheckScalarOf(const HloInstruction& instruction, int64_t i, PrimitiveType type, std::string_view what) {
  const Shape& shape = OperandShape(instruction, i);
  if (shape.IsScalar() && shape.element_type() == type) return std::nullopt;
  return Wrong(fmt::format("operand {} must be {}", i, what), shape.ToString(), Shape::Scalar(type).ToString());
}

// The sizes that a convolution's numbers tie together.
Problem CheckConvolutionSizes(const HloInstruction& convolution, const ConvolutionDimensionNumbers& numbers) {
  const Shape& input = OperandShape(convolution, 0);
  const Shape& kernel = OperandShape(convolution, 1);
  const int64_t groups = convolution.feature_group_count();
  const int64_t batch_groups = convolution.batch_group_count();
  const int64_t features = input.dimensions(numbers.input_feature_dimension);
  const int64_t kernel_features = kernel.dimensions(numbers.kernel_input_feature_dimension);
  const int64_t outputs = kernel.dimensions(numbers.kernel_output_feature_dimension);
  if (groups < 1 || batch_groups < 1 || (groups > 1 && batch_groups > 1)) {
    return Wrong("the group counts of the convolution make no sense",
                 fmt::format("feature_group_count={}, batch_group_count={}", groups, batch_groups),
                 "positive counts, one of them 1");
  }
  if (features % groups != 0 || features / groups != kernel_features) {
    return Wrong("the input's features are not the kernel's times feature_group_count",
                 fmt::format("{} and {} x {}", features, kernel_features, groups), "equal numbers");
  }
  const int64_t batch = input.dimensions(numbers.input_batch_dimension);
  if (outputs % groups != 0 || outputs % batch_groups != 0 || batch % batch_groups != 0) {
    return Wrong("the groups do not divide the convolution's sizes",
                 fmt::format("{} output features, batch {}, {} feature groups, {} batch groups", outputs, batch, groups,
                             batch_groups),
                 "multiples");
  }
  return std::nullopt;
}

Problem CheckConvolutionRanks(const HloInstruction& convolution, const ConvolutionDimensionNumbers& numbers) {
  const auto rank = static_cast<int64_t>(numbers.input_spatial_dimensions.size()) + 2;
  if (OperandShape(convolution, 0).rank() != rank || OperandShape(convolution, 1).rank() != rank ||
      static_cast<int64_t>(convolution.window().size()) != rank - 2) {
    return Wrong("dim_labels, window and operands of the convolution differ in their numbers of dimensions",
                 fmt::format("dim_labels={}, window={}, operands {}", ConvolutionDimensionNumbersToString(numbers),
                             WindowToString(convolution.window()), ShapesText(OperandShapes(convolution))),
                 fmt::format("operands of {} dimensions and a window of {}", rank, rank - 2));
  }
  return std::nullopt;
}

}  // namespace

ShapeRuleResult ConvolutionShape(const HloInstruction& instruction) {
  RETURN_IF_PROBLEM(CheckArrays(instruction));
  const ConvolutionDimensionNumbers numbers = instruction.convolution_dimension_numbers();
  RETURN_IF_PROBLEM(CheckConvolutionRanks(instruction, numbers));
  RETURN_IF_PROBLEM(CheckConvolutionSizes(instruction, numbers));
  const Shape& input = OperandShape(instruction, 0);
  const Shape& kernel = OperandShape(instruction, 1);
  std::vector<int64_t> dimensions(input.rank());
  dimensions[numbers.output_batch_dimension] =
      input.dimensions(numbers.input_batch_dimension) / instruction.batch_group_count();
  dimensions[numbers.output_feature_dimension] = kernel.dimensions(numbers.kernel_output_feature_dimension);
  for (size_t i = 0; i < instruction.window().size(); ++i) {
    const WindowDimension& window = instruction.window()[i];
    const int64_t kernel_size = kernel.dimensions(numbers.kernel_spatial_dimensions[i]);
    const std::optional<int64_t> size = WindowOutputSize(input.dimensions(numbers.input_spatial_dimensions[i]), window);
    if (!size || window.size != kernel_size) {
      return Wrong(fmt::format("the window does not fit the kernel's spatial dimension {}", i),
                   fmt::format("window={} and {} kernel elements", WindowToString(instruction.window()), kernel_size),
                   "the kernel's size, at least 1, and strides and dilations of at least 1");
    }
    dimensions[numbers.output_spatial_dimensions[i]] = *size;
  }
  RETURN_IF_PROBLEM(CheckProductTypes(instruction));
  return Shape::Array(instruction.shape().element_type(), std::move(dimensions));
}

ShapeRuleResult ReduceWindowShape(const HloInstruction& instruction) {
  RETURN_IF_PROBLEM(CheckArrays(instruction));
  if (instruction.operand_count() == 0 || instruction.operand_count() % 2 != 0) {
    return Wrong("reduce-window takes inputs, then as many initial values",
                 fmt::format("{} operands", instruction.operand_count()), "an even number, at least 2");
  }
  const int64_t inputs = instruction.input_count();
  const Shape& first = OperandShape(instruction, 0);
  std::vector<int64_t> dimensions;
  RETURN_IF_PROBLEM(WindowedDimensions(instruction, first, &dimensions));
  std::vector<Shape> results;
  std::vector<Shape> scalars;
  for (int64_t i = 0; i < inputs; ++i) {
    const Shape& input = OperandShape(instruction, i);
    if (input.dimensions() != first.dimensions()) {
      return Wrong("all inputs of reduce-window must have the same dimensions", ShapesText(OperandShapes(instruction)),
                   fmt::format("the dimensions of {}", first.ToString()));
    }
    RETURN_IF_PROBLEM(CheckScalarOf(instruction, inputs + i, input.element_type(), "an initial value"));
    scalars.push_back(Shape::Scalar(input.element_type()));
    results.push_back(Shape::Array(input.element_type(), dimensions));
  }
  RETURN_IF_PROBLEM(CheckCombiner("to_apply", *instruction.to_apply(), scalars));
  return OneOrTuple(std::move(results));
}

ShapeRuleResult SelectAndScatterShape(const HloInstruction& instruction) {
  RETURN_IF_PROBLEM(CheckArrays(instruction));
  const Shape& operand = OperandShape(instruction, 0);
  const Shape& source = OperandShape(instruction, 1);
  const Shape element = Shape::Scalar(operand.element_type());
  std::vector<int64_t> dimensions;
  RETURN_IF_PROBLEM(WindowedDimensions(instruction, operand, &dimensions));
  const Shape expected = Shape::Array(operand.element_type(), std::move(dimensions));
  if (!ShapeUtil::Compatible(source, expected)) {
    return Wrong("operand 1 of select-and-scatter must have one element per window", source.ToString(),
                 expected.ToString());
  }
  RETURN_IF_PROBLEM(CheckScalarOf(instruction, 2, operand.element_type(), "the initial value"));
  RETURN_IF_PROBLEM(CheckParameters("select", *instruction.select(), {element, element}));
  RETURN_IF_PROBLEM(CheckResult("select", *instruction.select(), Shape::Scalar(PRED)));
  RETURN_IF_PROBLEM(CheckCombiner("scatter", *instruction.scatter(), {element}));
  return operand;
}

}  // namespace xla::shape_rules
