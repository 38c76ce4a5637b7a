#include "base/npy_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/error_ids.h"

namespace rocxla {
namespace {

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Reads the few Python literals that a header is made of.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, std::string_view origin) : text_(text), origin_(origin) {}

  StatusOr<NpyHeader> Parse() {
    RETURN_IF_ERROR(Expect('{'));
    while (!Accept('}')) {
      RETURN_IF_ERROR(ParseEntry());
      if (Accept(',')) continue;
      RETURN_IF_ERROR(Expect('}'));
      break;
    }
    SkipBlanks();
    if (at_ != text_.size()) return Wrong("the end of the header");
    if (!has_descr_ || !has_order_ || !has_shape_)
      return Wrong("the keys 'descr', 'fortran_order' and 'shape' before the end");
    return std::move(header_);
  }

 private:
  Status Wrong(std::string_view expected) const {
    std::string_view rest = text_.substr(std::min(at_, text_.size()), 20);
    std::string found;
    for (char c : rest) found += c >= ' ' && c <= '~' ? c : '?';
    return Error(ErrorId::kBadNpy, {.what = "the header is not understood",
                                    .where = fmt::format("{}, byte {} of the header", origin_, at_),
                                    .found = rest.empty() ? "its end" : fmt::format("'{}'", found),
                                    .expected = std::string(expected)});
  }

  void SkipBlanks() {
    while (at_ < text_.size() && IsBlank(text_[at_])) ++at_;
  }
  bool Accept(char c) {
    SkipBlanks();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  Status Expect(char c) { return Accept(c) ? OkStatus() : Wrong(fmt::format("'{}'", c)); }
  bool AcceptWord(std::string_view word) {
    SkipBlanks();
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  // The keys are checked for repetition: which of two values counts would be a guess.
  Status ParseEntry() {
    const size_t begin = at_;
    ASSIGN_OR_RETURN(std::string key, ParseString("a key in quotes"));
    RETURN_IF_ERROR(Expect(':'));
    bool* seen = key == "descr"           ? &has_descr_
                 : key == "fortran_order" ? &has_order_
                 : key == "shape"         ? &has_shape_
                                          : nullptr;
    if (!seen || *seen) {
      at_ = begin;
      SkipBlanks();
      return Wrong("the keys 'descr', 'fortran_order' and 'shape', each once");
    }
    *seen = true;
    if (seen == &has_shape_) return ParseShape();
    if (seen == &has_order_) return ParseOrder();
    ASSIGN_OR_RETURN(header_.descr, ParseString("a type in quotes (structured types are not supported)"));
    return OkStatus();
  }

  StatusOr<std::string> ParseString(std::string_view expected) {
    SkipBlanks();
    const char quote = at_ < text_.size() ? text_[at_] : 0;
    if (quote != '\'' && quote != '"') return Wrong(expected);
    const size_t end = text_.find(quote, at_ + 1);
    const std::string_view inside = text_.substr(at_ + 1, end == text_.npos ? 0 : end - at_ - 1);
    if (end == text_.npos || inside.find('\\') != inside.npos) return Wrong(expected);
    at_ = end + 1;
    return std::string(inside);
  }

  Status ParseOrder() {
    if (AcceptWord("True")) return header_.fortran_order = true, OkStatus();
    return AcceptWord("False") ? OkStatus() : Wrong("True or False");
  }

  // "()", "(3,)", "(2, 3)": a tuple of one needs its comma.
  Status ParseShape() {
    RETURN_IF_ERROR(Expect('('));
    bool comma = true;
    while (!Accept(')')) {
      if (!comma) return Wrong("',' or ')'");
      RETURN_IF_ERROR(ParseExtent());
      comma = Accept(',');
      if (!comma && header_.shape.size() == 1) return Wrong("','");
    }
    return OkStatus();
  }

  Status ParseExtent() {
    SkipBlanks();
    int64_t extent = 0;
    const char* const begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), extent);
    if (error != std::errc() || extent < 0) return Wrong("a dimension from 0 to 9223372036854775807");
    if (header_.shape.size() == kMostNpyDimensions)
      return Wrong(fmt::format("{} dimensions at most", kMostNpyDimensions));
    at_ += end - begin;
    if (at_ < text_.size() && text_[at_] == 'L') ++at_;  // written by Python 2
    header_.shape.push_back(extent);
    return OkStatus();
  }

  std::string_view text_;
  std::string_view origin_;
  size_t at_ = 0;
  NpyHeader header_;
  bool has_descr_ = false, has_order_ = false, has_shape_ = false;
};

}  // namespace

StatusOr<NpyHeader> ParseNpyHeader(std::string_view text, std::string_view origin) {
  return HeaderParser(text, origin).Parse();
}

std::string NpyHeaderText(const NpyHeader& header) {
  std::string shape;
  for (int64_t extent : header.shape) shape += fmt::format("{}, ", extent);
  if (!shape.empty()) shape.resize(shape.size() - (header.shape.size() == 1 ? 1 : 2));
  return fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': ({}), }}", header.descr,
                     header.fortran_order ? "True" : "False", shape);
}

}  // namespace rocxla
