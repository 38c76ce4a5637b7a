// What each HLO instruction becomes in StableHLO.
#include <fmt/format.h>

#include <algorithm>

#include "xla/hlo/stablehlo/exporter.h"
#include "xla/hlo/stablehlo/import_ops.h"

using namespace mlir;
namespace xla::stablehlo {
namespace {

using List = std::vector<int64_t>;

// CHLO's operations that are opcodes of HLO.
StringRef ChloOperation(HloOpcode opcode) {
  switch (opcode) {
    case HloOpcode::kAcos:
      return "chlo.acos";
    case HloOpcode::kAcosh:
      return "chlo.acosh";
    case HloOpcode::kAsin:
      return "chlo.asin";
    case HloOpcode::kAsinh:
      return "chlo.asinh";
    case HloOpcode::kAtan:
      return "chlo.atan";
    case HloOpcode::kAtanh:
      return "chlo.atanh";
    case HloOpcode::kMulhi:
      return "chlo.mulhi";
    case HloOpcode::kCosh:
      return "chlo.cosh";
    case HloOpcode::kErf:
      return "chlo.erf";
    case HloOpcode::kSinh:
      return "chlo.sinh";
    default:
      return "";
  }
}

// --- Literals, elements and places. ---

void AppendConstants(InstructionExport& out, const Literal& literal, Values& values) {
  for (const Literal& element : literal.tuple_elements()) AppendConstants(out, element, values);
  if (!literal.shape().IsArray()) return;
  OperationState state(out.exporter.LocationOf(out.instruction), "stablehlo.constant");
  const DenseElementsAttr value = ElementsOf(out.exporter.context(), literal);
  state.addAttribute("value", value);
  state.addTypes(value.getType());
  values.push_back(out.builder.create(state)->getResult(0));
}

bool HasElided(const Literal& literal) {
  return literal.is_elided() ||
         std::any_of(literal.tuple_elements().begin(), literal.tuple_elements().end(), HasElided);
}

Status ExportConstant(InstructionExport& out) {
  if (HasElided(out.instruction.literal())) return out.Unsupported("the values are not known", "constant({...})");
  Values values;
  AppendConstants(out, out.instruction.literal(), values);
  return out.Set(std::move(values));
}

Status ExportCompare(InstructionExport& out) {
  const StringRef direction = EnumText(out.instruction.comparison_direction());
  const PrimitiveType element = out.instruction.operand(0)->shape().element_type();
  const ComparisonType type = out.instruction.comparison_type();
  const StringRef type_text = IsComplex(element) ? StringRef("FLOAT") : StringRef(EnumText(type));
  return out.Emit("stablehlo.compare", {out.Enum("comparison_direction", "comparison_direction", direction),
                                        out.Enum("compare_type", "comparison_type", type_text)});
}

Status ExportPad(InstructionExport& out) {
  List low, high, interior;
  for (const PaddingDimension& dimension : out.instruction.padding_config()) {
    low.push_back(dimension.edge_padding_low);
    high.push_back(dimension.edge_padding_high);
    interior.push_back(dimension.interior_padding);
  }
  return out.Emit("stablehlo.pad", {out.Dims("edge_padding_low", low), out.Dims("edge_padding_high", high),
                                    out.Dims("interior_padding", interior)});
}

Status ExportSlice(InstructionExport& out) {
  List starts, limits, strides;
  for (const SliceRange& range : out.instruction.slice_ranges()) {
    starts.push_back(range.start);
    limits.push_back(range.limit);
    strides.push_back(range.stride);
  }
  return out.Emit("stablehlo.slice",
                  {out.Dims("start_indices", starts), out.Dims("limit_indices", limits), out.Dims("strides", strides)});
}

Status ExportBitcast(InstructionExport& out) {
  const Shape& from = out.instruction.operand(0)->shape();
  const Shape& to = out.instruction.shape();
  if (from.element_type() == to.element_type() && from.layout().IsDefault() && to.layout().IsDefault())
    return out.Emit("stablehlo.reshape");
  return out.Unsupported("a bitcast between layouts has no meaning without them", out.instruction.ToString());
}

Status ExportReducePrecision(InstructionExport& out) {
  const auto bits = [&](StringRef name, int64_t count) {
    return out.builder.getNamedAttr(name, out.builder.getI32IntegerAttr(static_cast<int32_t>(count)));
  };
  return out.Emit("stablehlo.reduce_precision", {bits("exponent_bits", out.instruction.exponent_bits()),
                                                 bits("mantissa_bits", out.instruction.mantissa_bits())});
}

// --- Products and windows. ---

// "{highest,default}" as a list of precisions.
void AddPrecision(InstructionExport& out, SmallVectorImpl<NamedAttribute>& attributes) {
  const auto* const text = out.instruction.attributes().Find<Verbatim>(AttributeId::kOperandPrecision);
  if (text == nullptr) return;
  SmallVector<Attribute> precisions;
  SmallVector<StringRef> words;
  StringRef(text->text).trim("{} ").split(words, ',');
  for (StringRef word : words) {
    const std::string upper = word.trim().upper();
    if (!IsEnumValue("precision", upper)) return;
    precisions.push_back(EnumAttr::get(out.builder.getContext(), "precision", upper));
  }
  attributes.push_back(out.builder.getNamedAttr("precision_config", out.builder.getArrayAttr(precisions)));
}

Type TypeNamed(InstructionExport& out, StringRef name) {
  return llvm::StringSwitch<Type>(name)
      .Case("f16", out.builder.getF16Type())
      .Case("bf16", out.builder.getBF16Type())
      .Case("tf32", out.builder.getTF32Type())
      .Case("f32", out.builder.getF32Type())
      .Case("f64", out.builder.getF64Type())
      .Default(Type());
}

// "dot_bf16_bf16_f32_x3".
Status AddAlgorithm(InstructionExport& out, SmallVectorImpl<NamedAttribute>& attributes) {
  const auto* const verbatim = out.instruction.attributes().Find<Verbatim>(AttributeId::kAlgorithm);
  if (verbatim == nullptr || verbatim->text == "dot_unset") return OkStatus();
  StringRef text = verbatim->text;
  Type lhs, rhs, sum;
  int64_t products = 1;
  bool is_fast = false;
  if (text.starts_with("dot_any_f8_any_f8_f32")) {
    lhs = cast<RankedTensorType>(out.Operand(0)[0].getType()).getElementType();
    rhs = cast<RankedTensorType>(out.Operand(1)[0].getType()).getElementType();
    sum = out.builder.getF32Type();
    is_fast = text.ends_with("_fast_accum");
  } else {
    SmallVector<StringRef> words;
    text.split(words, '_');
    const bool has_count = words.size() == 5 && words[4].consume_front("x") && !words[4].getAsInteger(10, products);
    if (words.size() == 4 || has_count) {
      lhs = TypeNamed(out, words[1]);
      rhs = TypeNamed(out, words[2]);
      sum = TypeNamed(out, words[3]);
    }
  }
  if (!lhs || !rhs || !sum) return out.Unsupported("StableHLO has no such algorithm", text.str());
  const auto type = [&](StringRef name, Type of) { return out.builder.getNamedAttr(name, TypeAttr::get(of)); };
  attributes.push_back(
      out.Struct("algorithm", "dot_algorithm",
                 {type("lhs_precision_type", lhs), type("rhs_precision_type", rhs), type("accumulation_type", sum),
                  out.Int("lhs_component_count", 1), out.Int("rhs_component_count", 1),
                  out.Int("num_primitive_operations", products), out.Bool("allow_imprecise_accumulation", is_fast)}));
  return OkStatus();
}

Status ExportDot(InstructionExport& out) {
  const DotDimensionNumbers numbers = out.instruction.dot_dimension_numbers();
  SmallVector<NamedAttribute> attributes = {
      out.Struct("dot_dimension_numbers", "dot",
                 {out.Dims("lhs_batching_dimensions", numbers.lhs_batch_dimensions),
                  out.Dims("rhs_batching_dimensions", numbers.rhs_batch_dimensions),
                  out.Dims("lhs_contracting_dimensions", numbers.lhs_contracting_dimensions),
                  out.Dims("rhs_contracting_dimensions", numbers.rhs_contracting_dimensions)})};
  AddPrecision(out, attributes);
  RETURN_IF_ERROR(AddAlgorithm(out, attributes));
  return out.Emit("stablehlo.dot_general", attributes);
}

Status ExportRaggedDot(InstructionExport& out) {
  const DotDimensionNumbers numbers = out.instruction.dot_dimension_numbers();
  const auto list = [&](AttributeId id) { return out.instruction.attributes().Get<List>(id); };
  SmallVector<NamedAttribute> attributes = {
      out.Struct("ragged_dot_dimension_numbers", "ragged_dot",
                 {out.Dims("lhs_batching_dimensions", numbers.lhs_batch_dimensions),
                  out.Dims("rhs_batching_dimensions", numbers.rhs_batch_dimensions),
                  out.Dims("lhs_contracting_dimensions", numbers.lhs_contracting_dimensions),
                  out.Dims("rhs_contracting_dimensions", numbers.rhs_contracting_dimensions),
                  out.Dims("lhs_ragged_dimensions", list(AttributeId::kLhsRaggedDims)),
                  out.Dims("rhs_group_dimensions", list(AttributeId::kRhsGroupDims))})};
  AddPrecision(out, attributes);
  if (out.instruction.attributes().Has(AttributeId::kAlgorithm))
    return out.Unsupported("StableHLO has no algorithms of a ragged dot");
  return out.Emit("chlo.ragged_dot", attributes);
}

// The attributes of a window; `base` and `window` are what the operation calls the dilations.
void AddWindow(InstructionExport& out, StringRef base, StringRef window, SmallVectorImpl<NamedAttribute>& attributes) {
  List strides, base_dilations, window_dilations;
  std::vector<List> padding;
  for (const WindowDimension& dimension : out.instruction.window()) {
    strides.push_back(dimension.stride);
    base_dilations.push_back(dimension.base_dilation);
    window_dilations.push_back(dimension.window_dilation);
    padding.push_back({dimension.padding_low, dimension.padding_high});
  }
  attributes.push_back(out.Dims("window_strides", strides));
  attributes.push_back(out.Rows("padding", padding, 2));
  if (!base.empty()) attributes.push_back(out.Dims(base, base_dilations));
  if (!window.empty()) attributes.push_back(out.Dims(window, window_dilations));
}

NamedAttribute WindowSizes(InstructionExport& out) {
  List sizes;
  for (const WindowDimension& dimension : out.instruction.window()) sizes.push_back(dimension.size);
  // A window that was not written is one element wide.
  if (sizes.empty()) sizes.assign(out.instruction.operand(0)->shape().rank(), 1);
  return out.Dims("window_dimensions", sizes);
}

Status ExportConvolution(InstructionExport& out) {
  const ConvolutionDimensionNumbers n = out.instruction.convolution_dimension_numbers();
  SmallVector<NamedAttribute> attributes = {
      out.Struct("dimension_numbers", "conv",
                 {out.Int("input_batch_dimension", n.input_batch_dimension),
                  out.Int("input_feature_dimension", n.input_feature_dimension),
                  out.Dims("input_spatial_dimensions", n.input_spatial_dimensions),
                  out.Int("kernel_input_feature_dimension", n.kernel_input_feature_dimension),
                  out.Int("kernel_output_feature_dimension", n.kernel_output_feature_dimension),
                  out.Dims("kernel_spatial_dimensions", n.kernel_spatial_dimensions),
                  out.Int("output_batch_dimension", n.output_batch_dimension),
                  out.Int("output_feature_dimension", n.output_feature_dimension),
                  out.Dims("output_spatial_dimensions", n.output_spatial_dimensions)}),
      out.Int("feature_group_count", out.instruction.feature_group_count()),
      out.Int("batch_group_count", out.instruction.batch_group_count())};
  AddWindow(out, "lhs_dilation", "rhs_dilation", attributes);
  SmallVector<bool> reversal;
  for (const WindowDimension& dimension : out.instruction.window()) reversal.push_back(dimension.window_reversal);
  attributes.push_back(out.builder.getNamedAttr("window_reversal", out.builder.getDenseBoolArrayAttr(reversal)));
  AddPrecision(out, attributes);
  return out.Emit("stablehlo.convolution", attributes);
}

Status ExportReduce(InstructionExport& out) {
  OperationState state = out.State("stablehlo.reduce", out.Operands());
  state.attributes.append(out.Dims("dimensions", out.instruction.dimensions()));
  RETURN_IF_ERROR(out.AddRegion(state, *out.instruction.to_apply()));
  return out.Emit(state);
}

Status ExportReduceWindow(InstructionExport& out) {
  OperationState state = out.State("stablehlo.reduce_window", out.Operands());
  SmallVector<NamedAttribute> attributes = {WindowSizes(out)};
  if (!out.instruction.window().empty()) AddWindow(out, "base_dilations", "window_dilations", attributes);
  for (const WindowDimension& dimension : out.instruction.window())
    if (dimension.window_reversal) return out.Unsupported("a reversed window of a reduction");
  state.addAttributes(attributes);
  RETURN_IF_ERROR(out.AddRegion(state, *out.instruction.to_apply()));
  return out.Emit(state);
}

Status ExportSelectAndScatter(InstructionExport& out) {
  OperationState state = out.State("stablehlo.select_and_scatter", out.Operands());
  SmallVector<NamedAttribute> attributes = {WindowSizes(out)};
  if (!out.instruction.window().empty()) AddWindow(out, "", "", attributes);
  for (const WindowDimension& dimension : out.instruction.window())
    if (dimension.window_reversal || dimension.base_dilation != 1 || dimension.window_dilation != 1)
      return out.Unsupported("StableHLO's select_and_scatter has no dilated windows");
  state.addAttributes(attributes);
  RETURN_IF_ERROR(out.AddRegion(state, *out.instruction.select()));
  RETURN_IF_ERROR(out.AddRegion(state, *out.instruction.scatter()));
  return out.Emit(state);
}

// --- Places that are data. ---

NamedAttribute IndexNumbers(InstructionExport& out, StringRef name, StringRef kind, ArrayRef<StringRef> fields) {
  const IndexDimensionNumbers numbers = out.instruction.index_dimension_numbers();
  SmallVector<NamedAttribute> all = {out.Dims(fields[0], numbers.window_dims),
                                     out.Dims(fields[1], numbers.dropped_dims), out.Dims(fields[2], numbers.index_map),
                                     out.Int("index_vector_dim", numbers.index_vector_dim)};
  if (!numbers.operand_batch_dims.empty()) {
    all.push_back(out.Dims(fields[3], numbers.operand_batch_dims));
    all.push_back(out.Dims(fields[4], numbers.indices_batch_dims));
  }
  return out.Struct(name, kind, all);
}

Status ExportGather(InstructionExport& out) {
  return out.Emit(
      "stablehlo.gather",
      {IndexNumbers(out, "dimension_numbers", "gather",
                    {"offset_dims", "collapsed_slice_dims", "start_index_map", "operand_batching_dims",
                     "start_indices_batching_dims"}),
       out.Dims("slice_sizes", out.instruction.slice_sizes()),
       out.Bool("indices_are_sorted", out.instruction.attributes().Get<bool>(AttributeId::kIndicesAreSorted))});
}

Status ExportScatter(InstructionExport& out) {
  OperationState state = out.State("stablehlo.scatter", out.Operands());
  state.addAttributes(
      {IndexNumbers(out, "scatter_dimension_numbers", "scatter",
                    {"update_window_dims", "inserted_window_dims", "scatter_dims_to_operand_dims",
                     "input_batching_dims", "scatter_indices_batching_dims"}),
       out.Bool("indices_are_sorted", out.instruction.attributes().Get<bool>(AttributeId::kIndicesAreSorted)),
       out.Bool("unique_indices", out.instruction.attributes().Get<bool>(AttributeId::kUniqueIndices))});
  RETURN_IF_ERROR(out.AddRegion(state, *out.instruction.to_apply()));
  return out.Emit(state);
}

Status ExportSort(InstructionExport& out) {
  OperationState state = out.State("stablehlo.sort", out.Operands());
  state.addAttributes({out.Int("dimension", out.instruction.dimensions()[0]),
                       out.Bool("is_stable", out.instruction.attributes().Get<bool>(AttributeId::kIsStable))});
  RETURN_IF_ERROR(out.AddRegion(state, *out.instruction.to_apply()));
  return out.Emit(state);
}

Status ExportTopK(InstructionExport& out) {
  if (!out.instruction.attributes().Get<bool>(AttributeId::kLargest))
    return out.Unsupported("CHLO's top_k gives the largest elements", "largest=false");
  return out.Emit("chlo.top_k", {out.Int("k", out.instruction.attributes().Get<int64_t>(AttributeId::kK))});
}

// --- Algorithms. ---

Status ExportBatchNorm(InstructionExport& out, StringRef name) {
  const float epsilon = out.instruction.attributes().Get<float>(AttributeId::kEpsilon);
  return out.Emit(name,
                  {out.builder.getNamedAttr("epsilon", out.builder.getF32FloatAttr(epsilon)),
                   out.Int("feature_index", out.instruction.attributes().Get<int64_t>(AttributeId::kFeatureIndex))});
}

Status ExportTriangularSolve(InstructionExport& out) {
  const AttributeSet& attributes = out.instruction.attributes();
  const StringRef transpose = EnumText(attributes.Get<TriangularSolveTranspose>(AttributeId::kTransposeA));
  return out.Emit("stablehlo.triangular_solve",
                  {out.Bool("left_side", attributes.Get<bool>(AttributeId::kLeftSide)),
                   out.Bool("lower", attributes.Get<bool>(AttributeId::kLower)),
                   out.Bool("unit_diagonal", attributes.Get<bool>(AttributeId::kUnitDiagonal)),
                   out.Enum("transpose_a", "transpose", transpose)});
}

Status ExportRngBitGenerator(InstructionExport& out) {
  const std::string text = out.instruction.attributes().Get<Verbatim>(AttributeId::kAlgorithm).text;
  StringRef algorithm = text;
  algorithm.consume_front("rng_");
  if (!IsEnumValue("rng_algorithm", algorithm.upper())) return out.Unsupported("StableHLO has no such algorithm", text);
  return out.Emit("stablehlo.rng_bit_generator", {out.Enum("rng_algorithm", "rng_algorithm", algorithm.upper())});
}

// An operation in front of the instruction's, with one result.
Value Before(InstructionExport& out, StringRef name, ValueRange operands, Type type,
             ArrayRef<NamedAttribute> attributes = {}) {
  OperationState state(out.exporter.LocationOf(out.instruction), name);
  state.addOperands(operands);
  state.addTypes(type);
  state.addAttributes(attributes);
  return out.builder.create(state)->getResult(0);
}

Status ExportRng(InstructionExport& out) {
  const Shape& shape = out.instruction.shape();
  const Literal sizes = Literal::Array<int64_t>(Shape::Array(S64, {shape.rank()}), shape.dimensions());
  const DenseElementsAttr value = ElementsOf(out.exporter.context(), sizes);
  Values operands = out.Operands();
  operands.push_back(
      Before(out, "stablehlo.constant", {}, value.getType(), {out.builder.getNamedAttr("value", value)}));
  OperationState state = out.State("stablehlo.rng", operands);
  const bool is_normal =
      out.instruction.attributes().Get<RandomDistribution>(AttributeId::kDistribution) == RandomDistribution::kNormal;
  state.attributes.append(out.Enum("rng_distribution", "rng_distribution", is_normal ? "NORMAL" : "UNIFORM"));
  return out.Emit(state);
}

// The sizes become one operand.
Status ExportDynamicReshape(InstructionExport& out) {
  Values sizes;
  for (Value size : out.Operands(1)) {
    const Type element = cast<RankedTensorType>(size.getType()).getElementType();
    if (!sizes.empty() && cast<RankedTensorType>(sizes[0].getType()).getElementType() != element)
      return out.Unsupported("StableHLO's dynamic_reshape has sizes of one type", out.instruction.ToString());
    sizes.push_back(Before(out, "stablehlo.reshape", size, RankedTensorType::get({1}, element)));
  }
  if (sizes.empty()) return out.Unsupported("a dynamic reshape to a scalar", out.instruction.ToString());
  const Type element = cast<RankedTensorType>(sizes[0].getType()).getElementType();
  const Value list =
      Before(out, "stablehlo.concatenate", sizes, RankedTensorType::get({static_cast<int64_t>(sizes.size())}, element),
             {out.Int("dimension", 0)});
  OperationState state = out.State("stablehlo.dynamic_reshape", {out.Operand(0)[0], list});
  return out.Emit(state);
}

// --- Control flow and tuples. ---

Status ExportWhile(InstructionExport& out) {
  OperationState state = out.State("stablehlo.while", out.Operands());
  RETURN_IF_ERROR(out.AddRegion(state, *out.instruction.while_condition()));
  RETURN_IF_ERROR(out.AddRegion(state, *out.instruction.while_body()));
  return out.Emit(state);
}

Status ExportConditional(InstructionExport& out) {
  const bool is_pred = out.instruction.operand(0)->shape().element_type() == PRED;
  OperationState state = out.State(is_pred ? "stablehlo.if" : "stablehlo.case", out.Operand(0));
  for (int64_t i = 0; i < out.instruction.branch_count(); ++i)
    RETURN_IF_ERROR(out.AddRegionOf(state, *out.instruction.branch_computation(i), {out.Operand(i + 1)}));
  return out.Emit(state);
}

Status ExportCall(InstructionExport& out, const HloComputation* called) {
  OperationState state = out.State("func.call", out.Operands());
  state.addAttribute("callee", FlatSymbolRefAttr::get(out.exporter.FunctionOf(called)));
  return out.Emit(state);
}

Status ExportMap(InstructionExport& out) {
  OperationState state = out.State("stablehlo.map", out.Operands());
  List dimensions;
  for (int64_t i = 0; i < out.instruction.shape().rank(); ++i) dimensions.push_back(i);
  state.attributes.append(out.Dims("dimensions", dimensions));
  RETURN_IF_ERROR(out.AddRegion(state, *out.instruction.to_apply()));
  return out.Emit(state);
}

Status ExportElement(InstructionExport& out) {
  const Shape& tuple = out.instruction.operand(0)->shape();
  int64_t begin = 0;
  for (int64_t i = 0; i < out.instruction.tuple_index(); ++i) begin += LeafCount(tuple.tuple_shapes(i));
  const int64_t count = LeafCount(tuple.tuple_shapes(out.instruction.tuple_index()));
  return out.Set(Values(ArrayRef(out.Operand(0)).slice(begin, count)));
}

// The first operand's value, after the second's effects.
Status ExportAddDependency(InstructionExport& out) {
  const Values all = out.Operands();
  OperationState state(out.exporter.LocationOf(out.instruction), "stablehlo.optimization_barrier");
  state.addOperands(all);
  for (Value value : all) state.addTypes(value.getType());
  Operation* const barrier = out.builder.create(state);
  return out.Set(Values(barrier->getResults().take_front(out.Operand(0).size())));
}

}  // namespace

Status ExportInstruction(InstructionExport& out) {
  const HloInstruction& instruction = out.instruction;
  const AttributeSet& attributes = instruction.attributes();
  if (const StringRef name = DirectOperation(instruction.opcode()); !name.empty()) return out.Emit(name);
  if (const StringRef name = ChloOperation(instruction.opcode()); !name.empty()) return out.Emit(name);
  switch (instruction.opcode()) {
    case HloOpcode::kConstant:
      return ExportConstant(out);
    case HloOpcode::kIota:
      return out.Emit("stablehlo.iota", {out.Int("iota_dimension", instruction.iota_dimension())});
    case HloOpcode::kCompare:
      return ExportCompare(out);
    case HloOpcode::kReal:
      return out.Emit("stablehlo.real");
    case HloOpcode::kImag:
      return out.Emit("stablehlo.imag");
    case HloOpcode::kSelect:
      return out.Emit("stablehlo.select");
    case HloOpcode::kClamp:
      return out.Emit("stablehlo.clamp");
    case HloOpcode::kReducePrecision:
      return ExportReducePrecision(out);
    case HloOpcode::kCopy:
      return out.Set(out.Operand(0));
    case HloOpcode::kBitcast:
      return ExportBitcast(out);
    case HloOpcode::kBroadcast:
      return out.Emit("stablehlo.broadcast_in_dim", {out.Dims("broadcast_dimensions", instruction.dimensions())});
    case HloOpcode::kConcatenate:
      return out.Emit("stablehlo.concatenate", {out.Int("dimension", instruction.concatenate_dimension())});
    case HloOpcode::kDynamicSlice:
      return out.Emit("stablehlo.dynamic_slice", {out.Dims("slice_sizes", instruction.dynamic_slice_sizes())});
    case HloOpcode::kPad:
      return ExportPad(out);
    case HloOpcode::kReverse:
      return out.Emit("stablehlo.reverse", {out.Dims("dimensions", instruction.dimensions())});
    case HloOpcode::kSlice:
      return ExportSlice(out);
    case HloOpcode::kTranspose:
      return out.Emit("stablehlo.transpose", {out.Dims("permutation", instruction.dimensions())});
    case HloOpcode::kDot:
      return ExportDot(out);
    case HloOpcode::kReduce:
      return ExportReduce(out);
    case HloOpcode::kConvolution:
      return ExportConvolution(out);
    case HloOpcode::kReduceWindow:
      return ExportReduceWindow(out);
    case HloOpcode::kSelectAndScatter:
      return ExportSelectAndScatter(out);
    case HloOpcode::kGather:
      return ExportGather(out);
    case HloOpcode::kScatter:
      return ExportScatter(out);
    case HloOpcode::kSort:
      return ExportSort(out);
    case HloOpcode::kTopK:
      return ExportTopK(out);
    case HloOpcode::kCholesky:
      return out.Emit("stablehlo.cholesky", {out.Bool("lower", attributes.Get<bool>(AttributeId::kLower))});
    case HloOpcode::kFft:
      return out.Emit("stablehlo.fft", {out.Enum("fft_type", "fft_type", EnumText(instruction.fft_type())),
                                        out.Dims("fft_length", instruction.fft_length())});
    case HloOpcode::kTriangularSolve:
      return ExportTriangularSolve(out);
    case HloOpcode::kBatchNormGrad:
      return ExportBatchNorm(out, "stablehlo.batch_norm_grad");
    case HloOpcode::kBatchNormInference:
      return ExportBatchNorm(out, "stablehlo.batch_norm_inference");
    case HloOpcode::kBatchNormTraining:
      return ExportBatchNorm(out, "stablehlo.batch_norm_training");
    case HloOpcode::kRngBitGenerator:
      return ExportRngBitGenerator(out);
    case HloOpcode::kWhile:
      return ExportWhile(out);
    case HloOpcode::kConditional:
      return ExportConditional(out);
    case HloOpcode::kCall:
      return ExportCall(out, instruction.to_apply());
    case HloOpcode::kFusion:
      return ExportCall(out, instruction.fused_instructions_computation());
    case HloOpcode::kMap:
      return ExportMap(out);
    case HloOpcode::kTuple:
      return out.Set(out.Operands());
    case HloOpcode::kGetTupleElement:
      return ExportElement(out);
    case HloOpcode::kOptimizationBarrier:
      return out.Emit("stablehlo.optimization_barrier");
    case HloOpcode::kAddDependency:
      return ExportAddDependency(out);
    case HloOpcode::kAfterAll:
      return out.Emit("stablehlo.after_all");
    case HloOpcode::kGetDimensionSize:
      return out.Emit("stablehlo.get_dimension_size", {out.Int("dimension", instruction.dimensions()[0])});
    case HloOpcode::kSetDimensionSize:
      return out.Emit("stablehlo.set_dimension_size", {out.Int("dimension", instruction.dimensions()[0])});
    case HloOpcode::kDynamicReshape:
      return ExportDynamicReshape(out);
    case HloOpcode::kRng:
      return ExportRng(out);
    case HloOpcode::kRaggedDot:
      return ExportRaggedDot(out);
    case HloOpcode::kDomain:
      return out.Set(out.Operand(0));
    case HloOpcode::kInfeed:
    case HloOpcode::kOutfeed:
    case HloOpcode::kSend:
    case HloOpcode::kSendDone:
    case HloOpcode::kRecv:
    case HloOpcode::kRecvDone:
      return ExportTransfer(out);
    case HloOpcode::kCustomCall:
      return ExportCustomCall(out);
    default:
      return ExportCollective(out);
  }
}

}  // namespace xla::stablehlo
