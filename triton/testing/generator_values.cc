// Values of a wanted type, from those that exist.
#include <fmt/format.h>

#include "triton/testing/kernel_generator.h"

namespace rocxla::triton {

using Value = GeneratedValue;

Value KernelGenerator::Constant(const Dims& dims, const std::string& element, const std::string& number) {
  const std::string value = dims.empty() ? number : "dense<" + number + ">";
  if (element == "i1" && dims.empty()) return Line("arith.constant " + number, dims, element);
  return Line(fmt::format("arith.constant {} : {}", value, TypeText(dims, element)), dims, element);
}

Value KernelGenerator::RandomConstant(const Dims& dims, const std::string& element) {
  if (element == "i1") return Constant(dims, element, Chance(50) ? "true" : "false");
  if (IsFloat(element)) return Constant(dims, element, OneOf({"0.0", "1.0", "-1.5", "3.0", "0.25", "-6.0", "24.0"}));
  return Constant(dims, element, OneOf({"0", "1", "-1", "3", "7", "16", "-5", "100"}));
}

Value KernelGenerator::SplatOf(const Value& scalar, const Dims& dims) {
  if (dims.empty()) return scalar;
  return Line(fmt::format("tt.splat {} : {} -> {}", scalar.name, scalar.element, TypeText(dims, scalar.element)), dims,
              scalar.element);
}

Value KernelGenerator::Binary(const std::string& op, const Value& x, const Value& y) {
  return Line(fmt::format("{} {}, {} : {}", op, x.name, y.name, x.type()), x.dims, x.element);
}
Value KernelGenerator::Unary(const std::string& op, const Value& x) {
  return Line(fmt::format("{} {} : {}", op, x.name, x.type()), x.dims, x.element);
}
Value KernelGenerator::Compare(const std::string& predicate, const Value& x, const Value& y) {
  const char* op = IsFloat(x.element) ? "arith.cmpf" : "arith.cmpi";
  return Line(fmt::format("{} {}, {}, {} : {}", op, predicate, x.name, y.name, x.type()), x.dims, "i1");
}
Value KernelGenerator::Select(const Value& condition, const Value& x, const Value& y) {
  const std::string types = condition.dims.empty() && !x.dims.empty() ? x.type() : condition.type() + ", " + x.type();
  return Line(fmt::format("arith.select {}, {}, {} : {}", condition.name, x.name, y.name,
                          x.dims.empty() || condition.dims.empty() ? x.type() : types),
              x.dims, x.element);
}

namespace {
std::string Cast(const std::string& op, const Value& from, const std::string& element) {
  return fmt::format("{} {} : {} to {}", op, from.name, from.type(), TypeText(from.dims, element));
}
}  // namespace

Value KernelGenerator::Convert(const Value& value, const std::string& element) {
  if (value.element == element) return value;
  const bool from_float = IsFloat(value.element), to_float = IsFloat(element);
  const int from_bits = BitsOf(value.element), to_bits = BitsOf(element);
  auto cast = [&](const std::string& op) { return Line(Cast(op, value, element), value.dims, element); };
  if (!from_float && !to_float) {
    if (element == "i1") return Compare("ne", value, Constant(value.dims, value.element, "0"));
    if (from_bits > to_bits) return cast("arith.trunci");
    return cast(value.element == "i1" || Chance(50) ? "arith.extui" : "arith.extsi");
  }
  if (from_float && to_float) {
    const bool plain = !IsFloat8(value.element) && !IsFloat8(element) && from_bits != to_bits;
    if (plain && Chance(50)) return cast(from_bits < to_bits ? "arith.extf" : "arith.truncf");
    const std::string rounding = from_bits >= to_bits ? ", rounding = " + OneOf({"rtne", "rtne", "rtz"}) : "";
    return Line(
        fmt::format("tt.fp_to_fp {}{} : {} -> {}", value.name, rounding, value.type(), TypeText(value.dims, element)),
        value.dims, element);
  }
  if (to_float) {
    if (IsFloat8(element)) return Convert(Convert(value, OneOf({"f32", "f16"})), element);
    return cast(value.element == "i1" || Chance(40) ? "arith.uitofp" : "arith.sitofp");
  }
  if (IsFloat8(value.element)) return Convert(Convert(value, OneOf({"f32", "f16", "bf16"})), element);
  if (element == "i1") return Compare(OneOf({"olt", "une", "ogt"}), value, Constant(value.dims, value.element, "0.0"));
  // Within every integer's range, so that the result is defined; NaN becomes a bound.
  const bool is_signed = Chance(70);
  const Value low = Binary("arith.maxnumf", value, Constant(value.dims, value.element, is_signed ? "-100.0" : "0.0"));
  const Value inside = Binary("arith.minnumf", low, Constant(value.dims, value.element, "100.0"));
  return Line(Cast(is_signed ? "arith.fptosi" : "arith.fptoui", inside, element), value.dims, element);
}

Value KernelGenerator::Reshape(const Value& value, const Dims& dims) {
  if (value.dims == dims) return value;
  return Line(fmt::format("tt.reshape {} : {} -> {}", value.name, value.type(), TypeText(dims, value.element)), dims,
              value.element);
}

Value KernelGenerator::Coordinate(const Dims& dims, size_t d) {
  Value value =
      Line(fmt::format("tt.make_range {{end = {} : i32, start = 0 : i32}} : {}", dims[d], TypeText({dims[d]}, "i32")),
           {dims[d]}, "i32");
  for (size_t other = 0; other < dims.size(); ++other) {
    if (other == d) continue;
    Dims wider = value.dims;
    wider.insert(wider.begin() + static_cast<int>(other), 1);
    value = Line(fmt::format("tt.expand_dims {} {{axis = {} : i32}} : {} -> {}", value.name, other, value.type(),
                             TypeText(wider, "i32")),
                 wider, "i32");
  }
  if (value.dims == dims) return value;
  return Line(fmt::format("tt.broadcast {} : {} -> {}", value.name, value.type(), TypeText(dims, "i32")), dims, "i32");
}

Value KernelGenerator::Operand(const Dims& dims, const std::string& element) {
  const auto same = Matching([&](const Value& v) { return v.dims == dims && v.element == element; });
  if (!same.empty() && Chance(70)) return Pick(same);
  const auto other_element = Matching([&](const Value& v) { return v.dims == dims; });
  if (!other_element.empty() && Chance(60)) return Convert(Pick(other_element), element);
  const auto other_shape =
      Matching([&](const Value& v) { return !v.dims.empty() && Count(v.dims) == Count(dims) && v.element == element; });
  if (!dims.empty() && !other_shape.empty() && Chance(60)) return Reshape(Pick(other_shape), dims);
  const auto scalars = Matching([&](const Value& v) { return v.dims.empty() && v.element == element; });
  switch (Below(4)) {
    case 0:
      if (!scalars.empty()) return SplatOf(Pick(scalars), dims);
      return RandomConstant(dims, element);
    case 1:
      if (!dims.empty())
        return Convert(Coordinate(dims, static_cast<size_t>(Below(static_cast<int>(dims.size())))), element);
      return RandomConstant(dims, element);
    case 2:
      return RandomConstant(dims, element);
    default:
      return Load(dims, element);
  }
}

Value KernelGenerator::SmallIndex(const Dims& dims, int below, const std::string& element) {
  return Binary("arith.andi", Operand(dims, element), Constant(dims, element, std::to_string(below - 1)));
}

Value KernelGenerator::SmallNumbers(const Dims& dims, const std::string& element, int most) {
  const Value index = SmallIndex(dims, 2 * most, "i32");
  const Value centred = Binary("arith.subi", index, Constant(dims, "i32", std::to_string(most)));
  if (!IsFloat(element)) return Convert(centred, element);
  const std::string wide = IsFloat8(element) ? "f32" : element;
  const Value numbers = Line(Cast("arith.sitofp", centred, wide), dims, wide);
  return Convert(numbers, element);
}

}  // namespace rocxla::triton
