#include "xla/hlo/ir/literal.h"

#include <algorithm>
#include <cmath>

#include "xla/hlo/ir/float_format.h"

namespace xla {
namespace {

uint64_t LoadBits(const uint8_t* bytes, int width) {
  uint64_t bits = 0;
  std::memcpy(&bits, bytes, width);
  return bits;
}

int64_t SignExtend(uint64_t bits, int width) {
  const int shift = 64 - width;
  return static_cast<int64_t>(bits << shift) >> shift;
}

// The low `width` bits of `value`, sign-extended to a byte for the signed types below 8 bits (as Literal stores them).
uint64_t IntegerBits(PrimitiveType type, int64_t value) {
  const int width = BitWidth(type);
  if (width == 64) return static_cast<uint64_t>(value);
  const uint64_t low = static_cast<uint64_t>(value) & ((uint64_t{1} << width) - 1);
  return IsSigned(type) ? static_cast<uint64_t>(SignExtend(low, width)) : low;
}

}  // namespace

Literal Literal::Zeros(const Shape& shape) {
  if (shape.IsTuple()) {
    std::vector<Literal> elements;
    for (const Shape& element : shape.tuple_shapes()) elements.push_back(Zeros(element));
    return Tuple(std::move(elements));
  }
  return FromBytes(shape, std::vector<uint8_t>(ShapeUtil::ElementsIn(shape) * ByteWidth(shape.element_type())));
}

Literal Literal::FromBytes(const Shape& array, std::vector<uint8_t> bytes) {
  Literal literal;
  literal.shape_ = array;
  literal.bytes_ = std::move(bytes);
  return literal;
}

Literal Literal::Tuple(std::vector<Literal> elements) {
  Literal literal;
  std::vector<Shape> shapes;
  for (const Literal& element : elements) shapes.push_back(element.shape());
  literal.shape_ = Shape::Tuple(std::move(shapes));
  literal.elements_ = std::move(elements);
  return literal;
}

Literal Literal::Elided(const Shape& array) {
  Literal literal;
  literal.shape_ = array;
  literal.elided_ = true;
  return literal;
}

int64_t Literal::GetAsInt64(int64_t i) const {
  const PrimitiveType type = shape_.element_type();
  const int width = ByteWidth(type);
  const uint64_t bits = LoadBits(bytes_.data() + i * width, std::min(width, 8));
  if (IsSigned(type)) return SignExtend(bits, width * 8);
  if (IsFloat(type) || IsComplex(type)) return static_cast<int64_t>(GetAsDouble(i));
  return static_cast<int64_t>(bits);
}

double Literal::GetAsDouble(int64_t i) const {
  const PrimitiveType type = shape_.element_type();
  const PrimitiveType part = ComplexComponentType(type);
  if (IsFloat(part)) return DecodeFloat(part, LoadBits(bytes_.data() + i * ByteWidth(type), ByteWidth(part)));
  const int64_t value = GetAsInt64(i);
  return type == U64 ? static_cast<double>(static_cast<uint64_t>(value)) : static_cast<double>(value);
}

void Literal::SetFromInt64(int64_t i, int64_t value) {
  const PrimitiveType type = shape_.element_type();
  if (IsFloat(type) || IsComplex(type)) return SetFromDouble(i, static_cast<double>(value));
  const uint64_t bits = type == PRED ? (value != 0) : IntegerBits(type, value);
  std::memcpy(bytes_.data() + i * ByteWidth(type), &bits, ByteWidth(type));
}

void Literal::SetFromDouble(int64_t i, double value) {
  const PrimitiveType type = shape_.element_type();
  const PrimitiveType part = ComplexComponentType(type);
  if (!IsFloat(part)) return SetFromInt64(i, static_cast<int64_t>(value));
  const uint64_t bits = EncodeFloat(part, value);
  uint8_t* element = bytes_.data() + i * ByteWidth(type);
  std::memset(element, 0, ByteWidth(type));
  std::memcpy(element, &bits, ByteWidth(part));
}

bool Literal::IsAllEqual() const {
  const int width = ByteWidth(shape_.element_type());
  if (bytes_.empty() || width == 0) return false;
  for (size_t offset = width; offset < bytes_.size(); offset += width) {
    if (std::memcmp(bytes_.data(), bytes_.data() + offset, width) != 0) return false;
  }
  return true;
}

namespace {

// Calls copy(row-major element number, physical element number) for each element of `shape`.
template <class Copy>
void ForEachPlace(const Shape& shape, const Copy& copy) {
  const std::vector<int64_t> strides = ShapeUtil::Strides(shape);
  std::vector<int64_t> index(shape.rank(), 0);
  const int64_t count = ShapeUtil::ElementsIn(shape);
  int64_t place = 0;
  for (int64_t i = 0; i < count; ++i) {
    copy(i, place);
    for (int64_t d = shape.rank() - 1; d >= 0; --d) {
      place += strides[d];
      if (++index[d] < shape.dimensions(d)) break;
      place -= strides[d] * shape.dimensions(d);
      index[d] = 0;
    }
  }
}

}  // namespace

std::vector<uint8_t> Literal::BytesInLayout(const Layout& layout) const {
  Shape physical = shape_;
  physical.set_layout(layout);
  const int width = ByteWidth(shape_.element_type());
  std::vector<uint8_t> out(bytes_.size());
  ForEachPlace(physical, [&](int64_t logical, int64_t place) {
    std::memcpy(out.data() + place * width, bytes_.data() + logical * width, width);
  });
  return out;
}

Literal Literal::FromBytesInLayout(const Shape& shape, std::span<const uint8_t> bytes) {
  Literal literal = Zeros(shape);
  const int width = ByteWidth(shape.element_type());
  ForEachPlace(shape, [&](int64_t logical, int64_t place) {
    std::memcpy(literal.bytes_.data() + logical * width, bytes.data() + place * width, width);
  });
  return literal;
}

}  // namespace xla
