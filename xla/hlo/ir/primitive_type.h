// The element types of HLO and their facts.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace xla {

enum PrimitiveType : uint8_t {
#define PRIMITIVE_TYPE(id, text, type_class, bits) id,
#include "xla/hlo/ir/primitive_types.def"
#undef PRIMITIVE_TYPE
};

enum class TypeClass : uint8_t { kPred, kSigned, kUnsigned, kFloat, kComplex, kOther };

std::string_view PrimitiveTypeName(PrimitiveType type);  // "f32"
std::optional<PrimitiveType> PrimitiveTypeFromName(std::string_view name);
TypeClass TypeClassOf(PrimitiveType type);

// Bits of one element's value: 4 for s4, 8 for pred, 0 for tuple, token and opaque.
int BitWidth(PrimitiveType type);
// Bytes of one element in a Literal: types below 8 bits take a byte each.
int ByteWidth(PrimitiveType type);

inline bool IsSigned(PrimitiveType t) { return TypeClassOf(t) == TypeClass::kSigned; }
inline bool IsUnsigned(PrimitiveType t) { return TypeClassOf(t) == TypeClass::kUnsigned; }
inline bool IsInteger(PrimitiveType t) { return IsSigned(t) || IsUnsigned(t); }
inline bool IsFloat(PrimitiveType t) { return TypeClassOf(t) == TypeClass::kFloat; }
inline bool IsComplex(PrimitiveType t) { return TypeClassOf(t) == TypeClass::kComplex; }
// True for the types that arrays can have.
inline bool IsArrayType(PrimitiveType t) { return TypeClassOf(t) != TypeClass::kOther; }
// f32 of c64, f64 of c128; other types are returned as they are.
PrimitiveType ComplexComponentType(PrimitiveType type);

}  // namespace xla
