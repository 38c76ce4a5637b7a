#include "xla/hlo/parser/attribute_parser.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <type_traits>
#include <vector>

#include "base/error_ids.h"
#include "xla/hlo/parser/replica_groups_parser.h"
#include "xla/hlo/parser/shape_parser.h"

namespace xla {
namespace {

// "{item, item}": calls parse_item until the brace closes.
template <class ParseItem>
Status ParseBracedList(TextCursor& cursor, const ParseItem& parse_item) {
  RETURN_IF_ERROR(cursor.Expect("{", "a list is missing"));
  if (cursor.TryConsume("}")) return OkStatus();
  do {
    RETURN_IF_ERROR(parse_item());
  } while (cursor.TryConsume(","));
  return cursor.Expect("}", "the list is not closed");
}

// "3x3x5": calls parse_item(i) for each.
template <class ParseItem>
Status ParseCrossedList(TextCursor& cursor, const ParseItem& parse_item) {
  size_t i = 0;
  do {
    RETURN_IF_ERROR(parse_item(i++));
  } while (cursor.TryConsume("x"));
  return OkStatus();
}

// One field of a window, behind its '='. `size` comes first and says how many dimensions there are.
Status ParseWindowField(TextCursor& cursor, std::string_view field, Window& window) {
  struct NumberField {
    std::string_view name;
    int64_t WindowDimension::* member;
  };
  constexpr NumberField kNumbers[] = {{"size", &WindowDimension::size},
                                      {"stride", &WindowDimension::stride},
                                      {"lhs_dilate", &WindowDimension::base_dilation},
                                      {"rhs_dilate", &WindowDimension::window_dilation}};
  size_t count = 0;
  const size_t at = cursor.offset();
  RETURN_IF_ERROR(ParseCrossedList(cursor, [&](size_t i) -> Status {
    count = i + 1;
    const size_t at_number = cursor.offset();
    ASSIGN_OR_RETURN(const int64_t number, cursor.Integer());
    if (i == window.size() && field == "size") window.emplace_back();
    WindowDimension unused;
    WindowDimension& dimension = i < window.size() ? window[i] : unused;
    for (const NumberField& known : kNumbers) {
      if (field == known.name) dimension.*known.member = number;
    }
    if (field == "rhs_reversal") {
      dimension.window_reversal = number == 1;
      if (number != 0 && number != 1) {
        return cursor.ErrorAt(at_number, ErrorId::kHloSyntax,
                              {.what = "a window is reversed or not", .expected = "1 or 0 for each dimension"});
      }
    }
    if (field != "pad") return OkStatus();
    dimension.padding_low = number;
    RETURN_IF_ERROR(cursor.Expect("_", "padding is low_high for each dimension"));
    ASSIGN_OR_RETURN(dimension.padding_high, cursor.Integer());
    return OkStatus();
  }));
  if (count == window.size()) return OkStatus();
  return cursor.ErrorAt(at, ErrorId::kHloSyntax,
                        {.what = fmt::format("the window's {} has another number of dimensions than its size", field),
                         .expected = fmt::format("{} dimensions", window.size())});
}

// "{size=3x3 stride=2x2 pad=1_1x1_1}".
Status ParseWindow(TextCursor& cursor, Window& window) {
  constexpr std::string_view kFields[] = {"size", "stride", "pad", "lhs_dilate", "rhs_dilate", "rhs_reversal"};
  std::vector<std::string_view> seen;
  RETURN_IF_ERROR(cursor.Expect("{", "a window stands in braces"));
  while (!cursor.TryConsume("}")) {
    const size_t at = cursor.offset();
    const std::string expected = fmt::format("one of {}", fmt::join(kFields, ", "));
    ASSIGN_OR_RETURN(const std::string_view field, cursor.Word(expected));
    if (std::find(std::begin(kFields), std::end(kFields), field) == std::end(kFields)) {
      return cursor.ErrorAt(at, ErrorId::kHloSyntax, {.what = "a window has no such field", .expected = expected});
    }
    if (std::find(seen.begin(), seen.end(), field) != seen.end()) {
      return cursor.ErrorAt(at, ErrorId::kHloSyntax, {.what = fmt::format("the window's {} is given twice", field)});
    }
    seen.push_back(field);
    RETURN_IF_ERROR(cursor.Expect("=", "the field's value is missing"));
    RETURN_IF_ERROR(ParseWindowField(cursor, field, window));
  }
  return OkStatus();
}

// Fills the alternative that the empty value holds.
class ValueParser {
 public:
  ValueParser(TextCursor& cursor, const FindComputation& find) : cursor_(cursor), find_(find) {}

  Status operator()(bool& value) {
    const size_t at = cursor_.offset();
    ASSIGN_OR_RETURN(const std::string_view word, cursor_.Word("true or false"));
    value = word == "true";
    if (value || word == "false") return OkStatus();
    return cursor_.ErrorAt(at, ErrorId::kHloSyntax,
                           {.what = "the attribute has no such value", .expected = "true or false"});
  }

  Status operator()(int64_t& value) {
    ASSIGN_OR_RETURN(value, cursor_.Integer());
    return OkStatus();
  }

  Status operator()(float& value) {
    ASSIGN_OR_RETURN(value, cursor_.Float());
    return OkStatus();
  }

  Status operator()(std::vector<int64_t>& list) {
    return ParseBracedList(cursor_, [&]() -> Status {
      ASSIGN_OR_RETURN(const int64_t value, cursor_.Integer());
      list.push_back(value);
      return OkStatus();
    });
  }

  Status operator()(SliceRanges& ranges) {
    return ParseBracedList(cursor_, [&]() -> Status {
      SliceRange range;
      RETURN_IF_ERROR(cursor_.Expect("[", "a slice is [start:limit] or [start:limit:stride]"));
      ASSIGN_OR_RETURN(range.start, cursor_.Integer());
      RETURN_IF_ERROR(cursor_.Expect(":", "a slice is [start:limit] or [start:limit:stride]"));
      ASSIGN_OR_RETURN(range.limit, cursor_.Integer());
      if (cursor_.TryConsume(":")) {
        ASSIGN_OR_RETURN(range.stride, cursor_.Integer());
      }
      RETURN_IF_ERROR(cursor_.Expect("]", "the slice is not closed"));
      ranges.push_back(range);
      return OkStatus();
    });
  }

  // "0_0x1_2_3": nothing for a scalar.
  Status operator()(PaddingConfig& config) {
    const char next = cursor_.Peek();
    if (next != '-' && (next < '0' || next > '9')) return OkStatus();
    do {
      PaddingDimension padding;
      ASSIGN_OR_RETURN(padding.edge_padding_low, cursor_.Integer());
      RETURN_IF_ERROR(cursor_.Expect("_", "padding is low_high or low_high_interior for each dimension"));
      ASSIGN_OR_RETURN(padding.edge_padding_high, cursor_.Integer());
      if (cursor_.TryConsume("_")) {
        ASSIGN_OR_RETURN(padding.interior_padding, cursor_.Integer());
      }
      config.push_back(padding);
    } while (cursor_.TryConsume("x"));
    return OkStatus();
  }

  Status operator()(Window& window) { return ParseWindow(cursor_, window); }

  Status operator()(ConvolutionDimensionNumbers& numbers) {
    const size_t at = cursor_.offset();
    const std::string_view text = cursor_.RunOf("0123456789bfio_->");
    if (auto parsed = ParseConvolutionDimensionNumbers(text)) {
      numbers = *std::move(parsed);
      return OkStatus();
    }
    return cursor_.ErrorAt(
        at, ErrorId::kHloSyntax,
        {.what = "these are no dimension labels of a convolution",
         .expected = "input_kernel->output such as b01f_01io->b01f: b, f, i, o and each spatial digit once"});
  }

  template <class T>
    requires std::is_enum_v<T>
  Status operator()(T& value) {
    static const std::vector<std::string_view> texts = AllTextsOf(T());
    const size_t at = cursor_.offset();
    const std::string_view word = cursor_.PeekWord();
    const auto found = std::find(texts.begin(), texts.end(), word);
    if (found != texts.end()) {
      cursor_.set_offset(cursor_.OffsetBehind(word));
      value = static_cast<T>(found - texts.begin());
      return OkStatus();
    }
    return cursor_.ErrorAt(at, ErrorId::kHloSyntax,
                           {.what = word.empty() ? "a word is missing" : "the attribute has no such value",
                            .expected = fmt::format("one of {}", fmt::join(texts, ", "))});
  }

  Status operator()(HloComputation*& computation) {
    ASSIGN_OR_RETURN(computation, find_(cursor_));
    return OkStatus();
  }

  Status operator()(std::vector<HloComputation*>& list) {
    return ParseBracedList(cursor_, [&]() -> Status {
      ASSIGN_OR_RETURN(HloComputation * computation, find_(cursor_));
      list.push_back(computation);
      return OkStatus();
    });
  }

  Status operator()(ReplicaGroups& groups) {
    ASSIGN_OR_RETURN(groups, ParseReplicaGroups(cursor_));
    return OkStatus();
  }

  Status operator()(SourceTargetPairs& pairs) {
    ASSIGN_OR_RETURN(pairs, ParseSourceTargetPairs(cursor_));
    return OkStatus();
  }

  Status operator()(Shape& shape) {
    ASSIGN_OR_RETURN(shape, ParseShape(cursor_));
    return OkStatus();
  }

  Status operator()(Verbatim& verbatim) {
    ASSIGN_OR_RETURN(const std::string_view text, cursor_.BalancedValue());
    verbatim.text = text;
    return OkStatus();
  }

 private:
  TextCursor& cursor_;
  const FindComputation& find_;
};

}  // namespace

StatusOr<AttributeValue> ParseAttributeValue(TextCursor& cursor, AttributeId id, const FindComputation& find) {
  AttributeValue value = EmptyValueOf(id);
  RETURN_IF_ERROR(std::visit(ValueParser(cursor, find), value));
  return value;
}

StatusOr<OpMetadata> ParseMetadata(TextCursor& cursor) {
  OpMetadata metadata;
  RETURN_IF_ERROR(cursor.Expect("{", "metadata stands in braces"));
  while (!cursor.TryConsume("}")) {
    cursor.TryConsume(",");
    const size_t begin = cursor.offset();
    ASSIGN_OR_RETURN(const std::string_view field, cursor.Word("a field of metadata, or '}'"));
    RETURN_IF_ERROR(cursor.Expect("=", "the field's value is missing"));
    if (field == "op_type") {
      ASSIGN_OR_RETURN(metadata.op_type, cursor.String());
    } else if (field == "op_name") {
      ASSIGN_OR_RETURN(metadata.op_name, cursor.String());
    } else if (field == "source_file") {
      ASSIGN_OR_RETURN(metadata.source_file, cursor.String());
    } else if (field == "source_line") {
      ASSIGN_OR_RETURN(metadata.source_line, cursor.Integer());
    } else {
      ASSIGN_OR_RETURN(const std::string_view value, cursor.BalancedValue());
      if (!metadata.other.empty()) metadata.other += ' ';
      metadata.other += cursor.TextBetween(begin, cursor.OffsetBehind(value));
    }
  }
  return metadata;
}

}  // namespace xla
