#include "xla/hlo/proto/hlo_proto.h"

#include <fmt/format.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/stubs/logging.h>
#include <google/protobuf/text_format.h>

#include <bit>
#include <cmath>
#include <limits>

#include "base/error_ids.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/proto/module_reader.h"
#include "xla/hlo/proto/module_writer.h"
#include "xla/hlo/proto/place.h"

namespace xla {
namespace {

using google::protobuf::Message;
using google::protobuf::TextFormat;

// As deep as the binary reader goes.
constexpr int kMaxDepth = 100;

bool ParseBytes(std::string_view bytes, Message* out) {
  return out->ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
}

// Whichever message the bytes are: the one that has computations in the right place.
bool FindModule(std::string_view bytes, proto::HloModuleProtoWithConfig* out) {
  if (ParseBytes(bytes, out) && out->hlo_module().computations_size() > 0) return true;
  out->Clear();
  if (ParseBytes(bytes, out->mutable_hlo_module()) && out->hlo_module().computations_size() > 0) return true;
  proto::HloSnapshot snapshot;
  if (!ParseBytes(bytes, &snapshot) || snapshot.hlo().hlo_module().computations_size() == 0) return false;
  *out = std::move(*snapshot.mutable_hlo());
  return true;
}

// Remembers the first error. Unknown fields come as warnings: they are errors where they would change what is computed.
class TextErrors : public google::protobuf::io::ErrorCollector {
 public:
  void AddError(int line, google::protobuf::io::ColumnNumber column, const std::string& message) override {
    if (!text.empty()) return;
    text = message;
    place = fmt::format(":{}:{}", line + 1, column + 1);
  }
  void AddWarning(int line, google::protobuf::io::ColumnNumber column, const std::string& message) override {
    for (const char* type : {"HloInstructionProto", "ShapeProto", "LiteralProto", "LayoutProto"}) {
      if (message.find(fmt::format("xla.proto.{}\"", type)) != std::string::npos) AddError(line, column, message);
    }
  }
  std::string text, place;
};

Status ParseText(std::string_view text, std::string_view file_name, Message* out) {
  TextErrors errors;
  TextFormat::Parser parser;
  parser.RecordErrorsTo(&errors);
  parser.SetRecursionLimit(kMaxDepth);
  parser.AllowUnknownField(true);
  google::protobuf::io::ArrayInputStream stream(text.data(), static_cast<int>(text.size()));
  if (parser.Parse(&stream, out) && errors.text.empty()) return OkStatus();
  return Error(ErrorId::kHloBadProto,
               {.what = "the text is no HLO proto",
                .where = std::string(file_name) + errors.place,
                .found = errors.text,
                .expected = fmt::format("the text form of an {}", out->GetDescriptor()->name())});
}

Status TooLarge(size_t size, std::string_view file_name) {
  return Error(ErrorId::kHloBadProto, {.what = "the proto is too large",
                                       .where = std::string(file_name),
                                       .found = fmt::format("{} bytes", size),
                                       .expected = "less than 2 GiB, which is the format's limit"});
}
bool IsTooLarge(size_t size) { return size > static_cast<size_t>(std::numeric_limits<int>::max()); }

// True if the text form of a number brings back its bits.
template <class T, class Bits>
bool TextKeeps(T value) {
  return !std::isnan(value) || std::bit_cast<Bits>(value) == std::bit_cast<Bits>(std::numeric_limits<T>::quiet_NaN());
}
bool TextKeepsAll(const proto::LiteralProto& literal) {
  for (const auto& element : literal.tuple_literals()) {
    if (!TextKeepsAll(element)) return false;
  }
  for (const auto* list : {&literal.f32s(), &literal.c64s()}) {
    for (const float value : *list) {
      if (!TextKeeps<float, uint32_t>(value)) return false;
    }
  }
  for (const auto* list : {&literal.f64s(), &literal.c128s()}) {
    for (const double value : *list) {
      if (!TextKeeps<double, uint64_t>(value)) return false;
    }
  }
  return true;
}

Status CheckTextKeepsNans(const proto::HloModuleProto& module) {
  for (const auto& computation : module.computations()) {
    for (const auto& instruction : computation.instructions()) {
      if (TextKeepsAll(instruction.literal())) continue;
      return ProtoPlace{module.name(), computation.name(), instruction.name()}.Error(
          ErrorId::kHloNotInProto, {.what = "the text form of a proto cannot hold the bits of this NaN",
                                    .expected = "the usual NaN",
                                    .next = "Write the binary form (.hlo.pb)."});
    }
  }
  return OkStatus();
}

}  // namespace

StatusOr<std::string> SerializeHloProto(const HloModule& module) {
  ASSIGN_OR_RETURN(const proto::HloModuleProtoWithConfig proto, ModuleToProto(module));
  if (IsTooLarge(proto.ByteSizeLong())) return TooLarge(proto.ByteSizeLong(), module.name());
  std::string bytes;
  {
    // Maps in the order of their keys: the same module gives the same bytes.
    google::protobuf::io::StringOutputStream stream(&bytes);
    google::protobuf::io::CodedOutputStream coded(&stream);
    coded.SetSerializationDeterministic(true);
    proto.SerializeToCodedStream(&coded);
  }
  return bytes;
}

StatusOr<std::string> PrintHloProto(const HloModule& module) {
  ASSIGN_OR_RETURN(const proto::HloModuleProtoWithConfig proto, ModuleToProto(module));
  RETURN_IF_ERROR(CheckTextKeepsNans(proto.hlo_module()));
  std::string text;
  TextFormat::Printer printer;
  printer.PrintToString(proto, &text);
  return text;
}

StatusOr<std::unique_ptr<HloModule>> ParseHloProto(std::string_view bytes, std::string_view file_name) {
  if (IsTooLarge(bytes.size())) return TooLarge(bytes.size(), file_name);
  google::protobuf::LogSilencer silence;  // what is wrong with the bytes is said here
  proto::HloModuleProtoWithConfig proto;
  if (!FindModule(bytes, &proto)) {
    return Error(ErrorId::kHloBadProto, {.what = "the bytes are no HLO proto, or it has no computations",
                                         .where = std::string(file_name),
                                         .found = fmt::format("{} bytes", bytes.size()),
                                         .expected = "an HloProto, HloModuleProto or HloSnapshot"});
  }
  return ModuleFromProto(proto, file_name);
}

StatusOr<std::unique_ptr<HloModule>> ParseHloProtoText(std::string_view text, std::string_view file_name) {
  if (IsTooLarge(text.size())) return TooLarge(text.size(), file_name);
  proto::HloModuleProtoWithConfig proto;
  // Only the messages around a module have a field of this name.
  if (text.find("hlo_module") != text.npos) {
    RETURN_IF_ERROR(ParseText(text, file_name, &proto));
  } else {
    RETURN_IF_ERROR(ParseText(text, file_name, proto.mutable_hlo_module()));
  }
  return ModuleFromProto(proto, file_name);
}

}  // namespace xla
