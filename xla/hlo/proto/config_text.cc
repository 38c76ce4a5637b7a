// Values that are a quoted string, or stand in braces as they are.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "xla/hlo/parser/text_cursor.h"
#include "xla/hlo/proto/attribute_proto.h"

namespace xla {
namespace {

// As upstream decides: an object in braces is not quoted.
bool StandsForItself(const std::string& config) { return config.starts_with("{") && IsOneValue(config); }

StatusOr<std::string> ReadConfig(TextCursor& cursor) {
  if (cursor.Peek() == '"') return cursor.String();
  ASSIGN_OR_RETURN(const std::string_view value, cursor.BalancedValue());
  return std::string(value);
}

}  // namespace

bool IsOneValue(std::string_view text) {
  const std::string with_end = std::string(text) + " ";
  TextCursor cursor(with_end, "");
  const StatusOr<std::string_view> value = cursor.BalancedValue();
  return value.ok() && value->size() == text.size();
}

StatusOr<std::string> UnquotedConfig(const std::string& text, const ProtoPlace& place) {
  const std::string name = place.Text() + ": backend_config";
  TextCursor cursor(text, name);
  ASSIGN_OR_RETURN(std::string config, ReadConfig(cursor));
  if (!cursor.AtEnd()) return cursor.SyntaxError("something follows the value", "its end");
  return config;
}

std::string QuotedConfig(const std::string& config) { return StandsForItself(config) ? config : Quoted(config); }

Status FrontendAttributesToProto(const std::string& text, const ProtoPlace& place, proto::FrontendAttributes* out) {
  const std::string name = place.Text() + ": frontend_attributes";
  TextCursor cursor(text, name);
  RETURN_IF_ERROR(cursor.Expect("{", "the attributes stand in braces"));
  while (!cursor.TryConsume("}")) {
    if (!out->map().empty()) RETURN_IF_ERROR(cursor.Expect(",", "the attributes are not closed"));
    ASSIGN_OR_RETURN(const std::string_view key, cursor.Word("the name of an attribute"));
    RETURN_IF_ERROR(cursor.Expect("=", "the value is missing"));
    ASSIGN_OR_RETURN((*out->mutable_map())[std::string(key)], ReadConfig(cursor));
  }
  return cursor.AtEnd() ? OkStatus() : cursor.SyntaxError("something follows the attributes", "their end");
}

std::string FrontendAttributesFromProto(const proto::FrontendAttributes& attributes) {
  const std::map<std::string, std::string> sorted(attributes.map().begin(), attributes.map().end());
  std::string text;
  for (const auto& [key, value] : sorted)
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", key, QuotedConfig(value));
  return "{" + text + "}";
}

}  // namespace xla
