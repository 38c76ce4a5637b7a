// Control flow, tuples, calls of other things.
#include <fmt/format.h>

#include "mlir/IR/SymbolTable.h"
#include "xla/hlo/stablehlo/import_ops.h"
#include "xla/hlo/stablehlo/sdy_attributes.h"

using namespace mlir;
namespace xla::stablehlo {
namespace {

std::string TextOf(Attribute attribute) {
  std::string text;
  llvm::raw_string_ostream(text) << attribute;
  return text;
}

// One computation for each region, whose parameter is what the regions use from outside: the value, or a tuple.
Status EmitConditional(OpImport& in, AttributeId first, AttributeId second) {
  const std::vector<Value> captured = in.Captured();
  Instructions values;
  for (Value value : captured) {
    ASSIGN_OR_RETURN(HloInstruction * known, in.scope.Get(value, &in.op));
    values.push_back(known);
  }
  HloInstruction* const argument = values.size() == 1 ? values[0] : in.scope.Add(HloInstruction::CreateTuple(values));
  in.scope.importer.MarkNew(argument, &in.op);
  std::vector<HloComputation*> branches;
  for (unsigned i = 0; i < in.op.getNumRegions(); ++i) {
    if (in.op.getRegion(i).getNumArguments() != 0) return in.Invalid("a branch takes no arguments");
    ASSIGN_OR_RETURN(HloComputation * branch,
                     in.Region(i, "branch", {.values = captured, .tuple_parameter = captured.size() != 1}));
    branches.push_back(branch);
  }
  if (branches.empty()) return in.Invalid("there is no branch");
  AttributeSet attributes;
  if (first == AttributeId::kBranchComputations) {
    attributes.Set(first, branches);
  } else {
    attributes.Set(first, branches[0]);
    attributes.Set(second, branches[1]);
  }
  Instructions operands = {in.operands[0]};
  operands.insert(operands.end(), branches.size(), argument);
  return in.Emit(HloOpcode::kConditional, operands, std::move(attributes));
}

}  // namespace

Status ConvertCase(OpImport& in) {
  return EmitConditional(in, AttributeId::kBranchComputations, AttributeId::kBranchComputations);
}

Status ConvertIf(OpImport& in) {
  return EmitConditional(in, AttributeId::kTrueComputation, AttributeId::kFalseComputation);
}

// The state is a tuple: the operands, then what the regions use from outside, which goes round unchanged.
Status ConvertWhile(OpImport& in) {
  const std::vector<Value> captured = in.Captured();
  const size_t count = in.operands.size();
  for (Region& region : in.op.getRegions()) {
    if (region.getNumArguments() != count)
      return in.Invalid("a region must take one argument for each operand",
                        fmt::format("{} arguments", region.getNumArguments()), fmt::format("{}", count));
  }
  Instructions initial = in.operands;
  for (Value value : captured) {
    ASSIGN_OR_RETURN(HloInstruction * known, in.scope.Get(value, &in.op));
    initial.push_back(known);
  }
  const auto plan_of = [&](unsigned index) {
    OpImport::RegionPlan plan{.values = {}, .tuple_parameter = true, .tuple_result = index == 1};
    const auto arguments = in.op.getRegion(index).getArguments();
    plan.values.assign(arguments.begin(), arguments.end());
    plan.values.insert(plan.values.end(), captured.begin(), captured.end());
    plan.pass_through = index == 1 ? captured.size() : 0;
    return plan;
  };
  ASSIGN_OR_RETURN(HloComputation * condition, in.Region(0, "condition", plan_of(0)));
  ASSIGN_OR_RETURN(HloComputation * body, in.Region(1, "body", plan_of(1)));
  HloInstruction* const state = in.scope.Add(HloInstruction::CreateTuple(initial));
  HloInstruction* const loop = in.scope.Add(HloInstruction::CreateWhile(state->shape(), condition, body, state));
  in.scope.importer.MarkNew(loop, &in.op);
  if (in.op.getNumResults() != count) return in.Invalid("there must be one result for each operand");
  return in.BindElements(loop);
}

Status ConvertGetTupleElement(OpImport& in) {
  AttributeSet attributes;
  ASSIGN_OR_RETURN(const int64_t index, in.Int("index"));
  attributes.Set(AttributeId::kIndex, index);
  return in.Emit(HloOpcode::kGetTupleElement, in.operands, std::move(attributes));
}

Status ConvertOptimizationBarrier(OpImport& in) {
  if (in.operands.empty()) return OkStatus();
  HloInstruction* const all =
      in.operands.size() == 1 ? in.operands[0] : in.scope.Add(HloInstruction::CreateTuple(in.operands));
  return in.Bind(in.scope.Add(HloInstruction::CreateUnary(all->shape(), HloOpcode::kOptimizationBarrier, all)));
}

// Only the debugger of another interpreter sees a trace.
Status ConvertTrace(OpImport&) { return OkStatus(); }

Status ConvertComposite(OpImport& in) {
  const auto symbol = in.op.getAttrOfType<FlatSymbolRefAttr>("decomposition");
  if (!symbol) return in.Invalid("the attribute 'decomposition' must name a function: @name");
  auto function = in.scope.importer.source().lookupSymbol<func::FuncOp>(symbol.getValue());
  if (!function) return in.Invalid("the decomposition is no function of the module", TextOf(symbol));
  ASSIGN_OR_RETURN(HloComputation * computation, in.scope.importer.ComputationOf(function, &in.op));
  AttributeSet attributes;
  attributes.Set(AttributeId::kToApply, computation);
  return in.Emit(HloOpcode::kCall, in.operands, std::move(attributes));
}

// --- Custom calls. ---

namespace {

// The configuration: a string, or a dictionary; JAX puts dictionaries into mhlo.backend_config, beside an empty string.
// Null if there is none.
StatusOr<Attribute> BackendConfig(OpImport& in) {
  for (const char* name : {"backend_config", "mhlo.backend_config"}) {
    const Attribute config = in.op.getAttr(name);
    const auto text = dyn_cast_if_present<StringAttr>(config);
    if (!config || (text && text.getValue().empty())) continue;
    if (text || isa<DictionaryAttr>(config)) return config;
    return in.Invalid("the attribute 'backend_config' must be a string or a dictionary", TextOf(config));
  }
  return Attribute();
}

// As HLO says it: strings in quotes, dictionaries as they are.
std::string ConfigText(Attribute config) {
  const auto text = dyn_cast<StringAttr>(config);
  return text ? QuotedText(std::string_view(text.getValue())) : TextOf(config);
}

StatusOr<std::string> ApiVersionText(OpImport& in) {
  constexpr std::string_view kVersions[] = {"API_VERSION_UNSPECIFIED", "API_VERSION_ORIGINAL",
                                            "API_VERSION_STATUS_RETURNING", "API_VERSION_STATUS_RETURNING_UNIFIED",
                                            "API_VERSION_TYPED_FFI"};
  ASSIGN_OR_RETURN(const int64_t version, in.Int("api_version", 1));
  if (version < 0 || version >= static_cast<int64_t>(std::size(kVersions)))
    return in.Invalid("there is no such api_version", fmt::format("{}", version), "0 to 4");
  return std::string(version <= 1 ? "" : kVersions[version]);
}

// "{{0}: (1, {})}".
StatusOr<std::string> AliasText(OpImport& in) {
  const auto aliases = in.op.getAttrOfType<ArrayAttr>("output_operand_aliases");
  std::string text;
  for (Attribute one : aliases ? aliases : ArrayAttr::get(in.op.getContext(), {})) {
    const auto alias = dyn_cast<StructAttr>(one);
    if (!alias || alias.getKind() != "output_operand_alias")
      return in.Invalid("an alias must be #stablehlo.output_operand_alias<...>", TextOf(one));
    const auto list = [&](StringRef name) {
      std::string numbers;
      for (const int64_t number : alias.Dims(name)) numbers += fmt::format("{}{}", numbers.empty() ? "" : ",", number);
      return "{" + numbers + "}";
    };
    text += fmt::format("{}{}: ({}, {})", text.empty() ? "" : ", ", list("output_tuple_indices"),
                        alias.Int("operand_index"), list("operand_tuple_indices"));
  }
  return text.empty() ? text : "{" + text + "}";
}

// Applies a list of layouts, minor to major, to shapes.
Status ApplyLayouts(OpImport& in, StringRef name, std::vector<Shape>& shapes) {
  const auto layouts = in.op.getAttrOfType<ArrayAttr>(name);
  if (!layouts) return in.op.hasAttr(name) ? in.Invalid("the layouts must be a list") : OkStatus();
  if (layouts.size() != shapes.size())
    return in.Invalid(fmt::format("{} must have one layout for each value", std::string_view(name)),
                      fmt::format("{}", layouts.size()), fmt::format("{}", shapes.size()));
  for (size_t i = 0; i < shapes.size(); ++i) {
    const auto order = dyn_cast<DenseIntElementsAttr>(layouts[i]);
    if (!order) return in.Invalid("a layout must be dense<[1, 0]> : tensor<2xindex>", TextOf(layouts[i]));
    if (!shapes[i].IsArray()) continue;
    std::vector<int64_t> minor_to_major;
    for (const llvm::APInt& dimension : order.getValues<llvm::APInt>())
      minor_to_major.push_back(dimension.getSExtValue());
    shapes[i].set_layout(Layout(std::move(minor_to_major)));
  }
  return OkStatus();
}

Status SetCalledComputations(OpImport& in, AttributeSet& attributes) {
  const auto symbols = in.op.getAttrOfType<ArrayAttr>("called_computations");
  std::vector<HloComputation*> called;
  for (Attribute one : symbols ? symbols : ArrayAttr::get(in.op.getContext(), {})) {
    const auto symbol = dyn_cast<FlatSymbolRefAttr>(one);
    auto function = symbol ? in.scope.importer.source().lookupSymbol<func::FuncOp>(symbol.getValue()) : func::FuncOp();
    if (!function) return in.Invalid("a called computation is no function of the module", TextOf(one));
    ASSIGN_OR_RETURN(HloComputation * computation, in.scope.importer.ComputationOf(function, &in.op));
    called.push_back(computation);
  }
  if (!called.empty()) attributes.Set(AttributeId::kCalledComputations, called);
  return OkStatus();
}

}  // namespace

Status ConvertCustomCall(OpImport& in) {
  AttributeSet attributes;
  ASSIGN_OR_RETURN(const std::string target, in.Text("call_target_name"));
  attributes.Set(AttributeId::kCustomCallTarget, Verbatim{QuotedText(target)});
  ASSIGN_OR_RETURN(const bool has_side_effect, in.Bool("has_side_effect", false));
  if (has_side_effect) attributes.Set(AttributeId::kCustomCallHasSideEffect, true);
  ASSIGN_OR_RETURN(const Attribute config, BackendConfig(in));
  ASSIGN_OR_RETURN(std::string version, ApiVersionText(in));
  // Only calls of this interface have dictionaries, whether they say so or not.
  if (version.empty() && isa_and_present<DictionaryAttr>(config)) version = "API_VERSION_TYPED_FFI";
  if (!version.empty()) attributes.Set(AttributeId::kApiVersion, Verbatim{version});
  ASSIGN_OR_RETURN(const std::string aliases, AliasText(in));
  if (!aliases.empty()) attributes.Set(AttributeId::kOutputToOperandAliasing, Verbatim{aliases});
  RETURN_IF_ERROR(SetCalledComputations(in, attributes));
  if (const auto sharding = in.op.getAttrOfType<StringAttr>("mhlo.sharding"))
    attributes.Set(AttributeId::kSharding, Verbatim{sharding.getValue().str()});
  if (const auto frontend = in.op.getAttrOfType<DictionaryAttr>("mhlo.frontend_attributes"))
    attributes.Set(AttributeId::kFrontendAttributes, Verbatim{FrontendAttributesText(frontend)});
  std::vector<Shape> results = in.Types(), arguments;
  for (const HloInstruction* operand : in.operands) arguments.push_back(operand->shape());
  RETURN_IF_ERROR(ApplyLayouts(in, "result_layouts", results));
  if (in.op.hasAttr("operand_layouts")) {
    RETURN_IF_ERROR(ApplyLayouts(in, "operand_layouts", arguments));
    std::string text;
    for (const Shape& shape : arguments) text += (text.empty() ? "" : ", ") + shape.ToStringWithLayout();
    attributes.Set(AttributeId::kOperandLayoutConstraints, Verbatim{"{" + text + "}"});
  }
  const Shape shape = results.size() == 1 ? results[0] : Shape::Tuple(results);
  auto call = HloInstruction::Create(HloOpcode::kCustomCall, shape, in.operands, std::move(attributes));
  if (config) call->set_raw_backend_config(ConfigText(config));
  return in.Emit(std::move(call));
}

// --- Shardy. ---

// The program is run as a whole, or partitioned by somebody else: where a value lies does not change it.
Status ConvertShardingConstraint(OpImport& in) { return in.Bind(in.operands[0]); }
Status ConvertShardingGroup(OpImport&) { return OkStatus(); }

namespace {

// The mesh that the first of some shardings names: "<[<@mesh, ...>, ...]>".
StringRef MeshBodyOf(OpImport& in, StringRef shardings) {
  const StringRef name = shardings.split('@').second.split(',').first;
  for (Operation& op : *in.scope.importer.source().getBody()) {
    if (op.getName().getStringRef() != "sdy.mesh") continue;
    const auto symbol = op.getAttrOfType<StringAttr>("sym_name");
    const auto mesh = op.getAttrOfType<SdyAttr>("mesh");
    if (symbol && mesh && symbol.getValue() == name) return mesh.getBody();
  }
  return "";
}

}  // namespace

// The body is the program of one device: the same as the whole only where the manual axes have one device.
Status ConvertManualComputation(OpImport& in) {
  const auto axes = in.op.getAttrOfType<SdyAttr>("manual_axes");
  const auto ins = in.op.getAttrOfType<SdyAttr>("in_shardings");
  const auto outs = in.op.getAttrOfType<SdyAttr>("out_shardings");
  if (!axes || !ins || !outs) return in.Invalid("in_shardings, out_shardings and manual_axes must be there");
  StringRef mesh = MeshBodyOf(in, ins.getBody());
  if (mesh.empty()) mesh = MeshBodyOf(in, outs.getBody());
  const int64_t devices = DevicesOfAxes(mesh, axes.getBody());
  if (devices != 1 || (mesh.empty() && axes.getBody() != "{}")) {
    return in.Unsupported("the program must be partitioned for several devices first",
                          fmt::format("manual axes {} of {} devices", std::string_view(axes.getBody()), devices),
                          "rocXLA has no partitioner yet: use the module.hlo of one device, which is partitioned.");
  }
  Block& block = in.op.getRegion(0).front();
  if (block.getNumArguments() != in.operands.size())
    return in.Invalid("the region must take one argument for each operand");
  for (unsigned i = 0; i < block.getNumArguments(); ++i) in.scope.Set(block.getArgument(i), in.operands[i]);
  ASSIGN_OR_RETURN(const Instructions results, in.scope.Write(block));
  return in.BindEach(results);
}

}  // namespace xla::stablehlo
