// First value domain of the meanings: 16 lanes in a compiler vector, or one scalar. Operators are the language's own.
#pragma once
#include <bit>
#include <cmath>
#include <concepts>
#include <tuple>
#include <type_traits>

#include "emulator/isa/narrow_floats.h"
#include "emulator/isa/scalar_math.h"
#include "emulator/isa/types.h"

namespace rocxla::emu {

inline constexpr int kChunk = 16;  // lanes per host vector
template <class E>
using Lanes = E __attribute__((ext_vector_type(16)));
using Bits16 = bool __attribute__((ext_vector_type(16)));

template <class V>
concept Number = std::is_arithmetic_v<V> || std::is_same_v<V, f16>;
template <class V>
concept LaneVector = !Number<V> && requires(V v) {
  v[15];
  v.s0;
};
template <LaneVector V>
using ElementOf = std::remove_cvref_t<decltype(V{}[0])>;

// Value conversion; between integers it truncates or extends by the source's signedness.
template <class E, LaneVector V>
Lanes<E> To(V v) {
  return __builtin_convertvector(v, Lanes<E>);
}
template <class E, Number V>
E To(V v) {
  return static_cast<E>(v);
}
template <class E, LaneVector V>
Lanes<E> BitsAs(V v) {
  return __builtin_bit_cast(Lanes<E>, v);
}
template <class E, Number V>
E BitsAs(V v) {
  return __builtin_bit_cast(E, v);
}

// A constant of the first argument's shape and type.
template <LaneVector V>
V Like(V, auto x) {
  return V(static_cast<ElementOf<V>>(x));
}
template <Number V>
V Like(V, auto x) {
  return static_cast<V>(x);
}

// A lane mask inside a meaning is 0 or -1 per lane, in integers of any width, as comparisons produce; in registers it
// is one bit per lane.
template <int bytes>
using IntOfSize =
    std::conditional_t<bytes == 1, i8, std::conditional_t<bytes == 2, i16, std::conditional_t<bytes == 4, i32, i64>>>;
template <LaneVector M, LaneVector V>
V Select(M mask, V a, V b) {
  using Wide = Lanes<IntOfSize<sizeof(ElementOf<V>)>>;
  return __builtin_convertvector(mask, Wide) ? a : b;
}
template <Number V>
V Select(bool mask, V a, V b) {
  return mask ? a : b;
}
template <LaneVector M>
M Not(M mask) {
  return ~mask;
}
inline bool Not(bool mask) { return !mask; }
template <LaneVector M>
Lanes<u32> AsBit(M mask) {
  return __builtin_convertvector(mask, Lanes<u32>) & 1u;
}
inline u32 AsBit(bool mask) { return mask; }

// The sixteen low bits as a lane mask, and back.
inline Lanes<i32> Unpack(u16 bits) {
  constexpr Lanes<u32> kBit = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768};
  return (Lanes<u32>(bits) & kBit) != 0u;
}
template <LaneVector M>
u16 Pack(M mask) {
  return __builtin_bit_cast(u16, __builtin_convertvector(mask, Bits16));
}

// Applies a function of numbers to every lane.
template <class R, class F, class V>
auto Each(F f, V v) {
  if constexpr (LaneVector<V>) {
    Lanes<R> r;
    for (int i = 0; i < kChunk; i++) r[i] = f(v[i]);
    return r;
  } else {
    return f(v);
  }
}
template <class R, class F, class V, class W>
auto Each(F f, V v, W w) {
  if constexpr (LaneVector<V>) {
    Lanes<R> r;
    for (int i = 0; i < kChunk; i++) r[i] = f(v[i], w[i]);
    return r;
  } else {
    return f(v, w);
  }
}

template <class R, class F, class V, class W, class X>
auto Each(F f, V v, W w, X x) {
  if constexpr (LaneVector<V>) {
    Lanes<R> r;
    for (int i = 0; i < kChunk; i++) r[i] = f(v[i], w[i], x[i]);
    return r;
  } else {
    return f(v, w, x);
  }
}

template <class V>
struct ElementTypeOf {
  using Type = V;
};
template <LaneVector V>
struct ElementTypeOf<V> {
  using Type = ElementOf<V>;
};
template <class V>
using Element = typename ElementTypeOf<V>::Type;
template <class V>
concept HalfLike = std::same_as<Element<V>, f16>;

#define LANE_FUNCTION(name, scalar)                                     \
  template <class V>                                                    \
  V name(V v) {                                                         \
    return Each<Element<V>>([](Element<V> x) { return scalar(x); }, v); \
  }
LANE_FUNCTION(Exp2, Exp2Of)
LANE_FUNCTION(Log2, Log2Of)
LANE_FUNCTION(ReciprocalSqrt, ReciprocalSqrtOf)
LANE_FUNCTION(SinTurns, SinTurnsOf)
LANE_FUNCTION(CosTurns, CosTurnsOf)
LANE_FUNCTION(FrexpMantissa, FrexpMantissaOf)
#undef LANE_FUNCTION
template <class V>
auto FrexpExponent(V v) {
  return Each<i32>([](Element<V> x) { return FrexpExponentOf(x); }, v);
}
template <class V, class N>
V Ldexp(V v, N exponent) {
  return Each<Element<V>>([](Element<V> x, i32 e) { return LdexpOf(x, e); }, v, exponent);
}

// Exact functions. f16 goes through f32, in which they are exact or, for the root, wide enough to round once more.
#define EXACT_FUNCTION(name, builtin)     \
  template <class V>                      \
  V name(V v) {                           \
    if constexpr (HalfLike<V>)            \
      return To<f16>(name(To<float>(v))); \
    else                                  \
      return builtin(v);                  \
  }
EXACT_FUNCTION(Floor, __builtin_elementwise_floor)
EXACT_FUNCTION(Ceil, __builtin_elementwise_ceil)
EXACT_FUNCTION(Trunc, __builtin_elementwise_trunc)
EXACT_FUNCTION(RoundEven, __builtin_elementwise_roundeven)
EXACT_FUNCTION(RoundByMode, __builtin_elementwise_nearbyint)
EXACT_FUNCTION(Sqrt, __builtin_elementwise_sqrt)
#undef EXACT_FUNCTION

// a * b + c, rounded once. In f16 the product is exact in f32; the sum is rounded to odd there, so that the rounding to
// f16 sees on which side the exact sum lies.
template <class V>
V Fma(V a, V b, V c) {
  if constexpr (HalfLike<V>) {
    auto product = To<float>(a) * To<float>(b), addend = To<float>(c);
    auto sum = product + addend;
    auto part = sum - product;
    auto error = (product - (sum - part)) + (addend - part);
    auto bits = BitsAs<u32>(sum);
    auto even = (bits & 1u) == 0u;
    auto finite = (bits & 0x7f800000u) != 0x7f800000u;
    auto grow = (error > 0.0f) == (sum > 0.0f);
    auto odd = Select(grow, bits + 1u, bits - 1u);
    return To<f16>(BitsAs<float>(Select((error != 0.0f) & even & finite, odd, bits)));
  } else {
    return __builtin_elementwise_fma(a, b, c);
  }
}

// A denormal becomes a zero of its sign.
template <class V>
V FlushDenormal(V v) {
  using Format = FloatFormat<Element<V>>;
  using Bits = FloatBits<Element<V>>;
  auto bits = BitsAs<Bits>(v);
  auto sign = bits & Like(bits, static_cast<Bits>(Bits{1} << (8 * sizeof(Bits) - 1)));
  auto exponent = bits & Like(bits, static_cast<Bits>(Bits{Format::kMaxExponent} << Format::kMantissa));
  return BitsAs<Element<V>>(Select(exponent == Like(bits, 0), sign, bits));
}

// Truncated floats to integers: saturates, 0 for NaN.
template <class I, class V>
auto Saturate(V v) {
  using F = Element<V>;
  constexpr F kLimit = static_cast<F>(u64{1} << (8 * sizeof(I) - (std::is_signed_v<I> ? 1 : 0)));
  constexpr I kMax = std::numeric_limits<I>::max(), kMin = std::numeric_limits<I>::min();
  auto convert = [](F x) -> I {
    if (x != x) return 0;
    if (x >= kLimit) return kMax;
    if (x <= static_cast<F>(kMin)) return kMin;
    return static_cast<I>(x);
  };
  return Each<I>(convert, v);
}
template <class V>
auto HalfTowardZero(V v) {
  return Each<u16>(
      [](float x) -> u16 {
        u16 nearest = std::bit_cast<u16>(static_cast<f16>(x));
        float back = static_cast<float>(std::bit_cast<f16>(nearest));
        bool grew = !IsNan(x) && std::fabs(back) > std::fabs(x);
        return grew ? nearest - 1 : nearest;
      },
      v);
}
// Round to nearest even; NaN stays NaN.
template <class V>
auto ToBf16(V v) {
  auto bits = BitsAs<u32>(v);
  auto rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
  return To<u16>(Select(v != v, (bits >> 16) | 0x40u, rounded));
}

// Codes of narrow floats (see narrow_floats.h), in the low bits of words; F names the format. The scale is the exponent
// of an f32, given as its bits.
template <class F, class V>
auto ValueOf(V code) {
  return Each<float>([](u32 x) { return kNarrowValues<F>[x & (kNarrowValues<F>.size() - 1)]; }, code);
}
template <class F, class V>
auto Rounded(V v) {
  return Each<u32>([](float x) { return ToNarrow<F>(x); }, v);
}
template <class F, class V, class W>
auto RoundedStochastic(V v, W random) {
  return Each<u32>([](float x, u32 r) { return ToNarrowStochastic<F>(x, r); }, v, random);
}
template <class F, class V, class W>
auto ScaledValueOf(V code, W scale) {
  return Each<float>([](u32 x, u32 s) { return static_cast<float>(NarrowValue<F>(x) * ScaleFactor(s)); }, code, scale);
}
template <class F, class V, class W>
auto ScaledRounded(V v, W scale) {
  return Each<u32>([](float x, u32 s) { return ToNarrow<F>(x / ScaleFactor(s)); }, v, scale);
}
template <class F, class V, class W>
auto ScaledStochastic(V v, W random, W scale) {
  return Each<u32>([](float x, u32 r, u32 s) { return ToNarrowStochastic<F>(x / ScaleFactor(s), r); }, v, random,
                   scale);
}

template <class W>
auto ScaleValue(W scale) {
  return Each<float>([](u32 s) { return static_cast<float>(ScaleFactor(s)); }, scale);
}

template <class V>
V BitReverse(V v) {
  return __builtin_elementwise_bitreverse(v);
}
template <class V>
V PopCount(V v) {
  return __builtin_elementwise_popcount(v);
}
template <class V>
V SaturatingAdd(V a, V b) {
  return __builtin_elementwise_add_sat(a, b);
}
template <class V>
V SaturatingSubtract(V a, V b) {
  return __builtin_elementwise_sub_sat(a, b);
}
// Zeros above the highest one, -1 for 0; zeros below the lowest one; bits equal to the sign below it, -1 if there are
// only those.
template <class V>
auto FirstBitHigh(V v) {
  return Each<u32>([](Element<V> x) -> u32 { return x == 0 ? ~0u : std::countl_zero(x); }, v);
}
template <class V>
auto FirstBitLow(V v) {
  return Each<u32>([](Element<V> x) -> u32 { return x == 0 ? ~0u : std::countr_zero(x); }, v);
}
template <class V>
auto FirstSignChange(V v) {
  using U = std::make_unsigned_t<Element<V>>;
  return Each<u32>(
      [](Element<V> x) -> u32 {
        U magnitude = static_cast<U>(x < 0 ? ~x : x);
        return magnitude == 0 ? ~0u : std::countl_zero(magnitude);
      },
      v);
}

template <class V, class W>
V TrigPreop(V v, W segment) {
  return Each<Element<V>>([](double x, u32 s) { return TrigPreopOf(x, s); }, v, segment);
}
// The division sequence; see scalar_math.h.
template <class V>
auto DivScale(V x, V denominator, V numerator) {
  V value;
  Lanes<IntOfSize<sizeof(Element<V>)>> flag;
  for (int i = 0; i < kChunk; i++) {
    auto scaled = DivScaleOf<Element<V>>(x[i], denominator[i], numerator[i]);
    value[i] = scaled.value;
    flag[i] = scaled.flag ? -1 : 0;
  }
  return std::make_tuple(value, flag);
}
template <class V>
V DivFmas(V a, V b, V c, Lanes<i32> flag) {
  V r;
  for (int i = 0; i < kChunk; i++) r[i] = DivFmasOf<Element<V>>(a[i], b[i], c[i], flag[i] != 0);
  return r;
}
template <class V>
V DivFixup(V quotient, V denominator, V numerator) {
  V r;
  for (int i = 0; i < kChunk; i++) r[i] = DivFixupOf<Element<V>>(quotient[i], denominator[i], numerator[i]);
  return r;
}

}  // namespace rocxla::emu
