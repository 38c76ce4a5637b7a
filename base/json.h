// JSON documents, through nlohmann-json, with errors as Status.
#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/status.h"

namespace rocxla {

using Json = nlohmann::json;

// Parses a document. BadJson names `origin` (a path), the byte offset, and what the parser expected there.
StatusOr<Json> ParseJson(std::string_view text, std::string_view origin);
StatusOr<Json> ReadJson(const std::filesystem::path& path);

// The document as text, one space of indentation a level; bytes that are no UTF-8 (paths may hold any) become U+FFFD.
std::string JsonText(const Json& json);

// A field of an object, by type. BadJson when it is absent or of another type.
StatusOr<std::string> JsonString(const Json& object, std::string_view field, std::string_view origin);
StatusOr<double> JsonNumber(const Json& object, std::string_view field, std::string_view origin);
StatusOr<int64_t> JsonInteger(const Json& object, std::string_view field, std::string_view origin);

}  // namespace rocxla
