#include "xla/backends/gpu/codegen/reduce_precision.h"

namespace xla::gpu {
namespace {

struct FloatFormat {
  TtirElement integer;
  int64_t mantissa;
  int64_t exponent;
  int64_t bias() const { return (int64_t{1} << (exponent - 1)) - 1; }
};

FloatFormat FormatOf(TtirElement element) {
  return element == TtirElement::kF64 ? FloatFormat{TtirElement::kI64, 52, 11} : FloatFormat{TtirElement::kI32, 23, 8};
}

}  // namespace

TtirValue EmitReducePrecision(TtirBuilder& b, const TtirValue& x, int64_t exponent_bits, int64_t mantissa_bits) {
  FloatFormat format = FormatOf(x.type.element);
  TtirValue bits = b.Cast("tt.bitcast", x, format.integer);
  auto constant = [&](int64_t value) { return b.IntConstant(value, bits.type); };
  if (int64_t dropped = format.mantissa - mantissa_bits; dropped > 0) {
    TtirValue last_kept = b.Binary("arith.andi", b.Binary("arith.shrui", bits, constant(dropped)), constant(1));
    TtirValue rounding = b.Binary("arith.addi", last_kept, constant((int64_t{1} << (dropped - 1)) - 1));
    bits = b.Binary("arith.andi", b.Binary("arith.addi", bits, rounding), constant(int64_t{-1} << dropped));
  }
  if (exponent_bits < format.exponent) {
    int64_t exponent_mask = ((int64_t{1} << format.exponent) - 1) << format.mantissa;
    int64_t bias = (int64_t{1} << (exponent_bits - 1)) - 1;
    TtirValue exponent = b.Binary("arith.andi", bits, constant(exponent_mask));
    int64_t sign_mask = int64_t{-1} << (format.mantissa + format.exponent);
    TtirValue sign = b.Binary("arith.andi", bits, constant(sign_mask));
    TtirValue too_large = b.Compare("arith.cmpi", "sgt", exponent, constant((format.bias() + bias) << format.mantissa));
    TtirValue too_small = b.Compare("arith.cmpi", "sle", exponent, constant((format.bias() - bias) << format.mantissa));
    bits = b.Select(too_large, b.Binary("arith.ori", sign, constant(exponent_mask)), bits);
    bits = b.Select(too_small, sign, bits);
  }
  TtirValue result = b.Cast("tt.bitcast", bits, x.type.element);
  return b.Select(b.Compare("arith.cmpf", "uno", x, x), x, result);
}

}  // namespace xla::gpu
