#include "base/mlir/text_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <unordered_map>

namespace rocxla {
namespace {

constexpr int kDeepest = 256;

bool IsWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '.'; }

class Scanner {
 public:
  Scanner(std::string_view text, std::string_view file_name) : text_(text), file_name_(file_name) {}

  std::optional<ErrorText> Run() {
    while (at_ < text_.size()) {
      const size_t begin = at_;
      Step();
      if (depth_ + reached_ > kDeepest) return Fault(begin, "the brackets are nested too deeply", Limit());
      if (affine_) return Fault(begin, "there is an affine map", "a program without affine maps and sets");
    }
    return std::nullopt;
  }

 private:
  static std::string Limit() { return fmt::format("at most {} levels", kDeepest); }

  // Over one bracket, word, string, comment, or anything else.
  void Step() {
    reached_ = 0;
    const char c = text_[at_];
    if (std::isspace(static_cast<unsigned char>(c))) {
      if (c == '\n' && depth_ == 0 && filled_) defined_ = nullptr;
      ++at_;
      return;
    }
    filled_ = true;
    if (c == '"') {
      for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_)
        if (text_[at_] == '\\') ++at_;
      ++at_;
    } else if (text_.substr(at_).starts_with("//")) {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (text_.substr(at_).starts_with("->")) {  // an arrow is no bracket
      at_ += 2;
    } else if (c == '#' || c == '!') {
      Alias();
    } else if (IsWord(c)) {
      const std::string_view word = Word();
      affine_ = (word == "affine_map" || word == "affine_set") && at_ < text_.size() && text_[at_] == '<';
    } else {
      Bracket(c);
      ++at_;
    }
  }

  void Bracket(char c) {
    if (c == '(' || c == '[' || c == '{' || c == '<') ++depth_;
    if (c == ')' || c == ']' || c == '}' || c == '>') depth_ = std::max(depth_ - 1, 0);
    if (defined_) *defined_ = std::max(*defined_, depth_);
  }

  std::string_view Word() {
    const size_t begin = at_;
    while (at_ < text_.size() && IsWord(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  // "#name" stands for as many levels as its definition "#name = ..." has, which begins a line and ends with the line
  // in which its brackets do.
  void Alias() {
    const bool begins_line = at_ == 0 || text_[at_ - 1] == '\n';
    std::string name(1, text_[at_++]);
    name += Word();
    const size_t next = text_.find_first_not_of(' ', at_);
    if (begins_line && next != text_.npos && text_[next] == '=') {
      defined_ = &levels_[name];
      filled_ = false;
      at_ = next + 1;
      return;
    }
    auto known = levels_.find(name);
    reached_ = known == levels_.end() ? 0 : known->second;
    if (defined_) *defined_ = std::max(*defined_, depth_ + reached_);
  }

  ErrorText Fault(size_t at, std::string what, std::string expected) const {
    const std::string_view before = text_.substr(0, at);
    const size_t line_begin = before.rfind('\n') == before.npos ? 0 : before.rfind('\n') + 1;
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    return {.what = std::move(what),
            .where = fmt::format("{}:{}:{}", file_name_, line, at - line_begin + 1),
            .expected = std::move(expected)};
  }

  std::string_view text_, file_name_;
  size_t at_ = 0;
  int depth_ = 0;
  int reached_ = 0;  // levels of the alias that Step passed
  bool affine_ = false;
  std::unordered_map<std::string, int> levels_;  // references stay valid
  int* defined_ = nullptr;                       // of the alias whose definition this is,
  bool filled_ = false;                          // of which something was seen
};

}  // namespace

std::optional<ErrorText> TextLimitFault(std::string_view text, std::string_view file_name) {
  return Scanner(text, file_name).Run();
}

}  // namespace rocxla
