// Shapes: arrays with a layout, tuples, tokens and opaque values. Plain values, cheap to copy.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "xla/hlo/ir/primitive_type.h"

namespace xla {

// In which order an array's dimensions lie in memory.
class Layout {
 public:
  Layout() = default;
  explicit Layout(std::vector<int64_t> minor_to_major, std::string annotations = "")
      : minor_to_major_(std::move(minor_to_major)), annotations_(std::move(annotations)) {}
  // Row-major: {rank-1, ..., 1, 0}.
  static Layout Default(int64_t rank);

  // The dimension that varies fastest in memory comes first.
  const std::vector<int64_t>& minor_to_major() const { return minor_to_major_; }
  int64_t minor_to_major(int64_t i) const { return minor_to_major_[i]; }
  // What follows ':' inside the braces, verbatim: tiles, memory space, ... ("T(8,128)S(1)").
  const std::string& annotations() const { return annotations_; }
  bool IsDefault() const { return *this == Default(static_cast<int64_t>(minor_to_major_.size())); }
  bool operator==(const Layout&) const = default;
  std::string ToString() const;  // "{1,0}"

 private:
  std::vector<int64_t> minor_to_major_;
  std::string annotations_;
};

class Shape {
 public:
  // An empty tuple.
  Shape() = default;
  // Arrays get the row-major layout unless one is given; `minor_to_major` must be a permutation of the dimensions.
  static Shape Array(PrimitiveType type, std::vector<int64_t> dimensions);
  static Shape Array(PrimitiveType type, std::vector<int64_t> dimensions, Layout layout);
  static Shape Scalar(PrimitiveType type) { return Array(type, {}); }
  static Shape Tuple(std::vector<Shape> elements);
  static Shape Token();
  static Shape Opaque();

  PrimitiveType element_type() const { return type_; }
  bool IsArray() const { return IsArrayType(type_); }
  bool IsScalar() const { return IsArray() && dimensions_.empty(); }
  bool IsTuple() const { return type_ == TUPLE; }
  bool IsToken() const { return type_ == TOKEN; }

  // Arrays only; empty for the others.
  const std::vector<int64_t>& dimensions() const { return dimensions_; }
  int64_t dimensions(int64_t i) const { return dimensions_[i]; }
  int64_t rank() const { return static_cast<int64_t>(dimensions_.size()); }
  // The size of a dynamic dimension is known only when the program runs; dimensions() has its bound. "f32[<=5,3]".
  bool is_dynamic_dimension(int64_t i) const { return !dynamic_.empty() && dynamic_[i]; }
  void set_dynamic_dimension(int64_t i, bool is_dynamic);
  // Whether any array in it has a dynamic dimension.
  bool IsDynamic() const;
  const Layout& layout() const { return layout_; }
  void set_layout(Layout layout) { layout_ = std::move(layout); }
  void set_element_type(PrimitiveType type) { type_ = type; }

  // Tuples only; empty for the others.
  const std::vector<Shape>& tuple_shapes() const { return tuple_shapes_; }
  const Shape& tuple_shapes(int64_t i) const { return tuple_shapes_[i]; }

  // Equal in everything, layouts included.
  bool operator==(const Shape&) const = default;

  std::string ToString() const;            // "f32[2,3]", "(s32[], f32[4])"
  std::string ToStringWithLayout() const;  // "f32[2,3]{1,0}"

 private:
  PrimitiveType type_ = TUPLE;
  std::vector<int64_t> dimensions_;
  std::vector<bool> dynamic_;  // one for each dimension; empty: all are static
  Layout layout_;
  std::vector<Shape> tuple_shapes_;
};

// The signature of a computation.
struct ProgramShape {
  std::vector<Shape> parameters;
  Shape result;
  bool operator==(const ProgramShape&) const = default;
  std::string ToString() const;  // "(f32[2]{0}, s32[])->f32[2]{0}"
};

// Upstream's name for the functions on shapes.
struct ShapeUtil {
  // Elements of an array; 0 for the others. Dimensions are known not to overflow (see CheckedElementsIn).
  static int64_t ElementsIn(const Shape& shape);
  // Nullopt if the product of the dimensions, or the bytes, do not fit int64, or a dimension is negative.
  static std::optional<int64_t> CheckedElementsIn(PrimitiveType type, std::span<const int64_t> dimensions);
  // Bytes of the array as one dense buffer, or of all leaves of a tuple; packed types count bits, rounded up.
  static int64_t ByteSizeOf(const Shape& shape);
  static bool SameDimensions(const Shape& a, const Shape& b);
  // Equal up to layouts.
  static bool SameValues(const Shape& a, const Shape& b);
  // Equal up to layouts and to which dimensions are dynamic: the bounds are equal.
  static bool Compatible(const Shape& a, const Shape& b);
  // `value`, whose dimensions are all static, is one of the values of `declared`: equal up to layouts, but for dynamic
  // dimensions, which it does not exceed.
  static bool IsValueOf(const Shape& value, const Shape& declared);
  // `shape` with every array's layout replaced by the row-major one.
  static Shape WithDefaultLayout(Shape shape);
  // Element strides of each dimension in memory, following the layout.
  static std::vector<int64_t> Strides(const Shape& array);
  // The dimensions sorted from slowest to fastest in memory, leaving out those of size 1.
  static std::vector<int64_t> NontrivialMajorToMinor(const Shape& array);
  // True if a row-major reading of both in memory order visits the same elements: `output` = transpose of `input`
  // by `dimensions` (output dimension i is input dimension dimensions[i]) moves nothing.
  static bool TransposeIsBitcast(const Shape& input, const Shape& output, std::span<const int64_t> dimensions);
  // The same for a reshape: the elements' order in memory stays.
  static bool ReshapeIsBitcast(const Shape& input, const Shape& output);
};

}  // namespace xla
