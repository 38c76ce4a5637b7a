#include "xla/hlo/testing/reference_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "xla/hlo/ir/float_format.h"

namespace xla::opcode_cases {
namespace {

uint64_t Mask(int bits) { return bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1; }

// A code's value by the definition of its format.
Real DecodeBits(PrimitiveType type, uint64_t code) {
  const FloatFormat format = FloatFormatOf(type);
  if (format.IsNan(code)) return copysignf128(kNan, (code & format.SignBit()) != 0 ? -1 : 1);
  const Real sign = (code & format.SignBit()) != 0 ? -1 : 1;
  if (format.IsInfinity(code)) return sign * kInfinity;
  const auto exponent = static_cast<int>((code & format.ExponentMask()) >> format.mantissa_bits);
  const auto mantissa = static_cast<Real>(code & Mask(format.mantissa_bits));
  if (!format.HasZero()) return ldexpf128(1, exponent - format.bias);
  if (exponent == 0) return sign * ldexpf128(mantissa, 1 - format.bias - format.mantissa_bits);
  return sign * ldexpf128(1 + ldexpf128(mantissa, -format.mantissa_bits), exponent - format.bias);
}

// Values of the finite codes without a sign, ascending: code i has value [i].
const std::vector<Real>& FiniteValues(PrimitiveType type) {
  static std::array<std::vector<Real>, 256> tables;
  std::vector<Real>& table = tables[type];
  for (uint64_t code = 0; table.size() <= FloatFormatOf(type).MaxFiniteBits(); ++code) {
    table.push_back(DecodeBits(type, code));
  }
  return table;
}

uint64_t NearestCode(PrimitiveType type, Real x) {
  const FloatFormat format = FloatFormatOf(type);
  const uint64_t sign = SignOf(x) ? format.SignBit() : 0;
  if (IsNan(x)) return format.NanBits(sign);
  if (!format.HasZero() && !(x > 0)) return format.NanBits(0);
  const std::vector<Real>& finite = FiniteValues(type);
  const Real size = fabsf128(x);
  // Behind the largest value the spacing goes on; what is nearer to the next number overflows.
  const Real beyond = format.HasZero() ? 2 * finite.back() - finite[finite.size() - 2] : 2 * finite.back();
  const Real limit = (finite.back() + beyond) / 2;
  const bool largest_is_even = (finite.size() - 1) % 2 == 0;
  if (size > limit || (size == limit && !largest_is_even)) return format.OverflowBits(sign);
  const auto above = static_cast<uint64_t>(std::lower_bound(finite.begin(), finite.end(), size) - finite.begin());
  uint64_t code = above;
  if (above == finite.size()) {
    code = above - 1;
  } else if (above > 0 && finite[above] != size) {
    const Real up = finite[above] - size;
    const Real down = size - finite[above - 1];
    code = down < up || (down == up && above % 2 == 1) ? above - 1 : above;
  }
  if (code == 0 && format.specials == FloatSpecials::kFnuz) return 0;
  return code | sign;
}

uint64_t FloatCode(PrimitiveType type, Real x) {
  if (type == F64) return std::bit_cast<uint64_t>(static_cast<double>(x));
  if (type == F32) return std::bit_cast<uint32_t>(static_cast<float>(x));
  return NearestCode(type, x);
}

bool IsNanCode(PrimitiveType type, uint64_t code) { return IsFloat(type) && FloatFormatOf(type).IsNan(code); }

std::string CodeText(PrimitiveType type, uint64_t code) {
  std::array<uint8_t, 8> bytes{};
  std::memcpy(bytes.data(), &code, sizeof(code));
  return fmt::format("{} (0x{:x})", ElementToString(type, bytes.data()), code);
}

// One unit in the last place at `x` of the type that `type` is computed in.
Real UnitAt(PrimitiveType type, Real x) {
  const bool wide = type == F64;
  const int smallest = wide ? -1074 : -149;
  const Real size = fabsf128(x);
  if (!(size > 0)) return ldexpf128(1, smallest);
  return ldexpf128(1, std::max(ilogbf128(size) - (wide ? 52 : 23), smallest));
}

// Whether `got` lies where the formula's value, give or take `tolerance`, is rounded to.
bool IsNear(PrimitiveType type, uint64_t got, Real want, Real tolerance) {
  const uint64_t exact = FloatCode(type, want);
  if (got == exact || (IsNanCode(type, got) && IsNanCode(type, exact))) return true;
  const bool has_nan = FloatFormatOf(type).specials != FloatSpecials::kFinite;
  if (IsNan(want)) return !has_nan && DecodeBits(type, got) == 0;
  if (tolerance == 0 || IsInfinite(want)) return false;
  const uint64_t low_code = FloatCode(type, want - tolerance), high_code = FloatCode(type, want + tolerance);
  if (got == low_code || got == high_code) return true;
  if (IsNanCode(type, got)) return IsNanCode(type, low_code) || IsNanCode(type, high_code);
  const Real low = IsNanCode(type, low_code) ? -kInfinity : DecodeBits(type, low_code);
  const Real high = IsNanCode(type, high_code) ? kInfinity : DecodeBits(type, high_code);
  const Real value = DecodeBits(type, got);
  return low <= value && value <= high;
}

uint64_t CodeAt(const Literal& literal, int64_t part, int bytes, int bits) {
  uint64_t code = 0;
  std::memcpy(&code, literal.bytes().data() + part * bytes, bytes);
  return code & Mask(bits);
}

}  // namespace

int64_t Product(const Dims& dims) {
  int64_t product = 1;
  for (const int64_t size : dims) product *= size;
  return product;
}

int64_t Place(const Dims& dims, const Dims& index) {
  int64_t place = 0;
  for (size_t d = 0; d < dims.size(); ++d) place = place * dims[d] + index[d];
  return place;
}

void ForEachIndex(const Dims& dims, const std::function<void(const Dims&)>& f) {
  const int64_t count = Product(dims);
  Dims index(dims.size());
  for (int64_t i = 0; i < count; ++i) {
    int64_t rest = i;
    for (size_t d = dims.size(); d-- > 0;) {
      index[d] = rest % dims[d];
      rest /= dims[d];
    }
    f(index);
  }
}

Array MakeArray(PrimitiveType type, const Dims& dims, const std::function<Value(const Dims&)>& formula) {
  Array array{type, dims, {}};
  ForEachIndex(dims, [&](const Dims& index) { array.values.push_back(formula(index)); });
  return array;
}

Value ValueOfCode(PrimitiveType type, uint64_t code) {
  if (IsFloat(type)) return Value::Float(DecodeBits(type, code));
  const int bits = BitWidth(type);
  auto value = static_cast<Integer>(code);
  if (IsSigned(type) && (code >> (bits - 1) & 1) != 0) value -= Integer{1} << bits;
  return Value::Int(value);
}

uint64_t CodeOf(PrimitiveType type, const Value& value) {
  if (IsFloat(type)) return FloatCode(type, value.re);
  if (type == PRED) return value.integer != 0 ? 1 : 0;
  return static_cast<uint64_t>(value.integer) & Mask(BitWidth(type));
}

Value Rounded(PrimitiveType type, const Value& x) {
  if (!IsComplex(type)) return ValueOfCode(type, CodeOf(type, x));
  const PrimitiveType part = ComplexComponentType(type);
  return {.re = Rounded(part, Value::Float(x.re)).re, .im = Rounded(part, Value::Float(x.im)).re};
}

Array Decode(const Literal& literal) {
  const PrimitiveType type = literal.shape().element_type();
  const PrimitiveType part = ComplexComponentType(type);
  Array array{type, literal.shape().dimensions(), {}};
  for (int64_t i = 0; i < literal.element_count(); ++i) {
    if (IsComplex(type)) {
      const auto at = [&](int64_t p) { return ValueOfCode(part, CodeAt(literal, p, ByteWidth(part), BitWidth(part))); };
      array.values.push_back({.re = at(2 * i).re, .im = at(2 * i + 1).re});
    } else {
      array.values.push_back(ValueOfCode(type, CodeAt(literal, i, ByteWidth(type), BitWidth(type))));
    }
  }
  return array;
}

Literal FromCodes(PrimitiveType type, const Dims& dims, const std::vector<uint64_t>& codes) {
  const PrimitiveType part = ComplexComponentType(type);
  std::vector<uint8_t> bytes;
  for (uint64_t code : codes) {
    if (IsSigned(part) && BitWidth(part) < 8) code = static_cast<uint64_t>(ValueOfCode(part, code).integer);
    for (int b = 0; b < ByteWidth(part); ++b) bytes.push_back(static_cast<uint8_t>(code >> (8 * b)));
  }
  return Literal::FromBytes(Shape::Array(type, dims), std::move(bytes));
}

Literal Encode(const Array& array) {
  std::vector<uint64_t> codes;
  const PrimitiveType part = ComplexComponentType(array.type);
  for (const Value& value : array.values) {
    codes.push_back(CodeOf(part, value));
    if (IsComplex(array.type)) codes.push_back(CodeOf(part, Value::Float(value.im)));
  }
  return FromCodes(array.type, array.dims, codes);
}

std::optional<std::string> Difference(const Literal& got, const Array& want, const Accuracy& accuracy) {
  const Shape shape = Shape::Array(want.type, want.dims);
  if (!ShapeUtil::Compatible(got.shape(), shape)) {
    return fmt::format("got {}, want {}", got.shape().ToString(), shape.ToString());
  }
  const PrimitiveType part = ComplexComponentType(want.type);
  Real largest = 0;
  for (const Value& value : want.values) {
    const Real size = Magnitude(value.complex());
    if (size > largest && !IsInfinite(size)) largest = size;
  }
  const int parts = IsComplex(want.type) ? 2 : 1;
  // Types below 8 bits fill a byte in one way only.
  const bool bytes_fit = BitWidth(part) >= 8 || got.bytes() == Encode(Decode(got)).bytes();
  for (int64_t i = 0; i < want.size(); ++i) {
    const Value& value = want[i];
    for (int p = 0; p < parts; ++p) {
      const uint64_t code = CodeAt(got, i * parts + p, ByteWidth(part), BitWidth(part));
      const Value want_part = p == 0 ? value : Value::Float(value.im);
      bool same = bytes_fit && code == CodeOf(part, want_part);
      if (IsFloat(part)) {
        const Real scale = accuracy.of_largest ? largest : parts == 2 ? Magnitude(value.complex()) : value.re;
        const Real tolerance =
            accuracy.ulps == 0 || IsNan(scale) ? Real{0} : static_cast<Real>(accuracy.ulps) * UnitAt(part, scale);
        same = bytes_fit && IsNear(part, code, want_part.re, tolerance);
      }
      if (same) continue;
      return fmt::format("element {}{}: got {}, want {}", i, p == 1 ? " (imaginary part)" : "", CodeText(part, code),
                         CodeText(part, CodeOf(part, want_part)));
    }
  }
  return std::nullopt;
}

// --- inputs

namespace {

std::vector<uint64_t> SpecialCodes(PrimitiveType type) {
  const int bits = BitWidth(type);
  if (type == PRED) return {0, 1};
  if (!IsFloat(type)) {
    const uint64_t top = uint64_t{1} << (bits - 1);
    std::vector<uint64_t> codes = {0, 1, 2, 3, 5, 7, top, top - 1, top + 1, Mask(bits), Mask(bits) - 1, Mask(bits) - 4};
    codes.push_back(top >> (bits / 2));
    codes.push_back(static_cast<uint64_t>(bits));
    codes.push_back(static_cast<uint64_t>(bits) - 1);
    if (bits == 64) {  // ties of the narrower floats, one more, one less
      for (const int mantissa : {1, 8, 11, 24, 53}) {
        const uint64_t tie = (uint64_t{1} << 62) + (uint64_t{1} << (62 - mantissa));
        codes.insert(codes.end(), {tie, tie - 1, tie + 1});
      }
    }
    return codes;
  }
  const FloatFormat format = FloatFormatOf(type);
  std::vector<uint64_t> codes;
  for (const double x : {0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 0.25, 10.0, 0.1, 90.0}) {
    codes.push_back(FloatCode(type, x));
    codes.push_back(FloatCode(type, x) + 1);
    codes.push_back(FloatCode(type, x) - 1);
  }
  const uint64_t smallest_normal = uint64_t{1} << format.mantissa_bits;
  const uint64_t largest = format.MaxFiniteBits();
  codes.insert(codes.end(), {0, 1, 2, smallest_normal, smallest_normal - 1, smallest_normal + 1, largest, largest - 1,
                             FloatCode(type, kInfinity), FloatCode(type, kNan)});
  const size_t positive = codes.size();
  for (size_t i = 0; i < positive; ++i) codes.push_back(codes[i] | format.SignBit());
  return codes;
}

}  // namespace

std::vector<uint64_t> InterestingCodes(PrimitiveType type, int random) {
  const int bits = BitWidth(type);
  std::vector<uint64_t> codes = SpecialCodes(type);
  if (type != PRED && bits <= 8) {
    codes.clear();
    for (uint64_t code = 0; code <= Mask(bits); ++code) codes.push_back(code);
  } else if (type != PRED) {
    std::mt19937_64 generator(static_cast<uint64_t>(type) + 1);
    for (int i = 0; i < random; ++i) {
      codes.push_back(generator() & Mask(bits));
      codes.push_back(CodeOfNumber(type, static_cast<double>(generator() % 4001) / 100 - 20));
    }
  }
  return codes;
}

std::vector<uint64_t> FewCodes(PrimitiveType type) {
  if (BitWidth(type) <= 4) return InterestingCodes(type, 0);
  std::vector<uint64_t> codes = SpecialCodes(type);
  if (IsFloat(type)) {
    const FloatFormat format = FloatFormatOf(type);
    codes = {0,
             1,
             uint64_t{1} << format.mantissa_bits,
             format.MaxFiniteBits(),
             FloatCode(type, kInfinity),
             FloatCode(type, kNan)};
    for (const double x : {0.1, 0.5, 1.0, 1.5, 2.5, 3.0, 10.0}) codes.push_back(FloatCode(type, x));
    codes.push_back(FloatCode(type, 1) + 1);
    const size_t positive = codes.size();
    for (size_t i = 0; i < positive; ++i) codes.push_back(codes[i] | format.SignBit());
  }
  std::sort(codes.begin(), codes.end());
  codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
  return codes;
}

Literal VectorOf(PrimitiveType type, const std::vector<uint64_t>& codes) {
  return FromCodes(type, {static_cast<int64_t>(codes.size())}, codes);
}

Literal ComplexPoints(PrimitiveType type, bool off_axes) {
  Array points{type, {}, {}};
  const double parts[] = {0.0, -0.0, 0.001, -0.25, 0.5, -1, 1.25, -2, 3.5, 7.5, -6};
  for (const double re : parts) {
    for (const double im : parts) {
      if (off_axes && (re == 0 || im == 0)) continue;
      points.values.push_back(Rounded(type, {.re = re, .im = im}));
    }
  }
  const Array random = ModerateArray(type, {60}, 5);
  for (const Value& z : random.values) {
    if (!off_axes || (z.re != 0 && z.im != 0)) points.values.push_back(z);
  }
  points.dims = {points.size()};
  return Encode(points);
}

uint64_t CodeOfNumber(PrimitiveType type, double number) {
  type = ComplexComponentType(type);
  if (IsFloat(type)) return FloatCode(type, number);
  return CodeOf(type, Value::Int(static_cast<int64_t>(number)));
}

Array ModerateArray(PrimitiveType type, const Dims& dims, uint64_t seed) {
  std::mt19937_64 generator(seed * 257 + type);
  const auto number = [&] { return static_cast<double>(generator() % 1025) / 64 - 8; };
  const PrimitiveType part = ComplexComponentType(type);
  return MakeArray(type, dims, [&](const Dims&) {
    if (type == PRED) return Value::Int(static_cast<Integer>(generator() % 2));
    if (!IsFloat(part)) return Rounded(type, Value::Int(static_cast<Integer>(generator() % 17) - 8));
    double re = number(), im = IsComplex(type) ? number() : 0;
    if (!FloatFormatOf(part).HasZero()) re = std::fabs(re) + 0.1;
    return Rounded(type, {.re = re, .im = im});
  });
}

Array SparseOnes(PrimitiveType type, const Dims& dims, uint64_t seed) {
  if (!IsFloat(type) && !IsComplex(type)) return ModerateArray(type, dims, seed);
  if (!HasExactSums(type)) return Signs(type, dims, seed);
  std::mt19937_64 generator(seed * 263 + type);
  const auto part = [&] { return generator() % 4 != 0 ? 0 : generator() % 2 == 0 ? 1 : -1; };
  return MakeArray(type, dims, [&](const Dims&) {
    const Real re = part(), im = IsComplex(type) ? part() : 0;
    return Value{.re = re, .im = im};
  });
}

Array Signs(PrimitiveType type, const Dims& dims, uint64_t seed) {
  if (!IsFloat(type) && !IsComplex(type)) return ModerateArray(type, dims, seed);
  std::mt19937_64 generator(seed * 269 + type);
  return MakeArray(type, dims, [&](const Dims&) {
    const bool one = generator() % 2 == 0;
    if (!HasExactSums(type)) return Value::Float(one ? 2 : 0.5);
    const Real sign = one ? 1 : -1;
    return IsComplex(type) && generator() % 2 == 0 ? Value{.im = sign} : Value{.re = sign};
  });
}

}  // namespace xla::opcode_cases
