// The module, its functions and regions; what each instruction becomes is in export_ops.cc and export_calls.cc.
#include "xla/hlo/stablehlo/exporter.h"

#include <fmt/format.h>

#include <set>

#include "base/error_ids.h"
#include "mlir/IR/Verifier.h"
#include "xla/hlo/stablehlo/dialect.h"
#include "xla/hlo/stablehlo/stablehlo_export.h"

using namespace mlir;
namespace xla {
namespace stablehlo {
namespace {

constexpr int kDeepestRegions = 100;
constexpr int64_t kMostOperations = 1 << 20;

Status NotInStablehlo(const HloInstruction& instruction, std::string what, std::string found) {
  return Error(ErrorId::kHloNotInStablehlo, {.what = std::move(what),
                                             .where = fmt::format("instruction '{}' of computation '{}'",
                                                                  instruction.name(), instruction.parent()->name()),
                                             .found = std::move(found)});
}

// Computations that call and fusion name, callees first.
std::vector<const HloComputation*> CalledComputations(const HloModule& module) {
  std::set<const HloComputation*> called;
  for (const HloComputation* computation : module.MakeComputationPostOrder())
    for (const HloInstruction* instruction : computation->instructions()) {
      if (instruction->opcode() == HloOpcode::kCall) called.insert(instruction->to_apply());
      if (instruction->opcode() == HloOpcode::kFusion) called.insert(instruction->fused_instructions_computation());
      if (instruction->opcode() == HloOpcode::kCustomCall)
        called.insert(instruction->called_computations().begin(), instruction->called_computations().end());
    }
  std::vector<const HloComputation*> ordered;
  for (const HloComputation* computation : module.MakeComputationPostOrder())
    if (called.contains(computation)) ordered.push_back(computation);
  return ordered;
}

}  // namespace

StatusOr<OwningOpRef<ModuleOp>> Exporter::Run() {
  LoadDialects(context_);
  OpBuilder builder(&context_);
  OwningOpRef<ModuleOp> owner = ModuleOp::create(builder.getUnknownLoc(), module_.name());
  result_ = *owner;
  result_->setAttr("mhlo.num_partitions",
                   builder.getI32IntegerAttr(static_cast<int32_t>(module_.config().num_partitions)));
  result_->setAttr("mhlo.num_replicas",
                   builder.getI32IntegerAttr(static_cast<int32_t>(module_.config().replica_count)));
  std::set<std::string> names = {"main"};
  for (const HloComputation* computation : CalledComputations(module_)) {
    std::string name = computation->name();
    while (!names.insert(name).second) name += "_";
    ASSIGN_OR_RETURN(func::FuncOp function, WriteFunction(*computation, name));
    function.setPrivate();
    functions_[computation] = function;
  }
  ASSIGN_OR_RETURN(func::FuncOp entry, WriteFunction(*module_.entry_computation(), "main"));
  entry.setPublic();
  RETURN_IF_ERROR(SetLayouts(entry));
  std::string problem;
  ScopedDiagnosticHandler handler(&context_, [&](Diagnostic& diagnostic) {
    problem += diagnostic.str() + "\n";
    return success();
  });
  if (failed(verify(result_))) return rocxla::InternalError("the exported StableHLO does not verify: " + problem);
  return owner;
}

StatusOr<func::FuncOp> Exporter::WriteFunction(const HloComputation& computation, std::string_view name) {
  SmallVector<Type> arguments, results;
  for (const HloInstruction* parameter : computation.parameter_instructions()) {
    if (HasOpaque(parameter->shape())) return NotInStablehlo(*parameter, "StableHLO has no opaque values", "");
    AppendLeafTypes(context_, parameter->shape(), arguments);
  }
  AppendLeafTypes(context_, computation.root_instruction()->shape(), results);
  OpBuilder builder(&context_);
  builder.setInsertionPointToEnd(result_.getBody());
  auto function =
      func::FuncOp::create(builder, builder.getUnknownLoc(), name, builder.getFunctionType(arguments, results));
  Block& block = *function.addEntryBlock();
  std::vector<Values> parameters;
  unsigned next = 0;
  for (const HloInstruction* parameter : computation.parameter_instructions()) {
    Values leaves;
    for (int64_t i = LeafCount(parameter->shape()); i > 0; --i) {
      block.getArgument(next).setLoc(LocationOf(*parameter));
      leaves.push_back(block.getArgument(next++));
    }
    parameters.push_back(std::move(leaves));
  }
  builder.setInsertionPointToEnd(&block);
  ASSIGN_OR_RETURN(const Values root, Write(computation, builder, parameters));
  func::ReturnOp::create(builder, builder.getUnknownLoc(), root);
  return function;
}

StatusOr<Values> Exporter::Write(const HloComputation& computation, OpBuilder& builder,
                                 const std::vector<Values>& parameters) {
  ValueMap values;
  for (const HloInstruction* instruction : computation.MakeInstructionPostOrder()) {
    if (instruction->opcode() == HloOpcode::kParameter) {
      values[instruction] = parameters[instruction->parameter_number()];
      continue;
    }
    if (HasOpaque(instruction->shape())) return NotInStablehlo(*instruction, "StableHLO has no opaque values", "");
    InstructionExport one(*this, builder, values, *instruction);
    RETURN_IF_ERROR(ExportInstruction(one));
  }
  return values.at(computation.root_instruction());
}

Location Exporter::LocationOf(const HloInstruction& instruction) {
  const OpMetadata& metadata = instruction.metadata();
  Location place = UnknownLoc::get(&context_);
  if (!metadata.source_file.empty())
    place = FileLineColLoc::get(&context_, metadata.source_file, static_cast<unsigned>(metadata.source_line), 0);
  if (!metadata.op_name.empty()) {
    const std::string name =
        metadata.op_type.empty() ? metadata.op_name : fmt::format("{}:{}", metadata.op_name, metadata.op_type);
    place = NameLoc::get(StringAttr::get(&context_, name), place);
  }
  has_locations_ = has_locations_ || !isa<UnknownLoc>(place);
  return place;
}

// Layouts of the entry that are not row-major, as JAX says them.
Status Exporter::SetLayouts(func::FuncOp entry) {
  const auto& layouts = module_.config().entry_computation_layout;
  if (!layouts) return OkStatus();
  std::vector<const Shape*> leaves;
  const auto collect = [&](const Shape& shape, auto& self) -> void {
    if (!shape.IsTuple()) leaves.push_back(&shape);
    for (const Shape& element : shape.tuple_shapes()) self(element, self);
  };
  const auto mode_of = [&](const Shape& shape) {
    return StringAttr::get(&context_, Layout(shape.layout().minor_to_major()).ToString());
  };
  for (const Shape& parameter : layouts->parameters) collect(parameter, collect);
  for (unsigned i = 0; i < leaves.size(); ++i)
    if (leaves[i]->IsArray() && !leaves[i]->layout().IsDefault())
      entry.setArgAttr(i, "mhlo.layout_mode", mode_of(*leaves[i]));
  leaves.clear();
  collect(layouts->result, collect);
  for (unsigned i = 0; i < leaves.size(); ++i)
    if (leaves[i]->IsArray() && !leaves[i]->layout().IsDefault())
      entry.setResultAttr(i, "mhlo.layout_mode", mode_of(*leaves[i]));
  return OkStatus();
}

Status Exporter::Count(const HloInstruction& instruction) {
  if (++operation_count_ <= kMostOperations) return OkStatus();
  return NotInStablehlo(instruction, "written as regions, the computations make too many operations",
                        fmt::format("more than {}", kMostOperations));
}

// --- One instruction. ---

Values InstructionExport::Operands(int64_t first) const {
  Values all;
  for (int64_t i = first; i < instruction.operand_count(); ++i) all.append(Operand(i));
  return all;
}

Status InstructionExport::Set(Values result) {
  values_[&instruction] = std::move(result);
  return OkStatus();
}

OperationState InstructionExport::State(StringRef name, ValueRange operands) const {
  OperationState state(exporter.LocationOf(instruction), name);
  state.addOperands(operands);
  SmallVector<Type> types;
  AppendLeafTypes(exporter.context(), instruction.shape(), types);
  state.addTypes(types);
  return state;
}

Status InstructionExport::Emit(OperationState& state) {
  RETURN_IF_ERROR(exporter.Count(instruction));
  Operation* const op = builder.create(state);
  return Set(Values(op->getResults()));
}

Status InstructionExport::Emit(StringRef name, ArrayRef<NamedAttribute> attributes) {
  OperationState state = State(name, Operands());
  state.addAttributes(attributes);
  return Emit(state);
}

Status InstructionExport::AddRegion(OperationState& state, const HloComputation& computation) {
  Region& region = *state.addRegion();
  Block& block = region.emplaceBlock();
  std::vector<Values> parameters;
  for (const HloInstruction* parameter : computation.parameter_instructions()) {
    SmallVector<Type> types;
    AppendLeafTypes(exporter.context(), parameter->shape(), types);
    Values leaves;
    for (Type type : types) leaves.push_back(block.addArgument(type, exporter.LocationOf(*parameter)));
    parameters.push_back(std::move(leaves));
  }
  OpBuilder inside(&exporter.context());
  inside.setInsertionPointToEnd(&block);
  if (++exporter.depth > kDeepestRegions) return Unsupported("the computations are nested too deeply");
  ASSIGN_OR_RETURN(const Values root, exporter.Write(computation, inside, parameters));
  --exporter.depth;
  OperationState end(state.location, "stablehlo.return");
  end.addOperands(root);
  inside.create(end);
  return OkStatus();
}

Status InstructionExport::AddRegionOf(OperationState& state, const HloComputation& computation,
                                      const std::vector<Values>& known) {
  Block& block = state.addRegion()->emplaceBlock();
  OpBuilder inside(&exporter.context());
  inside.setInsertionPointToEnd(&block);
  if (++exporter.depth > kDeepestRegions) return Unsupported("the computations are nested too deeply");
  ASSIGN_OR_RETURN(const Values root, exporter.Write(computation, inside, known));
  --exporter.depth;
  OperationState end(state.location, "stablehlo.return");
  end.addOperands(root);
  inside.create(end);
  return OkStatus();
}

NamedAttribute InstructionExport::Rows(StringRef name, const std::vector<std::vector<int64_t>>& rows,
                                       int64_t columns) const {
  SmallVector<int64_t> numbers;
  for (const std::vector<int64_t>& row : rows)
    for (int64_t i = 0; i < columns; ++i) numbers.push_back(i < static_cast<int64_t>(row.size()) ? row[i] : -1);
  const auto type = RankedTensorType::get({static_cast<int64_t>(rows.size()), columns}, builder.getI64Type());
  return builder.getNamedAttr(name, DenseIntElementsAttr::get(type, numbers));
}

Status InstructionExport::Unsupported(std::string what, std::string found) const {
  return NotInStablehlo(instruction, fmt::format("{}: {}", HloOpcodeString(instruction.opcode()), what),
                        std::move(found));
}

}  // namespace stablehlo

StatusOr<OwningOpRef<ModuleOp>> ConvertHloToStablehlo(const HloModule& module, MLIRContext& context) {
  return stablehlo::Exporter(module, context).Run();
}

StatusOr<std::string> ConvertHloToStablehloText(const HloModule& module) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  stablehlo::Exporter exporter(module, context);
  ASSIGN_OR_RETURN(OwningOpRef<ModuleOp> result, exporter.Run());
  std::string text;
  llvm::raw_string_ostream stream(text);
  OpPrintingFlags flags;
  if (exporter.has_locations()) flags.enableDebugInfo();
  result->print(stream, flags);
  if (!text.ends_with('\n')) text += '\n';
  return text;
}

}  // namespace xla
