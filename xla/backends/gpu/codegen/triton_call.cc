#include "xla/backends/gpu/codegen/triton_call.h"

#include <fmt/format.h>

#include <charconv>
#include <map>
#include <optional>

#include "base/error_ids.h"
#include "triton/compile.h"
#include "xla/hlo/parser/text_cursor.h"

namespace xla::gpu {
namespace {

Status BadConfig(const HloInstruction& call, std::string what, std::string found, std::string expected) {
  return Error(rocxla::ErrorId::kCompilerBadCustomCall,
               {.what = std::move(what),
                .where = fmt::format("'{}', a call of {}", call.name(), call.custom_call_target()),
                .found = std::move(found),
                .expected = std::move(expected)});
}

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// A dictionary attribute in MLIR's text: names with strings, numbers and booleans; the types of numbers are skipped.
class DictionaryReader {
 public:
  explicit DictionaryReader(std::string_view text) : rest_(text) {}

  // Absent if the text is no such dictionary; At() says where reading stopped.
  std::optional<std::map<std::string, std::string, std::less<>>> Read() {
    std::map<std::string, std::string, std::less<>> fields;
    if (!Take('{')) return std::nullopt;
    while (!Take('}')) {
      if (!fields.empty() && !Take(',')) return std::nullopt;
      std::string name = Word();
      if (name.empty() || !Take('=')) return std::nullopt;
      SkipSpace();
      std::optional<std::string> value = rest_.starts_with('"') ? String() : std::optional(Word());
      if (!value || (value->empty() && !was_string_)) return std::nullopt;
      if (Take(':') && Word().empty()) return std::nullopt;
      fields.emplace(std::move(name), *std::move(value));
    }
    SkipSpace();
    return rest_.empty() ? std::optional(std::move(fields)) : std::nullopt;
  }
  std::string At() const { return rest_.empty() ? "the end" : fmt::format("'{}'", rest_.substr(0, 40)); }

 private:
  void SkipSpace() {
    const size_t at = rest_.find_first_not_of(" \t\r\n");
    rest_.remove_prefix(at == std::string_view::npos ? rest_.size() : at);
  }
  bool Take(char c) {
    SkipSpace();
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  std::string Word() {
    SkipSpace();
    was_string_ = false;
    constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$+-";
    const size_t length = std::min(rest_.find_first_not_of(kLetters), rest_.size());
    std::string word(rest_.substr(0, length));
    rest_.remove_prefix(length);
    return word;
  }
  // Escapes are \" \\ \n \t and two hexadecimal digits.
  std::optional<std::string> String() {
    was_string_ = true;
    rest_.remove_prefix(1);
    std::string value;
    while (!rest_.empty() && rest_[0] != '"') {
      size_t length = 1;
      char c = rest_[0];
      if (c == '\\') {
        if (rest_.size() < 3) return std::nullopt;
        length = 2;
        c = rest_[1] == 'n' ? '\n' : rest_[1] == 't' ? '\t' : rest_[1];
        const int high = HexDigit(rest_[1]);
        const int low = HexDigit(rest_[2]);
        if (high >= 0 && low >= 0) {
          c = static_cast<char>(16 * high + low);
          length = 3;
        }
      }
      value += c;
      rest_.remove_prefix(length);
    }
    if (rest_.empty()) return std::nullopt;
    rest_.remove_prefix(1);
    return value;
  }

  std::string_view rest_;
  bool was_string_ = false;
};

using Fields = std::map<std::string, std::string, std::less<>>;

// Reads the field `name` into `value`, a number from `least` to `most`; a field that is absent leaves it as it is.
template <class T>
Status ReadNumber(const HloInstruction& call, const Fields& fields, std::string_view name, int64_t least, int64_t most,
                  T* value) {
  const auto it = fields.find(name);
  if (it == fields.end()) return OkStatus();
  const std::string& text = it->second;
  int64_t number = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
  if (result.ec != std::errc() || result.ptr != text.data() + text.size() || number < least || number > most) {
    return BadConfig(call, fmt::format("the field {} of the call's configuration does not fit", name), text,
                     fmt::format("a number from {} to {}", least, most));
  }
  *value = static_cast<T>(number);
  return OkStatus();
}

}  // namespace

bool IsTritonCall(const HloInstruction& instruction) {
  return instruction.opcode() == HloOpcode::kCustomCall && instruction.custom_call_target() == "__gpu$xla.gpu.triton";
}

StatusOr<TritonCallConfig> ParseTritonCallConfig(const HloInstruction& call) {
  constexpr int64_t kMostBlocks = (int64_t{1} << 31) - 1;
  DictionaryReader reader(call.raw_backend_config());
  const auto fields = reader.Read();
  if (!fields) {
    return BadConfig(call, "the call's backend_config is no dictionary", reader.At(),
                     "{name = \"kernel\", ir = \"...\", grid_x = 1 : i32, num_warps = 4 : i32, ...}");
  }
  TritonCallConfig config;
  for (auto& [name, text] : {std::pair("name", &config.name), std::pair("ir", &config.ir)}) {
    const auto it = fields->find(name);
    if (it == fields->end() || it->second.empty()) {
      return BadConfig(call, fmt::format("the call's configuration lacks the field {}", name), "none", "a string");
    }
    *text = it->second;
  }
  RETURN_IF_ERROR(ReadNumber(call, *fields, "grid_x", 1, kMostBlocks, &config.grid[0]));
  RETURN_IF_ERROR(ReadNumber(call, *fields, "grid_y", 1, 65535, &config.grid[1]));
  RETURN_IF_ERROR(ReadNumber(call, *fields, "grid_z", 1, 65535, &config.grid[2]));
  RETURN_IF_ERROR(ReadNumber(call, *fields, "num_warps", 1, 32, &config.num_warps));
  RETURN_IF_ERROR(ReadNumber(call, *fields, "num_stages", 0, 100, &config.num_stages));
  return config;
}

namespace {

int64_t ResultCount(const HloInstruction& call) {
  return call.shape().IsTuple() ? static_cast<int64_t>(call.shape().tuple_shapes().size()) : 1;
}

// "{0}: (1, {})", or "{}: (1, {})" where there is one result.
StatusOr<AliasedOperand> ReadAlias(TextCursor& cursor) {
  AliasedOperand alias;
  RETURN_IF_ERROR(cursor.Expect("{", "a result is {number}"));
  if (cursor.Peek() != '}') {
    ASSIGN_OR_RETURN(alias.result, cursor.Integer());
  }
  RETURN_IF_ERROR(cursor.Expect("}", "a result is {number}"));
  RETURN_IF_ERROR(cursor.Expect(":", "an alias is {result}: (operand, {})"));
  RETURN_IF_ERROR(cursor.Expect("(", "an alias is {result}: (operand, {})"));
  ASSIGN_OR_RETURN(alias.operand, cursor.Integer());
  RETURN_IF_ERROR(cursor.Expect(",", "an alias is {result}: (operand, {})"));
  RETURN_IF_ERROR(cursor.Expect("{", "an alias is {result}: (operand, {})"));
  RETURN_IF_ERROR(cursor.Expect("}", "the operands of a kernel are arrays"));
  RETURN_IF_ERROR(cursor.Expect(")", "the alias is not closed"));
  return alias;
}

StatusOr<std::vector<AliasedOperand>> ReadAliases(TextCursor& cursor) {
  std::vector<AliasedOperand> aliases;
  RETURN_IF_ERROR(cursor.Expect("{", "a list is missing"));
  while (!cursor.TryConsume("}")) {
    if (!aliases.empty()) RETURN_IF_ERROR(cursor.Expect(",", "the list is not closed"));
    ASSIGN_OR_RETURN(const AliasedOperand alias, ReadAlias(cursor));
    aliases.push_back(alias);
  }
  return aliases;
}

}  // namespace

StatusOr<std::vector<AliasedOperand>> AliasedOperandsOf(const HloInstruction& call) {
  const auto* text = call.attributes().Find<Verbatim>(AttributeId::kOutputToOperandAliasing);
  if (text == nullptr) return std::vector<AliasedOperand>();
  TextCursor cursor(text->text, "output_to_operand_aliasing");
  const auto aliases = ReadAliases(cursor);
  if (!aliases.ok()) return BadConfig(call, "the call's aliases are not well formed", text->text, "{{0}: (1, {})}");
  for (const auto& [result, operand] : *aliases) {
    const bool fits = result >= 0 && result < ResultCount(call) && operand >= 0 && operand < call.operand_count();
    const Shape& shape = call.shape().IsTuple() && fits ? call.shape().tuple_shapes(result) : call.shape();
    if (fits && ShapeUtil::Compatible(shape, call.operand(operand)->shape())) continue;
    return BadConfig(call, "an alias of the call does not fit its operands and results", text->text,
                     "an operand and a result of one shape");
  }
  return aliases;
}

StatusOr<TileKernel> EmitTritonCall(const HloInstruction& call, std::string_view name) {
  ASSIGN_OR_RETURN(const TritonCallConfig config, ParseTritonCallConfig(call));
  const std::string file = fmt::format("{} (a call of {})", call.name(), call.custom_call_target());
  ASSIGN_OR_RETURN(const rocxla::triton::KernelText kernel, rocxla::triton::ReadKernelText(config.ir, file, name));
  const int64_t results = ResultCount(call);
  if (kernel.arguments != call.operand_count() + results) {
    return BadConfig(call, "the kernel has another number of arguments than the call",
                     fmt::format("{} arguments", kernel.arguments),
                     fmt::format("a pointer for each of {} operands and {} results", call.operand_count(), results));
  }
  return TileKernel{.name = std::string(name),
                    .ttir = kernel.text,
                    .num_warps = config.num_warps,
                    .grid = config.grid,
                    .num_warps_is_given = true};
}

}  // namespace xla::gpu
