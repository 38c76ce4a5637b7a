// Custom calls and collectives.
#include <fmt/format.h>

#include <algorithm>

#include "mlir/AsmParser/AsmParser.h"
#include "xla/hlo/parser/shape_parser.h"
#include "xla/hlo/stablehlo/exporter.h"

using namespace mlir;
namespace xla::stablehlo {
namespace {

using Attributes = SmallVector<NamedAttribute>;

void AddGroups(InstructionExport& out, Attributes& attributes) {
  std::vector<std::vector<int64_t>> groups =
      out.instruction.attributes().Get<ReplicaGroups>(AttributeId::kReplicaGroups).groups;
  size_t widest = 0;
  for (const std::vector<int64_t>& group : groups) widest = std::max(widest, group.size());
  attributes.push_back(out.Rows("replica_groups", groups, static_cast<int64_t>(widest)));
}

void AddChannel(InstructionExport& out, Attributes& attributes) {
  const auto* const channel = out.instruction.attributes().Find<int64_t>(AttributeId::kChannelId);
  if (channel == nullptr) return;
  attributes.push_back(
      out.Struct("channel_handle", "channel_handle", {out.Int("handle", *channel), out.Int("type", 1)}));
}

void AddGlobalIds(InstructionExport& out, Attributes& attributes) {
  if (out.instruction.attributes().Get<bool>(AttributeId::kUseGlobalDeviceIds))
    attributes.push_back(out.builder.getNamedAttr("use_global_device_ids", out.builder.getUnitAttr()));
}

Status EmitReducing(InstructionExport& out, StringRef name, const Attributes& attributes) {
  OperationState state = out.State(name, out.Operands());
  state.addAttributes(attributes);
  RETURN_IF_ERROR(out.AddRegion(state, *out.instruction.to_apply()));
  return out.Emit(state);
}

// "{f32[2]{0}, (s32[], f32[4]{0})}" as lists of minor-to-major orders, one for each leaf.
Status AppendLayouts(InstructionExport& out, const Shape& shape, SmallVectorImpl<Attribute>& layouts) {
  for (const Shape& element : shape.tuple_shapes()) RETURN_IF_ERROR(AppendLayouts(out, element, layouts));
  if (shape.IsTuple()) return OkStatus();
  const std::vector<int64_t> order = shape.IsArray() ? shape.layout().minor_to_major() : std::vector<int64_t>();
  const auto type = RankedTensorType::get({static_cast<int64_t>(order.size())}, out.builder.getIndexType());
  layouts.push_back(DenseIntElementsAttr::get(type, ArrayRef<int64_t>(order)));
  return OkStatus();
}

Status AddLayouts(InstructionExport& out, Attributes& attributes) {
  const auto* const constraints = out.instruction.attributes().Find<Verbatim>(AttributeId::kOperandLayoutConstraints);
  if (constraints == nullptr) return OkStatus();
  TextCursor cursor(constraints->text, "operand_layout_constraints");
  SmallVector<Attribute> operands, results;
  RETURN_IF_ERROR(cursor.Expect("{", "the list is missing"));
  while (!cursor.TryConsume("}")) {
    cursor.TryConsume(",");
    ASSIGN_OR_RETURN(const Shape shape, ParseShape(cursor));
    RETURN_IF_ERROR(AppendLayouts(out, shape, operands));
  }
  RETURN_IF_ERROR(AppendLayouts(out, out.instruction.shape(), results));
  if (operands.size() != out.Operands().size())
    return out.Unsupported("operand_layout_constraints does not fit the operands", constraints->text);
  attributes.push_back(out.builder.getNamedAttr("operand_layouts", out.builder.getArrayAttr(operands)));
  attributes.push_back(out.builder.getNamedAttr("result_layouts", out.builder.getArrayAttr(results)));
  return OkStatus();
}

Status AddApiVersion(InstructionExport& out, Attributes& attributes) {
  const auto* const version = out.instruction.attributes().Find<Verbatim>(AttributeId::kApiVersion);
  const int number = version == nullptr ? 1
                                        : llvm::StringSwitch<int>(version->text)
                                              .Case("API_VERSION_UNSPECIFIED", 0)
                                              .Case("API_VERSION_ORIGINAL", 1)
                                              .Case("API_VERSION_STATUS_RETURNING", 2)
                                              .Case("API_VERSION_STATUS_RETURNING_UNIFIED", 3)
                                              .Case("API_VERSION_TYPED_FFI", 4)
                                              .Default(-1);
  if (number < 0) return out.Unsupported("StableHLO has no such version of the call's interface", version->text);
  if (number != 1) attributes.push_back(out.builder.getNamedAttr("api_version", out.builder.getI32IntegerAttr(number)));
  return OkStatus();
}

// A dictionary, where the text is one; else the string that a quoted text stands for, or the text itself.
StatusOr<Attribute> ConfigAttribute(InstructionExport& out, const std::string& text) {
  if (text.starts_with('"')) {
    ASSIGN_OR_RETURN(const std::string inside, TextCursor(text, "backend_config").String());
    return Attribute(out.builder.getStringAttr(inside));
  }
  ScopedDiagnosticHandler silence(out.builder.getContext(), [](Diagnostic&) { return success(); });
  const auto dictionary = dyn_cast_if_present<DictionaryAttr>(parseAttribute(text, out.builder.getContext()));
  return dictionary ? Attribute(dictionary) : Attribute(out.builder.getStringAttr(text));
}

}  // namespace

Status ExportCustomCall(InstructionExport& out) {
  const HloInstruction& call = out.instruction;
  Attributes attributes = {out.Text("call_target_name", call.custom_call_target())};
  if (call.attributes().Get<bool>(AttributeId::kCustomCallHasSideEffect))
    attributes.push_back(out.Bool("has_side_effect", true));
  RETURN_IF_ERROR(AddApiVersion(out, attributes));
  if (!call.raw_backend_config().empty()) {
    ASSIGN_OR_RETURN(const Attribute config, ConfigAttribute(out, call.raw_backend_config()));
    attributes.push_back(out.builder.getNamedAttr("backend_config", config));
  }
  if (const auto* sharding = call.attributes().Find<Verbatim>(AttributeId::kSharding))
    attributes.push_back(out.Text("mhlo.sharding", sharding->text));
  RETURN_IF_ERROR(AddLayouts(out, attributes));
  if (const auto* aliases = call.attributes().Find<Verbatim>(AttributeId::kOutputToOperandAliasing))
    return out.Unsupported("aliases of custom calls cannot be written yet", aliases->text);
  SmallVector<Attribute> called;
  for (const HloComputation* computation : call.called_computations())
    called.push_back(FlatSymbolRefAttr::get(out.exporter.FunctionOf(computation)));
  if (!called.empty())
    attributes.push_back(out.builder.getNamedAttr("called_computations", out.builder.getArrayAttr(called)));
  return out.Emit("stablehlo.custom_call", attributes);
}

Status ExportCollective(InstructionExport& out) {
  const HloInstruction& instruction = out.instruction;
  Attributes attributes;
  switch (instruction.opcode()) {
    case HloOpcode::kAllGather:
      AddGroups(out, attributes);
      AddChannel(out, attributes);
      AddGlobalIds(out, attributes);
      attributes.push_back(out.Int("all_gather_dim", instruction.dimensions()[0]));
      return out.Emit("stablehlo.all_gather", attributes);
    case HloOpcode::kAllReduce:
      AddGroups(out, attributes);
      AddChannel(out, attributes);
      AddGlobalIds(out, attributes);
      return EmitReducing(out, "stablehlo.all_reduce", attributes);
    case HloOpcode::kReduceScatter:
      AddGroups(out, attributes);
      AddChannel(out, attributes);
      AddGlobalIds(out, attributes);
      attributes.push_back(out.Int("scatter_dimension", instruction.dimensions()[0]));
      return EmitReducing(out, "stablehlo.reduce_scatter", attributes);
    case HloOpcode::kAllToAll:
      if (!instruction.attributes().Has(AttributeId::kDimensions))
        return out.Unsupported("StableHLO's all_to_all cuts one array", "an all-to-all of tuples");
      AddGroups(out, attributes);
      AddChannel(out, attributes);
      attributes.push_back(out.Int("split_dimension", instruction.dimensions()[0]));
      attributes.push_back(out.Int("concat_dimension", instruction.dimensions()[0]));
      attributes.push_back(out.Int("split_count", GroupSizeOf(instruction, out.exporter.module().config())));
      return out.Emit("stablehlo.all_to_all", attributes);
    case HloOpcode::kCollectiveBroadcast:
      AddGroups(out, attributes);
      AddChannel(out, attributes);
      return out.Emit("stablehlo.collective_broadcast", attributes);
    case HloOpcode::kCollectivePermute: {
      std::vector<std::vector<int64_t>> pairs;
      for (const auto& [source, target] :
           instruction.attributes().Get<SourceTargetPairs>(AttributeId::kSourceTargetPairs))
        pairs.push_back({source, target});
      attributes.push_back(out.Rows("source_target_pairs", pairs, 2));
      AddChannel(out, attributes);
      return out.Emit("stablehlo.collective_permute", attributes);
    }
    default:
      return out.Unsupported("StableHLO has no such operation", std::string(HloOpcodeString(instruction.opcode())));
  }
}

namespace {

// "x" without the quotes; attributes without a value are empty.
std::string ConfigOf(const HloInstruction& instruction, AttributeId id) {
  const std::string text = instruction.attributes().Get<Verbatim>(id).text;
  return text.size() >= 2 ? text.substr(1, text.size() - 2) : "";
}

// The attributes of the operation that both halves of a transfer become; `first` is the half that begins it.
Attributes TransferAttributes(InstructionExport& out, const HloInstruction& first) {
  Attributes attributes;
  const bool is_host = first.attributes().Get<bool>(AttributeId::kIsHostTransfer);
  // 1: between devices, 2: to the host, 3: from it.
  const int64_t type = !is_host ? 1 : first.opcode() == HloOpcode::kSend ? 2 : 3;
  attributes.push_back(
      out.Struct("channel_handle", "channel_handle",
                 {out.Int("handle", first.attributes().Get<int64_t>(AttributeId::kChannelId)), out.Int("type", type)}));
  if (is_host) attributes.push_back(out.Bool("is_host_transfer", true));
  if (const auto pairs = TransferPairsOf(first)) {
    std::vector<std::vector<int64_t>> rows;
    for (const auto& [source, target] : *pairs) rows.push_back({source, target});
    attributes.push_back(out.Rows("source_target_pairs", rows, 2));
  }
  return attributes;
}

// The halves of a transfer have to be neighbours: StableHLO has one operation for both.
Status CheckHasOnlyDone(InstructionExport& out, HloOpcode done) {
  for (const HloInstruction* user : out.instruction.users()) {
    if (user->opcode() != done) return out.Unsupported("a transfer must end with its own half", user->ToString());
  }
  return OkStatus();
}

}  // namespace

// What a send or recv itself gives is seen by its other half only, which does not look at it.
Status ExportTransfer(InstructionExport& out) {
  const HloInstruction& instruction = out.instruction;
  switch (instruction.opcode()) {
    case HloOpcode::kInfeed:
      return out.Emit("stablehlo.infeed",
                      {out.Text("infeed_config", ConfigOf(instruction, AttributeId::kInfeedConfig))});
    case HloOpcode::kOutfeed:
      return out.Emit("stablehlo.outfeed",
                      {out.Text("outfeed_config", ConfigOf(instruction, AttributeId::kOutfeedConfig))});
    case HloOpcode::kSend: {
      RETURN_IF_ERROR(CheckHasOnlyDone(out, HloOpcode::kSendDone));
      OperationState state(out.exporter.LocationOf(instruction), "stablehlo.send");
      state.addOperands(out.Operands());
      state.addTypes(TokenType::get(out.builder.getContext()));
      state.addAttributes(TransferAttributes(out, instruction));
      const Value token = out.builder.create(state)->getResult(0);
      return out.Set(Values(static_cast<size_t>(LeafCount(instruction.shape())), token));
    }
    case HloOpcode::kSendDone:
      return out.Set({out.Operand(0).back()});
    case HloOpcode::kRecv:
      RETURN_IF_ERROR(CheckHasOnlyDone(out, HloOpcode::kRecvDone));
      return out.Set(Values(static_cast<size_t>(LeafCount(instruction.shape())), out.Operand(0)[0]));
    default: {
      const HloInstruction& recv = *instruction.operand(0);
      if (recv.opcode() != HloOpcode::kRecv)
        return out.Unsupported("a transfer must begin with its own half", instruction.ToString());
      OperationState state = out.State("stablehlo.recv", out.Operand(0)[0]);
      state.addAttributes(TransferAttributes(out, recv));
      return out.Emit(state);
    }
  }
}

}  // namespace xla::stablehlo
