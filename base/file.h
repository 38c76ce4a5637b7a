// Whole files in and out.
#pragma once
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace rocxla {

// The bytes of a file. FileUnreadable says which path and why. A folder is an error, "-" is standard input.
StatusOr<std::string> ReadFile(const std::filesystem::path& path);

// Writes (replaces) a file through a temporary one beside it, so that a reader never sees half of it.
Status WriteFile(const std::filesystem::path& path, std::string_view bytes);
Status WriteFile(const std::filesystem::path& path, std::span<const uint8_t> bytes);

}  // namespace rocxla
