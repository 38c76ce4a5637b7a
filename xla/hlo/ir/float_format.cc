#include "xla/hlo/ir/float_format.h"

#include <bit>
#include <cmath>
#include <limits>

namespace xla {
namespace {

struct FormatRow {
  PrimitiveType type;
  FloatFormat format;
};
constexpr FormatRow kFormats[] = {
    {F4E2M1FN, {2, 1, 1, FloatSpecials::kFinite}},  {F6E2M3FN, {2, 3, 1, FloatSpecials::kFinite}},
    {F6E3M2FN, {3, 2, 3, FloatSpecials::kFinite}},  {F8E3M4, {3, 4, 3, FloatSpecials::kIeee}},
    {F8E4M3, {4, 3, 7, FloatSpecials::kIeee}},      {F8E4M3FN, {4, 3, 7, FloatSpecials::kFn}},
    {F8E4M3FNUZ, {4, 3, 8, FloatSpecials::kFnuz}},  {F8E4M3B11FNUZ, {4, 3, 11, FloatSpecials::kFnuz}},
    {F8E5M2, {5, 2, 15, FloatSpecials::kIeee}},     {F8E5M2FNUZ, {5, 2, 16, FloatSpecials::kFnuz}},
    {F8E8M0FNU, {8, 0, 127, FloatSpecials::kE8M0}}, {BF16, {8, 7, 127, FloatSpecials::kIeee}},
    {F16, {5, 10, 15, FloatSpecials::kIeee}},       {F32, {8, 23, 127, FloatSpecials::kIeee}},
    {F64, {11, 52, 1023, FloatSpecials::kIeee}},
};

uint64_t MagnitudeMask(const FloatFormat& f) { return (uint64_t{1} << (f.exponent_bits + f.mantissa_bits)) - 1; }
uint64_t SignBit(const FloatFormat& f) { return MagnitudeMask(f) + 1; }
uint64_t InfinityBits(const FloatFormat& f) { return ((uint64_t{1} << f.exponent_bits) - 1) << f.mantissa_bits; }

uint64_t MaxFiniteBits(const FloatFormat& f) {
  switch (f.specials) {
    case FloatSpecials::kIeee:
      return InfinityBits(f) - 1;
    case FloatSpecials::kFn:
    case FloatSpecials::kE8M0:
      return MagnitudeMask(f) - 1;
    case FloatSpecials::kFnuz:
    case FloatSpecials::kFinite:
      return MagnitudeMask(f);
  }
  return 0;
}

uint64_t NanBits(const FloatFormat& f, uint64_t sign) {
  switch (f.specials) {
    case FloatSpecials::kIeee:
      return sign | InfinityBits(f) | (uint64_t{1} << (f.mantissa_bits - 1));
    case FloatSpecials::kFn:
      return sign | MagnitudeMask(f);
    case FloatSpecials::kE8M0:
      return MagnitudeMask(f);
    case FloatSpecials::kFnuz:
    case FloatSpecials::kFinite:
      return SignBit(f);
  }
  return 0;
}

uint64_t OverflowBits(const FloatFormat& f, uint64_t sign) {
  if (f.specials == FloatSpecials::kIeee) return sign | InfinityBits(f);
  if (f.specials == FloatSpecials::kFinite) return sign | MaxFiniteBits(f);
  return NanBits(f, sign);
}

bool IsNanBits(const FloatFormat& f, uint64_t bits) {
  const uint64_t magnitude = bits & MagnitudeMask(f);
  switch (f.specials) {
    case FloatSpecials::kIeee:
      return magnitude > InfinityBits(f);
    case FloatSpecials::kFn:
    case FloatSpecials::kE8M0:
      return magnitude == MagnitudeMask(f);
    case FloatSpecials::kFnuz:
      return bits == SignBit(f);
    case FloatSpecials::kFinite:
      return false;
  }
  return false;
}

// 2^(code - 127); zero and negative numbers have no code.
uint64_t EncodeE8M0(const FloatFormat& f, double value) {
  if (!(value > 0) || std::isinf(value)) return NanBits(f, 0);
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent) * 2;  // in [1, 2)
  int code = exponent - 1 + f.bias;
  if (fraction > 1.5 || (fraction == 1.5 && code % 2 != 0)) ++code;
  if (code < 0) return 0;
  return code >= 255 ? NanBits(f, 0) : static_cast<uint64_t>(code);
}

}  // namespace

const FloatFormat& FloatFormatOf(PrimitiveType type) {
  for (const FormatRow& row : kFormats) {
    if (row.type == type) return row.format;
  }
  return kFormats[std::size(kFormats) - 1].format;
}

double DecodeFloat(PrimitiveType type, uint64_t bits) {
  if (type == F64) return std::bit_cast<double>(bits);
  if (type == F32) return std::bit_cast<float>(static_cast<uint32_t>(bits));
  const FloatFormat& f = FloatFormatOf(type);
  if (f.specials == FloatSpecials::kE8M0) {
    return bits == 0xff ? std::numeric_limits<double>::quiet_NaN() : std::ldexp(1.0, static_cast<int>(bits) - f.bias);
  }
  const uint64_t magnitude = bits & MagnitudeMask(f);
  const double sign = (bits & SignBit(f)) != 0 ? -1.0 : 1.0;
  if (IsNanBits(f, bits)) return std::copysign(std::numeric_limits<double>::quiet_NaN(), sign);
  if (f.specials == FloatSpecials::kIeee && magnitude == InfinityBits(f)) return sign * HUGE_VAL;
  const int exponent = static_cast<int>(magnitude >> f.mantissa_bits);
  const uint64_t mantissa = magnitude & ((uint64_t{1} << f.mantissa_bits) - 1);
  const uint64_t implied = exponent == 0 ? 0 : uint64_t{1} << f.mantissa_bits;
  const int scale = std::max(exponent, 1) - f.bias - f.mantissa_bits;
  return sign * std::ldexp(static_cast<double>(implied | mantissa), scale);
}

uint64_t EncodeFloat(PrimitiveType type, double value) {
  if (type == F64) return std::bit_cast<uint64_t>(value);
  if (type == F32) return std::bit_cast<uint32_t>(static_cast<float>(value));
  const FloatFormat& f = FloatFormatOf(type);
  if (f.specials == FloatSpecials::kE8M0) return EncodeE8M0(f, value);
  const uint64_t sign = std::signbit(value) ? SignBit(f) : 0;
  if (std::isnan(value)) return NanBits(f, sign);
  if (std::isinf(value)) return OverflowBits(f, sign);
  const uint64_t zero = f.specials == FloatSpecials::kFnuz ? 0 : sign;
  if (value == 0) return zero;
  // The value is `rounded` units of 2^quantum; with the implied bit, adding into the exponent field carries by itself.
  const int exponent = std::max(std::ilogb(value), 1 - f.bias);
  const int quantum = exponent - f.mantissa_bits;
  const auto rounded = static_cast<uint64_t>(std::nearbyint(std::ldexp(std::fabs(value), -quantum)));
  if (rounded == 0) return zero;
  const uint64_t magnitude = (static_cast<uint64_t>(exponent + f.bias - 1) << f.mantissa_bits) + rounded;
  return magnitude > MaxFiniteBits(f) ? OverflowBits(f, sign) : (sign | magnitude);
}

double MaxFinite(PrimitiveType type) { return DecodeFloat(type, MaxFiniteBits(FloatFormatOf(type))); }

}  // namespace xla
