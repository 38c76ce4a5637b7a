#include "base/json.h"

#include <fmt/format.h>

#include "base/file.h"

namespace rocxla {
namespace {

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
  // Copies of a document recurse: deeper text than any of our files has would overflow the stack.
  constexpr int kDeepest = 200;
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
    if (depth > kDeepest)
      return Error(ErrorId::kBadJson, {.what = "JSON is nested too deeply",
                                       .where = fmt::format("{}, byte {}", origin, i + 1),
                                       .expected = fmt::format("{} levels at most", kDeepest)});
  }
  // The library reports where a document breaks only by throwing: the exception ends here.
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    std::string_view reason = error.what();
    if (size_t colon = reason.find(": "); colon != reason.npos) reason.remove_prefix(colon + 2);
    return Error(ErrorId::kBadJson, {.what = "not well-formed JSON",
                                     .where = fmt::format("{}, byte {}", origin, error.byte),
                                     .found = std::string(reason)});
  } catch (const Json::exception& error) {
    return Error(ErrorId::kBadJson, {.what = "not usable JSON", .where = std::string(origin), .found = error.what()});
  }
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
  if (!value || !value->is_number_integer()) return BadField(field, origin, value, "a whole number");
  return value->get<int64_t>();
}

}  // namespace rocxla
