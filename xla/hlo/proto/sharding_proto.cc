#include "xla/hlo/proto/sharding_proto.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error_ids.h"
#include "xla/hlo/parser/attribute_parser.h"
#include "xla/hlo/parser/shape_parser.h"
#include "xla/hlo/proto/mesh_text.h"

namespace xla {
namespace {

// The names of OpSharding::Type in the text.
struct TypeName {
  proto::OpSharding::Type type;
  std::string_view text;
};
constexpr TypeName kTypeNames[] = {{proto::OpSharding::REPLICATED, "replicated"},
                                   {proto::OpSharding::MAXIMAL, "maximal"},
                                   {proto::OpSharding::MANUAL, "manual"},
                                   {proto::OpSharding::UNKNOWN, "unknown"},
                                   {proto::OpSharding::UNREDUCED, "unreduced"}};

const TypeName* FindTypeName(std::string_view text) {
  for (const TypeName& name : kTypeNames) {
    if (name.text == text) return &name;
  }
  return nullptr;
}

class ShardingReader {
 public:
  explicit ShardingReader(TextCursor& cursor) : cursor_(cursor) {}

  Status Read(proto::OpSharding* out, int depth) {
    RETURN_IF_ERROR(cursor_.Expect("{", "a sharding stands in braces"));
    if (cursor_.Peek() == '{' || cursor_.Peek() == '}') return ReadTuple(out, depth);
    const std::string_view word = cursor_.PeekWord();
    if (word == "mesh" || word == "maximal_mesh") return ReadNamed(out->mutable_named_sharding());
    while (!cursor_.TryConsume("}")) RETURN_IF_ERROR(ReadPart(out));
    return OkStatus();
  }

 private:
  Status ReadTuple(proto::OpSharding* out, int depth) {
    if (depth == kMaxTupleDepth) return cursor_.SyntaxError("the sharding is nested too deep", "fewer braces");
    out->set_type(proto::OpSharding::TUPLE);
    if (cursor_.TryConsume("}")) return OkStatus();
    do {
      RETURN_IF_ERROR(Read(out->add_tuple_shardings(), depth + 1));
    } while (cursor_.TryConsume(","));
    return cursor_.Expect("}", "the tuple's sharding is not closed");
  }

  Status ReadPart(proto::OpSharding* out) {
    const size_t at = cursor_.offset();
    ASSIGN_OR_RETURN(const std::string_view word, cursor_.Word("a part of a sharding, or '}'"));
    if (const TypeName* name = FindTypeName(word)) {
      out->set_type(name->type);
      return OkStatus();
    }
    if (word == "device" || word == "devices") {
      RETURN_IF_ERROR(cursor_.Expect("=", "the devices are missing"));
      if (cursor_.Peek() == '[') return ReadTiles(out);
      ASSIGN_OR_RETURN(const int64_t device, cursor_.Integer());
      out->add_tile_assignment_devices(device);
      return OkStatus();
    }
    if (word == "last_tile_dim_replicate") {
      out->set_replicate_on_last_tile_dim(true);
      return OkStatus();
    }
    if (word == "shard_as" || word == "shard_like") {
      ASSIGN_OR_RETURN(const int64_t group, cursor_.Integer());
      out->set_is_shard_group(true);
      out->set_shard_group_id(group);
      out->set_shard_group_type(word == "shard_as" ? proto::OpSharding::AS : proto::OpSharding::LIKE);
      return OkStatus();
    }
    if (word == "last_tile_dims" || word == "metadata") {
      RETURN_IF_ERROR(cursor_.Expect("=", "the value is missing"));
      return word == "metadata" ? ReadMetadata(out->mutable_metadata()) : ReadLastTileDims(out);
    }
    return cursor_.ErrorAt(at, ErrorId::kHloSyntax,
                           {.what = "a sharding has no such part",
                            .expected = "replicated, manual, unknown, unreduced, maximal, devices=..., mesh[...], "
                                        "last_tile_dims={...}, shard_as N, shard_like N or metadata={...}"});
  }

  // "[2,4]<=[8]T(1,0)" or "[2,2]0,1,2,3".
  Status ReadTiles(proto::OpSharding* out) {
    out->set_type(proto::OpSharding::OTHER);
    RETURN_IF_ERROR(
        ReadIntegers(cursor_, "[", "]", [&](int64_t value) { out->add_tile_assignment_dimensions(value); }));
    if (cursor_.TryConsume("<=")) {
      RETURN_IF_ERROR(ReadIntegers(cursor_, "[", "]", [&](int64_t value) { out->add_iota_reshape_dims(value); }));
      if (cursor_.TryConsume("T"))
        return ReadIntegers(cursor_, "(", ")", [&](int64_t value) { out->add_iota_transpose_perm(value); });
      for (int d = 0; d < out->iota_reshape_dims_size(); ++d) out->add_iota_transpose_perm(d);
      return OkStatus();
    }
    do {
      ASSIGN_OR_RETURN(const int64_t device, cursor_.Integer());
      out->add_tile_assignment_devices(device);
    } while (cursor_.TryConsume(","));
    return OkStatus();
  }

  Status ReadLastTileDims(proto::OpSharding* out) {
    RETURN_IF_ERROR(cursor_.Expect("{", "a list is missing"));
    do {
      const size_t at = cursor_.offset();
      ASSIGN_OR_RETURN(const std::string_view word, cursor_.Word("a kind of sharding"));
      const TypeName* name = FindTypeName(word);
      if (name == nullptr)
        return cursor_.ErrorAt(at, ErrorId::kHloSyntax, {.what = "there is no such kind of sharding"});
      out->add_last_tile_dims(name->type);
    } while (cursor_.TryConsume(","));
    return cursor_.Expect("}", "the list is not closed");
  }

  // "{op_name="a"}", or "{{...}, {...}}" for several.
  Status ReadMetadata(google::protobuf::RepeatedPtrField<proto::OpMetadata>* out) {
    const size_t at = cursor_.offset();
    RETURN_IF_ERROR(cursor_.Expect("{", "metadata stands in braces"));
    if (cursor_.Peek() != '{') {
      cursor_.set_offset(at);
      ASSIGN_OR_RETURN(const OpMetadata metadata, ParseMetadata(cursor_));
      return MetadataToProto(metadata, out->Add());
    }
    do {
      ASSIGN_OR_RETURN(const OpMetadata metadata, ParseMetadata(cursor_));
      RETURN_IF_ERROR(MetadataToProto(metadata, out->Add()));
    } while (cursor_.TryConsume(","));
    return cursor_.Expect("}", "the list of metadata is not closed");
  }

  // Behind the '{': "mesh['a'=2], [{'a'}, {?}], replicated={...}, ...}".
  Status ReadNamed(proto::NamedShardingProto* out) {
    RETURN_IF_ERROR(ReadMesh(cursor_, out->mutable_mesh()));
    while (!cursor_.TryConsume("}")) {
      RETURN_IF_ERROR(cursor_.Expect(",", "the sharding is not closed"));
      RETURN_IF_ERROR(cursor_.Peek() == '[' ? ReadDimensions(out) : ReadNamedPart(out));
    }
    return OkStatus();
  }

  Status ReadDimensions(proto::NamedShardingProto* out) {
    RETURN_IF_ERROR(cursor_.Expect("[", "the dimensions are missing"));
    if (cursor_.TryConsume("]")) return OkStatus();
    do {
      auto* dimension = out->add_dim_shardings();
      dimension->set_is_closed(true);
      RETURN_IF_ERROR(cursor_.Expect("{", "the axes of a dimension stand in braces"));
      while (!cursor_.TryConsume("}")) {
        if (cursor_.TryConsume("?")) {
          dimension->set_is_closed(false);
        } else {
          RETURN_IF_ERROR(ReadAxis(cursor_, out->mesh(), dimension->add_axes()));
        }
        if (cursor_.Peek() != '}') RETURN_IF_ERROR(cursor_.Expect(",", "the axes are not closed"));
      }
    } while (cursor_.TryConsume(","));
    return cursor_.Expect("]", "the dimensions are not closed");
  }

  Status ReadNamedPart(proto::NamedShardingProto* out) {
    const size_t at = cursor_.offset();
    ASSIGN_OR_RETURN(const std::string_view word, cursor_.Word("replicated, unreduced, manual or metadata"));
    if (word == "metadata") {
      RETURN_IF_ERROR(cursor_.Expect("=", "the value is missing"));
      return ReadMetadata(out->mutable_metadata());
    }
    auto* axes = word == "replicated"  ? out->mutable_replicated_axes()
                 : word == "unreduced" ? out->mutable_unreduced_axes()
                 : word == "manual"    ? out->mutable_manual_axes()
                                       : nullptr;
    if (axes == nullptr) {
      return cursor_.ErrorAt(at, ErrorId::kHloSyntax,
                             {.what = "a sharding has no such part",
                              .expected = "[...], replicated, unreduced, manual or metadata={...}"});
    }
    if (cursor_.TryConsume("=")) return ReadAxes(cursor_, out->mesh(), axes);
    // The word alone speaks of all axes, except that "replicated" is what a mesh without more means.
    for (int axis = 0; word != "replicated" && axis < out->mesh().axes_size(); ++axis)
      axes->Add()->set_mesh_axis_index(axis);
    return OkStatus();
  }

  TextCursor& cursor_;
};

std::string TypeText(proto::OpSharding::Type type) {
  for (const TypeName& name : kTypeNames) {
    if (name.type == type) return std::string(name.text);
  }
  return "other";
}

template <class List>
std::string MetadataListText(const List& list, std::string_view separator, bool always_in_list) {
  if (list.empty()) return "";
  std::string text;
  for (const proto::OpMetadata& metadata : list)
    text += (text.empty() ? "" : ", ") + fmt::format("{{{}}}", OpMetadataToString(MetadataFromProto(metadata)));
  if (list.size() > 1 || always_in_list) text = "{" + text + "}";
  return fmt::format("{}metadata={}", separator, text);
}

StatusOr<std::string> NamedText(const proto::NamedShardingProto& sharding, const ProtoPlace& place) {
  const proto::MeshProto& mesh = sharding.mesh();
  ASSIGN_OR_RETURN(std::string text, MeshText(mesh, place));
  const auto are_all_axes = [&](const auto& axes) {
    if (axes.size() != mesh.axes_size() || axes.empty()) return false;
    for (int i = 0; i < axes.size(); ++i) {
      if (axes[i].mesh_axis_index() != i || axes[i].has_sub_axis_info()) return false;
    }
    return sharding.dim_shardings_size() == 0;
  };
  if (IsMaximalMesh(mesh)) {
    // One device has it all; there is nothing more to say.
  } else if (sharding.dim_shardings_size() + sharding.replicated_axes_size() + sharding.unreduced_axes_size() +
                 sharding.manual_axes_size() ==
             0) {
    text += ", replicated";
  } else if (are_all_axes(sharding.unreduced_axes())) {
    text += ", unreduced";
  } else if (are_all_axes(sharding.manual_axes())) {
    text += ", manual";
  } else {
    std::string dimensions;
    for (const auto& dimension : sharding.dim_shardings()) {
      ASSIGN_OR_RETURN(std::string axes, AxesText(mesh, dimension.axes(), ", ", place));
      if (!dimension.is_closed()) axes += axes.empty() ? "?" : ", ?";
      dimensions += fmt::format("{}{{{}}}", dimensions.empty() ? "" : ", ", axes);
    }
    text += fmt::format(", [{}]", dimensions);
    for (const auto& [name, list] :
         {std::pair("replicated", &sharding.replicated_axes()), std::pair("unreduced", &sharding.unreduced_axes()),
          std::pair("manual", &sharding.manual_axes())}) {
      if (list->empty()) continue;
      ASSIGN_OR_RETURN(const std::string axes, AxesText(mesh, *list, ", ", place));
      text += fmt::format(", {}={{{}}}", name, axes);
    }
  }
  return fmt::format("{{{}{}}}", text, MetadataListText(sharding.metadata(), ", ", true));
}

}  // namespace

Status ShardingToProto(TextCursor& cursor, proto::OpSharding* out) { return ShardingReader(cursor).Read(out, 0); }

StatusOr<std::string> ShardingFromProto(const proto::OpSharding& sharding, const ProtoPlace& place) {
  if (sharding.has_named_sharding()) return NamedText(sharding.named_sharding(), place);
  if (sharding.type() == proto::OpSharding::TUPLE) {
    std::string text;
    for (const proto::OpSharding& element : sharding.tuple_shardings()) {
      ASSIGN_OR_RETURN(const std::string one, ShardingFromProto(element, place));
      text += (text.empty() ? "" : ", ") + one;
    }
    return "{" + text + "}";
  }
  std::string text;
  if (sharding.type() != proto::OpSharding::OTHER) {
    text = TypeText(sharding.type());
    if (sharding.type() == proto::OpSharding::MAXIMAL)
      text += fmt::format(" device={}", fmt::join(sharding.tile_assignment_devices(), ","));
  } else {
    const auto& dimensions = sharding.tile_assignment_dimensions();
    text = "devices=" +
           (sharding.iota_reshape_dims_size() == 0
                ? fmt::format("[{}]{}", fmt::join(dimensions, ","), fmt::join(sharding.tile_assignment_devices(), ","))
                : IotaText(dimensions, sharding.iota_reshape_dims(), sharding.iota_transpose_perm()));
    if (sharding.replicate_on_last_tile_dim()) text += " last_tile_dim_replicate";
    std::vector<std::string> last;
    for (const int type : sharding.last_tile_dims())
      last.push_back(TypeText(static_cast<proto::OpSharding::Type>(type)));
    if (!last.empty()) text += fmt::format(" last_tile_dims={{{}}}", fmt::join(last, ", "));
  }
  if (sharding.is_shard_group()) {
    text += fmt::format(" {} {}", sharding.shard_group_type() == proto::OpSharding::AS ? "shard_as" : "shard_like",
                        sharding.shard_group_id());
  }
  return fmt::format("{{{}{}}}", text, MetadataListText(sharding.metadata(), " ", false));
}

Status DomainToProto(TextCursor& cursor, proto::OpSharding* entry, proto::OpSharding* exit) {
  RETURN_IF_ERROR(cursor.Expect("{", "a domain stands in braces"));
  RETURN_IF_ERROR(cursor.Expect("kind=", "the kind of the domain is missing"));
  const size_t at = cursor.offset();
  ASSIGN_OR_RETURN(const std::string kind, cursor.String());
  if (kind != "sharding") {
    return cursor.ErrorAt(at, ErrorId::kHloNotInProto,
                          {.what = "only domains of shardings have a place in protos", .expected = "\"sharding\""});
  }
  RETURN_IF_ERROR(cursor.Expect(",", "the domain's entry is missing"));
  RETURN_IF_ERROR(cursor.Expect("entry=", "the domain's entry is missing"));
  RETURN_IF_ERROR(ShardingToProto(cursor, exit));
  RETURN_IF_ERROR(cursor.Expect(",", "the domain's exit is missing"));
  RETURN_IF_ERROR(cursor.Expect("exit=", "the domain's exit is missing"));
  RETURN_IF_ERROR(ShardingToProto(cursor, entry));
  return cursor.Expect("}", "the domain is not closed");
}

StatusOr<std::string> DomainFromProto(const proto::OpSharding& entry, const proto::OpSharding& exit,
                                      const ProtoPlace& place) {
  ASSIGN_OR_RETURN(const std::string of_users, ShardingFromProto(exit, place));
  ASSIGN_OR_RETURN(const std::string of_operand, ShardingFromProto(entry, place));
  return fmt::format("{{kind=\"sharding\", entry={}, exit={}}}", of_users, of_operand);
}

Status ReplicaGroupsToProto(TextCursor& cursor, proto::HloInstructionProto* out) {
  if (cursor.Peek() == '[') {
    proto::IotaReplicaGroupListProto* list = out->mutable_iota_collective_device_list();
    std::vector<int64_t> counts;
    RETURN_IF_ERROR(ReadIntegers(cursor, "[", "]", [&](int64_t value) { counts.push_back(value); }));
    if (counts.size() != 2) return cursor.SyntaxError("groups in short form are [groups,members]", "two counts");
    list->set_num_replica_groups(counts[0]);
    list->set_num_devices_per_group(counts[1]);
    RETURN_IF_ERROR(cursor.Expect("<=", "groups in short form are [groups,members]<=[dimensions]"));
    RETURN_IF_ERROR(ReadIntegers(cursor, "[", "]", [&](int64_t value) { list->add_iota_reshape_dims(value); }));
    if (cursor.TryConsume("T"))
      return ReadIntegers(cursor, "(", ")", [&](int64_t value) { list->add_iota_transpose_perm(value); });
    for (int d = 0; d < list->iota_reshape_dims_size(); ++d) list->add_iota_transpose_perm(d);
    return OkStatus();
  }
  if (cursor.PeekWord() == "mesh") {
    proto::MeshAxesReplicaGroupListProto* list = out->mutable_mesh_axes_replica_group_list();
    RETURN_IF_ERROR(ReadMesh(cursor, list->mutable_mesh()));
    return ReadAxes(cursor, list->mesh(), list->mutable_axes());
  }
  RETURN_IF_ERROR(cursor.Expect("{", "a list of groups is missing"));
  if (cursor.TryConsume("}")) return OkStatus();
  do {
    proto::ReplicaGroup* group = out->mutable_collective_device_list()->add_replica_groups();
    RETURN_IF_ERROR(ReadIntegers(cursor, "{", "}", [&](int64_t value) { group->add_replica_ids(value); }));
  } while (cursor.TryConsume(","));
  // Readers from before collective_device_list look here.
  *out->mutable_replica_groups() = out->collective_device_list().replica_groups();
  return cursor.Expect("}", "the list of groups is not closed");
}

StatusOr<std::string> ReplicaGroupsFromProto(const proto::HloInstructionProto& instruction, const ProtoPlace& place) {
  if (instruction.has_mesh_axes_replica_group_list()) {
    const auto& list = instruction.mesh_axes_replica_group_list();
    ASSIGN_OR_RETURN(const std::string mesh, MeshText(list.mesh(), place));
    ASSIGN_OR_RETURN(const std::string axes, AxesText(list.mesh(), list.axes(), ",", place));
    return fmt::format("{} {{{}}}", mesh, axes);
  }
  const bool has_old_iota = instruction.collective_device_list().has_iota_replica_group_list();
  if (instruction.has_iota_collective_device_list() || has_old_iota) {
    const proto::IotaReplicaGroupListProto& list = has_old_iota
                                                       ? instruction.collective_device_list().iota_replica_group_list()
                                                       : instruction.iota_collective_device_list();
    return IotaText(std::vector<int64_t>{list.num_replica_groups(), list.num_devices_per_group()},
                    list.iota_reshape_dims(), list.iota_transpose_perm());
  }
  const auto& groups = instruction.replica_groups_size() > 0 ? instruction.replica_groups()
                                                             : instruction.collective_device_list().replica_groups();
  std::vector<std::string> texts;
  for (const proto::ReplicaGroup& group : groups)
    texts.push_back(fmt::format("{{{}}}", fmt::join(group.replica_ids(), ",")));
  return fmt::format("{{{}}}", fmt::join(texts, ","));
}

}  // namespace xla
