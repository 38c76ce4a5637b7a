// The floating-point formats: how their bits are divided, and which codes mean infinity, NaN and the like.
#pragma once
#include <cstdint>
#include <string_view>

namespace rocxla {

// How a format spends its extreme codes.
enum class FloatSpecials : uint8_t {
  kIeee,    // infinities and NaNs, as IEEE 754
  kFn,      // no infinity; NaN is all ones besides the sign. Overflow gives NaN
  kFnuz,    // no infinity, no negative zero, whose code is NaN. Overflow gives NaN
  kFinite,  // neither infinity nor NaN. Overflow saturates, NaN becomes a zero of the opposite sign
  kE8M0,    // a power of two: no sign, no zero, no mantissa; 0xff is NaN, also for zero and negative numbers
};

// One format. Codes are in the low bits of a uint64_t; `sign` arguments are 0 or SignBit().
struct FloatFormat {
  int exponent_bits;
  int mantissa_bits;
  int bias;
  FloatSpecials specials;

  constexpr bool HasSign() const { return specials != FloatSpecials::kE8M0; }
  constexpr bool HasZero() const { return specials != FloatSpecials::kE8M0; }
  constexpr int Bits() const { return exponent_bits + mantissa_bits + (HasSign() ? 1 : 0); }
  // All bits but the sign.
  constexpr uint64_t MagnitudeMask() const { return (uint64_t{1} << (exponent_bits + mantissa_bits)) - 1; }
  constexpr uint64_t SignBit() const { return HasSign() ? MagnitudeMask() + 1 : 0; }
  // The exponent field of all ones: infinity where kIeee.
  constexpr uint64_t ExponentMask() const { return ((uint64_t{1} << exponent_bits) - 1) << mantissa_bits; }

  // The code of the largest finite value.
  constexpr uint64_t MaxFiniteBits() const {
    switch (specials) {
      case FloatSpecials::kIeee:
        return ExponentMask() - 1;
      case FloatSpecials::kFn:
      case FloatSpecials::kE8M0:
        return MagnitudeMask() - 1;
      case FloatSpecials::kFnuz:
      case FloatSpecials::kFinite:
        break;
    }
    return MagnitudeMask();
  }

  // What a NaN of that sign becomes: the quiet NaN without payload, where there is one.
  constexpr uint64_t NanBits(uint64_t sign) const {
    switch (specials) {
      case FloatSpecials::kIeee:
        return sign | ExponentMask() | (uint64_t{1} << (mantissa_bits - 1));
      case FloatSpecials::kFn:
        return sign | MagnitudeMask();
      case FloatSpecials::kE8M0:
        return MagnitudeMask();
      case FloatSpecials::kFnuz:
        return SignBit();
      case FloatSpecials::kFinite:
        break;
    }
    return sign ^ SignBit();
  }

  // What infinity, and whatever rounds beyond the largest finite value, becomes.
  constexpr uint64_t OverflowBits(uint64_t sign) const {
    if (specials == FloatSpecials::kIeee) return sign | ExponentMask();
    return specials == FloatSpecials::kFinite ? sign | MaxFiniteBits() : NanBits(sign);
  }

  constexpr bool IsInfinity(uint64_t bits) const {
    return specials == FloatSpecials::kIeee && (bits & MagnitudeMask()) == ExponentMask();
  }
  constexpr bool IsNan(uint64_t bits) const {
    switch (specials) {
      case FloatSpecials::kIeee:
        return (bits & MagnitudeMask()) > ExponentMask();
      case FloatSpecials::kFn:
      case FloatSpecials::kE8M0:
        return (bits & MagnitudeMask()) == MagnitudeMask();
      case FloatSpecials::kFnuz:
        return bits == SignBit();
      case FloatSpecials::kFinite:
        break;
    }
    return false;
  }
};

// One enumerator per row of float_formats.def.
enum class FloatType : uint8_t {
#define FLOAT_FORMAT(id, ...) k##id,
#include "base/numerics/float_formats.def"
#undef FLOAT_FORMAT
};
inline constexpr FloatType kFloatTypes[] = {
#define FLOAT_FORMAT(id, ...) FloatType::k##id,
#include "base/numerics/float_formats.def"
#undef FLOAT_FORMAT
};

constexpr FloatFormat FormatOf(FloatType type) {
  constexpr FloatFormat kFormats[] = {
#define FLOAT_FORMAT(id, text, exponent_bits, mantissa_bits, bias, specials) \
  {exponent_bits, mantissa_bits, bias, FloatSpecials::specials},
#include "base/numerics/float_formats.def"
#undef FLOAT_FORMAT
  };
  return kFormats[static_cast<int>(type)];
}

// XLA's name, "f8e4m3fn".
constexpr std::string_view FloatTypeName(FloatType type) {
  constexpr std::string_view kNames[] = {
#define FLOAT_FORMAT(id, text, ...) text,
#include "base/numerics/float_formats.def"
#undef FLOAT_FORMAT
  };
  return kNames[static_cast<int>(type)];
}

}  // namespace rocxla
