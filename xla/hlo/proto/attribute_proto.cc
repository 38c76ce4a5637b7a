#include "xla/hlo/proto/attribute_proto.h"

#include <fmt/format.h>
#include <google/protobuf/message.h>
#include <google/protobuf/unknown_field_set.h>

#include <algorithm>
#include <limits>
#include <tuple>
#include <type_traits>

#include "base/error_ids.h"

namespace xla {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

enum class FieldKind : uint8_t { kField, kCodec, kCalled };
struct FieldInfo {
  FieldKind kind;
  std::string_view path;
};

FieldInfo InfoOf(HloOpcode opcode, AttributeId id) {
#define HLO_PROTO_FIELD(attribute, path)
#define HLO_PROTO_CODEC(attribute, path)
#define HLO_PROTO_CALLED(attribute)
#define HLO_PROTO_OVERRIDE(operation, attribute, path) \
  if (opcode == HloOpcode::operation && id == AttributeId::attribute) return {FieldKind::kField, path};
#include "xla/hlo/proto/hlo_proto_fields.def"
#undef HLO_PROTO_FIELD
#undef HLO_PROTO_CODEC
#undef HLO_PROTO_CALLED
#undef HLO_PROTO_OVERRIDE
  switch (id) {
#define HLO_PROTO_FIELD(attribute, path) \
  case AttributeId::attribute:           \
    return {FieldKind::kField, path};
#define HLO_PROTO_CODEC(attribute, path) \
  case AttributeId::attribute:           \
    return {FieldKind::kCodec, path};
#define HLO_PROTO_CALLED(attribute) \
  case AttributeId::attribute:      \
    return {FieldKind::kCalled, "called_computation_ids"};
#define HLO_PROTO_OVERRIDE(operation, attribute, path)
#include "xla/hlo/proto/hlo_proto_fields.def"
#undef HLO_PROTO_FIELD
#undef HLO_PROTO_CODEC
#undef HLO_PROTO_CALLED
#undef HLO_PROTO_OVERRIDE
  }
  return {};
}

const FieldDescriptor* FieldOf(const Message& message, std::string_view name) {
  return message.GetDescriptor()->FindFieldByName(std::string(name));
}

// Splits "a.b.c" into the message that has the rest, and the rest.
std::pair<std::string_view, std::string_view> SplitPath(std::string_view path) {
  const size_t dot = path.find('.');
  return dot == path.npos ? std::pair(std::string_view(), path) : std::pair(path.substr(0, dot), path.substr(dot + 1));
}

// Writes the value into a field of `message`.
struct Writer {
  Message* message;
  const FieldDescriptor* field;
  const ProtoPlace& place;

  Status operator()(bool value) const { return Reflection()->SetBool(message, field, value), OkStatus(); }
  Status operator()(float value) const { return Reflection()->SetFloat(message, field, value), OkStatus(); }
  Status operator()(int64_t value) const {
    if (field->is_repeated()) return Reflection()->AddInt64(message, field, value), OkStatus();
    if (field->cpp_type() == FieldDescriptor::CPPTYPE_INT64)
      return Reflection()->SetInt64(message, field, value), OkStatus();
    if (value < std::numeric_limits<int32_t>::min() || value > std::numeric_limits<int32_t>::max()) {
      return place.Error(ErrorId::kHloNotInProto,
                         {.what = field->name() + " does not fit 32 bits", .found = fmt::format("{}", value)});
    }
    return Reflection()->SetInt32(message, field, static_cast<int32_t>(value)), OkStatus();
  }
  Status operator()(const std::vector<int64_t>& list) const {
    for (const int64_t value : list) Reflection()->AddInt64(message, field, value);
    return OkStatus();
  }
  template <class T>
    requires std::is_enum_v<T>
  Status operator()(T value) const {
    const std::string text(EnumText(value));
    if (field->cpp_type() == FieldDescriptor::CPPTYPE_STRING) {
      Reflection()->SetString(message, field, text);
    } else {
      Reflection()->SetEnum(message, field, field->enum_type()->FindValueByName(text));
    }
    return OkStatus();
  }
  template <class T>
    requires(!std::is_enum_v<T>)
  Status operator()(const T&) const {
    return InternalError("an attribute of this type has a codec of its own");
  }

 private:
  const google::protobuf::Reflection* Reflection() const { return message->GetReflection(); }
};

// Reads the field into the empty value; false if the field says nothing.
struct Reader {
  const Message& message;
  const FieldDescriptor* field;
  const ProtoPlace& place;

  StatusOr<bool> operator()(bool& value) const { return value = Reflection()->GetBool(message, field); }
  StatusOr<bool> operator()(float& value) const { return value = Reflection()->GetFloat(message, field), true; }
  StatusOr<bool> operator()(int64_t& value) const {
    if (field->is_repeated()) {
      if (const int count = Reflection()->FieldSize(message, field); count != 1) {
        return place.Bad({.what = field->name() + " must be one number", .found = fmt::format("{} numbers", count)});
      }
      return value = Reflection()->GetRepeatedInt64(message, field, 0), true;
    }
    value = field->cpp_type() == FieldDescriptor::CPPTYPE_INT64 ? Reflection()->GetInt64(message, field)
                                                                : Reflection()->GetInt32(message, field);
    return Reflection()->HasField(message, field);
  }
  StatusOr<bool> operator()(std::vector<int64_t>& list) const {
    for (int i = 0; i < Reflection()->FieldSize(message, field); ++i)
      list.push_back(Reflection()->GetRepeatedInt64(message, field, i));
    return !list.empty();
  }
  template <class T>
    requires std::is_enum_v<T>
  StatusOr<bool> operator()(T& value) const {
    const bool is_text = field->cpp_type() == FieldDescriptor::CPPTYPE_STRING;
    const std::string text = is_text ? Reflection()->GetString(message, field) : EnumName();
    const std::vector<std::string_view> texts = AllTextsOf(T());
    const auto found = std::find(texts.begin(), texts.end(), text);
    if (found == texts.end()) {
      return place.Bad({.what = field->name() + " has no such value",
                        .found = Quoted(text),
                        .expected = fmt::format("one of {}", fmt::join(texts, ", "))});
    }
    return value = static_cast<T>(found - texts.begin()), true;
  }
  template <class T>
    requires(!std::is_enum_v<T>)
  StatusOr<bool> operator()(T&) const {
    return Status(InternalError("an attribute of this type has a codec of its own"));
  }

 private:
  const google::protobuf::Reflection* Reflection() const { return message.GetReflection(); }
  std::string EnumName() const {
    const int number = Reflection()->GetEnumValue(message, field);
    const auto* value = field->enum_type()->FindValueByNumber(number);
    return value == nullptr ? fmt::format("{}", number) : value->name();
  }
};

Status WriteField(std::string_view path, const AttributeValue& value, const ProtoPlace& place,
                  proto::HloInstructionProto* out) {
  Message* message = out;
  auto [outer, inner] = SplitPath(path);
  for (; !outer.empty(); std::tie(outer, inner) = SplitPath(inner))
    message = message->GetReflection()->MutableMessage(message, FieldOf(*message, outer));
  return std::visit(Writer{message, FieldOf(*message, inner), place}, value);
}

// Absent if the field says nothing and the attribute may be left out.
StatusOr<std::optional<AttributeValue>> ReadField(std::string_view path, AttributeUse use, const ProtoPlace& place,
                                                  const proto::HloInstructionProto& proto) {
  const Message* message = &proto;
  auto [outer, inner] = SplitPath(path);
  for (; !outer.empty(); std::tie(outer, inner) = SplitPath(inner))
    message = &message->GetReflection()->GetMessage(*message, FieldOf(*message, outer));
  AttributeValue value = EmptyValueOf(use.id);
  ASSIGN_OR_RETURN(const bool says_something, std::visit(Reader{*message, FieldOf(*message, inner), place}, value));
  if (!says_something && !use.required) return std::optional<AttributeValue>();
  return std::optional<AttributeValue>(std::move(value));
}

std::vector<AttributeUse> UsesOf(HloOpcode opcode) {
  const auto& own = xla::InfoOf(opcode).attributes;
  std::vector<AttributeUse> uses(own.begin(), own.end());
  using enum AttributeId;
  for (const AttributeId id : {kSharding, kFrontendAttributes, kStatistics, kOrigin}) uses.push_back({id, false});
  return uses;
}

// Fields that every instruction has, whatever its opcode.
constexpr std::string_view kCommonFields[] = {"name",
                                              "opcode",
                                              "shape",
                                              "metadata",
                                              "id",
                                              "operand_ids",
                                              "control_predecessor_ids",
                                              "called_computation_ids",
                                              "backend_config"};

// Upstream writes these whether they mean something or not.
bool SaysNothing(const proto::HloInstructionProto& proto, const std::string& field) {
  if (field == "feature_group_count") return proto.feature_group_count() == 1;
  if (field == "batch_group_count") return proto.batch_group_count() == 1;
  if (field != "precision_config") return false;
  const auto& config = proto.precision_config();
  return config.algorithm() == 0 && std::all_of(config.operand_precision().begin(), config.operand_precision().end(),
                                                [](int precision) { return precision == 0; });
}

// A field that nobody looked at would change the program's meaning without a word.
Status CheckNothingElseIsSet(const proto::HloInstructionProto& proto, HloOpcode opcode,
                             std::vector<std::string_view> known, const ProtoPlace& place) {
  known.insert(known.end(), std::begin(kCommonFields), std::end(kCommonFields));
  if (opcode == HloOpcode::kParameter) known.push_back("parameter_number");
  if (opcode == HloOpcode::kConstant) known.push_back("literal");
  std::vector<const FieldDescriptor*> set;
  proto.GetReflection()->ListFields(proto, &set);
  for (const FieldDescriptor* field : set) {
    if (std::find(known.begin(), known.end(), field->name()) != known.end()) continue;
    if (SaysNothing(proto, field->name())) continue;
    return place.Error(ErrorId::kHloUnsupportedFeature,
                       {.what = fmt::format("{} has no use for the field {}", HloOpcodeString(opcode), field->name()),
                        .found = fmt::format("field {} of HloInstructionProto", field->number()),
                        .expected = "only fields that the opcode takes"});
  }
  const auto& unknown = proto.GetReflection()->GetUnknownFields(proto);
  for (int i = 0; i < unknown.field_count(); ++i) {
    const auto& field = unknown.field(i);
    // An empty message or string.
    if (field.type() == google::protobuf::UnknownField::TYPE_LENGTH_DELIMITED && field.length_delimited().empty())
      continue;
    return place.Error(ErrorId::kHloUnsupportedFeature,
                       {.what = "the instruction has a field that rocXLA cannot read yet",
                        .found = fmt::format("field {} of HloInstructionProto", field.number()),
                        .expected = "the fields of xla/hlo/proto/hlo.proto"});
  }
  return OkStatus();
}

}  // namespace

Status AttributesToProto(const HloInstruction& instruction, const ProtoPlace& place, proto::HloInstructionProto* out) {
  for (const auto& [id, value] : instruction.attributes().entries()) {
    const FieldInfo info = InfoOf(instruction.opcode(), id);
    if (info.kind == FieldKind::kField) RETURN_IF_ERROR(WriteField(info.path, value, place, out));
    if (info.kind == FieldKind::kCodec) RETURN_IF_ERROR(EncodeAttribute(id, value, instruction, place, out));
  }
  // What upstream's reader expects even where the text says nothing.
  if (instruction.opcode() == HloOpcode::kCompare) EncodeComparison(instruction, out);
  if (instruction.opcode() == HloOpcode::kConvolution) {
    out->set_feature_group_count(instruction.feature_group_count());
    out->set_batch_group_count(instruction.batch_group_count());
  }
  if (instruction.opcode() == HloOpcode::kCustomCall && out->custom_call_api_version() == 0)
    out->set_custom_call_api_version(proto::API_VERSION_ORIGINAL);
  return OkStatus();
}

Status AttributesFromProto(const proto::HloInstructionProto& proto, const ProtoPlace& place,
                           HloInstruction* instruction) {
  std::vector<std::string_view> known;
  const HloOpcode opcode = instruction->opcode();
  for (const AttributeUse& use : UsesOf(opcode)) {
    const FieldInfo info = InfoOf(opcode, use.id);
    known.push_back(SplitPath(info.path).first.empty() ? info.path : SplitPath(info.path).first);
    if (info.kind == FieldKind::kCalled) continue;
    ASSIGN_OR_RETURN(std::optional<AttributeValue> value, info.kind == FieldKind::kField
                                                              ? ReadField(info.path, use, place, proto)
                                                              : DecodeAttribute(use.id, proto, *instruction, place));
    if (value) instruction->SetAttribute(use.id, *std::move(value));
  }
  if (std::find(known.begin(), known.end(), "replica_groups") != known.end()) {
    known.insert(known.end(),
                 {"collective_device_list", "iota_collective_device_list", "mesh_axes_replica_group_list"});
  }
  if (opcode == HloOpcode::kRngBitGenerator) known.push_back("rng_algorithm");
  if (opcode == HloOpcode::kCustomCall) known.push_back("constrain_layout");
  if (opcode == HloOpcode::kDomain) known.push_back("domain_exit_sharding");
  return CheckNothingElseIsSet(proto, opcode, std::move(known), place);
}

namespace {

// The attributes that hold computations in the order of called_computation_ids: upstream has a loop's body first.
std::vector<AttributeId> CalledAttributes(HloOpcode opcode) {
  if (opcode == HloOpcode::kWhile) return {AttributeId::kBody, AttributeId::kCondition};
  std::vector<AttributeId> ids;
  for (const AttributeUse& use : xla::InfoOf(opcode).attributes) {
    if (InfoOf(opcode, use.id).kind == FieldKind::kCalled) ids.push_back(use.id);
  }
  return ids;
}

}  // namespace

std::vector<HloComputation*> CalledInProtoOrder(const HloInstruction& instruction) {
  std::vector<HloComputation*> called;
  for (const AttributeId id : CalledAttributes(instruction.opcode())) {
    if (const auto* one = instruction.attributes().Find<HloComputation*>(id)) called.push_back(*one);
    if (const auto* list = instruction.attributes().Find<std::vector<HloComputation*>>(id))
      called.insert(called.end(), list->begin(), list->end());
  }
  return called;
}

Status SetCalledFromProto(const std::vector<HloComputation*>& called, const ProtoPlace& place,
                          HloInstruction* instruction) {
  std::vector<AttributeId> ids = CalledAttributes(instruction->opcode());
  using enum AttributeId;
  if (instruction->opcode() == HloOpcode::kCustomCall) ids = {kCalledComputations};
  if (instruction->opcode() == HloOpcode::kConditional) {
    const bool by_truth = instruction->operand_count() > 0 && instruction->operand(0)->shape().element_type() == PRED;
    ids = by_truth ? std::vector{kTrueComputation, kFalseComputation} : std::vector{kBranchComputations};
  }
  size_t next = 0;
  for (const AttributeId id : ids) {
    if (std::holds_alternative<std::vector<HloComputation*>>(EmptyValueOf(id))) {
      instruction->SetAttribute(id, std::vector(called.begin() + static_cast<int64_t>(next), called.end()));
      next = called.size();
    } else if (next < called.size()) {
      instruction->SetAttribute(id, called[next++]);
    }
  }
  if (next == called.size()) return OkStatus();
  return place.Bad({.what = fmt::format("{} calls too many computations", HloOpcodeString(instruction->opcode())),
                    .found = fmt::format("{} in called_computation_ids", called.size()),
                    .expected = fmt::format("{}", next)});
}

}  // namespace xla
