// Conversions between floating-point formats, written once for all of them: integer arithmetic on codes, one rounding.
//
// Round to nearest, ties to the even code, whatever the widths; subnormals are kept on both sides. What happens beyond
// the range, and to NaN and infinity, is FloatFormat's: the rules of XLA's convert (its host types are ml_dtypes').
// NaNs lose their payload and keep their sign where the target has one.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>

#include "base/numerics/float_format.h"

namespace rocxla {

// A number taken apart: significand * 2^exponent, the significand's top bit set.
struct UnpackedFloat {
  enum class Kind : uint8_t { kZero, kFinite, kInfinity, kNan };
  Kind kind;
  bool negative;
  int exponent = 0;
  uint64_t significand = 0;
};

constexpr UnpackedFloat UnpackFloat(const FloatFormat& from, uint64_t bits) {
  const bool negative = (bits & from.SignBit()) != 0;
  if (from.IsNan(bits)) return {UnpackedFloat::Kind::kNan, negative};
  if (from.IsInfinity(bits)) return {UnpackedFloat::Kind::kInfinity, negative};
  const uint64_t magnitude = bits & from.MagnitudeMask();
  const uint64_t implied = uint64_t{1} << from.mantissa_bits;
  const int field = static_cast<int>(magnitude >> from.mantissa_bits);
  const bool subnormal = field == 0 && from.HasZero();
  const uint64_t significand = (magnitude & (implied - 1)) | (subnormal ? 0 : implied);
  if (significand == 0) return {UnpackedFloat::Kind::kZero, negative};
  const int exponent = (subnormal ? 1 : field) - from.bias - from.mantissa_bits;
  const int shift = std::countl_zero(significand);
  return {UnpackedFloat::Kind::kFinite, negative, exponent - shift, significand << shift};
}

// The code of the magnitude of a finite number, as if the format went on above its range, and what was cut off, in
// units of 2^-64 of the code's last place.
struct TruncatedMagnitude {
  uint64_t code, rest;
};
constexpr TruncatedMagnitude TruncateMagnitude(const FloatFormat& to, const UnpackedFloat& value) {
  const int smallest_exponent = (to.HasZero() ? 1 : 0) - to.bias;
  const int exponent = value.exponent + 63;  // of the top bit
  if (exponent < smallest_exponent && !to.HasZero()) return {0, 0};
  const int quantum = std::max(exponent, smallest_exponent) - to.mantissa_bits;
  const int shift = quantum - value.exponent;  // at least 63 - mantissa_bits, hence more than 0
  if (shift > 64) return {0, shift < 128 ? value.significand >> (shift - 64) : 0};  // less than half a subnormal
  const uint64_t kept = shift < 64 ? value.significand >> shift : 0;
  const uint64_t rest = value.significand << (64 - shift);
  // The implied bit in `kept` adds the missing 1 to the field, and a carry raises the exponent by itself.
  const auto field = static_cast<uint64_t>(int64_t{std::max(exponent, smallest_exponent)} + to.bias - 1);
  return {(field << to.mantissa_bits) + kept, rest};
}
// Rounded to nearest, ties to the even code.
constexpr uint64_t RoundMagnitude(const FloatFormat& to, const UnpackedFloat& value) {
  constexpr uint64_t kHalf = uint64_t{1} << 63;
  const auto [code, rest] = TruncateMagnitude(to, value);
  return code + (rest > kHalf || (rest == kHalf && (code & 1) != 0));
}

// The code of a number whose magnitude has been rounded; it may lie beyond the range.
constexpr uint64_t PackMagnitude(const FloatFormat& to, bool negative, uint64_t magnitude) {
  const uint64_t sign = negative ? to.SignBit() : 0;
  if (magnitude > to.MaxFiniteBits()) return to.OverflowBits(sign);
  return magnitude == 0 && to.specials == FloatSpecials::kFnuz ? 0 : sign | magnitude;
}

constexpr uint64_t PackFloat(const FloatFormat& to, const UnpackedFloat& value) {
  const uint64_t sign = value.negative ? to.SignBit() : 0;
  const uint64_t zero = to.specials == FloatSpecials::kFnuz ? 0 : sign;
  switch (value.kind) {
    case UnpackedFloat::Kind::kNan:
      return to.NanBits(sign);
    case UnpackedFloat::Kind::kInfinity:
      return to.OverflowBits(sign);
    case UnpackedFloat::Kind::kZero:
      return to.HasZero() ? zero : to.NanBits(sign);
    case UnpackedFloat::Kind::kFinite:
      break;
  }
  if (value.negative && !to.HasSign()) return to.NanBits(0);
  return PackMagnitude(to, value.negative, RoundMagnitude(to, value));
}

// The code in `to` of the number that `bits` is in `from`.
constexpr uint64_t ConvertFloatBits(const FloatFormat& from, const FloatFormat& to, uint64_t bits) {
  return PackFloat(to, UnpackFloat(from, bits));
}

constexpr uint64_t EncodeFloat(FloatType to, float value) {
  return ConvertFloatBits(FormatOf(FloatType::kF32), FormatOf(to), std::bit_cast<uint32_t>(value));
}
constexpr uint64_t EncodeFloat(FloatType to, double value) {
  return ConvertFloatBits(FormatOf(FloatType::kF64), FormatOf(to), std::bit_cast<uint64_t>(value));
}

// Exact for every format.
constexpr double DecodeToDouble(FloatType from, uint64_t bits) {
  return std::bit_cast<double>(ConvertFloatBits(FormatOf(from), FormatOf(FloatType::kF64), bits));
}
// Exact for every format but f64, which is rounded.
constexpr float DecodeToFloat(FloatType from, uint64_t bits) {
  const uint64_t code = ConvertFloatBits(FormatOf(from), FormatOf(FloatType::kF32), bits);
  return std::bit_cast<float>(static_cast<uint32_t>(code));
}

}  // namespace rocxla
