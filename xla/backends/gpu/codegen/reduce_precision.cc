#include "xla/backends/gpu/codegen/reduce_precision.h"

namespace xla::gpu {
namespace {

// `bits` of the code's width as the number that a constant of its type is.
int64_t AsConstant(uint64_t bits, int width) {
  const int unused = 64 - width;
  return static_cast<int64_t>(bits << unused) >> unused;
}

}  // namespace

TtirValue EmitReducePrecision(TtirBuilder& b, const TtirValue& code, const FloatFormat& format, int64_t exponent_bits,
                              int64_t mantissa_bits) {
  const auto constant = [&](uint64_t bits) {
    return b.IntConstant(AsConstant(bits, BitsOf(code.type.element)), code.type);
  };
  const TtirValue given = b.Binary("arith.andi", code, constant(format.MagnitudeMask()));
  const TtirValue sign = b.Binary("arith.andi", code, constant(format.SignBit()));
  TtirValue magnitude = given;
  if (const int64_t dropped = format.mantissa_bits - mantissa_bits; dropped > 0) {
    const TtirValue last_kept = b.Binary("arith.andi", b.Binary("arith.shrui", given, constant(dropped)), constant(1));
    const TtirValue rounding = b.Binary("arith.addi", last_kept, constant((uint64_t{1} << (dropped - 1)) - 1));
    magnitude = b.Binary("arith.andi", b.Binary("arith.addi", given, rounding), constant(~uint64_t{0} << dropped));
  }
  // Zero is not negative where its code with a sign is NaN's.
  const bool zero_has_sign = format.specials != FloatSpecials::kFnuz;
  const auto with_sign = [&](const TtirValue& x) { return b.Binary("arith.ori", x, sign); };
  const TtirValue zero = !format.HasZero() ? constant(format.NanBits(0)) : zero_has_sign ? sign : constant(0);
  const TtirValue overflow = zero_has_sign ? with_sign(constant(format.OverflowBits(0))) : constant(format.SignBit());
  TtirValue result = with_sign(magnitude);
  if (!zero_has_sign) result = b.Select(b.Compare("arith.cmpi", "eq", magnitude, constant(0)), zero, result);
  if (exponent_bits < format.exponent_bits) {
    const TtirValue exponent = b.Binary("arith.andi", magnitude, constant(format.ExponentMask()));
    const int64_t bias = (int64_t{1} << (exponent_bits - 1)) - 1;
    const auto field = [&](int64_t e) { return constant(static_cast<uint64_t>(e) << format.mantissa_bits); };
    // Exponents below the field's range there are none, and none is too small then.
    const int64_t last_small = format.bias - bias;
    if (last_small >= 0) {
      result = b.Select(b.Compare("arith.cmpi", "ule", exponent, field(last_small)), zero, result);
    }
    const int64_t most = format.bias + bias;
    if (most < int64_t{1} << format.exponent_bits) {
      result = b.Select(b.Compare("arith.cmpi", "ugt", exponent, field(most)), overflow, result);
    }
  }
  // What was rounded beyond the format may have carried out of its exponent.
  const uint64_t largest = format.specials == FloatSpecials::kIeee ? format.ExponentMask() : format.MaxFiniteBits();
  result = b.Select(b.Compare("arith.cmpi", "ugt", magnitude, constant(largest)), overflow, result);
  const TtirValue is_nan =
      format.specials == FloatSpecials::kIeee
          ? b.Compare("arith.cmpi", "ugt", given, constant(format.ExponentMask()))
          : b.Compare("arith.cmpi", "eq", zero_has_sign ? given : b.Binary("arith.ori", given, sign),
                      constant(format.NanBits(0)));
  return b.Select(is_nan, code, result);
}

}  // namespace xla::gpu
