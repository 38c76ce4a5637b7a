#include "xla/backends/gpu/codegen/float8.h"

#include <cmath>
#include <limits>

#include "xla/hlo/ir/float_format.h"

namespace xla::gpu {
namespace {

// Integer arithmetic on the bits of a wide float.
class Bits {
 public:
  Bits(TtirBuilder& builder, TtirType type) : b_(builder), type_(std::move(type)) {}
  TtirValue Constant(int64_t value) { return b_.IntConstant(value, type_); }
  TtirValue And(const TtirValue& x, int64_t mask) { return b_.Binary("arith.andi", x, Constant(mask)); }
  TtirValue Or(const TtirValue& x, const TtirValue& y) { return b_.Binary("arith.ori", x, y); }
  TtirValue Add(const TtirValue& x, int64_t y) { return b_.Binary("arith.addi", x, Constant(y)); }
  TtirValue Sub(const TtirValue& x, const TtirValue& y) { return b_.Binary("arith.subi", x, y); }
  TtirValue Left(const TtirValue& x, int64_t n) { return b_.Binary("arith.shli", x, Constant(n)); }
  TtirValue Right(const TtirValue& x, int64_t n) { return b_.Binary("arith.shrui", x, Constant(n)); }
  TtirValue Is(std::string_view predicate, const TtirValue& x, int64_t y) {
    return b_.Compare("arith.cmpi", predicate, x, Constant(y));
  }

 private:
  TtirBuilder& b_;
  TtirType type_;
};

struct WideFormat {
  TtirElement integer;
  int64_t mantissa, exponent;
  int64_t bias() const { return (int64_t{1} << (exponent - 1)) - 1; }
};
WideFormat WideFormatOf(TtirElement element) {
  return element == TtirElement::kF64 ? WideFormat{TtirElement::kI64, 52, 11} : WideFormat{TtirElement::kI32, 23, 8};
}

// The codes of a format without the sign bit.
int64_t CodeOf(PrimitiveType type, double value) { return static_cast<int64_t>(EncodeFloat(type, value) & 0x7f); }

}  // namespace

bool IsFloat8(PrimitiveType type) { return IsFloat(type) && BitWidth(type) == 8; }

namespace {

// f8e8m0fnu: the exponent field of an f32 is the code, but for the smallest power of two, which is subnormal there.
TtirValue DecodeExponent(TtirBuilder& b, const TtirValue& bits) {
  const TtirValue code = b.Cast("arith.extui", bits, TtirElement::kI32);
  Bits i(b, code.type);
  TtirValue wide = i.Left(code, 23);
  wide = b.Select(i.Is("eq", code, 0), i.Constant(0x00400000), wide);
  wide = b.Select(i.Is("eq", code, 0xff), i.Constant(0x7fc00000), wide);
  return b.Cast("tt.bitcast", wide, TtirElement::kF32);
}

// To the nearest power of two, of two equally near ones to that with the even code. Numbers that are not positive and
// infinity are NaN; smaller ones than the smallest power become that.
TtirValue EncodeExponent(TtirBuilder& b, const TtirValue& value) {
  const WideFormat wide = WideFormatOf(value.type.element);
  const TtirValue bits = b.Cast("tt.bitcast", value, wide.integer);
  Bits i(b, bits.type);
  const TtirValue odd = i.And(i.Right(bits, wide.mantissa), 1);
  const TtirValue rounded = b.Binary("arith.addi", i.Add(bits, (int64_t{1} << (wide.mantissa - 1)) - 1), odd);
  TtirValue code = i.Add(i.Right(rounded, wide.mantissa), 127 - wide.bias());
  // Below 2^-126, f32's smallest normal number: 2^-127 up to the tie with it.
  const TtirValue tie = b.FloatConstant(0x1.8p-127, value.type), next = b.FloatConstant(0x1p-126, value.type);
  code = b.Select(b.Compare("arith.cmpf", "olt", value, next), i.Constant(1), code);
  code = b.Select(b.Compare("arith.cmpf", "ole", value, tie), i.Constant(0), code);
  const TtirValue limit = b.FloatConstant(0x1.8p127, value.type), zero = b.FloatConstant(0, value.type);
  const TtirValue is_number =
      b.Binary("arith.andi", b.Compare("arith.cmpf", "ogt", value, zero), b.Compare("arith.cmpf", "ole", value, limit));
  return b.Cast("arith.trunci", b.Select(is_number, code, i.Constant(0xff)), TtirElement::kI8);
}

}  // namespace

TtirValue EmitFloat8Decode(TtirBuilder& b, const TtirValue& bits, PrimitiveType type) {
  if (type == F8E8M0FNU) return DecodeExponent(b, bits);
  const FloatFormat& format = FloatFormatOf(type);
  const TtirValue code = b.Cast("arith.extui", bits, TtirElement::kI32);
  Bits i(b, code.type);
  const TtirValue magnitude = i.And(code, 0x7f);
  // Normal numbers: exponent and mantissa move up, the bias changes. Subnormal ones: a multiple of the smallest.
  const int64_t shift = 23 - format.mantissa_bits;
  const TtirValue normal = i.Add(i.Left(magnitude, shift), int64_t{127 - format.bias} << 23);
  const double unit = std::ldexp(1.0, 1 - format.bias - format.mantissa_bits);
  const TtirValue count = b.Cast("arith.sitofp", magnitude, TtirElement::kF32);
  const TtirValue subnormal =
      b.Cast("tt.bitcast", b.Binary("arith.mulf", count, b.FloatConstant(unit, count.type)), TtirElement::kI32);
  TtirValue wide = b.Select(i.Is("ult", magnitude, int64_t{1} << format.mantissa_bits), subnormal, normal);
  // The one NaN of the types without a negative zero has its code, and its sign.
  const TtirValue nan = i.Constant(format.specials == FloatSpecials::kFnuz ? -0x400000 : 0x7fc00000);
  if (format.specials == FloatSpecials::kIeee) {
    const int64_t infinity = CodeOf(type, std::numeric_limits<double>::infinity());
    wide = b.Select(i.Is("eq", magnitude, infinity), i.Constant(0x7f800000), wide);
    wide = b.Select(i.Is("ugt", magnitude, infinity), nan, wide);
  } else if (format.specials == FloatSpecials::kFn) {
    wide = b.Select(i.Is("eq", magnitude, 0x7f), nan, wide);
  }
  wide = i.Or(wide, i.Left(i.And(code, 0x80), 24));
  if (format.specials == FloatSpecials::kFnuz) wide = b.Select(i.Is("eq", code, 0x80), nan, wide);
  return b.Cast("tt.bitcast", wide, TtirElement::kF32);
}

TtirValue EmitFloat8Encode(TtirBuilder& b, const TtirValue& value, PrimitiveType type) {
  if (type == F8E8M0FNU) return EncodeExponent(b, value);
  const FloatFormat& format = FloatFormatOf(type);
  const WideFormat wide = WideFormatOf(value.type.element);
  const TtirValue bits = b.Cast("tt.bitcast", value, wide.integer);
  Bits i(b, bits.type);
  const int64_t width = wide.mantissa + wide.exponent;
  const TtirValue magnitude = i.And(bits, (int64_t{1} << width) - 1);
  const TtirValue sign = i.And(i.Right(bits, width - 7), 0x80);

  // Normal numbers: round the mantissa in place, where a carry runs into the exponent as it should.
  const int64_t dropped = wide.mantissa - format.mantissa_bits;
  const TtirValue odd = i.And(i.Right(magnitude, dropped), 1);
  const TtirValue rounded = b.Binary("arith.addi", i.Add(magnitude, (int64_t{1} << (dropped - 1)) - 1), odd);
  const int64_t rebias = (wide.bias() - format.bias) << format.mantissa_bits;
  const TtirValue normal = i.Add(i.Right(rounded, dropped), -rebias);
  // Subnormal ones: adding a number whose last bit is the type's smallest value rounds to multiples of that.
  const double anchor = std::ldexp(1.0, static_cast<int>(wide.mantissa) + 1 - format.bias - format.mantissa_bits);
  const TtirValue anchors = b.FloatConstant(anchor, value.type);
  const TtirValue sum = b.Binary("arith.addf", b.Unary("math.absf", value), anchors);
  const TtirValue subnormal =
      i.Sub(b.Cast("tt.bitcast", sum, wide.integer), b.Cast("tt.bitcast", anchors, wide.integer));
  const int64_t smallest_normal = (wide.bias() + 1 - format.bias) << wide.mantissa;
  TtirValue code = b.Select(i.Is("ult", magnitude, smallest_normal), subnormal, normal);

  const int64_t nan = CodeOf(type, std::numeric_limits<double>::quiet_NaN());
  const int64_t overflow = CodeOf(type, std::numeric_limits<double>::infinity());
  const bool nan_is_minus_zero = format.specials == FloatSpecials::kFnuz;
  code = b.Select(i.Is("ugt", code, CodeOf(type, MaxFinite(type))), i.Constant(overflow), code);
  code = b.Select(b.Compare("arith.cmpf", "uno", value, value), i.Constant(nan), code);
  TtirValue signed_code = i.Or(code, sign);
  if (nan_is_minus_zero) {  // code 0 stands for zero, and for NaN once that has its sign
    const TtirValue too_large =
        b.Compare("arith.cmpf", "ugt", b.Unary("math.absf", value), b.FloatConstant(MaxFinite(type), value.type));
    const TtirValue is_zero = i.Is("eq", code, 0);
    signed_code = b.Select(is_zero, i.Constant(0), signed_code);
    signed_code = b.Select(b.Binary("arith.andi", is_zero, too_large), i.Constant(0x80), signed_code);
  }
  return b.Cast("arith.trunci", signed_code, TtirElement::kI8);
}

}  // namespace xla::gpu
