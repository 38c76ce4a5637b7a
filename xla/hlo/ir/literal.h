// Literals: arrays and tuples of values, with their text.
#pragma once
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "xla/hlo/ir/shape.h"

namespace xla {

// The values of an array (or a tuple of them).
//
// Elements lie dense, little endian, in *logical row-major order*, whatever shape().layout() says: BytesInLayout()
// gives the physical order. Types below 8 bits take one byte each (s4: sign-extended; u4, f4, f6: the low bits). pred
// is 0 or 1. A complex element is its real part, then its imaginary part.
class Literal {
 public:
  Literal() = default;
  // All bytes zero.
  static Literal Zeros(const Shape& shape);
  // `bytes` has ElementsIn(shape) * ByteWidth(element type) bytes.
  static Literal FromBytes(const Shape& array, std::vector<uint8_t> bytes);
  static Literal Tuple(std::vector<Literal> elements);
  // The values are not known: the text said `{...}`. bytes() is empty.
  static Literal Elided(const Shape& array);
  // T must be the host type of `type`: int32_t for s32, float for f32, uint16_t for bf16's bits, bool for pred, ...
  template <class T>
  static Literal Scalar(PrimitiveType type, T value) {
    return FromBytes(Shape::Scalar(type), BytesOf(std::span<const T>(&value, 1)));
  }
  template <class T>
  static Literal Array(const Shape& shape, std::span<const T> values) {
    return FromBytes(shape, BytesOf(values));
  }

  const Shape& shape() const { return shape_; }
  int64_t element_count() const { return ShapeUtil::ElementsIn(shape_); }
  bool is_elided() const { return elided_; }
  const std::vector<uint8_t>& bytes() const { return bytes_; }
  std::vector<uint8_t>& mutable_bytes() { return bytes_; }
  const std::vector<Literal>& tuple_elements() const { return elements_; }
  std::vector<Literal>& mutable_tuple_elements() { return elements_; }
  // Replaces the layout only; the bytes stay (they are in logical order).
  void set_shape(Shape compatible) { shape_ = std::move(compatible); }

  // Element `i` in row-major order, as the host type T of equal width.
  template <class T>
  T Get(int64_t i) const {
    T value;
    std::memcpy(&value, bytes_.data() + i * sizeof(T), sizeof(T));
    return value;
  }
  template <class T>
  void Set(int64_t i, T value) {
    std::memcpy(bytes_.data() + i * sizeof(T), &value, sizeof(T));
  }
  // Integers and pred, sign- or zero-extended; u64 keeps its bits.
  int64_t GetAsInt64(int64_t i) const;
  // Any real type; 64-bit integers round. For complex types the real part.
  double GetAsDouble(int64_t i) const;
  // Integers wrap, floats round to nearest even, pred is value != 0; complex types get imaginary part 0.
  void SetFromInt64(int64_t i, int64_t value);
  void SetFromDouble(int64_t i, double value);
  // True if every element is the same bits, for arrays with at least one element.
  bool IsAllEqual() const;

  // The array's bytes in the order of `layout`.
  std::vector<uint8_t> BytesInLayout(const Layout& layout) const;
  // The inverse: `bytes` lie in the order of `shape`'s layout.
  static Literal FromBytesInLayout(const Shape& shape, std::span<const uint8_t> bytes);

  // As constant(...) prints it, without the shape: "1.5", "{1, 2}", "{ {1, 2}, {3, 4} }", "(1, {2})".
  std::string ToStringWithoutShape() const;
  std::string ToString() const;  // "f32[2]{0} {1, 2}"
  // Same shape (with layouts) and bits.
  bool operator==(const Literal&) const = default;

 private:
  template <class T>
  static std::vector<uint8_t> BytesOf(std::span<const T> values) {
    const auto* begin = reinterpret_cast<const uint8_t*>(values.data());
    return {begin, begin + values.size_bytes()};
  }

  Shape shape_;
  std::vector<uint8_t> bytes_;
  std::vector<Literal> elements_;
  bool elided_ = false;
};

// One scalar as text, which parses back to the same bits: "nan", "-nan(0x7fc1)", "1e-05", "true", "(1, -2)".
std::string ElementToString(PrimitiveType type, const uint8_t* bytes);
// The inverse, for one real scalar (complex numbers are two of them): writes ByteWidth(type) bytes. False if the text
// is no value of the type: malformed, or an integer out of range. Floats round to nearest even, too large ones to
// infinity.
bool ElementFromString(PrimitiveType type, std::string_view text, uint8_t* bytes);

}  // namespace xla
