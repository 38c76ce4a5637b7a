// Types and constants.
#include <fmt/format.h>

#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "xla/hlo/stablehlo/importer.h"

using namespace mlir;
namespace xla::stablehlo {
namespace {

std::string TextOf(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

std::optional<PrimitiveType> IntegerTypeOf(IntegerType type) {
  if (type.isSignless() && type.getWidth() == 1) return PRED;
  if (type.isSigned()) return std::nullopt;
  return PrimitiveTypeFromName(fmt::format("{}{}", type.isUnsigned() ? "u" : "s", type.getWidth()));
}

// MLIR writes f8E4M3FN what HLO writes f8e4m3fn.
std::optional<PrimitiveType> ElementTypeOf(Type type) {
  if (const auto integer = dyn_cast<IntegerType>(type)) return IntegerTypeOf(integer);
  if (const auto complex = dyn_cast<ComplexType>(type)) {
    if (complex.getElementType().isF32()) return C64;
    if (complex.getElementType().isF64()) return C128;
    return std::nullopt;
  }
  if (!isa<FloatType>(type)) return std::nullopt;
  const auto element = PrimitiveTypeFromName(StringRef(TextOf(type)).lower());
  return element && IsFloat(*element) ? element : std::nullopt;
}

// A row of bytes for each element, as a Literal keeps them, from the bytes that MLIR keeps.
void AppendInteger(const llvm::APInt& value, int width, bool is_signed, std::vector<uint8_t>& bytes) {
  const uint64_t bits = is_signed ? static_cast<uint64_t>(value.getSExtValue()) : value.getZExtValue();
  for (int i = 0; i < width; ++i) bytes.push_back(static_cast<uint8_t>(bits >> (8 * i)));
}

// One element for a splat, all otherwise.
std::vector<uint8_t> BytesOf(DenseElementsAttr value, PrimitiveType type) {
  std::vector<uint8_t> bytes;
  const int width = ByteWidth(type);
  if (BitWidth(type) >= 8 && type != PRED) {
    const ArrayRef<char> raw = value.getRawData();
    return {raw.begin(), raw.end()};
  }
  const int64_t count = value.isSplat() ? 1 : value.getNumElements();
  if (IsFloat(type)) {
    auto it = value.value_begin<llvm::APFloat>();
    for (int64_t i = 0; i < count; ++i, ++it) AppendInteger((*it).bitcastToAPInt(), width, false, bytes);
  } else {
    auto it = value.value_begin<llvm::APInt>();
    for (int64_t i = 0; i < count; ++i, ++it) AppendInteger(*it, width, IsSigned(type), bytes);
  }
  return bytes;
}

}  // namespace

std::optional<Shape> ShapeOf(Type type, std::string& problem) {
  if (isa<TokenType>(type)) return Shape::Token();
  if (const auto tuple = dyn_cast<TupleType>(type)) {
    std::vector<Shape> elements;
    for (Type element : tuple.getTypes()) {
      const std::optional<Shape> shape = ShapeOf(element, problem);
      if (!shape) return std::nullopt;
      elements.push_back(*shape);
    }
    return Shape::Tuple(std::move(elements));
  }
  const auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor) {
    problem = isa<UnrankedTensorType>(type) ? "HLO has no arrays of unknown rank" : "HLO has no values of this type";
    return std::nullopt;
  }
  const std::optional<PrimitiveType> element = ElementTypeOf(tensor.getElementType());
  if (!element) {
    problem = fmt::format("HLO has no elements of type {}", TextOf(tensor.getElementType()));
    return std::nullopt;
  }
  // #stablehlo.bounds<4, ?>: one for each dimension, if there are any.
  const auto encoding = dyn_cast_if_present<StructAttr>(tensor.getEncoding());
  const ArrayRef<int64_t> bounds = encoding ? encoding.Dims("bounds") : ArrayRef<int64_t>();
  Dims dimensions(tensor.getShape().begin(), tensor.getShape().end());
  std::vector<size_t> dynamic;
  for (size_t i = 0; i < dimensions.size(); ++i) {
    if (!ShapedType::isDynamic(dimensions[i])) continue;
    if (bounds.size() != dimensions.size() || bounds[i] == kNoBound || bounds[i] < 0) {
      problem = "an array whose size is known only at run time, and has no bound, cannot be read yet";
      return std::nullopt;
    }
    dimensions[i] = bounds[i];
    dynamic.push_back(i);
  }
  if (!ShapeUtil::CheckedElementsIn(*element, dimensions)) {
    problem = "the array is too large for 64 bits";
    return std::nullopt;
  }
  Shape shape = Shape::Array(*element, dimensions);
  for (const size_t i : dynamic) shape.set_dynamic_dimension(static_cast<int64_t>(i), true);
  return shape;
}

StatusOr<Literal> LiteralOf(ElementsAttr value, const Shape& shape) {
  const PrimitiveType type = shape.element_type();
  const auto width = static_cast<size_t>(ByteWidth(type));
  std::vector<uint8_t> bytes;
  if (const auto dense = dyn_cast<DenseElementsAttr>(value)) {
    bytes = BytesOf(dense, type);
  } else if (const auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
    const AsmResourceBlob* const blob = resource.getRawHandle().getBlob();
    if (blob == nullptr) {
      return rocxla::InvalidArgumentError(fmt::format("the resource '{}' is not defined in the text",
                                                      std::string_view(resource.getRawHandle().getKey())));
    }
    bytes.assign(blob->getData().begin(), blob->getData().end());
  } else {
    return rocxla::InvalidArgumentError("a constant must be dense<...> or dense_resource<...>");
  }
  const auto count = static_cast<size_t>(ShapeUtil::ElementsIn(shape));
  if (bytes.size() == width && count != 1) {
    const std::vector<uint8_t> one = bytes;
    bytes.clear();
    for (size_t i = 0; i < count; ++i) bytes.insert(bytes.end(), one.begin(), one.end());
  }
  if (bytes.size() != count * width) {
    return rocxla::InvalidArgumentError(
        fmt::format("the constant holds {} bytes; {} has {}", bytes.size(), shape.ToString(), count * width));
  }
  return Literal::FromBytes(shape, std::move(bytes));
}

std::optional<Dims> ConstantIntegers(Value value) {
  Operation* const op = value.getDefiningOp();
  if (op == nullptr || op->getName().getStringRef() != "stablehlo.constant") return std::nullopt;
  const auto elements = op->getAttrOfType<DenseIntElementsAttr>("value");
  constexpr int64_t kMostDimensions = 1024;
  if (!elements || elements.getNumElements() > kMostDimensions) return std::nullopt;
  Dims numbers;
  for (const llvm::APInt& number : elements.getValues<llvm::APInt>()) numbers.push_back(number.getSExtValue());
  return numbers;
}

std::string QuotedText(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (c == '\n') {
      quoted += "\\n";
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

std::string FrontendAttributesText(DictionaryAttr attributes) {
  std::string text = "{";
  for (NamedAttribute attribute : attributes) {
    std::string value;
    if (const auto string = dyn_cast<StringAttr>(attribute.getValue())) {
      value = string.getValue().str();
    } else {
      llvm::raw_string_ostream(value) << attribute.getValue();
    }
    text += fmt::format("{}{}={}", text.size() > 1 ? "," : "", std::string_view(attribute.getName().getValue()),
                        QuotedText(value));
  }
  return text + "}";
}

}  // namespace xla::stablehlo
