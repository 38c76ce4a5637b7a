#include "xla/hlo/parser/shape_parser.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error_ids.h"
#include "base/flags.h"

namespace xla {
namespace {

StatusOr<PrimitiveType> ParseElementType(TextCursor& cursor) {
  const size_t at = cursor.offset();
  ASSIGN_OR_RETURN(const std::string_view name, cursor.Word("a shape, such as f32[2,3] or (s32[], f32[4])"));
  const std::optional<PrimitiveType> type = PrimitiveTypeFromName(name);
  if (type && *type != TUPLE) return *type;
  std::vector<std::string_view> names;
  for (int i = 0; i < TUPLE; ++i) names.push_back(PrimitiveTypeName(static_cast<PrimitiveType>(i)));
  const std::string nearest = rocxla::NearestSpelling(name, names);
  return cursor.ErrorAt(at, ErrorId::kHloSyntax,
                        {.what = "this is no element type",
                         .expected = "an element type, such as f32, bf16 or s32",
                         .next = nearest.empty() ? "" : fmt::format("Did you mean {}?", nearest)});
}

struct Dimensions {
  std::vector<int64_t> sizes;
  std::vector<bool> is_dynamic;
};

// "[2,<=5]".
StatusOr<Dimensions> ParseDimensions(TextCursor& cursor) {
  RETURN_IF_ERROR(cursor.Expect("[", "the dimensions are missing"));
  Dimensions dimensions;
  if (cursor.TryConsume("]")) return dimensions;
  do {
    if (cursor.Peek() == '?') {
      return cursor.ErrorAt(cursor.offset(), ErrorId::kHloUnsupportedFeature,
                            {.what = "dynamic dimensions without a bound cannot be read yet",
                             .expected = "a size, or a bound such as <=5",
                             .next = "Export the program with static or bounded shapes."});
    }
    dimensions.is_dynamic.push_back(cursor.TryConsume("<="));
    const size_t at = cursor.offset();
    ASSIGN_OR_RETURN(const int64_t size, cursor.Integer());
    if (size < 0) {
      return cursor.ErrorAt(at, ErrorId::kHloSyntax,
                            {.what = "a dimension cannot be negative", .found = fmt::format("{}", size)});
    }
    dimensions.sizes.push_back(size);
  } while (cursor.TryConsume(","));
  RETURN_IF_ERROR(cursor.Expect("]", "the dimensions are not closed"));
  return dimensions;
}

// Behind the '{'.
StatusOr<Layout> ParseLayout(TextCursor& cursor, int64_t rank) {
  const size_t at = cursor.offset();
  std::vector<int64_t> minor_to_major;
  while (cursor.Peek() != '}' && cursor.Peek() != ':') {
    if (!minor_to_major.empty()) RETURN_IF_ERROR(cursor.Expect(",", "the layout is not closed"));
    ASSIGN_OR_RETURN(const int64_t dimension, cursor.Integer());
    minor_to_major.push_back(dimension);
  }
  std::string annotations;
  if (cursor.TryConsume(":")) {
    ASSIGN_OR_RETURN(const std::string_view text, cursor.BalancedValue());
    annotations = text;
  }
  RETURN_IF_ERROR(cursor.Expect("}", "the layout is not closed"));
  std::vector<int64_t> sorted = minor_to_major;
  std::sort(sorted.begin(), sorted.end());
  bool is_permutation = static_cast<int64_t>(sorted.size()) == rank;
  for (size_t i = 0; i < sorted.size(); ++i) is_permutation &= sorted[i] == static_cast<int64_t>(i);
  if (!is_permutation) {
    return cursor.ErrorAt(at, ErrorId::kHloSyntax,
                          {.what = "the layout must name each dimension once",
                           .found = Layout(minor_to_major).ToString(),
                           .expected = fmt::format("a permutation of {} dimensions", rank)});
  }
  return Layout(std::move(minor_to_major), std::move(annotations));
}

StatusOr<Shape> ParseArrayShape(TextCursor& cursor) {
  const size_t at = cursor.offset();
  ASSIGN_OR_RETURN(const PrimitiveType type, ParseElementType(cursor));
  ASSIGN_OR_RETURN(Dimensions parsed, ParseDimensions(cursor));
  std::vector<int64_t>& dimensions = parsed.sizes;
  if (!IsArrayType(type)) {
    if (dimensions.empty()) return type == TOKEN ? Shape::Token() : Shape::Opaque();
    return cursor.ErrorAt(at, ErrorId::kHloSyntax, {.what = "this type has no dimensions", .expected = "[]"});
  }
  const auto rank = static_cast<int64_t>(dimensions.size());
  if (rank > kMaxRank || !ShapeUtil::CheckedElementsIn(type, dimensions)) {
    return cursor.ErrorAt(at, ErrorId::kHloSyntax,
                          {.what = "the array is too large",
                           .expected = fmt::format("at most {} dimensions, and bytes in 64 bits", kMaxRank)});
  }
  Layout layout = Layout::Default(rank);
  // The layout follows at once; a '{' behind a space may open something else.
  if (cursor.RawPeek() == '{') {
    cursor.RawAdvance();
    ASSIGN_OR_RETURN(layout, ParseLayout(cursor, rank));
  }
  Shape shape = Shape::Array(type, std::move(dimensions), std::move(layout));
  for (int64_t i = 0; i < rank; ++i) {
    if (parsed.is_dynamic[i]) shape.set_dynamic_dimension(i, true);
  }
  return shape;
}

StatusOr<Shape> ParseShapeAtDepth(TextCursor& cursor, int depth) {
  if (cursor.Peek() != '(') return ParseArrayShape(cursor);
  if (depth == kMaxTupleDepth) {
    return cursor.SyntaxError("the tuple is nested too deep", fmt::format("at most {} levels", kMaxTupleDepth));
  }
  cursor.TryConsume("(");
  std::vector<Shape> elements;
  if (cursor.TryConsume(")")) return Shape::Tuple({});
  do {
    ASSIGN_OR_RETURN(Shape element, ParseShapeAtDepth(cursor, depth + 1));
    elements.push_back(std::move(element));
  } while (cursor.TryConsume(","));
  RETURN_IF_ERROR(cursor.Expect(")", "the tuple shape is not closed"));
  return Shape::Tuple(std::move(elements));
}

// Reads the elements of one array.
class ArrayValues {
 public:
  ArrayValues(TextCursor& cursor, const Shape& shape) : cursor_(cursor), shape_(shape) {}

  Status Parse() { return ParseDimension(0); }
  std::vector<uint8_t> TakeBytes() { return std::move(bytes_); }

 private:
  Status ParseDimension(int64_t dimension) {
    if (dimension == shape_.rank()) return ParseElement();
    RETURN_IF_ERROR(cursor_.Expect("{", "the values are not nested as the shape says"));
    for (int64_t i = 0; i < shape_.dimensions(dimension); ++i) {
      if (i > 0 && !cursor_.TryConsume(",")) return cursor_.SyntaxError(CountMessage(dimension), "','");
      RETURN_IF_ERROR(ParseDimension(dimension + 1));
    }
    return cursor_.TryConsume("}") ? OkStatus() : cursor_.SyntaxError(CountMessage(dimension), "'}'");
  }

  std::string CountMessage(int64_t dimension) const {
    return fmt::format("dimension {} of {} has {} entries", dimension, shape_.ToString(), shape_.dimensions(dimension));
  }

  Status ParseElement() {
    if (!IsComplex(shape_.element_type())) return ParseReal(shape_.element_type());
    const PrimitiveType part = ComplexComponentType(shape_.element_type());
    if (!cursor_.TryConsume("(")) {  // a real number alone
      RETURN_IF_ERROR(ParseReal(part));
      bytes_.resize(bytes_.size() + ByteWidth(part));
      return OkStatus();
    }
    RETURN_IF_ERROR(ParseReal(part));
    RETURN_IF_ERROR(cursor_.Expect(",", "a complex number has two parts"));
    RETURN_IF_ERROR(ParseReal(part));
    return cursor_.Expect(")", "the complex number is not closed");
  }

  Status ParseReal(PrimitiveType type) {
    const size_t at = cursor_.offset();
    std::string text(cursor_.RunOf("+-.0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"));
    if (text.ends_with("nan") && cursor_.RawPeek() == '(') {
      text += cursor_.RunOf("(0123456789abcdefxABCDEF");
      if (cursor_.RawPeek() == ')') cursor_.RawAdvance();
      text += ')';
    }
    uint8_t element[8];
    if (!ElementFromString(type, text, element)) {
      return cursor_.ErrorAt(at, ErrorId::kHloSyntax,
                             {.what = fmt::format("this is no value of {}", PrimitiveTypeName(type)),
                              .found = text.empty() ? "" : "'" + text + "'",
                              .expected = ExpectedText(type)});
    }
    bytes_.insert(bytes_.end(), element, element + ByteWidth(type));
    return OkStatus();
  }

  static std::string ExpectedText(PrimitiveType type) {
    if (type == PRED) return "true, false, 1 or 0";
    if (IsFloat(type)) return "a number, inf, -inf or nan";
    const bool has_sign = IsSigned(type);
    const int bits = BitWidth(type);
    const uint64_t high = (has_sign ? (uint64_t{1} << (bits - 1)) : bits == 64 ? 0 : (uint64_t{1} << bits)) - 1;
    const auto low = static_cast<int64_t>(has_sign ? ~high : 0);
    return fmt::format("an integer from {} to {}", low, high);
  }

  TextCursor& cursor_;
  const Shape& shape_;
  std::vector<uint8_t> bytes_;
};

}  // namespace

StatusOr<Shape> ParseShape(TextCursor& cursor) { return ParseShapeAtDepth(cursor, 0); }

StatusOr<ProgramShape> ParseProgramShape(TextCursor& cursor) {
  const size_t at = cursor.offset();
  ASSIGN_OR_RETURN(const Shape parameters, ParseShape(cursor));
  if (!parameters.IsTuple()) {
    return cursor.ErrorAt(at, ErrorId::kHloSyntax,
                          {.what = "a signature begins with its parameters", .expected = "(shapes)->shape"});
  }
  RETURN_IF_ERROR(cursor.Expect("->", "the signature's result is missing"));
  ASSIGN_OR_RETURN(Shape result, ParseShape(cursor));
  return ProgramShape{parameters.tuple_shapes(), std::move(result)};
}

StatusOr<Literal> ParseLiteral(TextCursor& cursor, const Shape& shape) {
  if (shape.IsTuple()) {
    RETURN_IF_ERROR(cursor.Expect("(", "a tuple's values stand in parentheses"));
    std::vector<Literal> elements;
    for (const Shape& element_shape : shape.tuple_shapes()) {
      if (!elements.empty()) RETURN_IF_ERROR(cursor.Expect(",", "the tuple has too few values"));
      ASSIGN_OR_RETURN(Literal element, ParseLiteral(cursor, element_shape));
      elements.push_back(std::move(element));
    }
    RETURN_IF_ERROR(cursor.Expect(")", "the tuple's values are not closed"));
    return Literal::Tuple(std::move(elements));
  }
  if (!shape.IsArray()) {
    return cursor.SyntaxError("a constant of this type has no values", "an array or tuple shape");
  }
  const size_t at = cursor.offset();
  if (cursor.TryConsume("{") && cursor.TryConsume("...")) {
    RETURN_IF_ERROR(cursor.Expect("}", "the elided values are not closed"));
    return Literal::Elided(shape);
  }
  cursor.set_offset(at);
  ArrayValues values(cursor, shape);
  RETURN_IF_ERROR(values.Parse());
  return Literal::FromBytes(shape, values.TakeBytes());
}

}  // namespace xla
