// A position in HLO text: skipping space and comments, reading words and numbers, and errors that show the place.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "xla/hlo/ir/status.h"

namespace xla {

// Does not own the text, which must outlive it. All functions but those named Raw skip space and comments first.
class TextCursor {
 public:
  TextCursor(std::string_view text, std::string_view file_name) : text_(text), file_name_(file_name) {}

  // Skips spaces, line ends, /* comments */ and // comments.
  void SkipSpace() {
    const bool is_other = offset_ < text_.size() && text_[offset_] > ' ' && text_[offset_] != '/';
    if (!is_other) SkipSpaceAndComments();
  }
  bool AtEnd();
  // The next character; 0 at the end.
  char Peek();
  // The position of the next character that is no space, as an offset into the text.
  size_t offset();
  // The position just behind what was consumed.
  size_t consumed() const { return offset_; }
  void set_offset(size_t offset) { offset_ = offset; }
  char RawPeek() const { return offset_ < text_.size() ? text_[offset_] : '\0'; }
  void RawAdvance() { ++offset_; }
  // The offset just behind a piece that was cut out of the text.
  size_t OffsetBehind(std::string_view piece) const {
    return static_cast<size_t>(piece.data() - text_.data()) + piece.size();
  }
  std::string_view TextBetween(size_t begin, size_t end) const { return text_.substr(begin, end - begin); }

  bool TryConsume(std::string_view token);
  // Consumes `token`, or HloSyntax. `what` is the sentence of the message: "the operand list is not closed".
  Status Expect(std::string_view token, std::string_view what);

  // The word [A-Za-z_][A-Za-z0-9_.-]* that comes next, without a leading '%'; empty if there is none. Does not consume.
  std::string_view PeekWord();
  // Consumes it, or HloSyntax with `expected`: "a name".
  StatusOr<std::string_view> Word(std::string_view expected);
  StatusOr<int64_t> Integer();
  StatusOr<float> Float();  // the nearest one
  // "..." with escapes resolved.
  StatusOr<std::string> String();
  // The longest run of characters of `set` (may be empty).
  std::string_view RunOf(std::string_view set);
  // The text up to a ',', space or closing bracket outside of brackets and strings, verbatim; not empty, or HloSyntax.
  StatusOr<std::string_view> BalancedValue();

  // "file:3:14", then that line of the text and a caret under the column.
  std::string WhereText(size_t offset) const;
  // What stands at the offset, for `found`.
  std::string FoundText(size_t offset) const;
  // An error at `offset`; `where` and, if it is empty, `found` are filled in.
  Status ErrorAt(size_t offset, ErrorId id, ErrorText text) const;
  Status SyntaxError(std::string what, std::string expected, std::string next = "");

 private:
  void SkipSpaceAndComments();
  bool SkipRawString();  // at the opening quote; false if there is no closing one

  std::string_view text_;
  std::string_view file_name_;
  size_t offset_ = 0;
};

}  // namespace xla
