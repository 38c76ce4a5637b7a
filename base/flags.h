// DebugOptions: the settings behind XLA_FLAGS and --xla_... arguments. The rows are in flags.def.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace rocxla {

struct DebugOptions {
#define FLAG(type, name, default_value, effect, help) type name = default_value;
#include "base/flags.def"
#undef FLAG
};

enum class FlagEffect { kNone, kCodegen };
struct FlagInfo {
  std::string_view name;
  std::string type;  // "bool", "int32", "repeated string", ... (flag_value.h)
  std::string default_value;
  FlagEffect effect;
  std::string_view help;
};
// One per row of flags.def, in its order.
const std::vector<FlagInfo>& AllFlags();

// Sets one option from "--name=value", "--name" (a boolean: true) or "--noname". UnknownFlag names the nearest
// spelling, BadFlagValue what the type accepts; `options` is then as before. `origin` ("XLA_FLAGS", "command line")
// appears in errors.
Status ParseFlag(std::string_view argument, std::string_view origin, DebugOptions& options);

// Applies a whole XLA_FLAGS text: arguments separated by white space. As in a shell, quotes keep white space in a
// value, and within double quotes a backslash keeps the next character as it is. A text that does not begin with '-' is
// the name of a file with such text, as upstream has it; FileUnreadable says so when there is no such file. `origin` is
// what errors call the text.
Status ParseXlaFlags(std::string_view text, DebugOptions& options, std::string_view origin = "XLA_FLAGS");

// XLA_FLAGS of the environment, applied to the defaults.
StatusOr<DebugOptions> DebugOptionsFromEnvironment();

// Moves the --xla_... and --rocxla_... arguments out of `arguments` into `options`.
Status TakeFlags(std::vector<std::string_view>& arguments, DebugOptions& options);

// "name=value" of every option that changes code and is not at its default, in table order: part of cache keys.
std::string CodegenFlagsKey(const DebugOptions& options);

// The candidate that differs from `name` in the fewest edits, or "" when none is near (more than a third of its
// letters). Names longer than kLongestSpelling are near nothing.
inline constexpr size_t kLongestSpelling = 200;
std::string NearestSpelling(std::string_view name, std::span<const std::string_view> candidates);

}  // namespace rocxla
