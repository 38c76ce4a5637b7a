#include "base/flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>
#include <optional>

#include "base/environment.h"
#include "base/file.h"

namespace rocxla {
namespace {

std::string TextOf(bool value) { return value ? "true" : "false"; }
std::string TextOf(int64_t value) { return std::to_string(value); }
std::string TextOf(const std::string& value) { return value; }

std::string_view TypeName(const bool&) { return "bool"; }
std::string_view TypeName(const int64_t&) { return "int64"; }
std::string_view TypeName(const std::string&) { return "string"; }

bool ParseValue(std::string_view text, bool& out) {
  for (std::string_view yes : {"true", "1", "True", "yes"})
    if (text == yes) return out = true, true;
  for (std::string_view no : {"false", "0", "False", "no"})
    if (text == no) return out = false, true;
  return false;
}
bool ParseValue(std::string_view text, int64_t& out) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size();
}
bool ParseValue(std::string_view text, std::string& out) { return out = text, true; }

std::string_view Accepted(const bool&) { return "true or false"; }
std::string_view Accepted(const int64_t&) { return "a whole number"; }
std::string_view Accepted(const std::string&) { return "text"; }

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

template <class T>
Status Assign(const Argument& argument, std::string_view origin, T& field) {
  std::string_view text = argument.value.value_or("true");
  bool missing = !argument.value && !std::is_same_v<T, bool>;
  if (!missing && ParseValue(text, field)) return OkStatus();
  return Error(ErrorId::kBadFlagValue, {.what = fmt::format("--{} has no usable value", argument.name),
                                        .where = std::string(origin),
                                        .found = missing ? "no value" : fmt::format("'{}'", text),
                                        .expected = fmt::format("{}, as in --{}=...", Accepted(field), argument.name)});
}

Status UnknownFlag(std::string_view name, std::string_view origin) {
  std::vector<std::string_view> names;
  for (const FlagInfo& flag : AllFlags()) names.push_back(flag.name);
  std::string nearest = NearestSpelling(name, names);
  return Error(ErrorId::kUnknownFlag,
               {.what = "unknown debug option",
                .where = std::string(origin),
                .found = fmt::format("--{}", name),
                .expected = nearest.empty() ? "a name from docs/flags.md" : fmt::format("--{}", nearest),
                .next = "rocxla --help-flags lists every option"});
}

std::vector<std::string> SplitWords(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  char quote = 0;
  bool any = false;
  for (char c : text) {
    if (quote) {
      if (c == quote)
        quote = 0;
      else
        word += c;
    } else if (c == '"' || c == '\'') {
      quote = c, any = true;
    } else if (std::isspace(static_cast<unsigned char>(c))) {
      if (any) words.push_back(std::exchange(word, ""));
      any = false;
    } else {
      word += c, any = true;
    }
  }
  if (any) words.push_back(word);
  return words;
}

}  // namespace

const std::vector<FlagInfo>& AllFlags() {
  static const std::vector<FlagInfo> flags = [] {
    const DebugOptions defaults;
    return std::vector<FlagInfo>{
#define FLAG(type, name, default_value, effect, help) \
  {#name, TypeName(defaults.name), TextOf(defaults.name), FlagEffect::effect, help},
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
                                         .found = fmt::format("'{}'", text),
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

Status ParseXlaFlags(std::string_view text, DebugOptions& options) {
  std::string_view origin = "XLA_FLAGS";
  std::string from_file;
  size_t first = text.find_first_not_of(" \t\n");
  if (first == text.npos) return OkStatus();
  if (text[first] != '-') {
    std::string path(text.substr(first, text.find_last_not_of(" \t\n") + 1 - first));
    ASSIGN_OR_RETURN(from_file, ReadFile(path));
    text = from_file;
  }
  for (const std::string& word : SplitWords(text)) RETURN_IF_ERROR(ParseFlag(word, origin, options));
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
    key += fmt::format("{}={};", #name, TextOf(options.name));
#include "base/flags.def"
#undef FLAG
  return key;
}

std::string NearestSpelling(std::string_view name, std::span<const std::string_view> candidates) {
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
