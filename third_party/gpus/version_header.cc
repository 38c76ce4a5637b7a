#include "third_party/gpus/version_header.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>

namespace rocxla {
namespace {

constexpr size_t kMaxHeaderBytes = 16 << 20;
constexpr size_t kMaxDigits = 9;  // fits every formula of rocm_components.def into 64 bits
constexpr std::string_view kSpace = " \t\r\f\v";

std::string_view SkipSpace(std::string_view text) {
  size_t begin = text.find_first_not_of(kSpace);
  return begin == text.npos ? "" : text.substr(begin);
}

bool Take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

enum class Spacing { kUpstream, kAny };

// What follows "#define name" and white space, when the line is such a definition.
std::optional<std::string_view> DefinedValue(std::string_view line, std::string_view name, Spacing spacing) {
  const std::string_view before = spacing == Spacing::kAny ? kSpace : " ";
  if (spacing == Spacing::kAny) {
    line = SkipSpace(line);
    if (!Take(line, "#")) return std::nullopt;
    line = SkipSpace(line);
    if (!Take(line, "define") || line.empty() || kSpace.find(line[0]) == kSpace.npos) return std::nullopt;
    line = SkipSpace(line);
  } else if (!Take(line, "#define ")) {
    return std::nullopt;
  }
  if (!Take(line, name)) return std::nullopt;
  if (line.empty()) return line;
  if (before.find(line[0]) == before.npos) return std::nullopt;
  return SkipSpace(line);
}

bool EndsNumber(std::string_view rest) {
  size_t suffix = std::min(rest.find_first_not_of("uUlL"), rest.size());
  rest = SkipSpace(rest.substr(suffix));
  return rest.empty() || rest.starts_with("//") || rest.starts_with("/*");
}

StatusOr<int64_t> ParseDecimal(std::string_view value, std::string_view name) {
  const size_t digits = std::min(value.find_first_not_of("0123456789"), value.size());
  if (digits > 0 && digits <= kMaxDigits && EndsNumber(value.substr(digits))) {
    int64_t number = 0;
    for (char c : value.substr(0, digits)) number = number * 10 + (c - '0');
    return number;
  }
  constexpr size_t kShown = 40;
  value = value.substr(0, std::min(value.size(), kShown));
  while (!value.empty() && kSpace.find(value.back()) != kSpace.npos) value.remove_suffix(1);
  std::string shown(value);
  std::ranges::replace_if(shown, [](unsigned char c) { return std::iscntrl(c) != 0; }, '?');  // terminals obey some
  return InvalidArgumentError(fmt::format("{} is '{}', not a decimal number below 1000000000", name, shown));
}

std::optional<std::string_view> FindDefinition(std::string_view text, std::string_view name, Spacing spacing) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    if (auto value = DefinedValue(text.substr(0, end), name, spacing)) return value;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return std::nullopt;
}

}  // namespace

PathCheck CheckPath(const std::string& path) {
  struct stat facts;
  if (stat(path.c_str(), &facts) == 0) return {PathState::kPresent, ""};
  if (errno == ENOENT || errno == ENOTDIR) return {PathState::kAbsent, ""};
  return {PathState::kUnknown, std::strerror(errno)};
}

StatusOr<std::string> ReadHeader(const std::string& path) {
  struct stat facts;
  if (stat(path.c_str(), &facts) != 0) return InvalidArgumentError(std::strerror(errno));
  if (S_ISDIR(facts.st_mode)) return InvalidArgumentError("a folder");
  if (!S_ISREG(facts.st_mode)) return InvalidArgumentError("not a regular file");
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (file == nullptr) return InvalidArgumentError(std::strerror(errno));
  std::string text;
  char buffer[1 << 14];
  while (size_t count = std::fread(buffer, 1, sizeof buffer, file.get())) {
    text.append(buffer, count);
    if (text.size() > kMaxHeaderBytes) return InvalidArgumentError("larger than 16 MiB");
  }
  if (std::ferror(file.get())) return InvalidArgumentError(std::strerror(errno));
  return text;
}

StatusOr<int64_t> ReadVersionMacro(std::string_view text, std::string_view name) {
  (void)Take(text, "\xEF\xBB\xBF");  // the mark of UTF-8, which compilers pass over
  for (Spacing spacing : {Spacing::kUpstream, Spacing::kAny}) {
    if (auto value = FindDefinition(text, name, spacing)) return ParseDecimal(*value, name);
  }
  return NotFoundError(fmt::format("{} is not defined", name));
}

}  // namespace rocxla
