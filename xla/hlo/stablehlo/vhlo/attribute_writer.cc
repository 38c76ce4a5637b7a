#include "xla/hlo/stablehlo/vhlo/attribute_writer.h"

#include <fmt/format.h>

#include <bit>

#include "base/error_ids.h"
#include "mlir/IR/BuiltinTypes.h"
#include "xla/hlo/stablehlo/attributes.h"
#include "xla/hlo/stablehlo/vhlo/attribute_reader.h"

using namespace mlir;
namespace xla::vhlo {
namespace {

template <class T>
std::string Printed(T value) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  value.print(stream);
  return text;
}

Status Unsupported(std::string_view what, std::string found) {
  return Error(ErrorId::kVhloUnsupported, {.what = std::string(what), .found = std::move(found)});
}

uint64_t ZigZag(int64_t value) { return static_cast<uint64_t>(value) << 1 ^ static_cast<uint64_t>(value >> 63); }

}  // namespace

void ByteWriter::VarInt(uint64_t value) {
  const int bytes = std::max(1, (static_cast<int>(std::bit_width(value)) + 6) / 7);
  if (bytes > 8) {
    Byte(0);
    for (int i = 0; i < 8; ++i) Byte(static_cast<uint8_t>(value >> 8 * i));
    return;
  }
  const uint64_t marked = bytes == 8 ? value << 8 | 0x80 : (value << 1 | 1) << (bytes - 1);
  for (int i = 0; i < bytes; ++i) Byte(static_cast<uint8_t>(marked >> 8 * i));
}

void ByteWriter::SignedVarInt(int64_t value) { VarInt(ZigZag(value)); }

void ByteWriter::Integers(ArrayRef<int64_t> values) {
  VarInt(values.size());
  for (const int64_t value : values) SignedVarInt(value);
}

size_t AttributeWriter::String(StringRef text) {
  const auto [it, is_new] = string_numbers_.try_emplace(text, strings_.size());
  if (is_new) strings_.push_back(text.str());
  return it->second;
}

size_t AttributeWriter::Add(bool is_builtin, std::string bytes) {
  attributes_.push_back({is_builtin, std::move(bytes)});
  return attributes_.size() - 1;
}

// --- Attributes. ---

StatusOr<size_t> AttributeWriter::Attribute(mlir::Attribute attribute, Form form) {
  const std::pair key(attribute, static_cast<int>(form));
  if (const auto it = attribute_numbers_.find(key); it != attribute_numbers_.end()) return it->second;
  ByteWriter out;
  RETURN_IF_ERROR(Encode(attribute, form, out));
  return attribute_numbers_[key] = Add(form == Form::kBuiltin || form == Form::kDictionary, out.bytes());
}

Status AttributeWriter::Encode(mlir::Attribute attribute, Form form, ByteWriter& out) {
  if (form == Form::kBuiltin) return EncodeBuiltin(attribute, out);
  if (form == Form::kDictionary) return EncodeDictionary(cast<DictionaryAttr>(attribute), Form::kVhlo, out);
  if (form == Form::kVhlo) return EncodeVhlo(attribute, out);
  const auto version = dyn_cast<IntegerAttr>(attribute);
  if (!version || !version.getType().isInteger(32))
    return Unsupported("api_version is a number of 32 bits", Printed(attribute));
  out.VarInt(attribute_code::kApiVersion);
  out.VarInt(version.getValue().getZExtValue());
  return OkStatus();
}

Status AttributeWriter::EncodeBuiltin(mlir::Attribute attribute, ByteWriter& out) {
  if (const auto text = dyn_cast<StringAttr>(attribute)) {
    out.VarInt(builtin_code::kString);
    out.VarInt(String(text));
    return OkStatus();
  }
  if (const auto number = dyn_cast<IntegerAttr>(attribute)) {
    out.VarInt(builtin_code::kInteger);
    return EncodeNumber(number.getType(), number.getValue(), Form::kBuiltin, out);
  }
  if (isa<UnitAttr>(attribute)) {
    out.VarInt(builtin_code::kUnit);
    return OkStatus();
  }
  if (const auto list = dyn_cast<ArrayAttr>(attribute)) {
    out.VarInt(builtin_code::kArray);
    return EncodeList(list.getValue(), Form::kBuiltin, out);
  }
  if (const auto dictionary = dyn_cast<DictionaryAttr>(attribute))
    return EncodeDictionary(dictionary, Form::kBuiltin, out);
  return Unsupported("the module has an attribute that cannot be written yet", Printed(attribute));
}

// With MLIR's own code and keys.
Status AttributeWriter::EncodeDictionary(DictionaryAttr dictionary, Form form, ByteWriter& out) {
  out.VarInt(builtin_code::kDictionary);
  out.VarInt(dictionary.size());
  for (const NamedAttribute& entry : dictionary) {
    ASSIGN_OR_RETURN(const size_t key, Attribute(entry.getName(), Form::kBuiltin));
    ASSIGN_OR_RETURN(const size_t value, Attribute(entry.getValue(), form));
    out.VarInt(key);
    out.VarInt(value);
  }
  return OkStatus();
}

Status AttributeWriter::EncodeVhlo(mlir::Attribute attribute, ByteWriter& out) {
  if (const auto value = dyn_cast<stablehlo::EnumAttr>(attribute)) {
    const auto [values, first] = EnumValues(value.getKind());
#define VHLO_SCALAR(...)
#define VHLO_TYPE(...)
#define VHLO_ATTRIBUTE(...)
#define VHLO_ENUM(code, kind)                                                  \
  if (value.getKind() == kind) {                                               \
    out.VarInt(code);                                                          \
    out.VarInt(llvm::find(values, value.getValue()) - values.begin() + first); \
    return OkStatus();                                                         \
  }
#include "xla/hlo/stablehlo/vhlo/encoding.def"
#undef VHLO_SCALAR
#undef VHLO_TYPE
#undef VHLO_ATTRIBUTE
#undef VHLO_ENUM
  }
  if (const auto value = dyn_cast<BoolAttr>(attribute)) {
    out.VarInt(attribute_code::kBoolean);
    out.VarInt(value.getValue());
    return OkStatus();
  }
  if (const auto number = dyn_cast<IntegerAttr>(attribute)) {
    out.VarInt(attribute_code::kInteger);
    return EncodeNumber(number.getType(), number.getValue(), Form::kVhlo, out);
  }
  if (const auto number = dyn_cast<FloatAttr>(attribute)) {
    out.VarInt(attribute_code::kFloat);
    return EncodeNumber(number.getType(), number.getValue().bitcastToAPInt(), Form::kVhlo, out);
  }
  if (const auto text = dyn_cast<StringAttr>(attribute)) {
    out.VarInt(attribute_code::kString);
    out.VarInt(String(text));
    return OkStatus();
  }
  if (const auto list = dyn_cast<ArrayAttr>(attribute)) {
    out.VarInt(attribute_code::kArray);
    return EncodeList(list.getValue(), Form::kVhlo, out);
  }
  if (const auto dictionary = dyn_cast<DictionaryAttr>(attribute)) {
    out.VarInt(attribute_code::kDictionary);
    out.VarInt(dictionary.size());
    for (const NamedAttribute& entry : dictionary) {
      for (const mlir::Attribute part : {mlir::Attribute(entry.getName()), entry.getValue()}) {
        ASSIGN_OR_RETURN(const size_t index, Attribute(part, Form::kVhlo));
        out.VarInt(index);
      }
    }
    return OkStatus();
  }
  if (const auto type = dyn_cast<TypeAttr>(attribute)) {
    ASSIGN_OR_RETURN(const size_t index, Type(type.getValue()));
    out.VarInt(attribute_code::kType);
    out.VarInt(index);
    return OkStatus();
  }
  if (const auto elements = dyn_cast<DenseElementsAttr>(attribute)) return EncodeTensor(elements, out);
  return EncodeStruct(attribute, out);
}

Status AttributeWriter::EncodeStruct(mlir::Attribute attribute, ByteWriter& out) {
  const auto value = dyn_cast<stablehlo::StructAttr>(attribute);
  if (value && value.getKind() == "type_extensions") {
    out.VarInt(attribute_code::kTypeExtensions);
    out.Integers(value.Dims("bounds"));
    return OkStatus();
  }
  if (value && value.getKind() == "output_operand_alias") {
    out.VarInt(attribute_code::kOutputOperandAlias);
    out.Integers(value.Dims("output_tuple_indices"));
    out.SignedVarInt(value.Int("operand_index"));
    out.Integers(value.Dims("operand_tuple_indices"));
    return OkStatus();
  }
  if (value && value.getKind() == "result_accuracy") {
    out.VarInt(attribute_code::kResultAccuracy);
    for (const char* name : {"atol", "rtol"}) {
      const auto number = dyn_cast_or_null<FloatAttr>(value.getFields().get(name));
      out.SignedVarInt(std::bit_cast<int64_t>(number ? number.getValueAsDouble() : 0.0));
    }
    out.SignedVarInt(value.Int("ulps"));
    const auto mode = dyn_cast_or_null<stablehlo::EnumAttr>(value.getFields().get("mode"));
    if (!mode) return Unsupported("result_accuracy has no mode", Printed(attribute));
    ASSIGN_OR_RETURN(const size_t index, Attribute(mode, Form::kVhlo));
    out.VarInt(index);
    return OkStatus();
  }
  return Unsupported("portable artifacts have no place for the attribute", Printed(attribute));
}

Status AttributeWriter::EncodeList(ArrayRef<mlir::Attribute> list, Form form, ByteWriter& out) {
  out.VarInt(list.size());
  for (const mlir::Attribute element : list) {
    ASSIGN_OR_RETURN(const size_t index, Attribute(element, form));
    out.VarInt(index);
  }
  return OkStatus();
}

Status AttributeWriter::EncodeNumber(mlir::Type type, const llvm::APInt& bits, Form form, ByteWriter& out) {
  if (bits.getBitWidth() > 64) return Unsupported("numbers have at most 64 bits", Printed(type));
  ASSIGN_OR_RETURN(const size_t index, Type(type, form));
  out.VarInt(index);
  if (bits.getBitWidth() <= 8) {
    out.Byte(static_cast<uint8_t>(bits.getZExtValue()));
  } else {
    out.SignedVarInt(static_cast<int64_t>(bits.getZExtValue()));
  }
  return OkStatus();
}

// One element if all are alike; of i1, eight in a byte.
Status AttributeWriter::EncodeTensor(DenseElementsAttr elements, ByteWriter& out) {
  if (ElementBytes(elements.getElementType()) == 0)
    return Unsupported("portable artifacts have no constants of the type", Printed(elements.getType()));
  ASSIGN_OR_RETURN(const size_t index, Type(elements.getType()));
  out.VarInt(attribute_code::kTensor);
  out.VarInt(index);
  std::string data;
  if (elements.getElementType().isInteger(1)) {
    const int64_t count = elements.getNumElements();
    if (count > 0 && elements.isSplat()) {
      data.push_back(elements.getSplatValue<bool>() ? '\xff' : '\0');
    } else {
      data.resize((count + 7) / 8);
      int64_t i = 0;
      for (const bool value : elements.getValues<bool>()) {
        if (value) data[i / 8] |= static_cast<char>(1 << i % 8);
        ++i;
      }
    }
  } else if (elements.getNumElements() > 0) {
    const ArrayRef<char> raw = elements.getRawData();
    data.assign(raw.data(), raw.size());
  }
  out.VarInt(data.size());
  out.Append(data);
  return OkStatus();
}

// --- Types. ---

StatusOr<size_t> AttributeWriter::Type(mlir::Type type, Form form) {
  const std::pair key(type, static_cast<int>(form));
  if (const auto it = type_numbers_.find(key); it != type_numbers_.end()) return it->second;
  ByteWriter out;
  const auto integer = dyn_cast<IntegerType>(type);
  const bool is_builtin = form == Form::kBuiltin && integer;
  if (is_builtin) {
    out.VarInt(builtin_code::kIntegerType);
    out.VarInt(uint64_t{integer.getWidth()} << 2 | static_cast<uint64_t>(integer.getSignedness()));
  } else {
    RETURN_IF_ERROR(EncodeType(type, out));
  }
  types_.push_back({is_builtin, out.bytes()});
  return type_numbers_[key] = types_.size() - 1;
}

Status AttributeWriter::EncodeTypes(ArrayRef<mlir::Type> list, ByteWriter& out) {
  out.VarInt(list.size());
  for (const mlir::Type type : list) {
    ASSIGN_OR_RETURN(const size_t index, Type(type));
    out.VarInt(index);
  }
  return OkStatus();
}

Status AttributeWriter::EncodeType(mlir::Type type, ByteWriter& out) {
  MLIRContext* context = type.getContext();
#define VHLO_SCALAR(code, since, scalar)                                                                      \
  if (type == scalar) {                                                                                       \
    out.VarInt(code);                                                                                         \
    if (since <= version_) return OkStatus();                                                                 \
    return Unsupported(fmt::format("the type is not part of VHLO {}", VersionName(version_)), Printed(type)); \
  }
#define VHLO_TYPE(...)
#define VHLO_ATTRIBUTE(...)
#define VHLO_ENUM(...)
#include "xla/hlo/stablehlo/vhlo/encoding.def"
#undef VHLO_SCALAR
#undef VHLO_TYPE
#undef VHLO_ATTRIBUTE
#undef VHLO_ENUM
  if (const auto complex = dyn_cast<ComplexType>(type)) {
    out.VarInt(type_code::kComplex);
    ASSIGN_OR_RETURN(const size_t part, Type(complex.getElementType()));
    out.VarInt(part);
    return OkStatus();
  }
  if (const auto function = dyn_cast<FunctionType>(type)) {
    out.VarInt(type_code::kFunction);
    RETURN_IF_ERROR(EncodeTypes(function.getInputs(), out));
    return EncodeTypes(function.getResults(), out);
  }
  if (const auto tuple = dyn_cast<TupleType>(type)) {
    out.VarInt(type_code::kTuple);
    return EncodeTypes(tuple.getTypes(), out);
  }
  const auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor) return Unsupported("portable artifacts have no place for the type", Printed(type));
  if (tensor.getEncoding()) {
    out.VarInt(type_code::kTensorWithEncoding);
    ASSIGN_OR_RETURN(const size_t encoding, Attribute(tensor.getEncoding(), Form::kVhlo));
    out.VarInt(encoding);
  } else {
    out.VarInt(type_code::kTensor);
  }
  ASSIGN_OR_RETURN(const size_t element, Type(tensor.getElementType()));
  out.Integers(tensor.getShape());
  out.VarInt(element);
  return OkStatus();
}

// --- Locations. ---

StatusOr<size_t> AttributeWriter::Location(mlir::Location location) {
  const std::pair key(mlir::Attribute(location), static_cast<int>(Form::kBuiltin));
  if (const auto it = attribute_numbers_.find(key); it != attribute_numbers_.end()) return it->second;
  ByteWriter out;
  if (const auto place = dyn_cast<FileLineColLoc>(location)) {
    ASSIGN_OR_RETURN(const size_t file, Attribute(place.getFilename(), Form::kBuiltin));
    out.VarInt(builtin_code::kFileLineColLoc);
    out.VarInt(file);
    out.VarInt(place.getLine());
    out.VarInt(place.getColumn());
  } else if (const auto named = dyn_cast<NameLoc>(location)) {
    ASSIGN_OR_RETURN(const size_t name, Attribute(named.getName(), Form::kBuiltin));
    ASSIGN_OR_RETURN(const size_t child, Location(named.getChildLoc()));
    out.VarInt(builtin_code::kNameLoc);
    out.VarInt(name);
    out.VarInt(child);
  } else {
    out.VarInt(builtin_code::kUnknownLoc);
  }
  return attribute_numbers_[key] = Add(true, out.bytes());
}

}  // namespace xla::vhlo
