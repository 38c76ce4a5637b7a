#include "xla/hlo/stablehlo/vhlo/attribute_reader.h"

#include <fmt/format.h>

#include <utility>

#include "base/error_ids.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "xla/hlo/stablehlo/attributes.h"

using namespace mlir;
namespace xla::vhlo {
namespace {

constexpr int kDeepestNesting = 200;  // of attributes and types in each other
constexpr int64_t kMostDimensions = 64;
// A type that holds another twice, which holds another twice, ... is short here and endless once written out.
constexpr size_t kLargest = 1 << 18;

Status Unsupported(const ByteCursor& cursor, ErrorText text) {
  text.where = cursor.Where();
  return rocxla::Error(ErrorId::kVhloUnsupported, std::move(text));
}

}  // namespace

std::pair<ArrayRef<StringRef>, uint64_t> EnumValues(StringRef kind) {
#define SHLO_ENUM(name, ...)                                                 \
  {                                                                          \
    static constexpr StringRef kValues[] = {__VA_ARGS__};                    \
    if (kind == #name) return {kValues, kind == "rng_distribution" ? 1 : 0}; \
  }
#define SHLO_STRUCT(...)
#include "xla/hlo/stablehlo/attributes.def"
#undef SHLO_ENUM
#undef SHLO_STRUCT
  return {};
}

int64_t ElementBytes(Type element) {
  if (isa<IndexType>(element)) return 8;
  if (const auto complex = dyn_cast<ComplexType>(element)) return 2 * ElementBytes(complex.getElementType());
  return element.isIntOrFloat() ? (element.getIntOrFloatBitWidth() + 7) / 8 : 0;
}

template <class T, class Decode>
StatusOr<T> AttributeReader::Get(std::vector<Slot<T>>& slots, const std::vector<Entry>& entries, size_t index,
                                 const Decode& decode) {
  Slot<T>& slot = slots[index];
  const ByteCursor cursor = file_.At(entries[index].bytes);
  if (slot.state != State::kRead) {
    if (slot.state == State::kReading || depth_ == kDeepestNesting)
      return cursor.Error({.what = "attributes or types contain themselves, or are nested too deep"});
    slot.state = State::kReading;
    const size_t outer = std::exchange(size_, 1);
    ++depth_;
    ASSIGN_OR_RETURN(slot.value, decode(entries[index], cursor));
    --depth_;
    slot.size = std::exchange(size_, outer);
    slot.state = State::kRead;
  }
  size_ += slot.size;
  if (slot.size > kLargest) return cursor.Error({.what = "an attribute or type is too large when written out"});
  if (depth_ == 0) size_ = 0;
  return slot.value;
}

StatusOr<Attribute> AttributeReader::AttributeAt(size_t index) {
  return Get(attributes_, container_.attributes, index,
             [&](const Entry& entry, ByteCursor cursor) { return DecodeAttribute(entry, cursor); });
}

StatusOr<Type> AttributeReader::TypeAt(size_t index) {
  return Get(types_, container_.types, index,
             [&](const Entry& entry, ByteCursor cursor) { return DecodeType(entry, cursor); });
}

// --- Pieces. ---

StatusOr<Attribute> AttributeReader::ReadAttribute(ByteCursor& cursor) {
  ASSIGN_OR_RETURN(const size_t index, cursor.Index(container_.attributes.size(), "attributes"));
  return AttributeAt(index);
}

StatusOr<Type> AttributeReader::ReadType(ByteCursor& cursor) {
  ASSIGN_OR_RETURN(const size_t index, cursor.Index(container_.types.size(), "types"));
  return TypeAt(index);
}

StatusOr<std::vector<Type>> AttributeReader::ReadTypes(ByteCursor& cursor) {
  std::vector<Type> types;
  ASSIGN_OR_RETURN(const size_t count, cursor.Count("types"));
  for (size_t i = 0; i < count; ++i) {
    ASSIGN_OR_RETURN(const Type type, ReadType(cursor));
    types.push_back(type);
  }
  return types;
}

StatusOr<std::vector<Attribute>> AttributeReader::ReadAttributes(ByteCursor& cursor) {
  std::vector<Attribute> attributes;
  ASSIGN_OR_RETURN(const size_t count, cursor.Count("attributes"));
  for (size_t i = 0; i < count; ++i) {
    ASSIGN_OR_RETURN(const Attribute attribute, ReadAttribute(cursor));
    attributes.push_back(attribute);
  }
  return attributes;
}

StatusOr<std::vector<int64_t>> AttributeReader::ReadIntegers(ByteCursor& cursor) {
  std::vector<int64_t> values;
  ASSIGN_OR_RETURN(const size_t count, cursor.Count("numbers"));
  for (size_t i = 0; i < count; ++i) {
    ASSIGN_OR_RETURN(const int64_t value, cursor.SignedVarInt());
    values.push_back(value);
  }
  return values;
}

StatusOr<StringAttr> AttributeReader::ReadString(ByteCursor& cursor) {
  ASSIGN_OR_RETURN(const size_t index, cursor.Index(container_.strings.size(), "strings"));
  return StringAttr::get(context_, container_.strings[index]);
}

StatusOr<llvm::APInt> AttributeReader::ReadInteger(ByteCursor& cursor, unsigned bits) {
  if (bits <= 8) {
    ASSIGN_OR_RETURN(const uint8_t value, cursor.Byte());
    return llvm::APInt(bits, value & ((1u << bits) - 1));
  }
  ASSIGN_OR_RETURN(const int64_t value, cursor.SignedVarInt());
  return llvm::APInt(64, static_cast<uint64_t>(value)).trunc(bits);
}

StatusOr<llvm::APFloat> AttributeReader::ReadFloat(ByteCursor& cursor, const llvm::fltSemantics& semantics) {
  ASSIGN_OR_RETURN(const llvm::APInt bits, ReadInteger(cursor, llvm::APFloat::getSizeInBits(semantics)));
  return llvm::APFloat(semantics, bits);
}

// --- Attributes. ---

StatusOr<Attribute> AttributeReader::DecodeAttribute(const Entry& entry, ByteCursor cursor) {
  const ByteCursor begin = cursor;
  if (entry.is_text || (entry.dialect != "vhlo" && entry.dialect != "builtin")) {
    return Unsupported(begin, {.what = "the artifact has an attribute of a dialect that is not portable",
                               .found = std::string(entry.dialect),
                               .expected = "vhlo or builtin"});
  }
  ASSIGN_OR_RETURN(const uint64_t code, cursor.VarInt());
  ASSIGN_OR_RETURN(Attribute attribute,
                   entry.dialect == "vhlo" ? DecodeVhlo(code, cursor) : DecodeBuiltin(code, cursor));
  if (attribute && cursor.AtEnd()) return attribute;
  if (attribute) return cursor.Error({.what = "an attribute is longer than its kind says"});
  return Unsupported(begin, {.what = "the artifact has an attribute that cannot be read yet",
                             .found = fmt::format("code {} of {}", code, entry.dialect),
                             .expected = "one of those in encoding.def"});
}

// Null: unknown.
StatusOr<Attribute> AttributeReader::DecodeBuiltin(uint64_t code, ByteCursor& cursor) {
  switch (code) {
    case builtin_code::kArray: {
      ASSIGN_OR_RETURN(const auto elements, ReadAttributes(cursor));
      return Attribute(ArrayAttr::get(context_, elements));
    }
    case builtin_code::kDictionary:
      return DecodeDictionary(cursor);
    case builtin_code::kString: {
      ASSIGN_OR_RETURN(const StringAttr text, ReadString(cursor));
      return Attribute(text);
    }
    case builtin_code::kFlatSymbolRef: {
      ASSIGN_OR_RETURN(const Attribute name, ReadAttribute(cursor));
      const auto text = dyn_cast<StringAttr>(name);
      if (!text) return cursor.Error({.what = "a symbol's name is no string"});
      return Attribute(FlatSymbolRefAttr::get(text));
    }
    case builtin_code::kType: {
      ASSIGN_OR_RETURN(const Type type, ReadType(cursor));
      return Attribute(TypeAttr::get(type));
    }
    case builtin_code::kUnit:
      return Attribute(UnitAttr::get(context_));
    case builtin_code::kInteger:
      return DecodeNumber(cursor);
    default:
      return Attribute();
  }
}

StatusOr<Attribute> AttributeReader::DecodeVhlo(uint64_t code, ByteCursor& cursor) {
  switch (code) {
#define VHLO_SCALAR(...)
#define VHLO_TYPE(...)
#define VHLO_ATTRIBUTE(...)
#define VHLO_ENUM(number, kind) \
  case number:                  \
    return DecodeEnum(kind, cursor);
#include "xla/hlo/stablehlo/vhlo/encoding.def"
#undef VHLO_SCALAR
#undef VHLO_TYPE
#undef VHLO_ATTRIBUTE
#undef VHLO_ENUM
    case attribute_code::kArray: {
      ASSIGN_OR_RETURN(const auto elements, ReadAttributes(cursor));
      return Attribute(ArrayAttr::get(context_, elements));
    }
    case attribute_code::kBoolean: {
      ASSIGN_OR_RETURN(const uint64_t value, cursor.VarInt());
      return Attribute(BoolAttr::get(context_, value != 0));
    }
    case attribute_code::kApiVersion: {
      ASSIGN_OR_RETURN(const uint64_t value, cursor.VarInt());
      if (value > INT32_MAX) return cursor.Error({.what = "api_version is too large"});
      return Attribute(Builder(context_).getI32IntegerAttr(static_cast<int32_t>(value)));
    }
    case attribute_code::kDictionary:
      return DecodeDictionary(cursor);
    case attribute_code::kFloat:
    case attribute_code::kInteger:
      return DecodeNumber(cursor);
    case attribute_code::kOutputOperandAlias:
      return DecodeAlias(cursor);
    case attribute_code::kString: {
      ASSIGN_OR_RETURN(const StringAttr text, ReadString(cursor));
      return Attribute(text);
    }
    case attribute_code::kTensor:
      return DecodeTensor(cursor);
    case attribute_code::kType: {
      ASSIGN_OR_RETURN(const Type type, ReadType(cursor));
      return Attribute(TypeAttr::get(type));
    }
    case attribute_code::kTypeExtensions: {
      ASSIGN_OR_RETURN(const auto bounds, ReadIntegers(cursor));
      Builder builder(context_);
      return Attribute(stablehlo::StructAttr::get(
          context_, "type_extensions", {builder.getNamedAttr("bounds", builder.getDenseI64ArrayAttr(bounds))}));
    }
    case attribute_code::kResultAccuracy:
      return DecodeAccuracy(cursor);
    default:
      return Attribute();
  }
}

StatusOr<Attribute> AttributeReader::DecodeEnum(StringRef kind, ByteCursor& cursor) {
  const ByteCursor before = cursor;
  const auto [values, first] = EnumValues(kind);
  ASSIGN_OR_RETURN(const uint64_t number, cursor.VarInt());
  if (number < first || number - first >= values.size()) {
    return before.Error({.what = fmt::format("{} has no such value", kind.str()), .found = fmt::format("{}", number)});
  }
  return Attribute(stablehlo::EnumAttr::get(context_, kind, values[number - first]));
}

StatusOr<Attribute> AttributeReader::DecodeDictionary(ByteCursor& cursor) {
  NamedAttrList entries;
  ASSIGN_OR_RETURN(const size_t count, cursor.Count("entries"));
  for (size_t i = 0; i < count; ++i) {
    ASSIGN_OR_RETURN(const Attribute key, ReadAttribute(cursor));
    ASSIGN_OR_RETURN(const Attribute value, ReadAttribute(cursor));
    const auto name = dyn_cast<StringAttr>(key);
    if (!name || name.empty() || entries.get(name))
      return cursor.Error({.what = "a dictionary has a key that is no name, or one twice"});
    entries.append(name, value);
  }
  return Attribute(entries.getDictionary(context_));
}

StatusOr<Attribute> AttributeReader::DecodeNumber(ByteCursor& cursor) {
  ASSIGN_OR_RETURN(const Type type, ReadType(cursor));
  if (const auto floating = dyn_cast<FloatType>(type)) {
    ASSIGN_OR_RETURN(const llvm::APFloat value, ReadFloat(cursor, floating.getFloatSemantics()));
    return Attribute(FloatAttr::get(type, value));
  }
  if (!type.isIntOrIndex() || (type.isInteger() && type.getIntOrFloatBitWidth() > 64))
    return cursor.Error({.what = "a number has a type that has no numbers"});
  const unsigned bits = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  ASSIGN_OR_RETURN(const llvm::APInt value, ReadInteger(cursor, bits));
  return Attribute(IntegerAttr::get(type, value));
}

StatusOr<Attribute> AttributeReader::DecodeTensor(ByteCursor& cursor) {
  ASSIGN_OR_RETURN(const Type read, ReadType(cursor));
  ASSIGN_OR_RETURN(const uint64_t size, cursor.VarInt());
  ASSIGN_OR_RETURN(const auto bytes, cursor.Bytes(size));
  const auto type = dyn_cast<RankedTensorType>(read);
  const int64_t element_bytes = type ? ElementBytes(type.getElementType()) : 0;
  if (element_bytes == 0 || !type.hasStaticShape())
    return cursor.Error({.what = "a constant has a type that has no values of a fixed number"});
  int64_t count = 1, total = 0;
  for (const int64_t dimension : type.getShape()) {
    if (__builtin_mul_overflow(count, dimension, &count)) return cursor.Error({.what = "a constant is too large"});
  }
  if (__builtin_mul_overflow(count, element_bytes, &total)) return cursor.Error({.what = "a constant is too large"});
  const auto found = static_cast<int64_t>(bytes.size());
  const ArrayRef<char> raw(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (type.getElementType().isInteger(1)) {
    // Eight in a byte, or one, or one byte for all.
    if (count > 0 && found == 1 && count != 1) {
      bool all_alike = raw[0] == 0 || raw[0] == static_cast<char>(0xff);
      if (all_alike && count > 8) return Attribute(DenseElementsAttr::get(type, raw[0] != 0));
    }
    const bool is_packed = found == (count + 7) / 8 && found != count;
    if (!is_packed && found != count)
      return cursor.Error({.what = "a constant has another number of bytes than its type"});
    SmallVector<bool> values;
    for (int64_t i = 0; i < count; ++i) values.push_back(is_packed ? (raw[i / 8] >> (i % 8) & 1) != 0 : raw[i] != 0);
    return Attribute(DenseElementsAttr::get(type, values));
  }
  if (found != total && (found != element_bytes || count == 0)) {
    return cursor.Error({.what = "a constant has another number of bytes than its type",
                         .found = fmt::format("{}", found),
                         .expected = fmt::format("{}, or {} for all elements alike", total, element_bytes)});
  }
  return Attribute(DenseElementsAttr::getFromRawBuffer(type, raw));
}

StatusOr<Attribute> AttributeReader::DecodeAlias(ByteCursor& cursor) {
  Builder builder(context_);
  ASSIGN_OR_RETURN(const auto output, ReadIntegers(cursor));
  ASSIGN_OR_RETURN(const int64_t operand, cursor.SignedVarInt());
  ASSIGN_OR_RETURN(const auto index, ReadIntegers(cursor));
  return Attribute(
      stablehlo::StructAttr::get(context_, "output_operand_alias",
                                 {builder.getNamedAttr("output_tuple_indices", builder.getDenseI64ArrayAttr(output)),
                                  builder.getNamedAttr("operand_index", builder.getI64IntegerAttr(operand)),
                                  builder.getNamedAttr("operand_tuple_indices", builder.getDenseI64ArrayAttr(index))}));
}

StatusOr<Attribute> AttributeReader::DecodeAccuracy(ByteCursor& cursor) {
  Builder builder(context_);
  ASSIGN_OR_RETURN(const llvm::APFloat atol, ReadFloat(cursor, llvm::APFloat::IEEEdouble()));
  ASSIGN_OR_RETURN(const llvm::APFloat rtol, ReadFloat(cursor, llvm::APFloat::IEEEdouble()));
  ASSIGN_OR_RETURN(const int64_t ulps, cursor.SignedVarInt());
  ASSIGN_OR_RETURN(const Attribute mode, ReadAttribute(cursor));
  return Attribute(stablehlo::StructAttr::get(
      context_, "result_accuracy",
      {builder.getNamedAttr("atol", builder.getF64FloatAttr(atol.convertToDouble())),
       builder.getNamedAttr("rtol", builder.getF64FloatAttr(rtol.convertToDouble())),
       builder.getNamedAttr("ulps", builder.getI64IntegerAttr(ulps)), builder.getNamedAttr("mode", mode)}));
}

// --- Types. ---

StatusOr<Type> AttributeReader::DecodeType(const Entry& entry, ByteCursor cursor) {
  const ByteCursor begin = cursor;
  MLIRContext* context = context_;
  ASSIGN_OR_RETURN(const uint64_t code, cursor.VarInt());
  if (entry.dialect == "vhlo" && !entry.is_text) {
    switch (code) {
#define VHLO_SCALAR(number, version, type) \
  case number:                             \
    return Type(type);
#define VHLO_TYPE(...)
#define VHLO_ATTRIBUTE(...)
#define VHLO_ENUM(...)
#include "xla/hlo/stablehlo/vhlo/encoding.def"
#undef VHLO_SCALAR
#undef VHLO_TYPE
#undef VHLO_ATTRIBUTE
#undef VHLO_ENUM
      case type_code::kComplex: {
        ASSIGN_OR_RETURN(const Type part, ReadType(cursor));
        if (!isa<FloatType>(part)) return cursor.Error({.what = "a complex number's parts are no floats"});
        return Type(ComplexType::get(part));
      }
      case type_code::kFunction: {
        ASSIGN_OR_RETURN(const auto inputs, ReadTypes(cursor));
        ASSIGN_OR_RETURN(const auto results, ReadTypes(cursor));
        return Type(FunctionType::get(context, inputs, results));
      }
      case type_code::kTensor:
        return DecodeTensorType(cursor, false);
      case type_code::kTensorWithEncoding:
        return DecodeTensorType(cursor, true);
      case type_code::kTuple: {
        ASSIGN_OR_RETURN(const auto elements, ReadTypes(cursor));
        return Type(TupleType::get(context, elements));
      }
      default:
        break;
    }
  }
  if (entry.dialect == "builtin" && !entry.is_text) {
    if (code == builtin_code::kIndexType) return Type(IndexType::get(context));
    if (code == builtin_code::kNoneType) return Type(NoneType::get(context));
    if (code == builtin_code::kIntegerType) {
      ASSIGN_OR_RETURN(const uint64_t packed, cursor.VarInt());
      if (packed >> 2 == 0 || packed >> 2 > 64 || (packed & 3) == 3)
        return cursor.Error({.what = "an integer has no such width"});
      return Type(IntegerType::get(context, packed >> 2, static_cast<IntegerType::SignednessSemantics>(packed & 3)));
    }
  }
  return Unsupported(begin, {.what = "the artifact has a type that cannot be read yet",
                             .found = fmt::format("code {} of {}", code, entry.dialect),
                             .expected = "one of those in encoding.def"});
}

StatusOr<Type> AttributeReader::DecodeTensorType(ByteCursor& cursor, bool has_encoding) {
  Attribute encoding;
  if (has_encoding) {
    ASSIGN_OR_RETURN(encoding, ReadAttribute(cursor));
  }
  ASSIGN_OR_RETURN(const auto shape, ReadIntegers(cursor));
  ASSIGN_OR_RETURN(const Type element, ReadType(cursor));
  for (const int64_t dimension : shape) {
    if (dimension < 0 && dimension != ShapedType::kDynamic)
      return cursor.Error({.what = "a dimension is negative", .found = fmt::format("{}", dimension)});
  }
  if (shape.size() > kMostDimensions || ElementBytes(element) == 0)
    return cursor.Error({.what = "a tensor has too many dimensions, or elements of no size"});
  return Type(RankedTensorType::get(shape, element, encoding));
}

// --- Locations. ---

StatusOr<Location> AttributeReader::LocationAt(size_t index) {
  const Entry& entry = container_.attributes[index];
  return DecodeLocation(entry, file_.At(entry.bytes));
}

StatusOr<Location> AttributeReader::DecodeLocation(const Entry& entry, ByteCursor cursor) {
  const Location unknown = UnknownLoc::get(context_);
  if (entry.dialect != "builtin" || entry.is_text || depth_ == kDeepestNesting) return unknown;
  ASSIGN_OR_RETURN(const uint64_t code, cursor.VarInt());
  if (code == builtin_code::kFileLineColLoc) {
    ASSIGN_OR_RETURN(const Attribute file, ReadAttribute(cursor));
    ASSIGN_OR_RETURN(const uint64_t line, cursor.VarInt());
    ASSIGN_OR_RETURN(const uint64_t column, cursor.VarInt());
    const auto name = dyn_cast<StringAttr>(file);
    if (!name) return unknown;
    return Location(FileLineColLoc::get(name, static_cast<unsigned>(line), static_cast<unsigned>(column)));
  }
  if (code != builtin_code::kNameLoc) return unknown;
  ASSIGN_OR_RETURN(const Attribute attribute, ReadAttribute(cursor));
  ASSIGN_OR_RETURN(const size_t child, cursor.Index(container_.attributes.size(), "attributes"));
  ++depth_;
  ASSIGN_OR_RETURN(const Location inner, LocationAt(child));
  --depth_;
  const auto name = dyn_cast<StringAttr>(attribute);
  if (!name) return unknown;
  return Location(NameLoc::get(name, inner));
}

}  // namespace xla::vhlo
