// JSON documents, through nlohmann-json, with errors as Status.
//
// Stricter than the library: duplicate names in an object, and nesting beyond kDeepestJson levels, are errors.
#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "base/status.h"

namespace rocxla {

using Json = nlohmann::json;

// Copies of a document recurse: deeper text than any of our files has would overflow the stack.
inline constexpr int kDeepestJson = 200;

// Parses a document (UTF-8; numbers are finite). BadJson names `origin` (a path), line and column (in characters, from
// 1), and what the parser expected there.
StatusOr<Json> ParseJson(std::string_view text, std::string_view origin);
StatusOr<Json> ReadJson(const std::filesystem::path& path);

// The document as text, one space of indentation a level; bytes that are no UTF-8 (paths may hold any) become U+FFFD.
std::string JsonText(const Json& json);

// A field of an object, by type. BadJson when it is absent or of another type.
StatusOr<std::string> JsonString(const Json& object, std::string_view field, std::string_view origin);
StatusOr<double> JsonNumber(const Json& object, std::string_view field, std::string_view origin);
// A whole number of 64 bits with sign.
StatusOr<int64_t> JsonInteger(const Json& object, std::string_view field, std::string_view origin);

// The whole number that `value` is; nothing when it is none, or has more than 63 bits.
std::optional<int64_t> WholeNumber(const Json& value);

}  // namespace rocxla
