#include "xla/hlo/ir/shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace xla {

Layout Layout::Default(int64_t rank) {
  std::vector<int64_t> order(rank);
  for (int64_t i = 0; i < rank; ++i) order[i] = rank - 1 - i;
  return Layout(std::move(order));
}

Shape Shape::Array(PrimitiveType type, std::vector<int64_t> dimensions) {
  Layout layout = Layout::Default(static_cast<int64_t>(dimensions.size()));
  return Array(type, std::move(dimensions), std::move(layout));
}

Shape Shape::Array(PrimitiveType type, std::vector<int64_t> dimensions, Layout layout) {
  Shape shape;
  shape.type_ = type;
  shape.dimensions_ = std::move(dimensions);
  shape.layout_ = std::move(layout);
  return shape;
}

Shape Shape::Tuple(std::vector<Shape> elements) {
  Shape shape;
  shape.tuple_shapes_ = std::move(elements);
  return shape;
}

Shape Shape::Token() {
  Shape shape;
  shape.type_ = TOKEN;
  return shape;
}

Shape Shape::Opaque() {
  Shape shape;
  shape.type_ = OPAQUE_TYPE;
  return shape;
}

void Shape::set_dynamic_dimension(int64_t i, bool is_dynamic) {
  if (dynamic_.empty()) dynamic_.resize(dimensions_.size());
  dynamic_[i] = is_dynamic;
  if (std::find(dynamic_.begin(), dynamic_.end(), true) == dynamic_.end()) dynamic_.clear();  // one way to say it
}

bool Shape::IsDynamic() const {
  return !dynamic_.empty() || std::any_of(tuple_shapes_.begin(), tuple_shapes_.end(),
                                          [](const Shape& element) { return element.IsDynamic(); });
}

namespace {

enum class ShowLayout : bool { kNo, kYes };

void AppendNumbers(const std::vector<int64_t>& numbers, std::string* out) {
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0) *out += ',';
    const fmt::format_int digits(numbers[i]);
    out->append(digits.data(), digits.size());
  }
}

void AppendLayout(const Layout& layout, std::string* out) {
  *out += '{';
  AppendNumbers(layout.minor_to_major(), out);
  if (!layout.annotations().empty()) *out += ":" + layout.annotations();
  *out += '}';
}

void AppendShape(const Shape& shape, ShowLayout show_layout, std::string* out) {
  if (shape.IsTuple()) {
    *out += '(';
    for (size_t i = 0; i < shape.tuple_shapes().size(); ++i) {
      if (i > 0) *out += ", ";
      if (i > 0 && i % 5 == 0) *out += fmt::format("/*index={}*/", i);
      AppendShape(shape.tuple_shapes()[i], show_layout, out);
    }
    *out += ')';
    return;
  }
  *out += PrimitiveTypeName(shape.element_type());
  *out += '[';
  for (int64_t i = 0; i < shape.rank(); ++i) {
    if (i > 0) *out += ',';
    if (shape.is_dynamic_dimension(i)) *out += "<=";
    *out += fmt::format_int(shape.dimensions(i)).c_str();
  }
  *out += ']';
  const bool has_text = shape.rank() > 0 || !shape.layout().annotations().empty();
  if (show_layout == ShowLayout::kYes && has_text) AppendLayout(shape.layout(), out);
}

std::string ShapeText(const Shape& shape, ShowLayout show_layout) {
  std::string text;
  AppendShape(shape, show_layout, &text);
  return text;
}

}  // namespace

std::string Layout::ToString() const {
  std::string text;
  AppendLayout(*this, &text);
  return text;
}
std::string Shape::ToString() const { return ShapeText(*this, ShowLayout::kNo); }
std::string Shape::ToStringWithLayout() const { return ShapeText(*this, ShowLayout::kYes); }

std::string ProgramShape::ToString() const {
  // The parameters print as a tuple does, so that /*index=5*/ comments come in too.
  return Shape::Tuple(parameters).ToStringWithLayout() + "->" + result.ToStringWithLayout();
}

int64_t ShapeUtil::ElementsIn(const Shape& shape) {
  if (!shape.IsArray()) return 0;
  int64_t count = 1;
  for (int64_t size : shape.dimensions()) count *= size;
  return count;
}

std::optional<int64_t> ShapeUtil::CheckedElementsIn(PrimitiveType type, std::span<const int64_t> dimensions) {
  int64_t count = 1;
  bool empty = false;
  for (int64_t size : dimensions) {
    if (size < 0) return std::nullopt;
    if (size == 0) empty = true;
    // An empty array's other dimensions must fit too: strides are made of them.
    if (size > 0 && __builtin_mul_overflow(count, size, &count)) return std::nullopt;
  }
  int64_t bytes = 0;
  if (__builtin_mul_overflow(count, int64_t{std::max(1, ByteWidth(type))}, &bytes)) return std::nullopt;
  return empty ? 0 : count;
}

int64_t ShapeUtil::ByteSizeOf(const Shape& shape) {
  if (shape.IsTuple()) {
    int64_t total = 0;
    for (const Shape& element : shape.tuple_shapes()) total += ByteSizeOf(element);
    return total;
  }
  const int64_t bits = BitWidth(shape.element_type());
  if (bits >= 8) return ElementsIn(shape) * (bits / 8);
  return (ElementsIn(shape) * bits + 7) / 8;
}

bool ShapeUtil::SameDimensions(const Shape& a, const Shape& b) {
  return a.IsArray() && b.IsArray() && a.dimensions() == b.dimensions();
}

bool ShapeUtil::Compatible(const Shape& a, const Shape& b) {
  if (a.element_type() != b.element_type() || a.dimensions() != b.dimensions()) return false;
  return std::equal(a.tuple_shapes().begin(), a.tuple_shapes().end(), b.tuple_shapes().begin(), b.tuple_shapes().end(),
                    Compatible);
}

bool ShapeUtil::SameValues(const Shape& a, const Shape& b) {
  if (a.element_type() != b.element_type() || a.dimensions() != b.dimensions()) return false;
  for (int64_t i = 0; i < a.rank(); ++i) {
    if (a.is_dynamic_dimension(i) != b.is_dynamic_dimension(i)) return false;
  }
  return std::equal(a.tuple_shapes().begin(), a.tuple_shapes().end(), b.tuple_shapes().begin(), b.tuple_shapes().end(),
                    SameValues);
}

bool ShapeUtil::IsValueOf(const Shape& value, const Shape& declared) {
  if (value.element_type() != declared.element_type() || value.rank() != declared.rank()) return false;
  for (int64_t i = 0; i < value.rank(); ++i) {
    if (value.dimensions(i) < 0 || value.dimensions(i) > declared.dimensions(i)) return false;
    if (value.dimensions(i) < declared.dimensions(i) && !declared.is_dynamic_dimension(i)) return false;
  }
  return std::equal(value.tuple_shapes().begin(), value.tuple_shapes().end(), declared.tuple_shapes().begin(),
                    declared.tuple_shapes().end(), IsValueOf);
}

Shape ShapeUtil::WithDefaultLayout(Shape shape) {
  if (shape.IsTuple()) {
    std::vector<Shape> elements;
    for (const Shape& element : shape.tuple_shapes()) elements.push_back(WithDefaultLayout(element));
    return Shape::Tuple(std::move(elements));
  }
  if (shape.IsArray()) shape.set_layout(Layout::Default(shape.rank()));
  return shape;
}

std::vector<int64_t> ShapeUtil::Strides(const Shape& array) {
  std::vector<int64_t> strides(array.rank());
  int64_t stride = 1;
  for (int64_t dimension : array.layout().minor_to_major()) {
    strides[dimension] = stride;
    stride *= array.dimensions(dimension);
  }
  return strides;
}

std::vector<int64_t> ShapeUtil::NontrivialMajorToMinor(const Shape& array) {
  std::vector<int64_t> order;
  for (int64_t dimension : array.layout().minor_to_major()) {
    if (array.dimensions(dimension) != 1) order.push_back(dimension);
  }
  std::reverse(order.begin(), order.end());
  return order;
}

bool ShapeUtil::TransposeIsBitcast(const Shape& input, const Shape& output, std::span<const int64_t> dimensions) {
  if (input.element_type() != output.element_type()) return false;
  if (input.layout().annotations() != output.layout().annotations()) return false;
  std::vector<int64_t> output_order = NontrivialMajorToMinor(output);
  for (int64_t& dimension : output_order) dimension = dimensions[dimension];
  return output_order == NontrivialMajorToMinor(input);
}

namespace {

// For each nontrivial dimension of `a` and `b` (equal element counts) the number of the smallest group of neighbouring
// dimensions on both sides that have the same product.
struct FactorGroups {
  std::vector<int64_t> of_a;
  std::vector<int64_t> of_b;
};
FactorGroups CommonFactors(const std::vector<int64_t>& a, const std::vector<int64_t>& b) {
  FactorGroups groups{std::vector<int64_t>(a.size(), -1), std::vector<int64_t>(b.size(), -1)};
  size_t i = 0;
  size_t j = 0;
  int64_t group = 0;
  int64_t product_a = 1;
  int64_t product_b = 1;
  while (i < a.size() || j < b.size()) {
    const bool take_a = j == b.size() || (i < a.size() && product_a <= product_b);
    if (take_a) {
      if (a[i] != 1) groups.of_a[i] = group;
      product_a *= a[i++];
    } else {
      if (b[j] != 1) groups.of_b[j] = group;
      product_b *= b[j++];
    }
    if (product_a == product_b && product_a != 1) {
      ++group;
      product_a = product_b = 1;
    }
  }
  return groups;
}

// The groups in memory order, major first; empty if a group's dimensions are not neighbours in row-major order.
std::vector<int64_t> GroupOrder(const Shape& shape, const std::vector<int64_t>& group_of) {
  std::vector<int64_t> order;
  int64_t previous = -1;
  for (int64_t dimension : ShapeUtil::NontrivialMajorToMinor(shape)) {
    const int64_t group = group_of[dimension];
    if (!order.empty() && order.back() == group) {
      if (dimension < previous) return {};
    } else {
      if (std::find(order.begin(), order.end(), group) != order.end()) return {};
      order.push_back(group);
    }
    previous = dimension;
  }
  return order;
}

}  // namespace

bool ShapeUtil::ReshapeIsBitcast(const Shape& input, const Shape& output) {
  if (input.element_type() != output.element_type() || ElementsIn(input) != ElementsIn(output)) return false;
  if (!input.layout().annotations().empty() || !output.layout().annotations().empty()) return input == output;
  if (ElementsIn(input) <= 1) return true;
  const FactorGroups groups = CommonFactors(input.dimensions(), output.dimensions());
  const std::vector<int64_t> input_order = GroupOrder(input, groups.of_a);
  return !input_order.empty() && input_order == GroupOrder(output, groups.of_b);
}

}  // namespace xla
