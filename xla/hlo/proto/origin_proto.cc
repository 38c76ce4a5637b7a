#include "xla/hlo/proto/origin_proto.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "base/error_ids.h"
#include "xla/hlo/ir/hlo_attributes.h"
#include "xla/hlo/ir/literal.h"
#include "xla/hlo/parser/shape_parser.h"
#include "xla/hlo/proto/mesh_text.h"

namespace xla {

// "{visualizing_index=1,stat-1=33,stat-2=44}".
Status StatisticsToProto(TextCursor& cursor, proto::StatisticsViz* out) {
  RETURN_IF_ERROR(cursor.Expect("{", "statistics stand in braces"));
  while (!cursor.TryConsume("}")) {
    ASSIGN_OR_RETURN(const std::string_view name, cursor.Word("the name of a statistic"));
    RETURN_IF_ERROR(cursor.Expect("=", "the value is missing"));
    if (name == "visualizing_index") {
      ASSIGN_OR_RETURN(const int64_t index, cursor.Integer());
      out->set_stat_index_to_visualize(index);
    } else {
      const size_t at = cursor.offset();
      double value = 0;
      if (!ElementFromString(F64, cursor.RunOf("+-.0123456789einfa"), reinterpret_cast<uint8_t*>(&value)))
        return cursor.ErrorAt(at, ErrorId::kHloSyntax, {.what = "a statistic is a number"});
      out->add_statistics()->set_stat_name(std::string(name));
      out->mutable_statistics()->rbegin()->set_stat_val(value);
    }
    if (cursor.Peek() != '}') RETURN_IF_ERROR(cursor.Expect(",", "the statistics are not closed"));
  }
  return OkStatus();
}

std::string StatisticsFromProto(const proto::StatisticsViz& viz) {
  std::string text = fmt::format("{{visualizing_index={}", viz.stat_index_to_visualize());
  for (const proto::Statistic& one : viz.statistics()) text += fmt::format(",{}={}", one.stat_name(), one.stat_val());
  return text + "}";
}

namespace {

// The arrays that a value was before transformations, for each leaf of the shape: "{{"a"}}", "{({"a"}, {"b" {1}})}".
class Origin {
 public:
  static Status Encode(TextCursor& cursor, proto::OriginalValueProto* out) {
    RETURN_IF_ERROR(cursor.Expect("{", "an origin stands in braces"));
    std::vector<int64_t> index;
    RETURN_IF_ERROR(EncodeAt(cursor, index, out));
    return cursor.Expect("}", "the origin is not closed");
  }

  static std::string Decode(const proto::OriginalValueProto& value, const Shape& shape) {
    std::map<std::vector<int64_t>, std::string> leaves;
    for (const auto& element : value.elements()) {
      const auto& array = element.original_array();
      std::string text = Quoted(array.instruction_name());
      if (array.shape_index_size() > 0) text += fmt::format(" {{{}}}", fmt::join(array.shape_index(), ","));
      leaves[{element.shape_index().begin(), element.shape_index().end()}] = text;
    }
    std::vector<int64_t> index;
    return fmt::format("{{{}}}", DecodeAt(leaves, shape, index));
  }

 private:
  static Status EncodeAt(TextCursor& cursor, std::vector<int64_t>& index, proto::OriginalValueProto* out) {
    if (cursor.TryConsume("(")) {
      if (index.size() == kMaxTupleDepth) return cursor.SyntaxError("the origin is nested too deep", "fewer tuples");
      index.push_back(0);
      while (!cursor.TryConsume(")")) {
        if (index.back() > 0) RETURN_IF_ERROR(cursor.Expect(",", "the tuple is not closed"));
        RETURN_IF_ERROR(EncodeAt(cursor, index, out));
        ++index.back();
      }
      index.pop_back();
      return OkStatus();
    }
    RETURN_IF_ERROR(cursor.Expect("{", "an array's origin stands in braces"));
    if (cursor.TryConsume("}")) return OkStatus();
    auto* element = out->add_elements();
    element->mutable_shape_index()->Add(index.begin(), index.end());
    ASSIGN_OR_RETURN(*element->mutable_original_array()->mutable_instruction_name(), cursor.String());
    if (cursor.Peek() == '{') {
      RETURN_IF_ERROR(
          ReadIntegers(cursor, "{", "}", [&](int64_t i) { element->mutable_original_array()->add_shape_index(i); }));
    }
    return cursor.Expect("}", "the array's origin is not closed");
  }

  static std::string DecodeAt(const std::map<std::vector<int64_t>, std::string>& leaves, const Shape& shape,
                              std::vector<int64_t>& index) {
    if (!shape.IsTuple()) {
      const auto leaf = leaves.find(index);
      return "{" + (leaf == leaves.end() ? "" : leaf->second) + "}";
    }
    std::string text;
    index.push_back(0);
    for (const Shape& element : shape.tuple_shapes()) {
      text += (text.empty() ? "" : ", ") + DecodeAt(leaves, element, index);
      ++index.back();
    }
    index.pop_back();
    return "(" + text + ")";
  }
};

}  // namespace

Status OriginToProto(TextCursor& cursor, proto::OriginalValueProto* out) { return Origin::Encode(cursor, out); }
std::string OriginFromProto(const proto::OriginalValueProto& value, const Shape& shape) {
  return Origin::Decode(value, shape);
}

}  // namespace xla
