// Operations between devices.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <numeric>

#include "xla/hlo/stablehlo/import_ops.h"
#include "xla/hlo/stablehlo/sdy_attributes.h"

using namespace mlir;
namespace xla::stablehlo {
namespace {

struct MeshAxis {
  std::string name;
  int64_t size;
};

// The axes of the mesh that a symbol names: sdy.mesh with a stablehlo.mesh dictionary beside it, or its own body.
StatusOr<std::vector<MeshAxis>> AxesOfMesh(OpImport& in, Attribute mesh) {
  const auto symbol = dyn_cast_if_present<FlatSymbolRefAttr>(mesh);
  std::vector<MeshAxis> axes;
  for (Operation& op : *in.scope.importer.source().getBody()) {
    const auto name = op.getAttrOfType<StringAttr>("sym_name");
    const auto body = op.getAttrOfType<SdyAttr>("mesh");
    if (op.getName().getStringRef() != "sdy.mesh" || !symbol || !name || name.getValue() != symbol.getValue() || !body)
      continue;
    ForEachMeshAxis(body.getBody(), [&](StringRef axis, int64_t size) { axes.push_back({axis.str(), size}); });
    return axes;
  }
  return in.Invalid("replica_groups names a mesh that the module does not have");
}

constexpr int64_t kMostDevices = 1 << 16;

// Devices that differ along the given axes only are one group. Devices are numbered with the last axis fastest.
StatusOr<std::vector<Dims>> GroupsOfAxes(OpImport& in, StructAttr groups) {
  ASSIGN_OR_RETURN(const std::vector<MeshAxis> axes, AxesOfMesh(in, groups.getFields().get("mesh")));
  const auto chosen = groups.getFields().getAs<ArrayAttr>("axes");
  if (!chosen) return in.Invalid("replica_groups names no axes");
  std::vector<size_t> order;  // of the chosen axes, the slowest first
  for (Attribute one : chosen) {
    const auto axis = dyn_cast<StructAttr>(one);
    const auto name = axis ? axis.getFields().getAs<StringAttr>("name") : StringAttr();
    if (!name) return in.Invalid("an axis must be #stablehlo.axis_ref<name = ...>");
    if (axis.getFields().get("sub_axis_info")) return in.Unsupported("parts of axes cannot be read yet");
    const auto at =
        std::find_if(axes.begin(), axes.end(), [&](const MeshAxis& a) { return a.name == name.getValue(); });
    if (at == axes.end()) return in.Invalid("the mesh has no such axis", name.getValue().str());
    order.push_back(at - axes.begin());
  }
  int64_t devices = 1;
  for (const MeshAxis& axis : axes) {
    devices = axis.size > 0 && axis.size <= kMostDevices ? devices * axis.size : kMostDevices + 1;
    if (devices > kMostDevices) return in.Unsupported(fmt::format("a mesh of more than {} devices", kMostDevices));
  }
  std::map<Dims, std::vector<std::pair<Dims, int64_t>>> members;  // other coordinates -> (chosen coordinates, device)
  for (int64_t device = 0; device < devices; ++device) {
    Dims place(axes.size());
    int64_t rest = device;
    for (size_t i = axes.size(); i-- > 0; rest /= axes[i].size) place[i] = rest % axes[i].size;
    Dims inside;
    for (const size_t i : order) {
      inside.push_back(place[i]);
      place[i] = 0;
    }
    members[place].emplace_back(inside, device);
  }
  std::vector<Dims> result;
  for (auto& [others, group] : members) {
    std::sort(group.begin(), group.end());
    Dims ids;
    for (const auto& [inside, device] : group) ids.push_back(device);
    result.push_back(ids);
  }
  return result;
}

Status SetGroups(OpImport& in, AttributeSet& attributes) {
  std::vector<Dims> rows;
  if (const auto mesh = in.op.getAttrOfType<StructAttr>("replica_groups");
      mesh && mesh.getKind() == "replica_group_mesh_axes") {
    ASSIGN_OR_RETURN(rows, GroupsOfAxes(in, mesh));
  } else {
    ASSIGN_OR_RETURN(rows, in.Rows("replica_groups"));
  }
  ReplicaGroups groups;
  std::string text;
  for (Dims& row : rows) {
    std::erase(row, -1);  // groups of different sizes are filled up
    if (row.empty()) continue;
    text += fmt::format("{}{{{}}}", text.empty() ? "" : ",", fmt::join(row, ","));
    groups.groups.push_back(row);
  }
  groups.text = "{" + text + "}";
  if (!groups.groups.empty()) attributes.Set(AttributeId::kReplicaGroups, groups);
  return OkStatus();
}

Status SetChannel(OpImport& in, AttributeSet& attributes) {
  if (!in.op.hasAttr("channel_handle")) return OkStatus();
  ASSIGN_OR_RETURN(const StructAttr channel, in.Struct("channel_handle", "channel_handle"));
  if (channel.Int("handle") > 0) attributes.Set(AttributeId::kChannelId, channel.Int("handle"));
  return OkStatus();
}

Status SetGroupsAndChannel(OpImport& in, AttributeSet& attributes) {
  RETURN_IF_ERROR(SetGroups(in, attributes));
  RETURN_IF_ERROR(SetChannel(in, attributes));
  ASSIGN_OR_RETURN(const bool global_ids, in.Bool("use_global_device_ids", false));
  if (global_ids) attributes.Set(AttributeId::kUseGlobalDeviceIds, true);
  return OkStatus();
}

}  // namespace

Status ConvertAllGather(OpImport& in) {
  AttributeSet attributes;
  RETURN_IF_ERROR(SetGroupsAndChannel(in, attributes));
  ASSIGN_OR_RETURN(const int64_t dimension, in.Int("all_gather_dim"));
  attributes.Set(AttributeId::kDimensions, Dims{dimension});
  return in.Emit(HloOpcode::kAllGather, in.operands, std::move(attributes));
}

Status ConvertAllReduce(OpImport& in) {
  AttributeSet attributes;
  RETURN_IF_ERROR(SetGroupsAndChannel(in, attributes));
  ASSIGN_OR_RETURN(HloComputation * reducer, in.Region(0, "reducer"));
  attributes.Set(AttributeId::kToApply, reducer);
  return in.Emit(HloOpcode::kAllReduce, in.operands, std::move(attributes));
}

// A sum over groups.
Status ConvertCrossReplicaSum(OpImport& in) {
  AttributeSet attributes;
  RETURN_IF_ERROR(SetGroups(in, attributes));
  attributes.Set(AttributeId::kToApply,
                 AddBinaryComputation(in.scope.importer.module(), HloOpcode::kAdd, in.Type().element_type()));
  return in.Emit(HloOpcode::kAllReduce, in.operands, std::move(attributes));
}

Status ConvertReduceScatter(OpImport& in) {
  AttributeSet attributes;
  RETURN_IF_ERROR(SetGroupsAndChannel(in, attributes));
  ASSIGN_OR_RETURN(const int64_t dimension, in.Int("scatter_dimension"));
  ASSIGN_OR_RETURN(HloComputation * reducer, in.Region(0, "reducer"));
  attributes.Set(AttributeId::kDimensions, Dims{dimension});
  attributes.Set(AttributeId::kToApply, reducer);
  return in.Emit(HloOpcode::kReduceScatter, in.operands, std::move(attributes));
}

Status ConvertCollectiveBroadcast(OpImport& in) {
  AttributeSet attributes;
  RETURN_IF_ERROR(SetGroups(in, attributes));
  RETURN_IF_ERROR(SetChannel(in, attributes));
  return in.Emit(HloOpcode::kCollectiveBroadcast, in.operands, std::move(attributes));
}

Status ConvertCollectivePermute(OpImport& in) {
  AttributeSet attributes;
  RETURN_IF_ERROR(SetChannel(in, attributes));
  ASSIGN_OR_RETURN(const std::vector<Dims> rows, in.Rows("source_target_pairs"));
  SourceTargetPairs pairs;
  for (const Dims& row : rows) {
    if (row.size() != 2) return in.Invalid("a pair of source_target_pairs must have two numbers");
    pairs.emplace_back(row[0], row[1]);
  }
  attributes.Set(AttributeId::kSourceTargetPairs, pairs);
  return in.Emit(HloOpcode::kCollectivePermute, in.operands, std::move(attributes));
}

// HLO splits and concatenates along one dimension. Where they differ, the split dimension becomes (parts, rest), the
// parts go to the front and are exchanged, and then join the dimension of the concatenation.
Status ConvertAllToAll(OpImport& in) {
  AttributeSet attributes;
  RETURN_IF_ERROR(SetGroups(in, attributes));
  RETURN_IF_ERROR(SetChannel(in, attributes));
  ASSIGN_OR_RETURN(const int64_t split, in.Int("split_dimension"));
  ASSIGN_OR_RETURN(const int64_t concat, in.Int("concat_dimension"));
  ASSIGN_OR_RETURN(const int64_t parts, in.Int("split_count"));
  if (in.operands.size() != 1) return in.Unsupported("only an all_to_all of one array can be read yet");
  HloInstruction* const x = in.operands[0];
  const Dims& dimensions = x->shape().dimensions();
  const int64_t rank = x->shape().rank();
  if (split < 0 || split >= rank || concat < 0 || concat >= rank || parts < 1 || dimensions[split] % parts != 0)
    return in.Invalid("the dimensions or the count do not fit the operand",
                      fmt::format("split_dimension {}, concat_dimension {}, split_count {}", split, concat, parts),
                      x->shape().ToString());
  if (split == concat) {
    attributes.Set(AttributeId::kDimensions, Dims{split});
    return in.Emit(HloOpcode::kAllToAll, in.operands, std::move(attributes));
  }
  Dims parted = dimensions;
  parted[split] /= parts;
  parted.insert(parted.begin() + split, parts);
  Dims to_front = AllDimensions(rank + 1);
  to_front.erase(to_front.begin() + split);
  to_front.insert(to_front.begin(), split);
  HloInstruction* const front = in.write.Transpose(in.write.Reshape(x, parted), to_front);
  attributes.Set(AttributeId::kDimensions, Dims{0});
  HloInstruction* const exchanged =
      in.scope.Add(HloInstruction::Create(HloOpcode::kAllToAll, front->shape(), {{front}}, std::move(attributes)));
  Dims to_concat = AllDimensions(rank + 1);
  to_concat.erase(to_concat.begin());
  to_concat.insert(to_concat.begin() + concat, 0);
  return in.Bind(in.write.Reshape(in.write.Transpose(exchanged, to_concat), in.Type().dimensions()));
}

namespace {

Shape OneOrTuple(std::vector<Shape> shapes) {
  return shapes.size() == 1 ? std::move(shapes[0]) : Shape::Tuple(std::move(shapes));
}

// The values before the token, and the token.
HloInstruction* SentValue(OpImport& in) {
  const Instructions values(in.operands.begin(), in.operands.end() - 1);
  return values.size() == 1 ? values[0] : in.scope.Add(HloInstruction::CreateTuple(values));
}
Status CheckHasToken(OpImport& in) {
  if (!in.operands.empty()) return OkStatus();
  return in.Invalid("the token is missing", "no operands", "values, then a token");
}

// A pair of a value and a token: the value's parts and the token are the results.
Status BindValueAndToken(OpImport& in, HloInstruction* pair) {
  HloInstruction* const value = in.scope.Add(HloInstruction::CreateGetTupleElement(pair, 0));
  Instructions results;
  const auto parts = static_cast<int64_t>(in.Types().size()) - 1;
  for (int64_t i = 0; i < parts; ++i)
    results.push_back(parts == 1 ? value : in.scope.Add(HloInstruction::CreateGetTupleElement(value, i)));
  results.push_back(in.scope.Add(HloInstruction::CreateGetTupleElement(pair, 1)));
  return in.BindEach(results);
}
StatusOr<Shape> ReceivedShape(OpImport& in) {
  if (in.Types().empty() || !in.Types().back().IsToken())
    return in.Invalid("the last result must be a token", in.AllTypes().ToString(), "values, then a token");
  return OneOrTuple(std::vector<Shape>(in.Types().begin(), in.Types().end() - 1));
}

Status SetTransfer(OpImport& in, AttributeSet& attributes) {
  RETURN_IF_ERROR(SetChannel(in, attributes));
  ASSIGN_OR_RETURN(const bool is_host, in.Bool("is_host_transfer", false));
  if (is_host) attributes.Set(AttributeId::kIsHostTransfer, true);
  return OkStatus();
}
Status SetTransferPairs(OpImport& in, AttributeSet& attributes) {
  if (!in.op.hasAttr("source_target_pairs")) return OkStatus();
  ASSIGN_OR_RETURN(const std::vector<Dims> pairs, in.Rows("source_target_pairs"));
  std::string text;
  for (const Dims& pair : pairs) text += fmt::format("{}{{{}}}", text.empty() ? "" : ",", fmt::join(pair, ","));
  if (!pairs.empty()) {
    attributes.Set(AttributeId::kFrontendAttributes,
                   Verbatim{fmt::format("{{_xla_send_recv_source_target_pairs=\"{{{}}}\"}}", text)});
  }
  return OkStatus();
}

Shape OnItsWay(const Shape& value) { return Shape::Tuple({value, Shape::Scalar(U32), Shape::Token()}); }

}  // namespace

Status ConvertInfeed(OpImport& in) {
  ASSIGN_OR_RETURN(const Shape value, ReceivedShape(in));
  AttributeSet attributes;
  ASSIGN_OR_RETURN(const std::string config, in.Text("infeed_config", ""));
  if (!config.empty()) attributes.Set(AttributeId::kInfeedConfig, Verbatim{Quoted(config)});
  return BindValueAndToken(
      in, in.scope.Add(HloInstruction::Create(HloOpcode::kInfeed, Shape::Tuple({value, Shape::Token()}), in.operands,
                                              std::move(attributes))));
}

Status ConvertOutfeed(OpImport& in) {
  RETURN_IF_ERROR(CheckHasToken(in));
  HloInstruction* const value = SentValue(in);
  AttributeSet attributes;
  attributes.Set(AttributeId::kOutfeedShape, value->shape());
  ASSIGN_OR_RETURN(const std::string config, in.Text("outfeed_config", ""));
  if (!config.empty()) attributes.Set(AttributeId::kOutfeedConfig, Verbatim{Quoted(config)});
  return in.Emit(HloOpcode::kOutfeed, {value, in.operands.back()}, std::move(attributes));
}

Status ConvertSend(OpImport& in) {
  RETURN_IF_ERROR(CheckHasToken(in));
  HloInstruction* const value = SentValue(in);
  AttributeSet of_done;
  RETURN_IF_ERROR(SetTransfer(in, of_done));
  AttributeSet attributes = of_done;
  RETURN_IF_ERROR(SetTransferPairs(in, attributes));
  HloInstruction* const send = in.scope.Add(HloInstruction::Create(
      HloOpcode::kSend, OnItsWay(value->shape()), {{value, in.operands.back()}}, std::move(attributes)));
  in.scope.importer.MarkNew(send, &in.op);
  return in.Emit(HloOpcode::kSendDone, {send}, std::move(of_done));
}

Status ConvertRecv(OpImport& in) {
  ASSIGN_OR_RETURN(const Shape value, ReceivedShape(in));
  AttributeSet of_done;
  RETURN_IF_ERROR(SetTransfer(in, of_done));
  AttributeSet attributes = of_done;
  RETURN_IF_ERROR(SetTransferPairs(in, attributes));
  HloInstruction* const recv =
      in.scope.Add(HloInstruction::Create(HloOpcode::kRecv, OnItsWay(value), in.operands, std::move(attributes)));
  in.scope.importer.MarkNew(recv, &in.op);
  return BindValueAndToken(
      in, in.scope.Add(HloInstruction::Create(HloOpcode::kRecvDone, Shape::Tuple({value, Shape::Token()}), {{recv}},
                                              std::move(of_done))));
}

}  // namespace xla::stablehlo
