#include "xla/hlo/proto/shape_proto.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "base/error_ids.h"
#include "xla/hlo/parser/shape_parser.h"
#include "xla/hlo/parser/text_cursor.h"

namespace xla {
namespace {

StatusOr<int64_t> InParentheses(TextCursor& cursor) {
  RETURN_IF_ERROR(cursor.Expect("(", "the annotation's value is missing"));
  ASSIGN_OR_RETURN(const int64_t value, cursor.Integer());
  RETURN_IF_ERROR(cursor.Expect(")", "the annotation's value is not closed"));
  return value;
}

// "a,b)": behind the opening parenthesis.
template <class Add>
Status ParseNumbers(TextCursor& cursor, const Add& add) {
  do {
    ASSIGN_OR_RETURN(const int64_t value, cursor.Integer());
    add(value);
  } while (cursor.TryConsume(","));
  return cursor.Expect(")", "the list is not closed");
}

// "T(8,128)(2,1)L(4)E(4)S(1)SC(0:64)M(8)", any of them.
Status AnnotationsToProto(const std::string& text, const ProtoPlace& place, proto::LayoutProto* out) {
  TextCursor cursor(text, "layout");
  while (!cursor.AtEnd()) {
    if (cursor.TryConsume("T")) {
      while (cursor.TryConsume("(")) {
        proto::TileProto* tile = out->add_tiles();
        RETURN_IF_ERROR(ParseNumbers(cursor, [&](int64_t value) { tile->add_dimensions(value); }));
      }
    } else if (cursor.TryConsume("SC")) {
      while (cursor.TryConsume("(")) {
        proto::SplitConfigProto* split = out->add_split_configs();
        ASSIGN_OR_RETURN(const int64_t dimension, cursor.Integer());
        split->set_dimension(dimension);
        RETURN_IF_ERROR(cursor.Expect(":", "the split's places are missing"));
        RETURN_IF_ERROR(ParseNumbers(cursor, [&](int64_t value) { split->add_split_indices(value); }));
      }
    } else if (cursor.TryConsume("L")) {
      ASSIGN_OR_RETURN(const int64_t value, InParentheses(cursor));
      out->set_tail_padding_alignment_in_elements(value);
    } else if (cursor.TryConsume("E")) {
      ASSIGN_OR_RETURN(const int64_t value, InParentheses(cursor));
      out->set_element_size_in_bits(value);
    } else if (cursor.TryConsume("S")) {
      ASSIGN_OR_RETURN(const int64_t value, InParentheses(cursor));
      out->set_memory_space(value);
    } else if (cursor.TryConsume("M")) {
      ASSIGN_OR_RETURN(const int64_t value, InParentheses(cursor));
      out->set_dynamic_shape_metadata_prefix_bytes(value);
    } else {
      return place.Error(ErrorId::kHloNotInProto, {.what = "this annotation of a layout has no place in a proto",
                                                   .found = cursor.FoundText(cursor.offset()),
                                                   .expected = "T(...), L(n), E(n), S(n), SC(n:...) or M(n)"});
    }
  }
  return OkStatus();
}

std::string AnnotationsFromProto(const proto::LayoutProto& layout) {
  std::string text;
  if (layout.tiles_size() > 0) text += "T";
  for (const auto& tile : layout.tiles()) text += fmt::format("({})", fmt::join(tile.dimensions(), ","));
  if (const int64_t padding = layout.tail_padding_alignment_in_elements(); padding > 1)
    text += fmt::format("L({})", padding);
  if (layout.element_size_in_bits() != 0) text += fmt::format("E({})", layout.element_size_in_bits());
  if (layout.memory_space() != 0) text += fmt::format("S({})", layout.memory_space());
  if (layout.split_configs_size() > 0) text += "SC";
  for (const auto& split : layout.split_configs())
    text += fmt::format("({}:{})", split.dimension(), fmt::join(split.split_indices(), ","));
  if (const int64_t bytes = layout.dynamic_shape_metadata_prefix_bytes(); bytes != 0)
    text += fmt::format("M({})", bytes);
  return text;
}

StatusOr<Shape> ArrayFromProto(PrimitiveType type, const proto::ShapeProto& shape, const ProtoPlace& place) {
  // Upstream's number for a dimension that nothing bounds.
  if (std::find(shape.dimensions().begin(), shape.dimensions().end(), std::numeric_limits<int64_t>::min()) !=
      shape.dimensions().end()) {
    return place.Error(ErrorId::kHloUnsupportedFeature,
                       {.what = "dynamic dimensions without a bound cannot be read yet",
                        .expected = "sizes or bounds",
                        .next = "Export the program with static or bounded shapes."});
  }
  std::vector<int64_t> dimensions(shape.dimensions().begin(), shape.dimensions().end());
  const auto rank = static_cast<int64_t>(dimensions.size());
  if (rank > kMaxRank || !ShapeUtil::CheckedElementsIn(type, dimensions)) {
    return place.Bad({.what = "the array is too large, or has a negative dimension",
                      .found = fmt::format("{} dimensions{}", rank,
                                           rank > kMaxRank ? "" : fmt::format(": [{}]", fmt::join(dimensions, ","))),
                      .expected = fmt::format("at most {} dimensions, and bytes in 64 bits", kMaxRank)});
  }
  const auto with_dynamic = [&](Shape read) {
    for (int i = 0; i < shape.is_dynamic_dimension_size() && i < rank; ++i) {
      if (shape.is_dynamic_dimension(i)) read.set_dynamic_dimension(i, true);
    }
    return read;
  };
  if (!shape.has_layout()) return with_dynamic(Shape::Array(type, std::move(dimensions)));
  const auto& order = shape.layout().minor_to_major();
  std::vector<bool> seen(rank);
  bool is_permutation = order.size() == rank;
  for (int64_t i = 0; is_permutation && i < rank; ++i) {
    is_permutation = order[i] >= 0 && order[i] < rank && !seen[order[i]];
    if (is_permutation) seen[order[i]] = true;
  }
  if (!is_permutation) {
    return place.Bad({.what = "the layout must name each dimension once",
                      .found = fmt::format("{} dimensions in minor_to_major", order.size()),
                      .expected = fmt::format("a permutation of {} dimensions", rank)});
  }
  return with_dynamic(Shape::Array(type, std::move(dimensions),
                                   Layout({order.begin(), order.end()}, AnnotationsFromProto(shape.layout()))));
}

StatusOr<Shape> ShapeFromProtoAtDepth(const proto::ShapeProto& shape, const ProtoPlace& place, int depth) {
  const std::string& name = proto::PrimitiveType_Name(shape.element_type());
  std::string lower;
  for (const char c : name) lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (shape.element_type() == proto::OPAQUE_TYPE) return Shape::Opaque();
  if (shape.element_type() == proto::TOKEN) return Shape::Token();
  if (shape.element_type() == proto::TUPLE) {
    if (depth == kMaxTupleDepth) {
      return place.Bad(
          {.what = "the tuple is nested too deep", .expected = fmt::format("at most {} levels", kMaxTupleDepth)});
    }
    std::vector<Shape> elements;
    for (const proto::ShapeProto& element : shape.tuple_shapes()) {
      ASSIGN_OR_RETURN(Shape read, ShapeFromProtoAtDepth(element, place, depth + 1));
      elements.push_back(std::move(read));
    }
    return Shape::Tuple(std::move(elements));
  }
  const std::optional<PrimitiveType> type = PrimitiveTypeFromName(lower);
  if (!type || !IsArrayType(*type)) {
    return place.Bad({.what = "the shape has no element type that HLO knows",
                      .found = fmt::format("element_type {}", static_cast<int>(shape.element_type())),
                      .expected = "a PrimitiveType, such as F32 (11)"});
  }
  return ArrayFromProto(*type, shape, place);
}

}  // namespace

Status ShapeToProto(const Shape& shape, const ProtoPlace& place, proto::ShapeProto* out) {
  std::string name(PrimitiveTypeName(shape.element_type()));
  if (!shape.IsTuple() && !shape.IsToken() && !shape.IsArray()) name = "opaque_type";
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::toupper(c); });
  proto::PrimitiveType type;
  if (!proto::PrimitiveType_Parse(name, &type)) {
    return place.Error(ErrorId::kHloNotInProto,
                       {.what = "HLO protos have no number for this element type", .found = shape.ToString()});
  }
  out->set_element_type(type);
  for (const Shape& element : shape.tuple_shapes())
    RETURN_IF_ERROR(ShapeToProto(element, place, out->add_tuple_shapes()));
  if (!shape.IsArray()) return OkStatus();
  out->mutable_dimensions()->Add(shape.dimensions().begin(), shape.dimensions().end());
  // A reader of upstream's expects one truth value for each dimension.
  for (int64_t d = 0; d < shape.rank(); ++d) out->add_is_dynamic_dimension(shape.is_dynamic_dimension(d));
  const std::vector<int64_t>& order = shape.layout().minor_to_major();
  out->mutable_layout()->mutable_minor_to_major()->Add(order.begin(), order.end());
  out->mutable_layout()->set_tail_padding_alignment_in_elements(1);
  return AnnotationsToProto(shape.layout().annotations(), place, out->mutable_layout());
}

Status ProgramShapeToProto(const ProgramShape& shape, const ProtoPlace& place, proto::ProgramShapeProto* out) {
  for (const Shape& parameter : shape.parameters)
    RETURN_IF_ERROR(ShapeToProto(parameter, place, out->add_parameters()));
  return ShapeToProto(shape.result, place, out->mutable_result());
}

StatusOr<Shape> ShapeFromProto(const proto::ShapeProto& shape, const ProtoPlace& place) {
  return ShapeFromProtoAtDepth(shape, place, 0);
}

StatusOr<ProgramShape> ProgramShapeFromProto(const proto::ProgramShapeProto& shape, const ProtoPlace& place) {
  ProgramShape read;
  for (const proto::ShapeProto& parameter : shape.parameters()) {
    ASSIGN_OR_RETURN(Shape one, ShapeFromProto(parameter, place));
    read.parameters.push_back(std::move(one));
  }
  ASSIGN_OR_RETURN(read.result, ShapeFromProto(shape.result(), place));
  return read;
}

}  // namespace xla
