#include "xla/hlo/parser/text_cursor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "base/error_ids.h"

namespace xla {
namespace {

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }
bool IsWordStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// A table, because every character of a name is looked at.
constexpr std::array<bool, 256> kIsWordPart = [] {
  std::array<bool, 256> table{};
  for (const char c : std::string_view("0123456789.-_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")) {
    table[static_cast<unsigned char>(c)] = true;
  }
  return table;
}();
bool IsWordPart(char c) { return kIsWordPart[static_cast<unsigned char>(c)]; }

size_t WordLength(std::string_view text) {
  if (text.empty() || !IsWordStart(text[0])) return 0;
  size_t length = 1;
  while (length < text.size() && IsWordPart(text[length])) ++length;
  return length;
}

}  // namespace

void TextCursor::SkipSpaceAndComments() {
  while (offset_ < text_.size()) {
    const std::string_view rest = text_.substr(offset_);
    if (IsSpace(rest[0])) {
      ++offset_;
    } else if (rest.starts_with("/*")) {
      const size_t end = rest.find("*/", 2);
      offset_ = end == std::string_view::npos ? text_.size() : offset_ + end + 2;
    } else if (rest.starts_with("//")) {
      const size_t end = rest.find('\n');
      offset_ = end == std::string_view::npos ? text_.size() : offset_ + end;
    } else {
      return;
    }
  }
}

bool TextCursor::AtEnd() {
  SkipSpace();
  return offset_ >= text_.size();
}

char TextCursor::Peek() {
  SkipSpace();
  return RawPeek();
}

size_t TextCursor::offset() {
  SkipSpace();
  return offset_;
}

bool TextCursor::TryConsume(std::string_view token) {
  SkipSpace();
  if (!text_.substr(offset_).starts_with(token)) return false;
  offset_ += token.size();
  return true;
}

Status TextCursor::Expect(std::string_view token, std::string_view what) {
  if (TryConsume(token)) return OkStatus();
  return SyntaxError(std::string(what), fmt::format("'{}'", token));
}

std::string_view TextCursor::PeekWord() {
  SkipSpace();
  std::string_view rest = text_.substr(offset_);
  if (rest.starts_with('%')) rest.remove_prefix(1);
  return rest.substr(0, WordLength(rest));
}

StatusOr<std::string_view> TextCursor::Word(std::string_view expected) {
  const std::string_view word = PeekWord();
  if (word.empty()) return SyntaxError("a word is missing", std::string(expected));
  offset_ = static_cast<size_t>(word.data() - text_.data()) + word.size();
  return word;
}

StatusOr<int64_t> TextCursor::Integer() {
  SkipSpace();
  int64_t value = 0;
  const char* begin = text_.data() + offset_;
  const auto result = std::from_chars(begin, text_.data() + text_.size(), value);
  if (result.ec == std::errc::result_out_of_range) return SyntaxError("the number is too large", "a 64-bit integer");
  if (result.ec != std::errc()) return SyntaxError("a number is missing", "an integer");
  offset_ += static_cast<size_t>(result.ptr - begin);
  return value;
}

StatusOr<float> TextCursor::Float() {
  SkipSpace();
  float value = 0;
  const char* begin = text_.data() + offset_;
  const auto result = std::from_chars(begin, text_.data() + text_.size(), value);
  if (result.ec == std::errc::result_out_of_range) return SyntaxError("the number is no f32", "a number within f32");
  if (result.ec != std::errc()) return SyntaxError("a number is missing", "a number such as 0.001");
  offset_ += static_cast<size_t>(result.ptr - begin);
  return value;
}

bool TextCursor::SkipRawString() {
  size_t at = offset_ + 1;
  for (;;) {
    const size_t quote = text_.find('"', at);
    const std::string_view piece = at < text_.size() ? text_.substr(at, quote - at) : std::string_view();
    const size_t escape = piece.find('\\');
    if (escape != std::string_view::npos) {
      at += escape + 2;  // behind the character that the backslash speaks of
      continue;
    }
    const bool closed = quote != std::string_view::npos;
    offset_ = closed ? quote + 1 : text_.size();
    return closed;
  }
}

namespace {

// The character that the escape sequence at text[*i] (behind the backslash) stands for; *i moves to its last character.
char Unescaped(std::string_view text, size_t* i) {
  switch (text[*i]) {
    case 'n':
      return '\n';
    case 't':
      return '\t';
    case 'r':
      return '\r';
    default:
      break;
  }
  int value = 0;
  size_t digits = 0;
  while (digits < 3 && *i + digits < text.size() && text[*i + digits] >= '0' && text[*i + digits] <= '7') {
    value = value * 8 + (text[*i + digits++] - '0');
  }
  if (digits == 0) return text[*i];
  *i += digits - 1;
  return static_cast<char>(value);
}

}  // namespace

StatusOr<std::string> TextCursor::String() {
  const size_t begin = offset();
  if (RawPeek() != '"') return SyntaxError("a string is missing", "\"...\"");
  if (!SkipRawString()) {
    return ErrorAt(begin, ErrorId::kHloSyntax, {.what = "the string is not closed", .expected = "a '\"' at its end"});
  }
  const std::string_view inside = TextBetween(begin + 1, offset_ - 1);
  if (inside.find('\\') == std::string_view::npos) return std::string(inside);
  std::string value;
  for (size_t i = 0; i < inside.size(); ++i) {
    if (inside[i] == '\\' && i + 1 < inside.size()) {
      ++i;
      value += Unescaped(inside, &i);
    } else {
      value += inside[i];
    }
  }
  return value;
}

std::string_view TextCursor::RunOf(std::string_view set) {
  const size_t begin = offset();
  while (offset_ < text_.size() && set.find(text_[offset_]) != std::string_view::npos) ++offset_;
  return TextBetween(begin, offset_);
}

StatusOr<std::string_view> TextCursor::BalancedValue() {
  const size_t begin = offset();
  std::string closers;
  while (offset_ < text_.size()) {
    const char c = text_[offset_];
    if (closers.empty() && (c == ',' || IsSpace(c) || c == '}' || c == ')' || c == ']')) break;
    if (c == '"') {
      if (!SkipRawString()) break;
      continue;
    }
    if (text_.substr(offset_).starts_with("/*")) {
      SkipSpace();
      continue;
    }
    if (c == '{') closers += '}';
    if (c == '(') closers += ')';
    if (c == '[') closers += ']';
    if (c == '}' || c == ')' || c == ']') {
      if (closers.back() != c) {
        return SyntaxError("the brackets do not match", fmt::format("'{}'", closers.back()));
      }
      closers.pop_back();
    }
    ++offset_;
  }
  if (offset_ >= text_.size() && (!closers.empty() || text_[begin] == '"')) {
    return ErrorAt(begin, ErrorId::kHloSyntax,
                   {.what = "the value is not closed",
                    .expected = fmt::format("'{}' at its end", closers.empty() ? '"' : closers.back())});
  }
  if (offset_ == begin) return SyntaxError("a value is missing", "a value");
  return TextBetween(begin, offset_);
}

std::string TextCursor::WhereText(size_t offset) const {
  offset = std::min(offset, text_.size());
  const std::string_view before = text_.substr(0, offset);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const size_t line_begin = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  size_t line_end = text_.find('\n', offset);
  if (line_end == std::string_view::npos) line_end = text_.size();
  const size_t column = offset - line_begin;
  // Of very long lines only the surroundings are shown.
  constexpr size_t kBefore = 70;
  constexpr size_t kAfter = 40;
  const size_t show_begin = column > kBefore ? offset - kBefore : line_begin;
  const size_t show_end = std::min(line_end, offset + kAfter);
  std::string shown = show_begin > line_begin ? "..." : "";
  const size_t caret = shown.size() + (offset - show_begin);
  for (char c : TextBetween(show_begin, show_end)) shown += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  if (show_end < line_end) shown += "...";
  return fmt::format("{}:{}:{}\n{}\n{}^", file_name_, line, column + 1, shown, std::string(caret, ' '));
}

std::string TextCursor::FoundText(size_t offset) const {
  if (offset >= text_.size()) return "the end of the text";
  std::string_view rest = text_.substr(offset);
  size_t length = rest[0] == '%' ? 1 + WordLength(rest.substr(1)) : WordLength(rest);
  while (length < rest.size() && length < 30 && IsWordPart(rest[length])) ++length;
  constexpr size_t kLongest = 60;
  length = std::clamp<size_t>(length, 1, kLongest);
  std::string found;
  for (char c : rest.substr(0, length)) {
    const auto code = static_cast<unsigned char>(c);
    found += code >= 0x20 && code < 0x7f ? std::string(1, c) : fmt::format("\\x{:02x}", code);
  }
  return "'" + found + "'";
}

Status TextCursor::ErrorAt(size_t offset, ErrorId id, ErrorText text) const {
  text.where = WhereText(offset);
  if (text.found.empty()) text.found = FoundText(offset);
  if (text.next.empty() && id == ErrorId::kHloSyntax) text.next = "Correct the text at the mark.";
  return Error(id, std::move(text));
}

Status TextCursor::SyntaxError(std::string what, std::string expected, std::string next) {
  return ErrorAt(offset(), ErrorId::kHloSyntax,
                 {.what = std::move(what), .expected = std::move(expected), .next = std::move(next)});
}

}  // namespace xla
