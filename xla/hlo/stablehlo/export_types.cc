// Shapes and literals as MLIR types and attributes.
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "xla/hlo/stablehlo/exporter.h"

using namespace mlir;
namespace xla::stablehlo {
namespace {

Type ElementType(MLIRContext& context, PrimitiveType type) {
  switch (type) {
    case PRED:
      return IntegerType::get(&context, 1);
    case C64:
      return ComplexType::get(Float32Type::get(&context));
    case C128:
      return ComplexType::get(Float64Type::get(&context));
    case F4E2M1FN:
      return Float4E2M1FNType::get(&context);
    case F6E2M3FN:
      return Float6E2M3FNType::get(&context);
    case F6E3M2FN:
      return Float6E3M2FNType::get(&context);
    case F8E3M4:
      return Float8E3M4Type::get(&context);
    case F8E4M3:
      return Float8E4M3Type::get(&context);
    case F8E4M3FN:
      return Float8E4M3FNType::get(&context);
    case F8E4M3FNUZ:
      return Float8E4M3FNUZType::get(&context);
    case F8E4M3B11FNUZ:
      return Float8E4M3B11FNUZType::get(&context);
    case F8E5M2:
      return Float8E5M2Type::get(&context);
    case F8E5M2FNUZ:
      return Float8E5M2FNUZType::get(&context);
    case F8E8M0FNU:
      return Float8E8M0FNUType::get(&context);
    case BF16:
      return BFloat16Type::get(&context);
    case F16:
      return Float16Type::get(&context);
    case F32:
      return Float32Type::get(&context);
    case F64:
      return Float64Type::get(&context);
    default:
      break;
  }
  // i1 is pred; s1 has no other name in MLIR than si1, which StableHLO does not use.
  const auto sign = IsUnsigned(type) ? IntegerType::Unsigned : type == S1 ? IntegerType::Signed : IntegerType::Signless;
  return IntegerType::get(&context, static_cast<unsigned>(BitWidth(type)), sign);
}

RankedTensorType TensorType(MLIRContext& context, const Shape& shape) {
  const Type element = ElementType(context, shape.element_type());
  if (!shape.IsDynamic()) return RankedTensorType::get(shape.dimensions(), element);
  std::vector<int64_t> sizes = shape.dimensions(), bounds(sizes.size(), kNoBound);
  for (int64_t i = 0; i < shape.rank(); ++i) {
    if (!shape.is_dynamic_dimension(i)) continue;
    bounds[i] = sizes[i];
    sizes[i] = ShapedType::kDynamic;
  }
  Builder builder(&context);
  return RankedTensorType::get(sizes, element,
                               StructAttr::get(&context, "type_extensions",
                                               {builder.getNamedAttr("bounds", builder.getDenseI64ArrayAttr(bounds))}));
}

}  // namespace

void AppendLeafTypes(MLIRContext& context, const Shape& shape, SmallVectorImpl<Type>& types) {
  if (shape.IsTuple()) {
    for (const Shape& element : shape.tuple_shapes()) AppendLeafTypes(context, element, types);
  } else if (shape.IsArray()) {
    types.push_back(TensorType(context, shape));
  } else {
    types.push_back(TokenType::get(&context));
  }
}

int64_t LeafCount(const Shape& shape) {
  if (!shape.IsTuple()) return 1;
  int64_t count = 0;
  for (const Shape& element : shape.tuple_shapes()) count += LeafCount(element);
  return count;
}

bool HasOpaque(const Shape& shape) {
  if (shape.element_type() == OPAQUE_TYPE) return true;
  for (const Shape& element : shape.tuple_shapes())
    if (HasOpaque(element)) return true;
  return false;
}

DenseElementsAttr ElementsOf(MLIRContext& context, const Literal& literal) {
  const PrimitiveType element = literal.shape().element_type();
  const RankedTensorType type = TensorType(context, literal.shape());
  const int bits = element == PRED ? 1 : BitWidth(element);
  if (bits >= 8) {
    const auto* const begin = reinterpret_cast<const char*>(literal.bytes().data());
    const int64_t width = ByteWidth(element);
    const bool is_splat = literal.element_count() > 0 && literal.IsAllEqual();
    return DenseElementsAttr::getFromRawBuffer(
        type, ArrayRef<char>(begin, is_splat ? width : literal.element_count() * width));
  }
  SmallVector<llvm::APInt> numbers;
  SmallVector<llvm::APFloat> floats;
  for (int64_t i = 0; i < literal.element_count(); ++i) {
    const llvm::APInt number(static_cast<unsigned>(bits), literal.bytes()[i], false, /*implicitTrunc=*/true);
    numbers.push_back(number);
    if (IsFloat(element)) floats.emplace_back(cast<FloatType>(type.getElementType()).getFloatSemantics(), number);
  }
  return IsFloat(element) ? DenseElementsAttr::get(type, floats) : DenseElementsAttr::get(type, numbers);
}

}  // namespace xla::stablehlo
