#include <fmt/format.h>
#include <google/protobuf/message.h>

#include <limits>

#include "base/error_ids.h"
#include "xla/hlo/proto/sharding_proto.h"

namespace xla {
namespace {

using google::protobuf::FieldDescriptor;

// The fields of metadata={...} that OpMetadata keeps as text, in the order of the text.
constexpr const char* kOtherFields[] = {"source_end_line",
                                        "source_column",
                                        "source_end_column",
                                        "size_of_generated_code_in_bytes",
                                        "size_of_memory_working_set_in_bytes",
                                        "deduplicated_name",
                                        "scheduling_name",
                                        "stack_frame_id"};

const FieldDescriptor* OtherField(std::string_view name) {
  for (const char* known : kOtherFields) {
    if (name == known) return proto::OpMetadata::descriptor()->FindFieldByName(known);
  }
  return nullptr;
}

}  // namespace

Status MetadataToProto(const OpMetadata& metadata, proto::OpMetadata* out) {
  out->set_op_type(metadata.op_type);
  out->set_op_name(metadata.op_name);
  out->set_source_file(metadata.source_file);
  out->set_source_line(static_cast<int32_t>(metadata.source_line));
  TextCursor cursor(metadata.other, "metadata");
  while (!cursor.AtEnd()) {
    const size_t at = cursor.offset();
    ASSIGN_OR_RETURN(const std::string_view name, cursor.Word("a field of metadata"));
    RETURN_IF_ERROR(cursor.Expect("=", "the field's value is missing"));
    const FieldDescriptor* field = OtherField(name);
    if (field == nullptr) {
      return cursor.ErrorAt(at, ErrorId::kHloNotInProto,
                            {.what = "this field of metadata has no place in a proto",
                             .expected = "a field of OpMetadata, such as stack_frame_id"});
    }
    const auto* reflection = out->GetReflection();
    if (field->cpp_type() == FieldDescriptor::CPPTYPE_STRING) {
      ASSIGN_OR_RETURN(std::string value, cursor.String());
      reflection->SetString(out, field, std::move(value));
      continue;
    }
    ASSIGN_OR_RETURN(const int64_t value, cursor.Integer());
    if (field->cpp_type() == FieldDescriptor::CPPTYPE_INT64) {
      reflection->SetInt64(out, field, value);
    } else if (value < std::numeric_limits<int32_t>::min() || value > std::numeric_limits<int32_t>::max()) {
      return cursor.ErrorAt(at, ErrorId::kHloNotInProto, {.what = "the number does not fit 32 bits"});
    } else {
      reflection->SetInt32(out, field, static_cast<int32_t>(value));
    }
  }
  return OkStatus();
}

OpMetadata MetadataFromProto(const proto::OpMetadata& metadata) {
  OpMetadata read;
  read.op_type = metadata.op_type();
  read.op_name = metadata.op_name();
  read.source_file = metadata.source_file();
  read.source_line = metadata.source_line();
  const auto* reflection = metadata.GetReflection();
  for (const char* name : kOtherFields) {
    const FieldDescriptor* field = OtherField(name);
    if (!reflection->HasField(metadata, field)) continue;
    const std::string value = field->cpp_type() == FieldDescriptor::CPPTYPE_STRING
                                  ? Quoted(reflection->GetString(metadata, field))
                              : field->cpp_type() == FieldDescriptor::CPPTYPE_INT64
                                  ? fmt::format("{}", reflection->GetInt64(metadata, field))
                                  : fmt::format("{}", reflection->GetInt32(metadata, field));
    read.other += fmt::format("{}{}={}", read.other.empty() ? "" : " ", name, value);
  }
  return read;
}

}  // namespace xla
