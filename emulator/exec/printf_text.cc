#include "emulator/exec/printf_text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <cstring>
#include <optional>

namespace rocxla::emu {
namespace {

// Takes arguments from the front.
class Arguments {
 public:
  explicit Arguments(std::span<const std::byte> bytes) : bytes_(bytes) {}

  std::optional<u64> Word() {
    if (bytes_.size() < sizeof(u64)) return std::nullopt;
    u64 word = 0;
    std::memcpy(&word, bytes_.data(), sizeof word);
    bytes_ = bytes_.subspan(sizeof word);
    return word;
  }
  std::optional<std::string> Text() {
    auto end = std::find(bytes_.begin(), bytes_.end(), std::byte{0});
    if (end == bytes_.end()) return std::nullopt;
    size_t size = end - bytes_.begin();
    std::string text(reinterpret_cast<const char*>(bytes_.data()), size);
    bytes_ = bytes_.subspan(std::min(bytes_.size(), size / sizeof(u64) * sizeof(u64) + sizeof(u64)));
    return text;
  }

 private:
  std::span<const std::byte> bytes_;
};

// "%-8.3lf": its parts.
struct Conversion {
  std::string flags;        // "-", and width and precision as numbers
  std::string_view length;  // "l", "hh", ...
  char kind = 0;            // 'f'; 0: there is none
  size_t size = 0;          // characters in the format
  bool lacks_argument = false;
};

// An integer of the given length modifier, as the type that the host's printf takes for "ll".
u64 Narrowed(u64 word, std::string_view length, bool is_signed) {
  int bits = length == "hh" ? 8 : length == "h" ? 16 : length.empty() ? 32 : 64;
  int unused = 64 - bits;
  return is_signed ? static_cast<u64>(static_cast<i64>(word << unused) >> unused) : word << unused >> unused;
}

// A width or a precision: digits, or a star that takes an argument.
void ReadNumber(std::string_view text, size_t& at, Arguments& arguments, Conversion& c) {
  if (at < text.size() && text[at] == '*') {
    at++;
    std::optional<u64> value = arguments.Word();
    c.lacks_argument |= !value;
    // Nobody means more, and the host would really print so many characters.
    constexpr i32 kLimit = 4096;
    c.flags += std::to_string(std::clamp(static_cast<i32>(value.value_or(0)), -kLimit, kLimit));
    return;
  }
  constexpr size_t kDigits = 4;
  for (size_t n = 0; at < text.size() && text[at] >= '0' && text[at] <= '9'; at++, n++) {
    if (n < kDigits) c.flags += text[at];
  }
}

// The conversion at the start of `text`, which begins with '%'.
Conversion ReadConversion(std::string_view text, Arguments& arguments) {
  Conversion c;
  size_t at = 1;
  for (; at < text.size() && std::string_view("-+ #0").find(text[at]) != std::string_view::npos; at++) {
    if (c.flags.size() < 8) c.flags += text[at];
  }
  ReadNumber(text, at, arguments, c);
  if (at < text.size() && text[at] == '.') {
    at++;
    c.flags += '.';
    ReadNumber(text, at, arguments, c);
  }
  for (std::string_view length : {"hh", "h", "ll", "l", "j", "z", "t", "L"}) {
    if (!text.substr(at).starts_with(length)) continue;
    c.length = length;
    at += length.size();
    break;
  }
  if (at < text.size()) c.kind = text[at++];
  c.size = at;
  return c;
}

template <class T>
std::string Print(const std::string& format, T value) {
  int size = std::snprintf(nullptr, 0, format.c_str(), value);
  if (size < 0) return "";
  std::string text(size, '\0');
  std::snprintf(text.data(), text.size() + 1, format.c_str(), value);
  return text;
}

// Nothing if it cannot be printed.
std::optional<std::string> PrintConversion(const Conversion& c, Arguments& arguments) {
  if (c.lacks_argument) return std::nullopt;
  std::string format = "%" + c.flags;
  if (c.kind == 's') {
    std::optional<std::string> text = arguments.Text();
    return text ? std::optional(Print(format + "s", text->c_str())) : std::nullopt;
  }
  bool is_signed = c.kind == 'd' || c.kind == 'i';
  constexpr std::string_view kUnsigned = "uxXo", kFloats = "fFeEgGaA";
  bool known = is_signed || c.kind == 'c' || c.kind == 'p' || kUnsigned.find(c.kind) != kUnsigned.npos ||
               kFloats.find(c.kind) != kFloats.npos;
  std::optional<u64> word = known && c.kind != 0 ? arguments.Word() : std::nullopt;
  if (!word) return std::nullopt;
  if (c.kind == 'c') return Print(format + "c", static_cast<int>(*word & 255));
  if (c.kind == 'p') return Print(format + "p", reinterpret_cast<const void*>(*word));
  if (kFloats.find(c.kind) != kFloats.npos) return Print(format + c.kind, std::bit_cast<double>(*word));
  return Print(format + "ll" + c.kind, static_cast<long long>(Narrowed(*word, c.length, is_signed)));
}

}  // namespace

std::string FormatPrintf(std::string_view format, std::span<const std::byte> bytes) {
  Arguments arguments(bytes);
  std::string out;
  for (size_t at = 0; at < format.size();) {
    if (format[at] != '%') {
      size_t next = std::min(format.find('%', at), format.size());
      out += format.substr(at, next - at);
      at = next;
      continue;
    }
    Conversion c = ReadConversion(format.substr(at), arguments);
    std::optional<std::string> text = c.kind == '%' ? "%" : PrintConversion(c, arguments);
    out += text ? *text : std::string(format.substr(at, c.size));
    at += c.size;
  }
  return out;
}

}  // namespace rocxla::emu
