#include "xla/hlo/proto/module_header_proto.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error_ids.h"
#include "xla/hlo/parser/text_cursor.h"
#include "xla/hlo/proto/attribute_proto.h"
#include "xla/hlo/proto/mesh_text.h"
#include "xla/hlo/proto/shape_proto.h"

namespace xla {
namespace {

StatusOr<bool> ReadBool(TextCursor& cursor) {
  const size_t at = cursor.offset();
  ASSIGN_OR_RETURN(const std::string_view word, cursor.Word("true or false"));
  if (word == "true" || word == "false") return word == "true";
  return cursor.ErrorAt(at, ErrorId::kHloSyntax, {.what = "this is no truth value", .expected = "true or false"});
}

// "{true,false}".
Status ReadBools(TextCursor& cursor, google::protobuf::RepeatedField<bool>* out) {
  RETURN_IF_ERROR(cursor.Expect("{", "a list is missing"));
  if (cursor.TryConsume("}")) return OkStatus();
  do {
    ASSIGN_OR_RETURN(const bool value, ReadBool(cursor));
    out->Add(value);
  } while (cursor.TryConsume(","));
  return cursor.Expect("}", "the list is not closed");
}

// "{ {0}: (1, {}, may-alias), {1}: (2, {0}) }".
Status ReadAliases(TextCursor& cursor, proto::HloInputOutputAliasProto* out) {
  RETURN_IF_ERROR(cursor.Expect("{", "a list is missing"));
  while (!cursor.TryConsume("}")) {
    if (out->entries_size() > 0) RETURN_IF_ERROR(cursor.Expect(",", "the list is not closed"));
    auto* entry = out->add_entries();
    RETURN_IF_ERROR(ReadIntegers(cursor, "{", "}", [&](int64_t i) { entry->add_output_shape_index(i); }));
    RETURN_IF_ERROR(cursor.Expect(":", "the parameter is missing"));
    RETURN_IF_ERROR(cursor.Expect("(", "the parameter is (number, {index}, kind)"));
    ASSIGN_OR_RETURN(const int64_t parameter, cursor.Integer());
    entry->set_parameter_number(parameter);
    RETURN_IF_ERROR(cursor.Expect(",", "the parameter is (number, {index}, kind)"));
    RETURN_IF_ERROR(ReadIntegers(cursor, "{", "}", [&](int64_t i) { entry->add_parameter_shape_index(i); }));
    entry->set_kind(proto::MAY_ALIAS);
    if (cursor.TryConsume(",")) {
      const size_t at = cursor.offset();
      ASSIGN_OR_RETURN(const std::string_view kind, cursor.Word("may-alias or must-alias"));
      if (kind != "may-alias" && kind != "must-alias")
        return cursor.ErrorAt(at, ErrorId::kHloSyntax, {.what = "there is no such kind of alias"});
      if (kind == "must-alias") entry->set_kind(proto::MUST_ALIAS);
    }
    RETURN_IF_ERROR(cursor.Expect(")", "the parameter is not closed"));
  }
  return OkStatus();
}

std::string AliasesText(const proto::HloInputOutputAliasProto& aliases) {
  std::vector<std::string> entries;
  for (const auto& entry : aliases.entries()) {
    entries.push_back(fmt::format("{{{}}}: ({}, {{{}}}, {})", fmt::join(entry.output_shape_index(), ","),
                                  entry.parameter_number(), fmt::join(entry.parameter_shape_index(), ","),
                                  entry.kind() == proto::MUST_ALIAS ? "must-alias" : "may-alias"));
  }
  return fmt::format("{{ {} }}", fmt::join(entries, ", "));
}

// "{ (0, {}), (1, {0}) }".
Status ReadDonors(TextCursor& cursor, proto::HloBufferDonorProto* out) {
  RETURN_IF_ERROR(cursor.Expect("{", "a list is missing"));
  while (!cursor.TryConsume("}")) {
    if (out->entries_size() > 0) RETURN_IF_ERROR(cursor.Expect(",", "the list is not closed"));
    auto* entry = out->add_entries();
    RETURN_IF_ERROR(cursor.Expect("(", "a donor is (number, {index})"));
    ASSIGN_OR_RETURN(const int64_t parameter, cursor.Integer());
    entry->set_parameter_number(parameter);
    RETURN_IF_ERROR(cursor.Expect(",", "a donor is (number, {index})"));
    RETURN_IF_ERROR(ReadIntegers(cursor, "{", "}", [&](int64_t i) { entry->add_parameter_shape_index(i); }));
    RETURN_IF_ERROR(cursor.Expect(")", "the donor is not closed"));
  }
  return OkStatus();
}

std::string DonorsText(const proto::HloBufferDonorProto& donors) {
  std::vector<std::string> entries;
  for (const auto& entry : donors.entries())
    entries.push_back(
        fmt::format("({}, {{{}}})", entry.parameter_number(), fmt::join(entry.parameter_shape_index(), ",")));
  return fmt::format("{{ {} }}", fmt::join(entries, ", "));
}

// Every attribute of the HloModule line that is kept as text, in the order of the text.
struct HeaderAttribute {
  std::string_view name;
  Status (*read)(TextCursor& cursor, const ProtoPlace& place, proto::HloModuleProtoWithConfig* out);
  // Absent if the proto says nothing.
  std::optional<std::string> (*text)(const proto::HloModuleProtoWithConfig& proto);
};
using Out = proto::HloModuleProtoWithConfig;
using In = const proto::HloModuleProtoWithConfig&;
using MaybeText = std::optional<std::string>;
MaybeText TextIf(bool says_something, const std::string& text) {
  return says_something ? MaybeText(text) : MaybeText();
}
template <class List>
std::string BoolsText(const List& list) {
  return fmt::format("{{{}}}", fmt::join(list, ","));
}

constexpr HeaderAttribute kHeaderAttributes[] = {
    {"is_scheduled",
     [](TextCursor& cursor, const ProtoPlace&, Out* out) -> Status {
       ASSIGN_OR_RETURN(const bool value, ReadBool(cursor));
       if (value) out->mutable_hlo_module()->mutable_schedule();
       return OkStatus();
     },
     [](In proto) { return TextIf(proto.hlo_module().has_schedule(), "true"); }},
    {"alias_passthrough_params",
     [](TextCursor& cursor, const ProtoPlace&, Out* out) -> Status {
       ASSIGN_OR_RETURN(const bool value, ReadBool(cursor));
       return out->mutable_config()->set_alias_passthrough_params(value), OkStatus();
     },
     [](In proto) { return TextIf(proto.config().alias_passthrough_params(), "true"); }},
    {"input_output_alias",
     [](TextCursor& cursor, const ProtoPlace&, Out* out) {
       return ReadAliases(cursor, out->mutable_hlo_module()->mutable_input_output_alias());
     },
     [](In proto) {
       const auto& aliases = proto.hlo_module().input_output_alias();
       return TextIf(aliases.entries_size() > 0, AliasesText(aliases));
     }},
    {"buffer_donor",
     [](TextCursor& cursor, const ProtoPlace&, Out* out) {
       return ReadDonors(cursor, out->mutable_hlo_module()->mutable_buffer_donor());
     },
     [](In proto) {
       const auto& donors = proto.hlo_module().buffer_donor();
       return TextIf(donors.entries_size() > 0, DonorsText(donors));
     }},
    {"allow_spmd_sharding_propagation_to_parameters",
     [](TextCursor& cursor, const ProtoPlace&, Out* out) {
       return ReadBools(cursor, out->mutable_config()->mutable_allow_spmd_sharding_propagation_to_parameters());
     },
     [](In proto) {
       const auto& list = proto.config().allow_spmd_sharding_propagation_to_parameters();
       return TextIf(!list.empty(), BoolsText(list));
     }},
    {"allow_spmd_sharding_propagation_to_output",
     [](TextCursor& cursor, const ProtoPlace&, Out* out) {
       return ReadBools(cursor, out->mutable_config()->mutable_allow_spmd_sharding_propagation_to_output());
     },
     [](In proto) {
       const auto& list = proto.config().allow_spmd_sharding_propagation_to_output();
       return TextIf(!list.empty(), BoolsText(list));
     }},
    {"use_auto_spmd_partitioning",
     [](TextCursor& cursor, const ProtoPlace&, Out* out) -> Status {
       ASSIGN_OR_RETURN(const bool value, ReadBool(cursor));
       return out->mutable_hlo_module()->set_use_auto_spmd_partitioning(value), OkStatus();
     },
     [](In proto) { return TextIf(proto.hlo_module().use_auto_spmd_partitioning(), "true"); }},
    {"frontend_attributes",
     [](TextCursor& cursor, const ProtoPlace& place, Out* out) -> Status {
       ASSIGN_OR_RETURN(const std::string_view value, cursor.BalancedValue());
       return FrontendAttributesToProto(std::string(value), place,
                                        out->mutable_hlo_module()->mutable_frontend_attributes());
     },
     [](In proto) {
       const auto& attributes = proto.hlo_module().frontend_attributes();
       return TextIf(!attributes.map().empty(), FrontendAttributesFromProto(attributes));
     }},
};

Status AttributeToProto(const std::string& name, const std::string& text, const ProtoPlace& place, Out* out) {
  for (const HeaderAttribute& attribute : kHeaderAttributes) {
    if (attribute.name != name) continue;
    const std::string origin = place.Text() + ": " + name;
    TextCursor cursor(text, origin);
    RETURN_IF_ERROR(attribute.read(cursor, place, out));
    return cursor.AtEnd() ? OkStatus() : cursor.SyntaxError("something follows the value", "its end");
  }
  return place.Error(ErrorId::kHloNotInProto,
                     {.what = fmt::format("the module's attribute {} has no place in a proto", name)});
}

}  // namespace

bool IsScheduled(const HloModuleConfig& config) {
  const auto& others = config.other_attributes;
  return std::find(others.begin(), others.end(), std::pair<std::string, std::string>("is_scheduled", "true")) !=
         others.end();
}

Status HeaderToProto(const HloModule& module, const ProtoPlace& place, Out* out) {
  const HloModuleConfig& config = module.config();
  out->mutable_hlo_module()->set_name(module.name());
  for (const auto& [name, text] : config.other_attributes) RETURN_IF_ERROR(AttributeToProto(name, text, place, out));
  if (config.entry_computation_layout) {
    proto::ProgramShapeProto* shape = out->mutable_hlo_module()->mutable_host_program_shape();
    RETURN_IF_ERROR(ProgramShapeToProto(*config.entry_computation_layout, place, shape));
    // XLA takes a shape without the parameters' names for broken.
    if (const HloComputation* entry = module.entry_computation())
      for (const HloInstruction* parameter : entry->parameter_instructions())
        shape->add_parameter_names(parameter->name());
  }
  if (config.replica_count != 1 || config.num_partitions != 1 || out->has_config()) {
    out->mutable_config()->set_replica_count(config.replica_count);
    out->mutable_config()->set_num_partitions(config.num_partitions);
  }
  if (config.stack_frame_tables.empty()) return OkStatus();
  return StackFramesToProto(config.stack_frame_tables, place, out->mutable_hlo_module()->mutable_stack_frame_index());
}

StatusOr<HloModuleConfig> HeaderFromProto(In proto, const ProtoPlace& place) {
  HloModuleConfig config;
  // A count that is not set means one.
  config.replica_count = std::max<int64_t>(proto.config().replica_count(), 1);
  config.num_partitions = std::max<int64_t>(proto.config().num_partitions(), 1);
  const proto::ProgramShapeProto* layout = nullptr;
  if (proto.hlo_module().has_host_program_shape()) layout = &proto.hlo_module().host_program_shape();
  if (proto.config().has_entry_computation_layout()) layout = &proto.config().entry_computation_layout();
  if (layout != nullptr) {
    ASSIGN_OR_RETURN(config.entry_computation_layout, ProgramShapeFromProto(*layout, place));
  }
  for (const HeaderAttribute& attribute : kHeaderAttributes) {
    std::optional<std::string> text = attribute.text(proto);
    if (!text) continue;
    if (!IsOneValue(*text)) {
      return place.Bad({.what = fmt::format("{} cannot be said in HLO text", attribute.name),
                        .found = Quoted(text->substr(0, 200))});
    }
    config.AddAttribute(std::string(attribute.name), *std::move(text));
  }
  config.stack_frame_tables = StackFramesFromProto(proto.hlo_module().stack_frame_index());
  return config;
}

}  // namespace xla
