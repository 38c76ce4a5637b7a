// Products, reductions and windows.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "xla/hlo/stablehlo/import_ops.h"

using namespace mlir;
namespace xla::stablehlo {
namespace {

std::string TextOf(Attribute attribute) {
  std::string text;
  llvm::raw_string_ostream(text) << attribute;
  return text;
}

Dims FieldOf(StructAttr fields, StringRef name) { return {fields.Dims(name).begin(), fields.Dims(name).end()}; }

// The algorithms of a dot, by what #stablehlo.dot_algorithm says: the types, then the number of products.
StatusOr<std::string> AlgorithmText(OpImport& in, StructAttr algorithm) {
  const auto type = [&](StringRef name) {
    const auto value = algorithm.getFields().getAs<TypeAttr>(name);
    return value ? StringRef(TextOf(value)).lower() : std::string();
  };
  const std::string lhs = type("lhs_precision_type"), rhs = type("rhs_precision_type"), sum = type("accumulation_type");
  const int64_t products = algorithm.Int("num_primitive_operations");
  const auto fast = algorithm.getFields().getAs<BoolAttr>("allow_imprecise_accumulation");
  const bool is_f8 = StringRef(lhs).starts_with("f8") && StringRef(rhs).starts_with("f8");
  if (is_f8 && sum == "f32" && products == 1)
    return std::string(fast && fast.getValue() ? "dot_any_f8_any_f8_f32_fast_accum" : "dot_any_f8_any_f8_f32");
  static const auto* const products_of = new std::map<std::string, Dims>{
      {"f16_f16_f16", {1}}, {"f16_f16_f32", {1}},      {"bf16_bf16_bf16", {1}}, {"bf16_bf16_f32", {1, 3, 6, 9}},
      {"f32_f32_f32", {1}}, {"tf32_tf32_f32", {1, 3}}, {"f64_f64_f64", {1}}};
  const std::string types = fmt::format("{}_{}_{}", lhs, rhs, sum);
  const auto it = products_of->find(types);
  if (it == products_of->end() || std::find(it->second.begin(), it->second.end(), products) == it->second.end())
    return in.Unsupported("HLO has no such algorithm for a dot", TextOf(algorithm));
  return fmt::format("dot_{}{}", types, products == 1 ? "" : fmt::format("_x{}", products));
}

Status EmitDot(OpImport& in, DotDimensionNumbers dimensions) {
  auto dot = HloInstruction::CreateDot(in.Type(), in.operands[0], in.operands[1], std::move(dimensions));
  AttributeSet attributes;
  RETURN_IF_ERROR(SetPrecision(in, attributes));
  if (const Attribute algorithm = in.op.getAttr("algorithm")) {
    ASSIGN_OR_RETURN(const StructAttr fields, in.Struct("algorithm", "dot_algorithm"));
    ASSIGN_OR_RETURN(const std::string text, AlgorithmText(in, fields));
    attributes.Set(AttributeId::kAlgorithm, Verbatim{text});
  }
  for (const auto& [id, value] : attributes.entries()) dot->SetAttribute(id, value);
  return in.Emit(std::move(dot));
}

// The window of an operation; `prefix` of the names differs between operations.
StatusOr<Window> WindowOf(OpImport& in, const Dims& sizes, const std::vector<Dims>& padding, StringRef strides_name,
                          StringRef base_name, StringRef window_name) {
  const Dims ones(sizes.size(), 1);
  ASSIGN_OR_RETURN(const Dims strides, in.List(strides_name, ones));
  ASSIGN_OR_RETURN(const Dims base, in.List(base_name, ones));
  ASSIGN_OR_RETURN(const Dims window, in.List(window_name, ones));
  if (strides.size() != sizes.size() || base.size() != sizes.size() || window.size() != sizes.size() ||
      (!padding.empty() && padding.size() != sizes.size()))
    return in.Invalid("the window's attributes must have one number for each dimension", "",
                      fmt::format("{} numbers", sizes.size()));
  Window result;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (!padding.empty() && padding[i].size() != 2)
      return in.Invalid("the padding must have two numbers for each dimension");
    result.push_back({.size = sizes[i],
                      .stride = strides[i],
                      .padding_low = padding.empty() ? 0 : padding[i][0],
                      .padding_high = padding.empty() ? 0 : padding[i][1],
                      .base_dilation = base[i],
                      .window_dilation = window[i]});
  }
  return result;
}

StatusOr<std::vector<Dims>> PaddingOf(OpImport& in) {
  if (!in.op.hasAttr("padding")) return std::vector<Dims>();
  return in.Rows("padding");
}

}  // namespace

Status SetPrecision(OpImport& in, AttributeSet& attributes) {
  const Attribute value = in.op.getAttr("precision_config");
  if (!value) return OkStatus();
  const auto list = dyn_cast<ArrayAttr>(value);
  if (!list) return in.Invalid("the attribute 'precision_config' must be a list");
  std::string text;
  bool is_default = true;
  for (Attribute one : list) {
    const auto precision = dyn_cast<EnumAttr>(one);
    if (!precision || precision.getKind() != "precision")
      return in.Invalid("the attribute 'precision_config' must hold #stablehlo<precision ...>", TextOf(one));
    text += (text.empty() ? "" : ",") + precision.getValue().lower();
    is_default = is_default && precision.getValue() == "DEFAULT";
  }
  if (!is_default) attributes.Set(AttributeId::kOperandPrecision, Verbatim{"{" + text + "}"});
  return OkStatus();
}

Status ConvertDot(OpImport& in) {
  // The last dimension of the left operand, the first of the right one.
  const Shape& lhs = in.operands[0]->shape();
  return EmitDot(in, {.lhs_contracting_dimensions = {lhs.rank() - 1}, .rhs_contracting_dimensions = {0}});
}

Status ConvertDotGeneral(OpImport& in) {
  ASSIGN_OR_RETURN(const StructAttr numbers, in.Struct("dot_dimension_numbers", "dot"));
  return EmitDot(in, {.lhs_batch_dimensions = FieldOf(numbers, "lhs_batching_dimensions"),
                      .lhs_contracting_dimensions = FieldOf(numbers, "lhs_contracting_dimensions"),
                      .rhs_batch_dimensions = FieldOf(numbers, "rhs_batching_dimensions"),
                      .rhs_contracting_dimensions = FieldOf(numbers, "rhs_contracting_dimensions")});
}

Status SetConvolution(OpImport& in, const std::vector<Dims>& padding, AttributeSet& attributes) {
  ASSIGN_OR_RETURN(const StructAttr conv, in.Struct("dimension_numbers", "conv"));
  ConvolutionDimensionNumbers numbers{.input_batch_dimension = conv.Int("input_batch_dimension"),
                                      .input_feature_dimension = conv.Int("input_feature_dimension"),
                                      .input_spatial_dimensions = FieldOf(conv, "input_spatial_dimensions"),
                                      .kernel_input_feature_dimension = conv.Int("kernel_input_feature_dimension"),
                                      .kernel_output_feature_dimension = conv.Int("kernel_output_feature_dimension"),
                                      .kernel_spatial_dimensions = FieldOf(conv, "kernel_spatial_dimensions"),
                                      .output_batch_dimension = conv.Int("output_batch_dimension"),
                                      .output_feature_dimension = conv.Int("output_feature_dimension"),
                                      .output_spatial_dimensions = FieldOf(conv, "output_spatial_dimensions")};
  const Shape& kernel = in.operands[1]->shape();
  Dims sizes;
  for (const int64_t dimension : numbers.kernel_spatial_dimensions) {
    if (dimension < 0 || dimension >= kernel.rank())
      return in.Invalid("a spatial dimension is none of the kernel", fmt::format("{}", dimension), kernel.ToString());
    sizes.push_back(kernel.dimensions(dimension));
  }
  // The labels' text must name every dimension once, or it could not be printed.
  if (!ParseConvolutionDimensionNumbers(ConvolutionDimensionNumbersToString(numbers)))
    return in.Invalid("the dimension numbers must name each dimension once", TextOf(conv));
  ASSIGN_OR_RETURN(Window window, WindowOf(in, sizes, padding, "window_strides", "lhs_dilation", "rhs_dilation"));
  if (const Attribute reversal = in.op.getAttr("window_reversal")) {
    ASSIGN_OR_RETURN(const Dims flags, in.List("window_reversal"));
    if (flags.size() != window.size()) return in.Invalid("window_reversal must have one flag for each dimension");
    for (size_t i = 0; i < window.size(); ++i) window[i].window_reversal = flags[i] != 0;
  }
  attributes.Set(AttributeId::kWindow, std::move(window));
  attributes.Set(AttributeId::kDimLabels, std::move(numbers));
  ASSIGN_OR_RETURN(const int64_t features, in.Int("feature_group_count", 1));
  ASSIGN_OR_RETURN(const int64_t batches, in.Int("batch_group_count", 1));
  attributes.Set(AttributeId::kFeatureGroupCount, features);
  attributes.Set(AttributeId::kBatchGroupCount, batches);
  return SetPrecision(in, attributes);
}

Status ConvertConvolution(OpImport& in) {
  AttributeSet attributes;
  ASSIGN_OR_RETURN(const std::vector<Dims> padding, PaddingOf(in));
  RETURN_IF_ERROR(SetConvolution(in, padding, attributes));
  return in.Emit(HloOpcode::kConvolution, in.operands, std::move(attributes));
}

namespace {

// A computation applied along dimensions; `role` names its region in messages.
Status ConvertAlongDimensions(OpImport& in, HloOpcode opcode, std::string_view role) {
  AttributeSet attributes;
  ASSIGN_OR_RETURN(const Dims dimensions, in.List("dimensions"));
  ASSIGN_OR_RETURN(HloComputation * computation, in.Region(0, role));
  attributes.Set(AttributeId::kDimensions, dimensions);
  attributes.Set(AttributeId::kToApply, computation);
  return in.Emit(opcode, in.operands, std::move(attributes));
}

}  // namespace

Status ConvertReduce(OpImport& in) { return ConvertAlongDimensions(in, HloOpcode::kReduce, "reducer"); }
Status ConvertMap(OpImport& in) { return ConvertAlongDimensions(in, HloOpcode::kMap, "function"); }

Status ConvertReduceWindow(OpImport& in) {
  AttributeSet attributes;
  ASSIGN_OR_RETURN(const Dims sizes, in.List("window_dimensions"));
  ASSIGN_OR_RETURN(const std::vector<Dims> padding, PaddingOf(in));
  ASSIGN_OR_RETURN(Window window, WindowOf(in, sizes, padding, "window_strides", "base_dilations", "window_dilations"));
  ASSIGN_OR_RETURN(HloComputation * reducer, in.Region(0, "reducer"));
  attributes.Set(AttributeId::kWindow, std::move(window));
  attributes.Set(AttributeId::kToApply, reducer);
  return in.Emit(HloOpcode::kReduceWindow, in.operands, std::move(attributes));
}

Status ConvertSelectAndScatter(OpImport& in) {
  AttributeSet attributes;
  ASSIGN_OR_RETURN(const Dims sizes, in.List("window_dimensions", Dims(in.operands[0]->shape().rank(), 1)));
  ASSIGN_OR_RETURN(const std::vector<Dims> padding, PaddingOf(in));
  ASSIGN_OR_RETURN(Window window, WindowOf(in, sizes, padding, "window_strides", "base_dilations", "window_dilations"));
  ASSIGN_OR_RETURN(HloComputation * select, in.Region(0, "select"));
  ASSIGN_OR_RETURN(HloComputation * scatter, in.Region(1, "scatter"));
  attributes.Set(AttributeId::kWindow, std::move(window));
  attributes.Set(AttributeId::kSelect, select);
  attributes.Set(AttributeId::kScatter, scatter);
  return in.Emit(HloOpcode::kSelectAndScatter, in.operands, std::move(attributes));
}

// --- Einsum: letters name dimensions; a letter that the result lacks is summed. ---

namespace {

Status CheckLetters(OpImport& in, std::string_view letters, const Shape& shape) {
  const bool is_plain =
      letters.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == letters.npos;
  bool is_distinct = true;
  for (size_t i = 0; i < letters.size(); ++i)
    is_distinct = is_distinct && letters.find(letters[i], i + 1) == letters.npos;
  if (!is_plain || !is_distinct)
    return in.Unsupported("only an einsum of different letters can be read", std::string(letters));
  if (static_cast<int64_t>(letters.size()) == shape.rank()) return OkStatus();
  return in.Invalid("an einsum has one letter for each dimension", std::string(letters), shape.ToString());
}

Dims PlacesOf(std::string_view letters, std::string_view in_what) {
  Dims places;
  for (const char letter : letters) places.push_back(static_cast<int64_t>(in_what.find(letter)));
  return places;
}

std::string Common(std::string_view a, std::string_view b) {
  std::string common;
  for (const char letter : a)
    if (b.find(letter) != b.npos) common += letter;
  return common;
}

std::string Without(std::string_view a, std::string_view removed) {
  std::string rest;
  for (const char letter : a)
    if (removed.find(letter) == removed.npos) rest += letter;
  return rest;
}

// The sum over the letters that stand nowhere else.
HloInstruction* SumAway(OpImport& in, HloInstruction* x, std::string& letters, std::string_view elsewhere) {
  for (const char letter : std::string(letters)) {
    if (elsewhere.find(letter) != elsewhere.npos) continue;
    const auto dimension = static_cast<int64_t>(letters.find(letter));
    const PrimitiveType type = x->shape().element_type();
    Dims dimensions = x->shape().dimensions();
    dimensions.erase(dimensions.begin() + dimension);
    const Instructions operands = {x, in.write.Scalar(type, 0)};
    HloComputation* const add = AddBinaryComputation(in.scope.importer.module(), HloOpcode::kAdd, type);
    x = in.scope.Add(HloInstruction::CreateReduce(Shape::Array(type, dimensions), operands, {dimension}, add));
    letters.erase(letters.find(letter), 1);
  }
  return x;
}

struct Einsum {
  std::string lhs, rhs, result;
};
StatusOr<Einsum> EinsumOf(OpImport& in) {
  ASSIGN_OR_RETURN(const std::string text, in.Text("einsum_config"));
  const size_t comma = text.find(','), arrow = text.find("->");
  const bool is_binary = in.operands.size() == 2;
  if (arrow == text.npos || (comma != text.npos) != is_binary || (is_binary && comma > arrow))
    return in.Invalid("this is no description of an einsum", text, is_binary ? "ab,bc->ac" : "ab->a");
  Einsum einsum{.lhs = text.substr(0, std::min(comma, arrow)), .rhs = "", .result = text.substr(arrow + 2)};
  if (is_binary) einsum.rhs = text.substr(comma + 1, arrow - comma - 1);
  RETURN_IF_ERROR(CheckLetters(in, einsum.lhs, in.operands[0]->shape()));
  if (is_binary) RETURN_IF_ERROR(CheckLetters(in, einsum.rhs, in.operands[1]->shape()));
  RETURN_IF_ERROR(CheckLetters(in, einsum.result, in.Type()));
  if (!Without(einsum.result, einsum.lhs + einsum.rhs).empty())
    return in.Invalid("a letter of the result is in no operand", text);
  return einsum;
}

}  // namespace

Status ConvertUnaryEinsum(OpImport& in) {
  ASSIGN_OR_RETURN(Einsum einsum, EinsumOf(in));
  HloInstruction* const sum = SumAway(in, in.operands[0], einsum.lhs, einsum.result);
  return in.Bind(in.write.Transpose(sum, PlacesOf(einsum.result, einsum.lhs)));
}

Status ConvertEinsum(OpImport& in) {
  ASSIGN_OR_RETURN(Einsum e, EinsumOf(in));
  HloInstruction* const lhs = SumAway(in, in.operands[0], e.lhs, e.rhs + e.result);
  HloInstruction* const rhs = SumAway(in, in.operands[1], e.rhs, e.lhs + e.result);
  const std::string shared = Common(e.lhs, e.rhs);
  const std::string batch = Common(shared, e.result), summed = Without(shared, e.result);
  for (const char letter : shared) {
    if (lhs->shape().dimensions(static_cast<int64_t>(e.lhs.find(letter))) ==
        rhs->shape().dimensions(static_cast<int64_t>(e.rhs.find(letter))))
      continue;
    return in.Invalid(fmt::format("dimension '{}' has two sizes", letter));
  }
  const std::string order = batch + Without(e.lhs, shared) + Without(e.rhs, shared);
  Dims dimensions;
  for (const char letter : order) {
    const bool is_left = e.lhs.find(letter) != e.lhs.npos;
    dimensions.push_back(is_left ? lhs->shape().dimensions(static_cast<int64_t>(e.lhs.find(letter)))
                                 : rhs->shape().dimensions(static_cast<int64_t>(e.rhs.find(letter))));
  }
  HloInstruction* const dot =
      in.scope.Add(HloInstruction::CreateDot(Shape::Array(in.Type().element_type(), dimensions), lhs, rhs,
                                             {.lhs_batch_dimensions = PlacesOf(batch, e.lhs),
                                              .lhs_contracting_dimensions = PlacesOf(summed, e.lhs),
                                              .rhs_batch_dimensions = PlacesOf(batch, e.rhs),
                                              .rhs_contracting_dimensions = PlacesOf(summed, e.rhs)}));
  return in.Bind(in.write.Transpose(dot, PlacesOf(e.result, order)));
}

}  // namespace xla::stablehlo
