#include <fmt/format.h>
#include <google/protobuf/message.h>

#include <limits>

#include "base/error_ids.h"
#include "xla/hlo/parser/text_cursor.h"
#include "xla/hlo/proto/module_header_proto.h"

namespace xla {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

// The fields of a row in the order of the text, which shows a frame's parent as one more than its number (0: none).
constexpr const char* kLocationFields[] = {"file_name_id", "function_name_id", "line",
                                           "end_line",     "column",           "end_column"};
constexpr const char* kFrameFields[] = {"file_location_id", "parent_frame_id"};
int ShownMore(const FieldDescriptor* field) { return field->name() == "parent_frame_id" ? 1 : 0; }

// "{line=3 column=4}".
Status ReadRow(TextCursor& cursor, Message* row) {
  RETURN_IF_ERROR(cursor.Expect("{", "a row stands in braces"));
  while (!cursor.TryConsume("}")) {
    const size_t at = cursor.offset();
    ASSIGN_OR_RETURN(const std::string_view name, cursor.Word("a field, or '}'"));
    const FieldDescriptor* field = row->GetDescriptor()->FindFieldByName(std::string(name));
    RETURN_IF_ERROR(cursor.Expect("=", "the value is missing"));
    ASSIGN_OR_RETURN(int64_t value, cursor.Integer());
    if (field != nullptr) value -= ShownMore(field);
    if (field == nullptr || value < 0 || value > std::numeric_limits<int32_t>::max()) {
      return cursor.ErrorAt(at, ErrorId::kHloNotInProto,
                            {.what = "this field or number has no place in the proto's table",
                             .expected = "a field of " + row->GetDescriptor()->name() + ", and 31 bits"});
    }
    row->GetReflection()->SetInt32(row, field, static_cast<int32_t>(value));
  }
  return OkStatus();
}

template <size_t N>
std::string RowText(const Message& row, const char* const (&fields)[N]) {
  std::string text;
  for (const char* name : fields) {
    const FieldDescriptor* field = row.GetDescriptor()->FindFieldByName(name);
    const int64_t value = int64_t{row.GetReflection()->GetInt32(row, field)} + ShownMore(field);
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
  }
  return "{" + text + "}";
}

Status ReadTable(TextCursor& cursor, std::string_view title, proto::StackFrameIndexProto* out) {
  for (int64_t number = 1; cursor.Peek() >= '0' && cursor.Peek() <= '9'; ++number) {
    const size_t at = cursor.offset();
    ASSIGN_OR_RETURN(const int64_t shown, cursor.Integer());
    if (shown != number) {
      return cursor.ErrorAt(at, ErrorId::kHloNotInProto,
                            {.what = "rows are numbered 1, 2, ... in a proto", .expected = fmt::format("{}", number)});
    }
    if (title == "FileLocations") {
      RETURN_IF_ERROR(ReadRow(cursor, out->add_file_locations()));
    } else if (title == "StackFrames") {
      RETURN_IF_ERROR(ReadRow(cursor, out->add_stack_frames()));
    } else {
      ASSIGN_OR_RETURN(*(title == "FileNames" ? out->add_file_names() : out->add_function_names()), cursor.String());
    }
  }
  return OkStatus();
}

}  // namespace

Status StackFramesToProto(const std::string& text, const ProtoPlace& place, proto::StackFrameIndexProto* out) {
  const std::string name = place.Text() + ": stack frames";
  TextCursor cursor(text, name);
  while (!cursor.AtEnd()) {
    ASSIGN_OR_RETURN(const std::string_view title, cursor.Word("a table's title"));
    RETURN_IF_ERROR(ReadTable(cursor, title, out));
  }
  return OkStatus();
}

std::string StackFramesFromProto(const proto::StackFrameIndexProto& index) {
  if (index.file_names_size() + index.function_names_size() + index.file_locations_size() + index.stack_frames_size() ==
      0) {
    return "";
  }
  std::string text = "FileNames\n";
  int number = 0;
  const auto append = [&](const std::string& row) { text += fmt::format("{} {}\n", ++number, row); };
  for (const std::string& name : index.file_names()) append(Quoted(name));
  text += "\nFunctionNames\n", number = 0;
  for (const std::string& name : index.function_names()) append(Quoted(name));
  text += "\nFileLocations\n", number = 0;
  for (const auto& location : index.file_locations()) append(RowText(location, kLocationFields));
  text += "\nStackFrames\n", number = 0;
  for (const auto& frame : index.stack_frames()) append(RowText(frame, kFrameFields));
  text.pop_back();
  return text;
}

}  // namespace xla
