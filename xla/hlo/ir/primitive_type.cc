#include "xla/hlo/ir/primitive_type.h"

namespace xla {
namespace {

struct TypeRow {
  std::string_view name;
  TypeClass type_class;
  int bits;
};
constexpr TypeRow kTypes[] = {
#define PRIMITIVE_TYPE(id, text, type_class, bits) {text, TypeClass::type_class, bits},
#include "xla/hlo/ir/primitive_types.def"
#undef PRIMITIVE_TYPE
};

}  // namespace

std::string_view PrimitiveTypeName(PrimitiveType type) { return kTypes[type].name; }

std::optional<PrimitiveType> PrimitiveTypeFromName(std::string_view name) {
  uint8_t index = 0;
  for (const TypeRow& row : kTypes) {
    if (row.name == name) return static_cast<PrimitiveType>(index);
    ++index;
  }
  return std::nullopt;
}

TypeClass TypeClassOf(PrimitiveType type) { return kTypes[type].type_class; }

int BitWidth(PrimitiveType type) { return kTypes[type].bits; }

int ByteWidth(PrimitiveType type) { return (kTypes[type].bits + 7) / 8; }

PrimitiveType ComplexComponentType(PrimitiveType type) {
  if (type == C64) return F32;
  return type == C128 ? F64 : type;
}

}  // namespace xla
