#include "xla/hlo/stablehlo/attributes.h"

#include <fmt/format.h>

#include <vector>

#include "base/flags.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
namespace xla::stablehlo {
namespace {

enum class FieldKind { kDims, kInt, kBool, kFloat, kString, kType, kAny, kAxes };
struct Field {
  FieldKind kind;
  std::string_view name;
};
struct EnumInfo {
  std::string_view kind;
  std::vector<std::string_view> values;
};
struct StructInfo {
  std::string_view name;
  std::vector<Field> fields;
};

const std::vector<EnumInfo>& Enums() {
  static const auto* const all = new std::vector<EnumInfo>{
#define SHLO_ENUM(kind, ...) {#kind, {__VA_ARGS__}},
#define SHLO_STRUCT(...)
#include "xla/hlo/stablehlo/attributes.def"
#undef SHLO_ENUM
#undef SHLO_STRUCT
  };
  return *all;
}

const std::vector<StructInfo>& Structs() {
#define Dims(name) Field{FieldKind::kDims, #name}
#define Int(name) Field{FieldKind::kInt, #name}
#define Bool(name) Field{FieldKind::kBool, #name}
#define Float(name) Field{FieldKind::kFloat, #name}
#define String(name) Field{FieldKind::kString, #name}
#define TypeOf(name) Field{FieldKind::kType, #name}
#define Any(name) Field{FieldKind::kAny, #name}
#define Axes(name) \
  Field { FieldKind::kAxes, #name }
  static const auto* const all = new std::vector<StructInfo>{
#define SHLO_ENUM(...)
#define SHLO_STRUCT(name, ...) {#name, {__VA_ARGS__}},
#include "xla/hlo/stablehlo/attributes.def"
#undef SHLO_ENUM
#undef SHLO_STRUCT
  };
#undef Dims
#undef Int
#undef Bool
#undef Float
#undef String
#undef TypeOf
#undef Any
#undef Axes
  return *all;
}

const EnumInfo* FindEnum(StringRef kind) {
  for (const EnumInfo& info : Enums())
    if (StringRef(info.kind) == kind) return &info;
  return nullptr;
}

const StructInfo* FindStruct(StringRef name) {
  for (const StructInfo& info : Structs())
    if (StringRef(info.name) == name) return &info;
  return nullptr;
}

const Field* FindField(const StructInfo& info, StringRef name) {
  for (const Field& field : info.fields)
    if (StringRef(field.name) == name) return &field;
  return nullptr;
}

std::string DidYouMean(StringRef word, const std::vector<std::string_view>& candidates) {
  const std::string nearest = rocxla::NearestSpelling(std::string_view(word), candidates);
  return nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest);
}

ParseResult ParseField(AsmParser& parser, FieldKind kind, Attribute& value) {
  Builder& builder = parser.getBuilder();
  switch (kind) {
    case FieldKind::kDims: {
      DenseI64ArrayAttr dims;
      if (ParseDims(parser, dims)) return failure();
      value = dims;
      return success();
    }
    case FieldKind::kInt: {
      int64_t number = 0;
      if (parser.parseInteger(number)) return failure();
      value = builder.getI64IntegerAttr(number);
      return success();
    }
    case FieldKind::kBool: {
      const bool is_true = succeeded(parser.parseOptionalKeyword("true"));
      if (!is_true && parser.parseKeyword("false")) return failure();
      value = builder.getBoolAttr(is_true);
      return success();
    }
    case FieldKind::kFloat: {
      double number = 0;
      if (parser.parseFloat(number)) return failure();
      value = builder.getF64FloatAttr(number);
      return success();
    }
    case FieldKind::kString: {
      std::string text;
      if (parser.parseString(&text)) return failure();
      value = builder.getStringAttr(text);
      return success();
    }
    case FieldKind::kType: {
      Type type;
      if (parser.parseType(type)) return failure();
      value = TypeAttr::get(type);
      return success();
    }
    case FieldKind::kAny:
      return parser.parseAttribute(value);
    case FieldKind::kAxes: {
      ArrayAttr axes;
      if (parser.parseAttribute(axes)) return failure();
      value = axes;
      return success();
    }
  }
  return failure();
}

void PrintField(AsmPrinter& printer, FieldKind kind, Attribute value) {
  switch (kind) {
    case FieldKind::kDims:
      return PrintDims(printer, cast<DenseI64ArrayAttr>(value).asArrayRef());
    case FieldKind::kInt:
      printer << cast<IntegerAttr>(value).getInt();
      return;
    case FieldKind::kBool:
      printer << (cast<BoolAttr>(value).getValue() ? "true" : "false");
      return;
    case FieldKind::kFloat:
      return printer.printFloat(cast<FloatAttr>(value).getValue());
    case FieldKind::kString:
      return printer.printString(cast<StringAttr>(value).getValue());
    case FieldKind::kType:
      return printer.printType(cast<TypeAttr>(value).getValue());
    case FieldKind::kAny:
    case FieldKind::kAxes:
      return printer.printAttribute(value);
  }
}

// "<4, ?>".
ParseResult ParseBounds(AsmParser& parser, StructAttr& result) {
  SmallVector<int64_t> bounds;
  const auto one = [&]() -> ParseResult {
    if (succeeded(parser.parseOptionalQuestion())) {
      bounds.push_back(kNoBound);
      return success();
    }
    return parser.parseInteger(bounds.emplace_back());
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater, one)) return failure();
  Builder& builder = parser.getBuilder();
  result = StructAttr::get(builder.getContext(), "type_extensions",
                           builder.getNamedAttr("bounds", builder.getDenseI64ArrayAttr(bounds)));
  return success();
}

// --- "[b, f, 0, 1]". ---

struct ConvPart {
  int64_t batch = -1;    // of the kernel: the input feature dimension, 'i'
  int64_t feature = -1;  // of the kernel: the output feature dimension, 'o'
  SmallVector<int64_t> spatial;
};

ParseResult ParseConvPart(AsmParser& parser, StringRef batch_letter, StringRef feature_letter, ConvPart& part) {
  SmallVector<std::pair<int64_t, int64_t>> spatial;  // label, position
  int64_t position = 0;
  const SMLoc at = parser.getCurrentLocation();
  const auto one = [&]() -> ParseResult {
    const int64_t here = position++;
    int64_t label = 0;
    const OptionalParseResult number = parser.parseOptionalInteger(label);
    if (number.has_value()) {
      spatial.emplace_back(label, here);
      return *number;
    }
    if (succeeded(parser.parseOptionalQuestion())) return success();  // a dimension that is nothing
    StringRef letter;
    const SMLoc letter_at = parser.getCurrentLocation();
    if (parser.parseKeyword(&letter)) return failure();
    int64_t* const place = letter == batch_letter ? &part.batch : letter == feature_letter ? &part.feature : nullptr;
    if (place == nullptr)
      return parser.emitError(letter_at) << "no dimension is called '" << letter << "' here; expected '" << batch_letter
                                         << "', '" << feature_letter << "' or the number of a spatial dimension";
    if (*place >= 0) return parser.emitError(letter_at) << "dimension '" << letter << "' is given twice";
    *place = here;
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, one)) return failure();
  if (part.batch < 0 || part.feature < 0)
    return parser.emitError(at) << "dimension '" << (part.batch < 0 ? batch_letter : feature_letter) << "' is missing";
  part.spatial.assign(spatial.size(), -1);
  for (const auto& [label, place] : spatial) {
    if (label < 0 || label >= static_cast<int64_t>(spatial.size()) || part.spatial[label] >= 0)
      return parser.emitError(at) << "spatial dimensions must be numbered from 0 to " << spatial.size() - 1
                                  << ", each once";
    part.spatial[label] = place;
  }
  return success();
}

void PrintConvPart(AsmPrinter& printer, char batch, int64_t batch_at, char feature, int64_t feature_at,
                   ArrayRef<int64_t> spatial) {
  const size_t rank = spatial.size() + 2;
  std::vector<std::string> labels(rank, "?");
  const auto put = [&](int64_t at, std::string label) {
    if (at >= 0 && at < static_cast<int64_t>(rank)) labels[at] = std::move(label);
  };
  put(batch_at, std::string(1, batch));
  put(feature_at, std::string(1, feature));
  for (size_t i = 0; i < spatial.size(); ++i) put(spatial[i], std::to_string(i));
  printer << "[";
  llvm::interleaveComma(labels, printer.getStream());
  printer << "]";
}

StructAttr Failed(AsmParser& parser, SMLoc at, const llvm::Twine& message) {
  parser.emitError(at) << message.str();
  return {};
}

}  // namespace

EnumAttr EnumAttr::get(MLIRContext* context, StringRef kind, StringRef value) {
  return Base::get(context, KindStorage::KeyTy(StringAttr::get(context, kind), StringAttr::get(context, value)));
}
StringRef EnumAttr::getKind() const { return getImpl()->key.first.getValue(); }
StringRef EnumAttr::getValue() const { return cast<StringAttr>(getImpl()->key.second).getValue(); }

StructAttr StructAttr::get(MLIRContext* context, StringRef kind, DictionaryAttr fields) {
  return Base::get(context, KindStorage::KeyTy(StringAttr::get(context, kind), fields));
}
StructAttr StructAttr::get(MLIRContext* context, StringRef kind, ArrayRef<NamedAttribute> fields) {
  return get(context, kind, DictionaryAttr::get(context, fields));
}
StringRef StructAttr::getKind() const { return getImpl()->key.first.getValue(); }
DictionaryAttr StructAttr::getFields() const { return cast<DictionaryAttr>(getImpl()->key.second); }
ArrayRef<int64_t> StructAttr::Dims(StringRef field) const {
  const auto dims = getFields().getAs<DenseI64ArrayAttr>(field);
  return dims ? dims.asArrayRef() : ArrayRef<int64_t>();
}
int64_t StructAttr::Int(StringRef field) const {
  const auto number = getFields().getAs<IntegerAttr>(field);
  return number ? number.getInt() : 0;
}

bool IsEnumKind(StringRef kind) { return FindEnum(kind) != nullptr; }
bool IsEnumValue(StringRef kind, StringRef value) {
  const EnumInfo* const info = FindEnum(kind);
  return info != nullptr && llvm::is_contained(info->values, std::string_view(value));
}

ParseResult ParseEnumValue(AsmParser& parser, StringRef kind, EnumAttr& result) {
  StringRef value;
  const SMLoc at = parser.getCurrentLocation();
  if (parser.parseKeyword(&value)) return failure();
  const EnumInfo& info = *FindEnum(kind);
  if (!llvm::is_contained(info.values, std::string_view(value)))
    return parser.emitError(at) << kind << " has no value '" << value << "'" << DidYouMean(value, info.values);
  result = EnumAttr::get(parser.getContext(), kind, value);
  return success();
}

ParseResult ParseDims(AsmParser& parser, DenseI64ArrayAttr& result) {
  SmallVector<int64_t> dims;
  const auto one = [&]() -> ParseResult {
    if (succeeded(parser.parseOptionalQuestion())) {
      dims.push_back(kNoBound);
      return success();
    }
    return parser.parseInteger(dims.emplace_back());
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, one)) return failure();
  result = DenseI64ArrayAttr::get(parser.getContext(), dims);
  return success();
}

void PrintDims(AsmPrinter& printer, ArrayRef<int64_t> dims) {
  printer << "[";
  llvm::interleaveComma(dims, printer.getStream(), [&](int64_t dim) {
    if (dim == kNoBound) {
      printer << "?";
    } else {
      printer << dim;
    }
  });
  printer << "]";
}

ParseResult ParseStruct(AsmParser& parser, StringRef kind, StructAttr& result) {
  const StructInfo& info = *FindStruct(kind);
  NamedAttrList fields;
  const auto one = [&]() -> ParseResult {
    StringRef name;
    const SMLoc at = parser.getCurrentLocation();
    if (parser.parseKeyword(&name)) return failure();
    const Field* const field = FindField(info, name);
    if (field == nullptr) {
      std::vector<std::string_view> names;
      for (const Field& known : info.fields) names.push_back(known.name);
      return parser.emitError(at) << "#stablehlo." << kind << " has no field '" << name << "'"
                                  << DidYouMean(name, names);
    }
    if (fields.get(name)) return parser.emitError(at) << "field '" << name << "' is given twice";
    Attribute value;
    if (parser.parseEqual() || ParseField(parser, field->kind, value)) return failure();
    fields.append(name, value);
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater, one)) return failure();
  result = StructAttr::get(parser.getContext(), kind, fields.getDictionary(parser.getContext()));
  return success();
}

void PrintStruct(AsmPrinter& printer, StructAttr attribute) {
  printer << "<";
  bool first = true;
  for (const Field& field : FindStruct(attribute.getKind())->fields) {
    const Attribute value = attribute.getFields().get(field.name);
    if (!value) continue;
    if (!first) printer << ", ";
    first = false;
    printer << StringRef(field.name) << " = ";
    PrintField(printer, field.kind, value);
  }
  printer << ">";
}

ParseResult ParseConvDimensions(AsmParser& parser, StructAttr& result) {
  ConvPart input, kernel, output;
  if (ParseConvPart(parser, "b", "f", input) || parser.parseKeyword("x") || ParseConvPart(parser, "i", "o", kernel) ||
      parser.parseArrow() || ParseConvPart(parser, "b", "f", output))
    return failure();
  Builder& b = parser.getBuilder();
  const auto number = [&](StringRef name, int64_t value) { return b.getNamedAttr(name, b.getI64IntegerAttr(value)); };
  const auto list = [&](StringRef name, ArrayRef<int64_t> value) {
    return b.getNamedAttr(name, b.getDenseI64ArrayAttr(value));
  };
  const NamedAttribute fields[] = {number("input_batch_dimension", input.batch),
                                   number("input_feature_dimension", input.feature),
                                   list("input_spatial_dimensions", input.spatial),
                                   number("kernel_input_feature_dimension", kernel.batch),
                                   number("kernel_output_feature_dimension", kernel.feature),
                                   list("kernel_spatial_dimensions", kernel.spatial),
                                   number("output_batch_dimension", output.batch),
                                   number("output_feature_dimension", output.feature),
                                   list("output_spatial_dimensions", output.spatial)};
  result = StructAttr::get(parser.getContext(), "conv", fields);
  return success();
}

void PrintConvDimensions(AsmPrinter& printer, StructAttr conv) {
  PrintConvPart(printer, 'b', conv.Int("input_batch_dimension"), 'f', conv.Int("input_feature_dimension"),
                conv.Dims("input_spatial_dimensions"));
  printer << "x";
  PrintConvPart(printer, 'i', conv.Int("kernel_input_feature_dimension"), 'o',
                conv.Int("kernel_output_feature_dimension"), conv.Dims("kernel_spatial_dimensions"));
  printer << "->";
  PrintConvPart(printer, 'b', conv.Int("output_batch_dimension"), 'f', conv.Int("output_feature_dimension"),
                conv.Dims("output_spatial_dimensions"));
}

namespace {

// "conv<[b, f, 0]x[...]->[...]>", or "conv<raw input_batch_dimension = 0, ...>".
Attribute ParseConv(AsmParser& parser) {
  StructAttr result;
  if (parser.parseLess()) return {};
  if (failed(parser.parseOptionalKeyword("raw"))) {
    if (ParseConvDimensions(parser, result) || parser.parseGreater()) return {};
    return result;
  }
  NamedAttrList fields;
  do {
    StringRef name;
    const SMLoc at = parser.getCurrentLocation();
    if (parser.parseKeyword(&name) || parser.parseEqual()) return {};
    const Field* const field = FindField(*FindStruct("conv"), name);
    if (field == nullptr) return Failed(parser, at, "#stablehlo.conv has no field '" + name + "'");
    Attribute value;
    if (ParseField(parser, field->kind, value)) return {};
    fields.set(name, value);
  } while (succeeded(parser.parseOptionalComma()));
  if (parser.parseGreater()) return {};
  return StructAttr::get(parser.getContext(), "conv", fields.getDictionary(parser.getContext()));
}

}  // namespace

Attribute ParseStablehloAttribute(DialectAsmParser& parser) {
  StringRef name;
  const SMLoc at = parser.getCurrentLocation();
  if (parser.parseKeyword(&name)) return {};
  if (FindEnum(name) != nullptr) {
    const bool in_brackets = succeeded(parser.parseOptionalLess());
    EnumAttr result;
    if (ParseEnumValue(parser, name, result) || (in_brackets && parser.parseGreater())) return {};
    return result;
  }
  StructAttr result;
  if (name == "bounds") {
    if (ParseBounds(parser, result)) return {};
    return result;
  }
  if (name == "conv") return ParseConv(parser);
  if (FindStruct(name) == nullptr) {
    std::vector<std::string_view> names;
    for (const EnumInfo& info : Enums()) names.push_back(info.kind);
    for (const StructInfo& info : Structs()) names.push_back(info.name);
    return Failed(parser, at, "StableHLO has no attribute '" + name + "'" + DidYouMean(name, names));
  }
  if (ParseStruct(parser, name, result)) return {};
  return result;
}

void PrintStablehloAttribute(Attribute attribute, DialectAsmPrinter& printer) {
  if (const auto value = dyn_cast<EnumAttr>(attribute)) {
    printer << value.getKind() << " " << value.getValue();
    return;
  }
  const auto fields = cast<StructAttr>(attribute);
  printer << fields.getKind();
  if (fields.getKind() != "conv") return PrintStruct(printer, fields);
  printer << "<";
  PrintConvDimensions(printer, fields);
  printer << ">";
}

}  // namespace xla::stablehlo
