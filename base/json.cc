#include "base/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "base/error_ids.h"
#include "base/file.h"

namespace rocxla {
namespace {

// "case.json:3:14" for a byte offset from 1, as the library counts: the last byte that it read.
std::string PlaceOf(std::string_view text, size_t byte, std::string_view origin) {
  const std::string_view before = text.substr(0, std::min(byte > 0 ? byte - 1 : 0, text.size()));
  const auto line = std::ranges::count(before, '\n') + 1;
  const std::string_view in_line = before.substr(before.rfind('\n') + 1);
  // Bytes that go on with a UTF-8 character begin with the bits 10.
  const auto column = std::ranges::count_if(in_line, [](char c) { return (c & 0xc0) != 0x80; }) + 1;
  return fmt::format("{}:{}:{}", origin, line, column);
}

// Where the text first goes deeper than kDeepestJson, as the byte's number from 1; 0: nowhere.
size_t TooDeepAt(std::string_view text) {
  int depth = 0;
  bool in_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (in_string && text[i] == '\\')
      ++i;
    else if (text[i] == '"')
      in_string = !in_string;
    if (in_string || i >= text.size()) continue;
    depth += text[i] == '[' || text[i] == '{';
    depth -= text[i] == ']' || text[i] == '}';
    if (depth > kDeepestJson) return i + 1;
  }
  return 0;
}

// Builds the document from the library's events, which unlike its own builder can stop at a duplicate name, and hears
// of errors without an exception.
class DocumentBuilder : public nlohmann::json_sax<Json> {
 public:
  DocumentBuilder(std::string_view text, std::string_view origin) : text_(text), origin_(origin) {}

  Json& document() { return document_; }
  const Status& status() const { return status_; }

  bool null() override { return Add(nullptr); }
  bool boolean(bool value) override { return Add(value); }
  bool number_integer(number_integer_t value) override { return Add(value); }
  bool number_unsigned(number_unsigned_t value) override { return Add(value); }
  bool number_float(number_float_t value, const string_t&) override { return Add(value); }
  bool string(string_t& value) override { return Add(std::move(value)); }
  bool binary(binary_t&) override { return false; }  // no such thing in text
  bool start_object(std::size_t) override { return Open(Json::object()); }
  bool start_array(std::size_t) override { return Open(Json::array()); }
  bool end_object() override { return Close(); }
  bool end_array() override { return Close(); }

  bool key(string_t& name) override {
    if (open_.back()->contains(name)) {
      status_ = Error(ErrorId::kBadJson, {.what = "a name appears twice in one object",
                                          .where = origin_,
                                          .found = fmt::format("\"{}\"", name),
                                          .expected = "every name once"});
      return false;
    }
    name_ = std::move(name);
    return true;
  }

  bool parse_error(std::size_t byte, const std::string&, const nlohmann::detail::exception& error) override {
    // "[json.exception.parse_error.101] parse error at line 1, column 9: syntax error ...": only the last part is news.
    std::string_view reason = error.what();
    if (size_t bracket = reason.find("] "); bracket != reason.npos) reason.remove_prefix(bracket + 2);
    if (size_t colon = reason.find(": "); reason.starts_with("parse error") && colon != reason.npos)
      reason.remove_prefix(colon + 2);
    status_ =
        Error(ErrorId::kBadJson,
              {.what = "not well-formed JSON", .where = PlaceOf(text_, byte, origin_), .found = std::string(reason)});
    return false;
  }

 private:
  Json* Place(Json value) {
    if (open_.empty()) return &(document_ = std::move(value));
    if (open_.back()->is_array()) return &open_.back()->emplace_back(std::move(value));
    return &((*open_.back())[name_] = std::move(value));
  }
  bool Add(Json value) { return Place(std::move(value)), true; }
  bool Open(Json value) { return open_.push_back(Place(std::move(value))), true; }
  bool Close() { return open_.pop_back(), true; }

  std::string_view text_;
  std::string origin_;
  Json document_;
  // The containers that are not closed yet, outermost first. They do not move: only the innermost one grows.
  std::vector<Json*> open_;
  std::string name_;
  Status status_;
};

Status BadField(std::string_view field, std::string_view origin, const Json* value, std::string_view expected) {
  return Error(ErrorId::kBadJson, {.what = fmt::format("field \"{}\" is not usable", field),
                                   .where = std::string(origin),
                                   .found = value ? std::string(value->type_name()) : "no such field",
                                   .expected = std::string(expected)});
}

const Json* Field(const Json& object, std::string_view field) {
  if (!object.is_object()) return nullptr;
  auto it = object.find(field);
  return it == object.end() ? nullptr : &*it;
}

}  // namespace

StatusOr<Json> ParseJson(std::string_view text, std::string_view origin) {
  if (size_t byte = TooDeepAt(text))
    return Error(ErrorId::kBadJson, {.what = "JSON is nested too deeply",
                                     .where = PlaceOf(text, byte, origin),
                                     .expected = fmt::format("{} levels at most", kDeepestJson)});
  DocumentBuilder builder(text, origin);
  const bool complete = Json::sax_parse(text, &builder);
  if (!builder.status().ok()) return builder.status();
  if (!complete) return InternalError(fmt::format("JSON of {} was not read to its end", origin));
  return std::move(builder.document());
}

std::string JsonText(const Json& json) { return json.dump(1, ' ', false, Json::error_handler_t::replace); }

StatusOr<Json> ReadJson(const std::filesystem::path& path) {
  ASSIGN_OR_RETURN(std::string text, ReadFile(path));
  return ParseJson(text, path.string());
}

StatusOr<std::string> JsonString(const Json& object, std::string_view field, std::string_view origin) {
  const Json* value = Field(object, field);
  if (!value || !value->is_string()) return BadField(field, origin, value, "a string");
  return value->get<std::string>();
}

StatusOr<double> JsonNumber(const Json& object, std::string_view field, std::string_view origin) {
  const Json* value = Field(object, field);
  if (!value || !value->is_number()) return BadField(field, origin, value, "a number");
  return value->get<double>();
}

StatusOr<int64_t> JsonInteger(const Json& object, std::string_view field, std::string_view origin) {
  const Json* value = Field(object, field);
  const std::optional<int64_t> number = value ? WholeNumber(*value) : std::nullopt;
  if (!number) return BadField(field, origin, value, "a whole number");
  return *number;
}

std::optional<int64_t> WholeNumber(const Json& value) {
  if (!value.is_number_integer()) return std::nullopt;
  if (value.is_number_unsigned() && value.get<uint64_t>() > INT64_MAX) return std::nullopt;
  return value.get<int64_t>();
}

}  // namespace rocxla
