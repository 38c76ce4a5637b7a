// The text of literals, in both directions. Digits are upstream's: as many as always suffice to read back the same bits
// (9 for f32, 5 for f16); f32 and f64 first try as many as the type always keeps (6, 15).
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>

#include "xla/hlo/ir/float_format.h"
#include "xla/hlo/ir/literal.h"

namespace xla {
namespace {

uint64_t LoadBits(const uint8_t* bytes, int width) {
  uint64_t bits = 0;
  std::memcpy(&bits, bytes, width);
  return bits;
}

// "nan", "-nan", or with a payload that is not the usual one "nan(0x7f)".
std::string NanText(PrimitiveType type, uint64_t bits) {
  const FloatFormat& f = FloatFormatOf(type);
  const int magnitude_bits = f.exponent_bits + f.mantissa_bits;
  const bool has_sign = f.specials == FloatSpecials::kIeee || f.specials == FloatSpecials::kFn;
  std::string text = has_sign && ((bits >> magnitude_bits) & 1) != 0 ? "-nan" : "nan";
  if (f.specials != FloatSpecials::kIeee) return text;
  const uint64_t payload = bits & ((uint64_t{1} << f.mantissa_bits) - 1);
  if (payload != uint64_t{1} << (f.mantissa_bits - 1)) text += fmt::format("(0x{:x})", payload);
  return text;
}

std::string FloatText(PrimitiveType type, const uint8_t* bytes) {
  const uint64_t bits = LoadBits(bytes, ByteWidth(type));
  const double value = DecodeFloat(type, bits);
  if (std::isnan(value)) return NanText(type, bits);
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  constexpr double kLog10Of2 = 0.30102999566398120;
  const int mantissa_bits = FloatFormatOf(type).mantissa_bits;
  if (type == F32 || type == F64) {
    std::string text = fmt::format("{:.{}g}", value, static_cast<int>(mantissa_bits * kLog10Of2));
    uint8_t back[8];
    if (ElementFromString(type, text, back) && std::memcmp(back, bytes, ByteWidth(type)) == 0) return text;
  }
  const int always_suffice = static_cast<int>(std::ceil(1 + (mantissa_bits + 1) * kLog10Of2));
  return fmt::format("{:.{}g}", value, always_suffice);
}

template <class T>
bool IntegerFromString(std::string_view text, T* value) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto result = std::from_chars(text.data(), text.data() + text.size(), *value);
  return result.ec == std::errc() && result.ptr == text.data() + text.size();
}

bool SignedFromString(PrimitiveType type, std::string_view text, uint64_t* bits) {
  int64_t value = 0;
  if (!IntegerFromString(text, &value)) return false;
  const int shift = 64 - BitWidth(type);
  if (static_cast<int64_t>(static_cast<uint64_t>(value) << shift) >> shift != value) return false;
  *bits = static_cast<uint64_t>(value);
  return true;
}

bool UnsignedFromString(PrimitiveType type, std::string_view text, uint64_t* bits) {
  if (text.starts_with('-')) return text == "-0" && (*bits = 0, true);
  if (!IntegerFromString(text, bits)) return false;
  return BitWidth(type) == 64 || *bits >> BitWidth(type) == 0;
}

bool PredFromString(std::string_view text, uint64_t* bits) {
  if (text != "true" && text != "false" && text != "1" && text != "0") return false;
  *bits = text == "true" || text == "1";
  return true;
}

// `text` without its sign begins with "nan".
bool NanFromString(PrimitiveType type, std::string_view text, bool negative, uint64_t* bits) {
  const double nan = std::copysign(std::numeric_limits<double>::quiet_NaN(), negative ? -1.0 : 1.0);
  *bits = EncodeFloat(type, nan);
  text.remove_prefix(3);
  if (text.empty()) return true;
  const FloatFormat& f = FloatFormatOf(type);
  if (f.specials != FloatSpecials::kIeee || !text.starts_with("(0x") || !text.ends_with(')')) return false;
  text = text.substr(3, text.size() - 4);
  uint64_t payload = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), payload, 16);
  if (result.ec != std::errc() || result.ptr != text.data() + text.size()) return false;
  const uint64_t mantissa_mask = (uint64_t{1} << f.mantissa_bits) - 1;
  if (payload == 0 || payload > mantissa_mask) return false;
  *bits = (*bits & ~mantissa_mask) | payload;
  return true;
}

// A value too large or too small for the host type is rounded to infinity or zero, as a cast would.
template <class T>
bool DecimalFromString(std::string_view text, T* value) {
  const auto result = std::from_chars(text.data(), text.data() + text.size(), *value);
  if (result.ptr != text.data() + text.size()) return false;
  if (result.ec == std::errc()) return true;
  if (result.ec != std::errc::result_out_of_range) return false;
  *value = static_cast<T>(std::strtod(std::string(text).c_str(), nullptr));
  return true;
}

bool FloatFromString(PrimitiveType type, std::string_view text, uint64_t* bits) {
  const bool negative = text.starts_with('-');
  std::string_view magnitude = text;
  if (negative || text.starts_with('+')) magnitude.remove_prefix(1);
  if (magnitude.starts_with("nan")) return NanFromString(type, magnitude, negative, bits);
  if (magnitude != "inf" && (magnitude.empty() || (magnitude[0] != '.' && (magnitude[0] < '0' || magnitude[0] > '9'))))
    return false;
  if (type == F32) {  // straight to float: rounding through double would round twice
    float value = 0;
    if (!DecimalFromString(magnitude, &value)) return false;
    *bits = EncodeFloat(F32, negative ? -value : value);
    return true;
  }
  double value = 0;
  if (!DecimalFromString(magnitude, &value)) return false;
  *bits = EncodeFloat(type, negative ? -value : value);
  return true;
}

}  // namespace

bool ElementFromString(PrimitiveType type, std::string_view text, uint8_t* bytes) {
  uint64_t bits = 0;
  bool ok = false;
  switch (TypeClassOf(type)) {
    case TypeClass::kPred:
      ok = PredFromString(text, &bits);
      break;
    case TypeClass::kSigned:
      ok = SignedFromString(type, text, &bits);
      break;
    case TypeClass::kUnsigned:
      ok = UnsignedFromString(type, text, &bits);
      break;
    case TypeClass::kFloat:
      ok = FloatFromString(type, text, &bits);
      break;
    case TypeClass::kComplex:
    case TypeClass::kOther:
      return false;
  }
  if (ok) std::memcpy(bytes, &bits, ByteWidth(type));
  return ok;
}

std::string ElementToString(PrimitiveType type, const uint8_t* bytes) {
  const uint64_t bits = LoadBits(bytes, std::min(8, ByteWidth(type)));
  const int shift = 64 - 8 * std::min(8, ByteWidth(type));
  switch (TypeClassOf(type)) {
    case TypeClass::kPred:
      return bits != 0 ? "true" : "false";
    case TypeClass::kSigned:
      return fmt::format("{}", static_cast<int64_t>(bits << shift) >> shift);
    case TypeClass::kUnsigned:
      return fmt::format("{}", bits);
    case TypeClass::kFloat:
      return FloatText(type, bytes);
    case TypeClass::kComplex: {
      const PrimitiveType part = ComplexComponentType(type);
      return fmt::format("({}, {})", FloatText(part, bytes), FloatText(part, bytes + ByteWidth(part)));
    }
    case TypeClass::kOther:
      break;
  }
  return "";
}

namespace {

// Elements [*next, ...) of the dimensions from `dimension` on, in braces.
void AppendNested(const Literal& literal, int64_t dimension, int64_t* next, std::string* out) {
  const Shape& shape = literal.shape();
  const bool innermost = dimension == shape.rank() - 1;
  *out += innermost ? "{" : "{ ";
  for (int64_t i = 0; i < shape.dimensions(dimension); ++i) {
    if (i > 0) *out += ", ";
    if (!innermost) {
      AppendNested(literal, dimension + 1, next, out);
      continue;
    }
    const uint8_t* element = literal.bytes().data() + (*next)++ * ByteWidth(shape.element_type());
    *out += shape.element_type() == PRED ? (*element != 0 ? "1" : "0") : ElementToString(shape.element_type(), element);
  }
  *out += innermost ? "}" : " }";
}

}  // namespace

std::string Literal::ToStringWithoutShape() const {
  if (shape_.IsTuple()) {
    std::string text = "(";
    for (size_t i = 0; i < elements_.size(); ++i) {
      text += (i > 0 ? ", " : "") + elements_[i].ToStringWithoutShape();
    }
    return text + ")";
  }
  if (elided_) return "{...}";
  if (shape_.rank() == 0) return ElementToString(shape_.element_type(), bytes_.data());
  std::string text;
  int64_t next = 0;
  AppendNested(*this, 0, &next, &text);
  return text;
}

std::string Literal::ToString() const { return shape_.ToStringWithLayout() + " " + ToStringWithoutShape(); }

}  // namespace xla
