// convert, bitcast-convert, reduce-precision: between the formats of elements.
#include <fmt/format.h>

#include <algorithm>

#include "xla/hlo/ir/float_format.h"
#include "xla/hlo/testing/opcode_case.h"

namespace xla::opcode_cases {
namespace {

// Integers wrap; floats saturate towards integers, NaN becomes 0; whatever is not zero is true.
Value Converted(PrimitiveType from, PrimitiveType to, const Value& x) {
  const bool to_float = IsFloat(to) || IsComplex(to);
  if (!IsFloat(from) && !IsComplex(from)) return to_float ? Value::Float(static_cast<Real>(x.integer)) : x;
  if (to_float) return x;
  if (to == PRED) return Value::Int(x.re != 0);
  if (IsNan(x.re)) return Value::Int(0);
  const Integer lowest = IsSigned(to) ? -(Integer{1} << (BitWidth(to) - 1)) : 0;
  const Integer highest = (Integer{1} << (IsSigned(to) ? BitWidth(to) - 1 : BitWidth(to))) - 1;
  if (x.re >= static_cast<Real>(highest)) return Value::Int(highest);
  return Value::Int(x.re <= static_cast<Real>(lowest) ? lowest : static_cast<Integer>(x.re));
}

// Midpoints between neighbours of the narrower type, and what lies beside them, as codes of `from`.
std::vector<uint64_t> Ties(PrimitiveType from, PrimitiveType to) {
  std::vector<uint64_t> codes;
  if (!IsFloat(to) || to == F64) return codes;
  if (IsFloat(from) && BitWidth(from) > BitWidth(to)) {
    const uint64_t largest = FloatFormatOf(to).MaxFiniteBits();
    for (uint64_t code = 0; code < largest; code += 1 + largest / 60) {
      const Real middle = (ValueOfCode(to, code).re + ValueOfCode(to, code + 1).re) / 2;
      const uint64_t tie = CodeOf(from, Value::Float(middle));
      codes.insert(codes.end(), {tie, tie + 1, tie - 1, tie | FloatFormatOf(from).SignBit()});
    }
  }
  if (IsInteger(from)) {
    const int mantissa = FloatFormatOf(to).mantissa_bits;
    for (int top = mantissa + 1; top < BitWidth(from) - 1; top += 3) {
      const uint64_t tie = (uint64_t{1} << top) + (uint64_t{1} << (top - mantissa - 1));
      codes.insert(codes.end(), {tie, tie + 1, tie - 1});
    }
  }
  return codes;
}

Literal ConvertInput(PrimitiveType from, PrimitiveType to) {
  if (IsComplex(from)) return ComplexPoints(from, false);
  std::vector<uint64_t> codes = InterestingCodes(from, 60);
  const std::vector<uint64_t> ties = Ties(from, to);
  codes.insert(codes.end(), ties.begin(), ties.end());
  return VectorOf(from, codes);
}

}  // namespace

void ConvertCases(HloOpcode opcode, PrimitiveType from, std::vector<OpcodeCase>& out) {
  for (const PrimitiveType to : ArrayTypes()) {
    const Literal input = ConvertInput(from, to);
    OpcodeCase one = OneLine(opcode, from, to, input.shape().dimensions(), Call(opcode, 1));
    one.variant = fmt::format("to {}", PrimitiveTypeName(to));
    one.inputs = {input};
    if (IsComplex(from) && !IsComplex(to)) one.refused = "real() says which part is meant";
    one.formula = OneResult([=](std::span<const Array> inputs) {
      return MakeArray(to, inputs[0].dims, [&](const Dims& i) { return Converted(from, to, inputs[0][i[0]]); });
    });
    out.push_back(std::move(one));
  }
}

// --- the same bits: of a wider element, the first of the narrower ones has the lowest

namespace {

std::vector<bool> BitsOf(const Array& array) {
  std::vector<bool> bits;
  const PrimitiveType part = ComplexComponentType(array.type);
  for (const Value& value : array.values) {
    for (int p = 0; p < (IsComplex(array.type) ? 2 : 1); ++p) {
      const uint64_t code = CodeOf(part, p == 0 ? value : Value::Float(value.im));
      for (int bit = 0; bit < BitWidth(part); ++bit) bits.push_back((code >> bit & 1) != 0);
    }
  }
  return bits;
}

Array FromBits(PrimitiveType type, const Dims& dims, const std::vector<bool>& bits) {
  std::vector<uint64_t> codes(bits.size() / BitWidth(ComplexComponentType(type)));
  for (size_t i = 0; i < bits.size(); ++i) {
    const int width = BitWidth(ComplexComponentType(type));
    codes[i / width] |= uint64_t{bits[i]} << (i % width);
  }
  return Decode(FromCodes(type, dims, codes));
}

}  // namespace

void BitcastConvertCases(HloOpcode opcode, PrimitiveType from, std::vector<OpcodeCase>& out) {
  for (const PrimitiveType to : ArrayTypes()) {
    const int from_bits = BitWidth(from), to_bits = BitWidth(to);
    if (std::max(from_bits, to_bits) % std::min(from_bits, to_bits) != 0) continue;  // no shape says that
    // Finite values, whose codes stay what they are.
    Dims operand = {12}, result = {12};
    if (from_bits > to_bits) result.push_back(from_bits / to_bits);
    if (from_bits < to_bits) operand.push_back(to_bits / from_bits);
    OpcodeCase one = OneLine(opcode, from, to, result, Call(opcode, 1));
    one.variant = fmt::format("to {}", PrimitiveTypeName(to));
    one.inputs = {Encode(ModerateArray(from, operand, 4))};
    if (IsComplex(from) != IsComplex(to)) one.refused = "complex numbers have no common bits with real ones";
    if ((from == PRED) != (to == PRED)) one.refused = "pred has no common bits with numbers";
    one.formula = OneResult([=](std::span<const Array> inputs) { return FromBits(to, result, BitsOf(inputs[0])); });
    out.push_back(std::move(one));
  }
}

namespace {

// The multiple of `unit` next to x; of two, the lower one if `lower_is_even`.
Real NearestMultiple(Real x, Real unit, bool lower_is_even) {
  const Real size = fabsf128(x), below = floorf128(size / unit);
  const Real rest = size / unit - below;
  const bool up = rest > Real{0.5} || (rest == Real{0.5} && !lower_is_even);
  return copysignf128((up ? below + 1 : below) * unit, x);
}

// As if the type's own mantissa, and exponent where that is wider, had so many bits. A narrower exponent has no
// subnormal numbers.
Real Reduced(PrimitiveType type, Real x, int exponent_bits, int mantissa_bits) {
  if (IsNan(x) || IsInfinite(x) || x == 0) return x;
  const FloatFormat own = FloatFormatOf(type);
  const int first = own.HasZero() ? 1 - own.bias : -own.bias;  // the exponent below which there are subnormal numbers
  const int mantissa = std::min(mantissa_bits, own.mantissa_bits);
  const int exponent = std::max(ilogbf128(x), first);
  const Real unit = ldexpf128(1, exponent - mantissa), below = floorf128(fabsf128(x) / unit);
  // The last bit that is kept: of the mantissa, or of the exponent's field if there is no mantissa.
  const bool lower_is_even = mantissa > 0 || below == 0 ? fmodf128(below, 2) == 0 : (exponent + own.bias) % 2 == 0;
  const Real rounded = NearestMultiple(x, unit, lower_is_even);
  if (rounded == 0 || exponent_bits >= own.exponent_bits) return rounded;
  const int bias = (1 << (exponent_bits - 1)) - 1;
  if (ilogbf128(rounded) > bias) return copysignf128(kInfinity, x);
  return ilogbf128(rounded) < 1 - bias ? copysignf128(0, x) : rounded;
}

}  // namespace

void ReducePrecisionCases(HloOpcode opcode, PrimitiveType type, std::vector<OpcodeCase>& out) {
  if (!IsPermitted(opcode, type)) return;
  const std::pair<int, int> formats[] = {{11, 52}, {8, 23}, {8, 7}, {5, 10}, {5, 2}, {4, 3}, {3, 1}, {2, 0}};
  for (const auto& [exponent, mantissa] : formats) {
    const Literal input = VectorOf(type, InterestingCodes(type, 150));
    const std::string attributes = fmt::format("exponent_bits={}, mantissa_bits={}", exponent, mantissa);
    OpcodeCase one = OneLine(opcode, type, type, input.shape().dimensions(), Call(opcode, 1) + ", " + attributes);
    one.variant = attributes;
    one.inputs = {input};
    one.formula = OneResult([=, e = exponent, m = mantissa](std::span<const Array> inputs) {
      return MakeArray(type, inputs[0].dims,
                       [&](const Dims& i) { return Value::Float(Reduced(type, inputs[0][i[0]].re, e, m)); });
    });
    out.push_back(std::move(one));
  }
}

}  // namespace xla::opcode_cases
