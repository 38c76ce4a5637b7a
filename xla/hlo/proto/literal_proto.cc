#include <fmt/format.h>
#include <google/protobuf/message.h>

#include <cstring>

#include "base/error_ids.h"
#include "xla/hlo/proto/shape_proto.h"

namespace xla {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::RepeatedField;

// The list that holds the values of a type: "f32s".
const FieldDescriptor* ListOf(PrimitiveType type) {
  return proto::LiteralProto::descriptor()->FindFieldByName(std::string(PrimitiveTypeName(type)) + "s");
}

// Calls visit(pointer to RepeatedField<T>) with the T of the list. Lists of complex numbers hold their two parts.
template <class Visit>
void VisitList(const FieldDescriptor* list, const Visit& visit) {
  switch (list->cpp_type()) {
    case FieldDescriptor::CPPTYPE_BOOL:
      return visit(static_cast<RepeatedField<bool>*>(nullptr));
    case FieldDescriptor::CPPTYPE_INT32:
      return visit(static_cast<RepeatedField<int32_t>*>(nullptr));
    case FieldDescriptor::CPPTYPE_INT64:
      return visit(static_cast<RepeatedField<int64_t>*>(nullptr));
    case FieldDescriptor::CPPTYPE_UINT32:
      return visit(static_cast<RepeatedField<uint32_t>*>(nullptr));
    case FieldDescriptor::CPPTYPE_UINT64:
      return visit(static_cast<RepeatedField<uint64_t>*>(nullptr));
    case FieldDescriptor::CPPTYPE_FLOAT:
      return visit(static_cast<RepeatedField<float>*>(nullptr));
    case FieldDescriptor::CPPTYPE_DOUBLE:
      return visit(static_cast<RepeatedField<double>*>(nullptr));
    default:
      return;
  }
}

// What protobuf recommends instead gives no access to the values as one block of memory.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"

void SetValues(const FieldDescriptor* list, const std::vector<uint8_t>& bytes, proto::LiteralProto* out) {
  const auto* reflection = out->GetReflection();
  if (list->cpp_type() == FieldDescriptor::CPPTYPE_STRING) {
    reflection->SetString(out, list, std::string(bytes.begin(), bytes.end()));
    return;
  }
  VisitList(list, [&]<class T>(RepeatedField<T>*) {
    RepeatedField<T>* values = reflection->MutableRepeatedField<T>(out, list);
    values->Resize(static_cast<int>(bytes.size() / sizeof(T)), T());
    if (!bytes.empty()) std::memcpy(values->mutable_data(), bytes.data(), bytes.size());
  });
}

std::vector<uint8_t> ValuesOf(const FieldDescriptor* list, const proto::LiteralProto& literal) {
  const auto* reflection = literal.GetReflection();
  if (list->cpp_type() == FieldDescriptor::CPPTYPE_STRING) {
    const std::string bytes = reflection->GetString(literal, list);
    return {bytes.begin(), bytes.end()};
  }
  std::vector<uint8_t> bytes;
  VisitList(list, [&]<class T>(RepeatedField<T>*) {
    const RepeatedField<T>& values = reflection->GetRepeatedField<T>(literal, list);
    bytes.resize(values.size() * sizeof(T));
    if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  });
  return bytes;
}

#pragma clang diagnostic pop

// Bytes of types below 8 bits as a Literal keeps them, whatever their other bits were.
void Normalize(PrimitiveType type, std::vector<uint8_t>& bytes) {
  const int bits = BitWidth(type);
  if (bits >= 8) return;
  for (uint8_t& byte : bytes) {
    const auto high = static_cast<uint8_t>(byte << (8 - bits));
    byte = IsSigned(type) ? static_cast<uint8_t>(static_cast<int8_t>(high) >> (8 - bits)) : high >> (8 - bits);
  }
}

}  // namespace

Status LiteralToProto(const Literal& literal, const ProtoPlace& place, proto::LiteralProto* out) {
  RETURN_IF_ERROR(ShapeToProto(literal.shape(), place, out->mutable_shape()));
  for (const Literal& element : literal.tuple_elements())
    RETURN_IF_ERROR(LiteralToProto(element, place, out->add_tuple_literals()));
  if (literal.is_elided()) {
    return place.Error(ErrorId::kHloNotInProto, {.what = "the constant's values are not known: the text has {...}",
                                                 .expected = "values",
                                                 .next = "Print the program with its large constants."});
  }
  if (literal.shape().IsArray())
    SetValues(ListOf(literal.shape().element_type()), literal.BytesInLayout(literal.shape().layout()), out);
  return OkStatus();
}

StatusOr<Literal> LiteralFromProto(const proto::LiteralProto& literal, const Shape& shape, const ProtoPlace& place) {
  if (shape.IsTuple()) {
    if (literal.tuple_literals_size() != static_cast<int>(shape.tuple_shapes().size())) {
      return place.Bad({.what = "the literal has another number of elements than the shape",
                        .found = fmt::format("{}", literal.tuple_literals_size()),
                        .expected = shape.ToString()});
    }
    std::vector<Literal> elements;
    for (int i = 0; i < literal.tuple_literals_size(); ++i) {
      ASSIGN_OR_RETURN(Literal element, LiteralFromProto(literal.tuple_literals(i), shape.tuple_shapes(i), place));
      elements.push_back(std::move(element));
    }
    Literal tuple = Literal::Tuple(std::move(elements));
    tuple.set_shape(shape);
    return tuple;
  }
  ASSIGN_OR_RETURN(const Shape own, ShapeFromProto(literal.shape(), place));
  if (!ShapeUtil::Compatible(own, shape) || !shape.IsArray()) {
    return place.Bad({.what = "the literal has another shape than its instruction, or is no array",
                      .found = own.ToString(),
                      .expected = shape.ToString()});
  }
  const FieldDescriptor* list = ListOf(own.element_type());
  std::vector<uint8_t> bytes = ValuesOf(list, literal);
  const int64_t width = ByteWidth(own.element_type());
  if (static_cast<int64_t>(bytes.size()) != ShapeUtil::ElementsIn(own) * width) {
    return place.Bad(
        {.what = "the literal has another number of values than its shape",
         .found = fmt::format("{} bytes in {}", bytes.size(), list->name()),
         .expected = fmt::format("{} values of {} bytes for {}", ShapeUtil::ElementsIn(own), width, own.ToString())});
  }
  Normalize(own.element_type(), bytes);
  Literal read = Literal::FromBytesInLayout(own, bytes);
  read.set_shape(shape);
  return read;
}

}  // namespace xla
