#include "xla/hlo/parser/attribute_parser.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <type_traits>
#include <vector>

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

// Fills the alternative that the empty value holds.
class ValueParser {
 public:
  ValueParser(TextCursor& cursor, const FindComputation& find) : cursor_(cursor), find_(find) {}

  Status operator()(int64_t& value) {
    ASSIGN_OR_RETURN(value, cursor_.Integer());
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

  template <class T>
    requires std::is_enum_v<T>
  Status operator()(T& value) {
    const std::vector<std::string_view> texts = AllTextsOf(T());
    const size_t at = cursor_.offset();
    const std::string expected = fmt::format("one of {}", fmt::join(texts, ", "));
    ASSIGN_OR_RETURN(const std::string_view word, cursor_.Word(expected));
    for (size_t i = 0; i < texts.size(); ++i) {
      if (texts[i] != word) continue;
      value = static_cast<T>(i);
      return OkStatus();
    }
    return cursor_.ErrorAt(at, ErrorId::kHloSyntax, {.what = "the attribute has no such value", .expected = expected});
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
