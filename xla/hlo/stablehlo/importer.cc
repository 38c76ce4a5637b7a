// The module, its functions and blocks; what each operation becomes is in import_*.cc.
#include "xla/hlo/stablehlo/importer.h"

#include <fmt/format.h>

#include "base/error_ids.h"
#include "base/mlir/location.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/RegionUtils.h"
#include "xla/hlo/ir/hlo_verifier.h"
#include "xla/hlo/stablehlo/dialect.h"
#include "xla/hlo/stablehlo/import_ops.h"
#include "xla/hlo/stablehlo/sdy_attributes.h"

using namespace mlir;
namespace xla::stablehlo {
namespace {

// Each nested call is a few frames of the stack.
constexpr int kDeepestCalls = 200;

bool IsReturn(Operation& op) { return op.getName().getStringRef().ends_with(".return"); }

int64_t IntegerOr(Attribute attribute, int64_t if_absent) {
  const auto number = dyn_cast_if_present<IntegerAttr>(attribute);
  return number && number.getValue().getSignificantBits() <= 64 ? number.getValue().getSExtValue() : if_absent;
}

HloInstruction* TupleOrOnly(Scope& scope, const Instructions& results) {
  return results.size() == 1 ? results[0] : scope.Add(HloInstruction::CreateTuple(results));
}

// "{1,0}"; absent for "default", "auto" and what is no permutation.
std::optional<Layout> LayoutFromMode(StringAttr mode, int64_t rank) {
  StringRef text = mode ? mode.getValue() : "";
  if (!text.consume_front("{") || !text.consume_back("}")) return std::nullopt;
  std::vector<int64_t> order;
  while (!text.empty()) {
    int64_t dimension = 0;
    const auto [first, rest] = text.split(',');
    if (first.getAsInteger(10, dimension)) return std::nullopt;
    order.push_back(dimension);
    text = rest;
  }
  return static_cast<int64_t>(order.size()) == rank ? std::optional<Layout>(Layout(order)) : std::nullopt;
}

}  // namespace

// --- The module. ---

StatusOr<std::unique_ptr<HloModule>> Importer::Run() {
  module_ = std::make_unique<HloModule>(source_.getName().value_or("main").str());
  ASSIGN_OR_RETURN(func::FuncOp entry, FindEntry());
  ASSIGN_OR_RETURN(std::unique_ptr<HloComputation> computation, Write(entry, entry.getName().str()));
  module_->AddEntryComputation(std::move(computation));
  RETURN_IF_ERROR(SetConfig(entry));
  RETURN_IF_ERROR(VerifyHloModule(*module_, [this](const HloInstruction* instruction) {
    if (instruction == nullptr) return Place(source_.getLoc());
    const auto it = origins_.find(instruction);
    return it == origins_.end() ? instruction->ToString() : Place(it->second->getLoc());
  }));
  return std::move(module_);
}

std::string Importer::Place(Location location) const {
  return locate_ ? locate_(location) : rocxla::LocationText(location);
}

StatusOr<func::FuncOp> Importer::FindEntry() {
  func::FuncOp only;
  int count = 0;
  for (auto function : source_.getOps<func::FuncOp>()) {
    if (function.getName() == "main" && !function.isExternal()) return function;
    if (function.isPrivate() || function.isExternal()) continue;
    only = function;
    ++count;
  }
  if (count == 1) return only;
  return Error(ErrorId::kStablehloInvalid, {.what = "the module has no entry function",
                                            .where = Place(source_.getLoc()),
                                            .found = fmt::format("{} public functions, none called main", count),
                                            .expected = "func.func public @main(...) { ... }"});
}

Status Importer::SetConfig(func::FuncOp entry) {
  HloModuleConfig& config = module_->mutable_config();
  config.replica_count = IntegerOr(source_->getAttr("mhlo.num_replicas"), 1);
  config.num_partitions = IntegerOr(source_->getAttr("mhlo.num_partitions"), 1);
  for (const auto& [name, count] : {std::pair("mhlo.num_replicas", config.replica_count),
                                    std::pair("mhlo.num_partitions", config.num_partitions)}) {
    constexpr int64_t kMost = 1 << 20;
    if (count >= 1 && count <= kMost) continue;
    return Error(ErrorId::kStablehloInvalid, {.what = fmt::format("the module's {} makes no sense", name),
                                              .where = Place(source_.getLoc()),
                                              .found = fmt::format("{}", count),
                                              .expected = fmt::format("a number from 1 to {}", kMost)});
  }
  if (const auto attributes = source_->getAttrOfType<DictionaryAttr>("mhlo.frontend_attributes"))
    config.AddAttribute("frontend_attributes", FrontendAttributesText(attributes));
  RETURN_IF_ERROR(SetAliases(entry));
  return SetLayouts(entry);
}

// tf.aliasing_output = N and jax.buffer_donor = true of the parameters.
Status Importer::SetAliases(func::FuncOp entry) {
  std::string aliases, donors;
  const bool is_tuple = entry.getNumResults() != 1;
  for (unsigned i = 0; i < entry.getNumArguments(); ++i) {
    const int64_t output = IntegerOr(entry.getArgAttr(i, "tf.aliasing_output"), -1);
    if (output >= static_cast<int64_t>(entry.getNumResults())) {
      return Error(ErrorId::kStablehloInvalid,
                   {.what = fmt::format("parameter {} aliases a result that does not exist", i),
                    .where = Place(entry.getLoc()),
                    .found = fmt::format("tf.aliasing_output = {}", output),
                    .expected = fmt::format("less than {}", entry.getNumResults())});
    }
    if (output >= 0)
      aliases += fmt::format("{}{{{}}}: ({}, {{}}, may-alias)", aliases.empty() ? "" : ", ",
                             is_tuple ? std::to_string(output) : "", i);
    const auto donor = entry.getArgAttrOfType<BoolAttr>(i, "jax.buffer_donor");
    if (donor && donor.getValue()) donors += fmt::format("{}({}, {{}})", donors.empty() ? "" : ", ", i);
  }
  HloModuleConfig& config = module_->mutable_config();
  if (!aliases.empty()) config.AddAttribute("input_output_alias", fmt::format("{{ {} }}", aliases));
  if (!donors.empty()) config.AddAttribute("buffer_donor", fmt::format("{{ {} }}", donors));
  return OkStatus();
}

Status Importer::SetLayouts(func::FuncOp entry) {
  ProgramShape shape = module_->entry_computation()->ComputeProgramShape();
  const auto apply = [](Shape& array, StringAttr mode) {
    if (!array.IsArray()) return;
    if (const auto layout = LayoutFromMode(mode, array.rank())) array.set_layout(*layout);
  };
  for (unsigned i = 0; i < entry.getNumArguments(); ++i)
    apply(shape.parameters[i], entry.getArgAttrOfType<StringAttr>(i, "mhlo.layout_mode"));
  if (entry.getNumResults() == 1) {
    apply(shape.result, entry.getResultAttrOfType<StringAttr>(0, "mhlo.layout_mode"));
  } else {
    std::vector<Shape> elements = shape.result.tuple_shapes();
    for (unsigned i = 0; i < entry.getNumResults(); ++i)
      apply(elements[i], entry.getResultAttrOfType<StringAttr>(i, "mhlo.layout_mode"));
    shape.result = Shape::Tuple(std::move(elements));
  }
  module_->mutable_config().entry_computation_layout = std::move(shape);
  return OkStatus();
}

// --- Functions. ---

StatusOr<HloComputation*> Importer::ComputationOf(func::FuncOp function, Operation* caller) {
  const auto [it, is_new] = computations_.try_emplace(function, nullptr);
  if (!is_new && it->second != nullptr) return it->second;
  if (!is_new || call_depth_ >= kDeepestCalls) {
    return Error(ErrorId::kStablehloUnsupported,
                 {.what = is_new ? "the calls are nested too deeply" : "a function calls itself",
                  .where = Place(caller->getLoc()),
                  .found = fmt::format("@{}", std::string_view(function.getName())),
                  .expected = is_new ? fmt::format("at most {} calls inside each other", kDeepestCalls)
                                     : "no recursion: HLO has none"});
  }
  ++call_depth_;
  ASSIGN_OR_RETURN(std::unique_ptr<HloComputation> computation, Write(function, function.getName().str()));
  --call_depth_;
  HloComputation* const added = module_->AddEmbeddedComputation(std::move(computation));
  computations_[function] = added;
  return added;
}

StatusOr<std::unique_ptr<HloComputation>> Importer::Write(func::FuncOp function, std::string name) {
  if (function.isExternal() || !function.getBody().hasOneBlock()) {
    return Error(ErrorId::kStablehloUnsupported, {.what = "a function must be one block of operations",
                                                  .where = Place(function.getLoc()),
                                                  .found = fmt::format("@{}", std::string_view(function.getName()))});
  }
  auto computation = std::make_unique<HloComputation>(std::move(name));
  Scope scope(*this, *computation);
  Block& block = function.getBody().front();
  for (BlockArgument argument : block.getArguments()) {
    std::string problem;
    const std::optional<Shape> shape = ShapeOf(argument.getType(), problem);
    if (!shape) {
      return Error(ErrorId::kStablehloUnsupported, {.what = problem,
                                                    .where = Place(argument.getLoc()),
                                                    .found = fmt::format("parameter {} of @{}", argument.getArgNumber(),
                                                                         std::string_view(function.getName()))});
    }
    const unsigned number = argument.getArgNumber();
    auto parameter = HloInstruction::CreateParameter(number, *shape, fmt::format("Arg_{}", number));
    if (const auto sharding = function.getArgAttrOfType<StringAttr>(number, "mhlo.sharding"))
      parameter->SetAttribute(AttributeId::kSharding, Verbatim{sharding.getValue().str()});
    if (const auto sharding = function.getArgAttrOfType<SdyAttr>(number, "sdy.sharding"))
      parameter->SetAttribute(
          AttributeId::kFrontendAttributes,
          Verbatim{fmt::format("{{xla.sdy.sharding={}}}",
                               QuotedText(fmt::format("#sdy.sharding{}", std::string_view(sharding.getBody()))))});
    parameter->set_metadata(MetadataOf(argument.getLoc()));
    HloInstruction* const added = scope.Add(std::move(parameter));
    MarkNew(added, function);
    scope.Set(argument, added);
  }
  ASSIGN_OR_RETURN(const Instructions results, scope.Write(block));
  HloInstruction* const root = TupleOrOnly(scope, results);
  MarkNew(root, &block.back());
  computation->set_root_instruction(root);
  return computation;
}

OpMetadata Importer::MetadataOf(Location location) const {
  OpMetadata metadata;
  if (const auto name = dyn_cast<NameLoc>(location)) {
    // "name:type" is written by frontends that know the operation's type.
    const auto [op_name, op_type] = name.getName().getValue().rsplit(':');
    const bool has_type = !op_type.empty() && !op_type.contains('/');
    metadata.op_name = has_type ? op_name.str() : name.getName().getValue().str();
    if (has_type) metadata.op_type = op_type.str();
  }
  if (const auto fused = dyn_cast<FusedLoc>(location)) {
    for (Location part : fused.getLocations()) {
      OpMetadata of_part = MetadataOf(part);
      if (!of_part.empty()) return of_part;
    }
  }
  const auto position = rocxla::PositionOf(location);
  if (position && position->file != own_file_ && position->file != "-") {
    metadata.source_file = position->file;
    metadata.source_line = position->line;
  }
  return metadata;
}

void Importer::MarkNew(HloInstruction* result, Operation* op) {
  Instructions stack = {result};
  const OpMetadata metadata = MetadataOf(op->getLoc());
  while (!stack.empty()) {
    HloInstruction* const next = stack.back();
    stack.pop_back();
    if (!origins_.emplace(next, op).second) continue;
    if (next->metadata().empty()) next->set_metadata(metadata);
    stack.insert(stack.end(), next->operands().begin(), next->operands().end());
  }
}

// --- Blocks. ---

bool CanBeRepeated(Value value) {
  Operation* const op = value.getDefiningOp();
  return op != nullptr &&
         (op->getName().getStringRef() == "stablehlo.constant" || op->getName().getStringRef() == "stablehlo.iota");
}

StatusOr<HloInstruction*> Scope::Get(Value value, Operation* user) {
  const auto it = values_.find(value);
  if (it != values_.end()) return it->second;
  if (CanBeRepeated(value)) {
    RETURN_IF_ERROR(Write(*value.getDefiningOp()));
    return values_.lookup(value);
  }
  return Error(ErrorId::kStablehloUnsupported,
               {.what = "the region uses a value from outside of it",
                .where = importer.Place(user->getLoc()),
                .expected = "values that the region computes from its arguments, or constants",
                .next = "HLO passes nothing else to such computations; move the use out of the region."});
}

StatusOr<Instructions> Scope::Write(Block& block) {
  for (Operation& op : block) {
    if (!IsReturn(op)) {
      RETURN_IF_ERROR(Write(op));
      continue;
    }
    Instructions results;
    for (Value value : op.getOperands()) {
      ASSIGN_OR_RETURN(HloInstruction * result, Get(value, &op));
      results.push_back(result);
    }
    return results;
  }
  return rocxla::InternalError("a block without a return");  // the MLIR verifier sees to it
}

Status Scope::Write(Operation& op) {
  OpImport import(*this, op);
  RETURN_IF_ERROR(import.Prepare());
  return ConvertOperation(import);
}

// --- One operation. ---

Status OpImport::Prepare() {
  for (Value value : op.getOperands()) {
    ASSIGN_OR_RETURN(HloInstruction * operand, scope.Get(value, &op));
    operands.push_back(operand);
  }
  for (mlir::Type type : op.getResultTypes()) {
    std::string problem;
    const std::optional<Shape> shape = ShapeOf(type, problem);
    std::string text;
    llvm::raw_string_ostream(text) << type;
    if (!shape) return Unsupported(problem, text);
    types_.push_back(*shape);
  }
  return OkStatus();
}

Shape OpImport::AllTypes() const { return types_.size() == 1 ? types_[0] : Shape::Tuple(types_); }

StatusOr<HloComputation*> OpImport::Region(unsigned index, std::string_view role) {
  const auto arguments = op.getRegion(index).getArguments();
  return Region(index, role, {.values = std::vector<Value>(arguments.begin(), arguments.end())});
}

StatusOr<HloComputation*> OpImport::Region(unsigned index, std::string_view role, const RegionPlan& plan) {
  auto computation =
      std::make_unique<HloComputation>(fmt::format("{}_{}", std::string_view(op.getName().stripDialect()), role));
  Scope inside(scope.importer, *computation);
  Block& block = op.getRegion(index).front();
  std::vector<Shape> shapes;
  for (Value value : plan.values) {
    std::string problem;
    const std::optional<Shape> shape = ShapeOf(value.getType(), problem);
    if (!shape) return Unsupported(problem, "an argument of the region");
    shapes.push_back(*shape);
  }
  Instructions known;
  if (plan.tuple_parameter) {
    HloInstruction* const all = inside.Add(HloInstruction::CreateParameter(0, Shape::Tuple(shapes), "arg_tuple"));
    scope.importer.MarkNew(all, &op);
    for (size_t i = 0; i < plan.values.size(); ++i)
      known.push_back(inside.Add(HloInstruction::CreateGetTupleElement(all, static_cast<int64_t>(i))));
  } else {
    for (size_t i = 0; i < plan.values.size(); ++i) {
      const auto number = static_cast<int64_t>(i);
      known.push_back(inside.Add(HloInstruction::CreateParameter(number, shapes[i], fmt::format("Arg_{}", i))));
    }
  }
  for (size_t i = 0; i < plan.values.size(); ++i) {
    scope.importer.MarkNew(known[i], &op);
    inside.Set(plan.values[i], known[i]);
  }
  ASSIGN_OR_RETURN(Instructions results, inside.Write(block));
  results.insert(results.end(), known.end() - static_cast<std::ptrdiff_t>(plan.pass_through), known.end());
  HloInstruction* const root =
      plan.tuple_result ? inside.Add(HloInstruction::CreateTuple(results)) : TupleOrOnly(inside, results);
  scope.importer.MarkNew(root, &block.back());
  computation->set_root_instruction(root);
  return scope.importer.module().AddEmbeddedComputation(std::move(computation));
}

std::vector<Value> OpImport::Captured() {
  llvm::SetVector<Value> values;
  getUsedValuesDefinedAbove(op.getRegions(), values);
  std::vector<Value> captured;
  for (Value value : values)
    if (!CanBeRepeated(value)) captured.push_back(value);
  return captured;
}

Status OpImport::Emit(HloOpcode opcode, const Instructions& with, AttributeSet attributes) {
  return Emit(HloInstruction::Create(opcode, AllTypes(), with, std::move(attributes)));
}

Status OpImport::Bind(HloInstruction* result) {
  scope.importer.MarkNew(result, &op);
  if (types_.size() == 1) return BindEach({result});
  if (!types_.empty()) return BindElements(result);
  return OkStatus();
}

Status OpImport::BindElements(HloInstruction* tuple) {
  Instructions elements;
  for (size_t i = 0; i < types_.size(); ++i)
    elements.push_back(scope.Add(HloInstruction::CreateGetTupleElement(tuple, static_cast<int64_t>(i))));
  return BindEach(elements);
}

Status OpImport::BindEach(const Instructions& results) {
  if (results.size() != types_.size())
    return Invalid("the number of results does not follow from the operands", fmt::format("{}", types_.size()),
                   fmt::format("{}", results.size()));
  for (size_t i = 0; i < results.size(); ++i) {
    scope.importer.MarkNew(results[i], &op);
    if (!ShapeUtil::Compatible(results[i]->shape(), types_[i])) {
      return Invalid(fmt::format("the type of result {} does not follow from the operands", i), types_[i].ToString(),
                     results[i]->shape().ToString());
    }
    scope.Set(op.getResult(static_cast<unsigned>(i)), results[i]);
  }
  return OkStatus();
}

Status OpImport::Invalid(std::string what, std::string found, std::string expected) const {
  return Error(ErrorId::kStablehloInvalid, {.what = fmt::format("{}: {}", Name(), what),
                                            .where = scope.importer.Place(op.getLoc()),
                                            .found = std::move(found),
                                            .expected = std::move(expected)});
}

Status OpImport::Unsupported(std::string what, std::string found, std::string next) const {
  return Error(ErrorId::kStablehloUnsupported, {.what = fmt::format("{}: {}", Name(), what),
                                                .where = scope.importer.Place(op.getLoc()),
                                                .found = std::move(found),
                                                .next = std::move(next)});
}

}  // namespace xla::stablehlo
