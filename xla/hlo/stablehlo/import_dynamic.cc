// Operations whose shape is an operand: where that is a constant, they are what their static kin are.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "xla/hlo/stablehlo/import_ops.h"

using namespace mlir;
namespace xla::stablehlo {
namespace {

// The numbers of operand `index`, which must be a constant.
StatusOr<Dims> Numbers(OpImport& in, unsigned index) {
  std::optional<Dims> numbers = ConstantIntegers(in.op.getOperand(index));
  if (numbers) return *std::move(numbers);
  return in.Unsupported(fmt::format("operand {} must be a constant", index), "numbers that are known only at run time",
                        "HLO's shapes are fixed: refine the shapes first (stablehlo-refine-shapes).");
}

Status CheckLengths(OpImport& in, std::initializer_list<Dims> lists, const Shape& shape) {
  for (const Dims& list : lists) {
    if (static_cast<int64_t>(list.size()) == shape.rank()) continue;
    return in.Invalid("one number is needed for each dimension", fmt::format("{}", list.size()),
                      fmt::format("{}, the rank of {}", shape.rank(), shape.ToString()));
  }
  return OkStatus();
}

// The shape that operand `index` says is the result's, whose type is static already.
Status CheckSize(OpImport& in, unsigned index) {
  const std::optional<Dims> numbers = ConstantIntegers(in.op.getOperand(index));
  if (!numbers || *numbers == in.Type().dimensions()) return OkStatus();
  return in.Invalid("the result's type is not the shape that the operand says", in.Type().ToString(),
                    fmt::format("[{}]", fmt::join(*numbers, ", ")));
}

}  // namespace

Status ConvertDynamicBroadcastInDim(OpImport& in) {
  RETURN_IF_ERROR(CheckSize(in, 1));
  return ConvertBroadcastInDim(in);
}

Status ConvertDynamicIota(OpImport& in) {
  RETURN_IF_ERROR(CheckSize(in, 0));
  return ConvertIota(in);
}

Status ConvertDynamicReshape(OpImport& in) {
  if (in.Type().IsDynamic()) {
    const Shape& sizes = in.operands[1]->shape();
    if (sizes.dimensions() != Dims{in.Type().rank()})
      return in.Invalid("one size is needed for each dimension", sizes.ToString(), in.Type().ToString());
    Instructions operands = {in.operands[0]};
    for (int64_t i = 0; i < in.Type().rank(); ++i)
      operands.push_back(in.write.Reshape(in.write.Slice(in.operands[1], 0, i, i + 1), {}));
    return in.Emit(HloOpcode::kDynamicReshape, operands);
  }
  RETURN_IF_ERROR(CheckSize(in, 1));
  return in.Emit(HloInstruction::CreateReshape(in.Type(), in.operands[0]));
}

Status ConvertDynamicPad(OpImport& in) {
  ASSIGN_OR_RETURN(const Dims low, Numbers(in, 2));
  ASSIGN_OR_RETURN(const Dims high, Numbers(in, 3));
  ASSIGN_OR_RETURN(const Dims interior, Numbers(in, 4));
  RETURN_IF_ERROR(CheckLengths(in, {low, high, interior}, in.operands[0]->shape()));
  PaddingConfig config;
  for (size_t i = 0; i < low.size(); ++i)
    config.push_back({.edge_padding_low = low[i], .edge_padding_high = high[i], .interior_padding = interior[i]});
  return in.Emit(HloInstruction::CreatePad(in.Type(), in.operands[0], in.operands[1], std::move(config)));
}

// With constant limits a slice; else, if start and stride leave no choice, a dynamic slice of the result's size.
Status ConvertRealDynamicSlice(OpImport& in) {
  ASSIGN_OR_RETURN(const Dims strides, Numbers(in, 3));
  const std::optional<Dims> starts = ConstantIntegers(in.op.getOperand(1));
  RETURN_IF_ERROR(CheckLengths(in, {strides}, in.operands[0]->shape()));
  if (!starts) {
    if (std::any_of(strides.begin(), strides.end(), [](int64_t stride) { return stride != 1; }))
      return in.Unsupported("starts that are known only at run time fit strides of 1 only");
    Instructions operands = {in.operands[0]};
    for (int64_t i = 0; i < in.Type().rank(); ++i)
      operands.push_back(in.write.Reshape(in.write.Slice(in.operands[1], 0, i, i + 1), {}));
    AttributeSet attributes;
    attributes.Set(AttributeId::kDynamicSliceSizes, in.Type().dimensions());
    return in.Emit(HloOpcode::kDynamicSlice, operands, std::move(attributes));
  }
  ASSIGN_OR_RETURN(const Dims limits, Numbers(in, 2));
  RETURN_IF_ERROR(CheckLengths(in, {*starts, limits}, in.operands[0]->shape()));
  SliceRanges ranges;
  for (size_t i = 0; i < limits.size(); ++i)
    ranges.push_back({.start = (*starts)[i], .limit = limits[i], .stride = strides[i]});
  return in.Emit(HloInstruction::CreateSlice(in.Type(), in.operands[0], std::move(ranges)));
}

Status ConvertDynamicGather(OpImport& in) {
  AttributeSet attributes;
  ASSIGN_OR_RETURN(const Dims slice_sizes, Numbers(in, 2));
  RETURN_IF_ERROR(SetGather(in, slice_sizes, attributes));
  return in.Emit(HloOpcode::kGather, {in.operands[0], in.operands[1]}, std::move(attributes));
}

Status ConvertDynamicConv(OpImport& in) {
  AttributeSet attributes;
  ASSIGN_OR_RETURN(const Dims flat, Numbers(in, 2));
  std::vector<Dims> padding;
  for (size_t i = 0; i + 1 < flat.size(); i += 2) padding.push_back({flat[i], flat[i + 1]});
  RETURN_IF_ERROR(SetConvolution(in, padding, attributes));
  return in.Emit(HloOpcode::kConvolution, {in.operands[0], in.operands[1]}, std::move(attributes));
}

Status ConvertGetDimensionSize(OpImport& in) {
  AttributeSet attributes;
  ASSIGN_OR_RETURN(const int64_t dimension, in.Int("dimension"));
  attributes.Set(AttributeId::kDimensions, Dims{dimension});
  return in.Emit(HloOpcode::kGetDimensionSize, in.operands, std::move(attributes));
}

Status ConvertSetDimensionSize(OpImport& in) {
  ASSIGN_OR_RETURN(const int64_t dimension, in.Int("dimension"));
  const Shape& shape = in.operands[0]->shape();
  if (dimension < 0 || dimension >= shape.rank())
    return in.Invalid("there is no such dimension", fmt::format("{}", dimension), shape.ToString());
  // Setting a size that is the size already changes nothing.
  const std::optional<Dims> size = ConstantIntegers(in.op.getOperand(1));
  if (in.Type() == shape && size == Dims{shape.dimensions(dimension)} && !shape.is_dynamic_dimension(dimension))
    return in.Bind(in.operands[0]);
  AttributeSet attributes;
  attributes.Set(AttributeId::kDimensions, Dims{dimension});
  return in.Emit(HloOpcode::kSetDimensionSize, in.operands, std::move(attributes));
}

Status ConvertRng(OpImport& in) {
  RETURN_IF_ERROR(CheckSize(in, 2));
  AttributeSet attributes;
  ASSIGN_OR_RETURN(const std::string distribution, in.Enum("rng_distribution", "rng_distribution"));
  attributes.Set(AttributeId::kDistribution,
                 distribution == "NORMAL" ? RandomDistribution::kNormal : RandomDistribution::kUniform);
  return in.Emit(HloOpcode::kRng, {in.operands[0], in.operands[1]}, std::move(attributes));
}

}  // namespace xla::stablehlo
