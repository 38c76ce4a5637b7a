#include "base/flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "base/environment.h"
#include "base/error_ids.h"
#include "base/file.h"
#include "base/flag_value.h"

namespace rocxla {
namespace {

struct Argument {
  std::string_view name;
  std::optional<std::string_view> value;
};

std::optional<Argument> Split(std::string_view argument) {
  if (!argument.starts_with("--")) return std::nullopt;
  argument.remove_prefix(2);
  size_t equals = argument.find('=');
  if (equals == argument.npos) return Argument{argument, std::nullopt};
  return Argument{argument.substr(0, equals), argument.substr(equals + 1)};
}

// Errors quote what was found; a text of megabytes would bury the rest.
std::string Quoted(std::string_view text) {
  constexpr size_t kLongest = 200;
  return text.size() <= kLongest ? fmt::format("'{}'", text) : fmt::format("'{}...'", text.substr(0, kLongest));
}

template <class T>
Status Assign(const Argument& argument, std::string_view origin, T& field) {
  std::string_view text = argument.value.value_or("true");
  bool missing = !argument.value && !std::is_same_v<T, bool>;
  if (!missing && ParseFlagValue(text, field)) return OkStatus();
  return Error(ErrorId::kBadFlagValue,
               {.what = fmt::format("--{} has no usable value", argument.name),
                .where = std::string(origin),
                .found = missing ? "no value" : Quoted(text),
                .expected = fmt::format("{}, as in --{}=...", FlagValueAccepted(field), argument.name)});
}

Status UnknownFlag(std::string_view name, std::string_view origin) {
  std::vector<std::string_view> names;
  for (const FlagInfo& flag : AllFlags()) names.push_back(flag.name);
  std::string nearest = NearestSpelling(name, names);
  return Error(ErrorId::kUnknownFlag,
               {.what = "unknown debug option",
                .where = std::string(origin),
                .found = Quoted(fmt::format("--{}", name)),
                .expected = nearest.empty() ? "a name from docs/flags.md" : fmt::format("--{}", nearest),
                .next = "rocxla --help-flags lists every option"});
}

bool IsBlank(char c) { return std::string_view(" \t\n\r\v\f").find(c) != std::string_view::npos; }

// Takes the text up to the closing quote at the front of `text`; false when there is none.
bool TakeQuoted(std::string_view& text, std::string& word) {
  const char quote = text.front();
  for (size_t i = 1; i < text.size(); ++i) {
    if (text[i] == quote) return text.remove_prefix(i + 1), true;
    if (quote == '"' && text[i] == '\\' && i + 1 < text.size()) ++i;
    word += text[i];
  }
  return false;
}

StatusOr<std::vector<std::string>> SplitWords(std::string_view text, std::string_view origin) {
  std::vector<std::string> words;
  while (!text.empty()) {
    if (IsBlank(text.front())) {
      text.remove_prefix(1);
      continue;
    }
    std::string word;
    const std::string_view begin = text;
    while (!text.empty() && !IsBlank(text.front())) {
      if (text.front() != '\'' && text.front() != '"') {
        word += text.front();
        text.remove_prefix(1);
      } else if (!TakeQuoted(text, word)) {
        return Error(ErrorId::kBadFlagValue, {.what = "a quote is not closed",
                                              .where = std::string(origin),
                                              .found = Quoted(begin),
                                              .expected = fmt::format("another {}", text.front())});
      }
    }
    words.push_back(std::move(word));
  }
  return words;
}

// Separators of CodegenFlagsKey within a value.
std::string Escaped(std::string_view text) {
  std::string escaped;
  for (char c : text) {
    if (c == ';' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

}  // namespace

const std::vector<FlagInfo>& AllFlags() {
  static const std::vector<FlagInfo> flags = [] {
    const DebugOptions defaults;
    return std::vector<FlagInfo>{
#define FLAG(type, name, default_value, effect, help) \
  {#name, FlagTypeName(defaults.name), FlagValueText(defaults.name), FlagEffect::effect, help},
#include "base/flags.def"
#undef FLAG
    };
  }();
  return flags;
}

Status ParseFlag(std::string_view text, std::string_view origin, DebugOptions& options) {
  std::optional<Argument> argument = Split(text);
  if (!argument) {
    return Error(ErrorId::kUnknownFlag, {.what = "not a debug option",
                                         .where = std::string(origin),
                                         .found = Quoted(text),
                                         .expected = "--name=value"});
  }
#define FLAG(type, name_, ...)                                                         \
  if (argument->name == #name_) return Assign(*argument, origin, options.name_);       \
  if (std::is_same_v<type, bool> && !argument->value && argument->name == "no" #name_) \
    return Assign({argument->name, "false"}, origin, options.name_);
#include "base/flags.def"
#undef FLAG
  return UnknownFlag(argument->name, origin);
}

Status ParseXlaFlags(std::string_view text, DebugOptions& options, std::string_view origin) {
  while (!text.empty() && IsBlank(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsBlank(text.back())) text.remove_suffix(1);
  std::string file, place(origin);
  if (!text.empty() && text[0] != '-') {
    StatusOr<std::string> read = ReadFile(std::string(text));
    if (!read.ok())
      return Error(ErrorId::kFileUnreadable,
                   {.what = "the options begin without '-', hence name a file, but it cannot be read",
                    .where = place,
                    .found = Quoted(text),
                    .expected = "options (--name=value ...), or the name of a file with options",
                    .next = read.status().ToString()});
    place = fmt::format("{}, file {}", origin, Quoted(text));
    file = std::move(*read);
    text = file;
  }
  ASSIGN_OR_RETURN(std::vector<std::string> words, SplitWords(text, place));
  for (const std::string& word : words) RETURN_IF_ERROR(ParseFlag(word, place, options));
  return OkStatus();
}

StatusOr<DebugOptions> DebugOptionsFromEnvironment() {
  DebugOptions options;
  if (const char* text = Environment(EnvironmentVariable::kXLA_FLAGS)) RETURN_IF_ERROR(ParseXlaFlags(text, options));
  return options;
}

Status TakeFlags(std::vector<std::string_view>& arguments, DebugOptions& options) {
  std::vector<std::string_view> rest;
  for (std::string_view argument : arguments) {
    bool flag = argument.starts_with("--xla_") || argument.starts_with("--rocxla_") || argument.starts_with("--noxla_");
    if (!flag)
      rest.push_back(argument);
    else
      RETURN_IF_ERROR(ParseFlag(argument, "command line", options));
  }
  arguments = std::move(rest);
  return OkStatus();
}

std::string CodegenFlagsKey(const DebugOptions& options) {
  std::string key;
  const DebugOptions defaults;
#define FLAG(type, name, default_value, effect, help)                              \
  if (FlagEffect::effect == FlagEffect::kCodegen && options.name != defaults.name) \
    key += fmt::format("{}={};", #name, Escaped(FlagValueText(options.name)));
#include "base/flags.def"
#undef FLAG
  return key;
}

std::string NearestSpelling(std::string_view name, std::span<const std::string_view> candidates) {
  if (name.size() > kLongestSpelling) return "";
  // Levenshtein's distance, with two swapped letters as one edit ("optimal string alignment").
  auto distance = [&](std::string_view other) {
    std::vector<size_t> before, last(other.size() + 1), row(other.size() + 1);
    std::iota(last.begin(), last.end(), 0);
    for (size_t i = 1; i <= name.size(); ++i) {
      row[0] = i;
      for (size_t j = 1; j <= other.size(); ++j) {
        row[j] = std::min({last[j - 1] + (name[i - 1] != other[j - 1]), last[j] + 1, row[j - 1] + 1});
        bool swapped = i > 1 && j > 1 && name[i - 1] == other[j - 2] && name[i - 2] == other[j - 1];
        if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
      }
      before = std::exchange(last, row);
    }
    return last.back();
  };
  std::string_view best;
  size_t best_distance = name.size() / 3 + 1;
  for (std::string_view candidate : candidates)
    if (size_t d = distance(candidate); d < best_distance) best = candidate, best_distance = d;
  return std::string(best);
}

}  // namespace rocxla
