// What several table lines share: results in several registers, carries, bit fields, the rules of minimum and maximum.
// Templates over the value domain; include after one.
#pragma once
#include <limits>
#include <tuple>

#include "base/numerics/half.h"
#include "emulator/isa/narrow_floats.h"
#include "emulator/isa/signature.h"

namespace rocxla::emu {

auto Both(auto... results) { return std::make_tuple(results...); }
auto WithCarry(auto sum, auto addend) { return Both(sum, sum < addend); }
auto NonZero(auto r) { return Both(r, r != Like(r, 0)); }
auto SaveExec(auto old, auto now) { return Both(old, now, now != Like(now, 0)); }
// wave32: only the low half of EXEC takes part.
template <class A, class B, class F>
auto SaveExec32(A a, B exec, F combine) {
  auto low = To<u32>(exec);
  auto now = combine(a, low);
  return Both(low, To<u64>(now), now != Like(now, 0));
}

template <class U, class M>
auto AddWithCarry(U a, U b, M carry) {
  auto partial = a + b;
  auto sum = partial + AsBit(carry);
  return Both(sum, (partial < a) | (sum < partial));
}
template <class U, class M>
auto SubtractWithBorrow(U a, U b, M borrow) {
  auto partial = a - b;
  auto difference = partial - AsBit(borrow);
  return Both(difference, (a < b) | (partial < AsBit(borrow)));
}
// `b` as it enters the addition: of a - b give ~b, which has the sign of -b - 1.
auto WithOverflow(auto sum, auto a, auto b) { return Both(sum, ((a ^ sum) & (b ^ sum)) < 0); }
auto MulAddWide(auto product, auto addend) {
  auto sum = product + addend;
  return Both(sum, sum < product);
}
auto SignedMulAddWide(auto product, auto addend) {
  auto sum = product + addend;
  return Both(sum, ((product ^ sum) & (addend ^ sum)) < Like(sum, 0));
}
template <class U>
auto ShiftedAdd(U a, U b, int shift) {
  auto sum = (To<u64>(a) << shift) + To<u64>(b);
  return Both(To<u32>(sum), (sum >> 32) != Like(sum, 0));
}

template <class V>
V Min(V a, V b) {
  return Select(a < b, a, b);
}
template <class V>
V Max(V a, V b) {
  return Select(a > b, a, b);
}
template <class V>
V Median(V a, V b, V c) {
  return Max(Min(a, b), Min(Max(a, b), c));
}

auto SignedLow24(auto a) { return (a << 8) >> 8; }
template <class U>
auto Concat(U high, U low) {
  return (To<u64>(high) << 32) | To<u64>(low);
}
template <class U>
U ExtractBits(U a, U offset, U width) {
  return (a >> offset) & ((Like(a, 1) << width) - Like(a, 1));
}
// Width 0 gives 0. The field's top bit is moved to the sign and back.
template <class U>
auto ExtractSignedBits(U a, U offset, U width) {
  auto field = ExtractBits(a, offset, width);
  auto drop = (Like(a, 32) - width) & Like(a, 31);
  auto extended = To<i32>(field << drop) >> To<i32>(drop);
  return Select(width == Like(a, 0), Like(extended, 0), extended);
}
// Offset in the low bits of b, width in bits 16 to 22; the field is extended by the type of a.
template <class A>
A ScalarExtract(A a, u32 b) {
  constexpr u32 kBits = 8 * sizeof(A);
  u32 offset = b & (kBits - 1), width = (b >> 16) & 127;
  if (width == 0) return 0;
  A shifted = a >> offset;
  if (width >= kBits) return shifted;
  using U = std::make_unsigned_t<A>;
  return static_cast<A>(static_cast<U>(shifted) << (kBits - width)) >> (kBits - width);
}
template <class H>
auto PackHalves(H low, H high) {
  return To<u32>(low) | (To<u32>(high) << 16);
}
template <class I>
auto SaturateI16(I a) {
  return To<u16>(Min(Max(a, Like(a, -32768)), Like(a, 32767)));
}

template <class U>
U PermuteBytes(U high, U low, U selector) {
  U result = Like(low, 0u);
  for (unsigned i = 0; i < 4; i++) {
    U s = (selector >> (8 * i)) & 255u;
    U plain = (Select(s < 4u, low, high) >> ((s & 3u) << 3)) & 255u;
    // Selectors 8 to 11 replicate the sign of one half, 12 is 0, larger ones are 255.
    U sign = (Select((s & 2u) == 0u, low, high) >> (((s & 1u) << 4) + 15u)) & 1u;
    U special = Select(s < 12u, sign * 255u, Select(s == 12u, Like(s, 0u), Like(s, 255u)));
    result = result | (Select(s < 8u, plain, special) << (8 * i));
  }
  return result;
}
// Bit by bit the entry of `table` that the three sources select, a being the highest bit of the index.
template <class U>
U TruthTable(U a, U b, U c, U table) {
  U result = Like(a, 0u);
  for (unsigned entry = 0; entry < 8; entry++) {
    U x = (entry & 4) != 0 ? a : ~a, y = (entry & 2) != 0 ? b : ~b, z = (entry & 1) != 0 ? c : ~c;
    U chosen = Like(a, 0u) - ((table >> Like(a, entry)) & Like(a, 1u));
    result = result | (x & y & z & chosen);
  }
  return result;
}
template <unsigned bits, class U>
U SumOfDifferences(U a, U b) {
  U sum = Like(a, 0u);
  for (unsigned at = 0; at < 32; at += bits) {
    U x = (a >> at) & ((1u << bits) - 1), y = (b >> at) & ((1u << bits) - 1);
    sum = sum + Select(x > y, x - y, y - x);
  }
  return sum;
}
// The same of bytes, without those that are 0 in the reference b.
template <class U>
U MaskedSumOfDifferences(U a, U b) {
  U sum = Like(a, 0u);
  for (unsigned at = 0; at < 32; at += 8) {
    U x = (a >> at) & 255u, y = (b >> at) & 255u;
    sum = sum + Select(y == 0u, Like(a, 0u), Select(x > y, x - y, y - x));
  }
  return sum;
}
// Four sums at once: a reference of four bytes against four windows of a, a byte apart, each added to its half of c.
template <bool masked, class W, class U>
W SlidingSums(W a, U b, W c) {
  W result = Like(a, 0u);
  for (unsigned i = 0; i < 4; i++) {
    U window = To<u32>((a >> Like(a, 8 * i)) & Like(a, 0xffffffffu));
    U sum = masked ? MaskedSumOfDifferences(window, b) : SumOfDifferences<8>(window, b);
    W half = (To<u64>(sum) + (c >> Like(a, 16 * i))) & Like(a, 0xffffu);
    result = result | (half << Like(a, 16 * i));
  }
  return result;
}
// Byte by byte the mean of a and b, rounded up where the lowest bit of c's byte is set.
template <class U>
U AverageBytes(U a, U b, U c) {
  U result = Like(a, 0u);
  for (unsigned at = 0; at < 32; at += 8) {
    U sum = ((a >> at) & 255u) + ((b >> at) & 255u) + ((c >> at) & 1u);
    result = result | ((sum >> 1) << at);
  }
  return result;
}
// Byte number `index` of `word` becomes `byte`.
template <class U>
U ReplaceByte(U word, U byte, U index) {
  U shift = (index & 3u) << 3;
  return (word & ~(Like(word, 255u) << shift)) | (byte << shift);
}
template <int low, int high, class I>
auto LimitedByte(I x) {
  return To<u32>(Min(Max(x, Like(x, low)), Like(x, high))) & 255u;
}

// Normalised integers: -1 to 1 (0 to 1) as -32767 to 32767 (0 to 65535), to the nearest even; NaN is 0.
template <class F>
auto SignedNormal(F x) {
  F limited = Select(x < -1.0f, Like(x, -1.0f), Select(x > 1.0f, Like(x, 1.0f), x));
  return To<u16>(Saturate<i32>(RoundEven(limited * 32767.0f)));
}
template <class F>
auto UnsignedNormal(F x) {
  F limited = Select(x < 0.0f, Like(x, 0.0f), Select(x > 1.0f, Like(x, 1.0f), x));
  return To<u16>(Saturate<i32>(RoundEven(limited * 65535.0f)));
}

// --- the scalar unit's quads of bits

template <class U>
U WholeQuads(U a) {
  U any = (a | (a >> 1) | (a >> 2) | (a >> 3)) & static_cast<U>(0x1111111111111111u);
  return any * 15u;
}
template <class U>
U QuadMask(U a) {
  U result = 0;
  for (unsigned i = 0; i < 2 * sizeof(U); i++) result |= U{(a >> (4 * i) & 15u) != 0} << i;
  return result;
}
inline u64 DoubledBits(u32 a) {
  u64 result = 0;
  for (unsigned i = 0; i < 32; i++) result |= u64{a >> i & 1u} * 3u << (2 * i);
  return result;
}

// What a NaN operand makes of min and max: it loses against a number. In IEEE mode (gfx9 to gfx11) a signalling NaN
// wins, made quiet.
template <class V>
V QuietedNan(V nan) {
  using Bits = FloatBits<Element<V>>;
  auto bits = BitsAs<Bits>(nan);
  auto quiet = bits | Like(bits, Bits{1} << (FloatFormat<Element<V>>::kMantissa - 1));
  return BitsAs<Element<V>>(static_cast<decltype(bits)>(quiet));  // u16 scalars are promoted
}
template <class V>
auto Signalling(V v) {
  using Bits = FloatBits<Element<V>>;
  auto bits = BitsAs<Bits>(v);
  return (v != v) & ((bits & Like(bits, Bits{1} << (FloatFormat<Element<V>>::kMantissa - 1))) == Like(bits, 0));
}
template <class V>
V NumberRule(V a, V b, V ordered) {
  return Select(a != a, Select(b != b, QuietedNan(a), b), Select(b != b, a, ordered));
}
template <class V>
V NanRule(V a, V b, V ordered) {
  return Select(Signalling(a), QuietedNan(a), Select(Signalling(b), QuietedNan(b), NumberRule(a, b, ordered)));
}
// -0 is less than +0: of equal operands the bits decide, by "or" for the minimum and "and" for the maximum.
template <class V>
V OrderedMin(V a, V b) {
  using Bits = FloatBits<Element<V>>;
  auto bits = BitsAs<Bits>(a);
  V same = BitsAs<Element<V>>(static_cast<decltype(bits)>(bits | BitsAs<Bits>(b)));
  return Select(a < b, a, Select(b < a, b, same));
}
template <class V>
V OrderedMax(V a, V b) {
  using Bits = FloatBits<Element<V>>;
  auto bits = BitsAs<Bits>(a);
  V same = BitsAs<Element<V>>(static_cast<decltype(bits)>(bits & BitsAs<Bits>(b)));
  return Select(a > b, a, Select(b > a, b, same));
}
template <class V>
V MinNum(V a, V b) {
  return NanRule(a, b, OrderedMin(a, b));
}
template <class V>
V MaxNum(V a, V b) {
  return NanRule(a, b, OrderedMax(a, b));
}
// IEEE 754-2019 minimumNumber and maximumNumber: a number wins against every NaN.
template <class V>
V MinNumber(V a, V b) {
  return NumberRule(a, b, OrderedMin(a, b));
}
template <class V>
V MaxNumber(V a, V b) {
  return NumberRule(a, b, OrderedMax(a, b));
}
// IEEE 754-2019 minimum and maximum: any NaN operand gives NaN.
template <class V>
V Minimum(V a, V b) {
  return Select(a != a, QuietedNan(a), Select(b != b, QuietedNan(b), OrderedMin(a, b)));
}
template <class V>
V Maximum(V a, V b) {
  return Select(a != a, QuietedNan(a), Select(b != b, QuietedNan(b), OrderedMax(a, b)));
}
// Unfused, without denormals, and a product with a zero is +0 even of infinities and NaNs.
template <class V>
V MadLegacy(V a, V b, V c) {
  V zero = Like(a, 0.0f);
  V product = Select((a == 0.0f) | (b == 0.0f), zero, FlushDenormal(a * b));
  return FlushDenormal(product + c);
}
// Two sums of halves in one word.
inline u32 AddHalves(u32 a, u32 b) {
  auto sum = [&](int shift) {
    return u32{F32ToF16(F16ToF32(static_cast<u16>(a >> shift)) + F16ToF32(static_cast<u16>(b >> shift)))};
  };
  return sum(0) | sum(16) << 16;
}
inline u32 AddBf16s(u32 a, u32 b) {
  auto sum = [&](int shift) {
    return u32{F32ToBf16(Bf16ToF32(static_cast<u16>(a >> shift)) + Bf16ToF32(static_cast<u16>(b >> shift)))};
  };
  return sum(0) | sum(16) << 16;
}
// Of each half of b that has its highest bit set, the other 31 bits replace a's half.
inline u64 ExchangeMarkedHalves(u64 a, u64 b) {
  u64 result = a;
  for (u64 half : {0xffffffffull, 0xffffffff00000000ull}) {
    bool marked = (b & half & 0x8000000080000000ull) != 0;
    if (marked) result = (result & ~half) | (b & half & 0x7fffffff7fffffffull);
  }
  return result;
}
// With a NaN operand: the least of the three.
template <class V>
V MedianNum(V a, V b, V c) {
  V median = OrderedMax(OrderedMin(a, b), OrderedMin(OrderedMax(a, b), c));
  return Select((a != a) | (b != b) | (c != c), MinNum(MinNum(a, b), c), median);
}
template <class V>
V MedianNumber(V a, V b, V c) {
  V median = OrderedMax(OrderedMin(a, b), OrderedMin(OrderedMax(a, b), c));
  return Select((a != a) | (b != b) | (c != c), MinNumber(MinNumber(a, b), c), median);
}
// Into 0 to 1; NaN becomes 0 if MODE's bit DX10_CLAMP is set, else it stays.
template <class V, class U>
V Clamped(V a, U mode) {
  V zero = Like(a, 0.0f), one = Like(a, 1.0f);
  V clamped = Select(a > zero, Select(a < one, a, one), zero);
  return Select((mode & 0x100u) == 0u, Select(a != a, a, clamped), clamped);
}
// An infinity that no operand was (b: whether one was) becomes the largest number if MODE's bit FP16_OVFL is set.
template <class V, class U>
V WithoutOverflow(V a, U b, U mode) {
  V limited = Select(a == Like(a, __builtin_inff()), Like(a, 65504.0f),
                     Select(a == Like(a, -__builtin_inff()), Like(a, -65504.0f), a));
  return Select((b == 0u) & ((mode & 0x800000u) != 0u), limited, a);
}
// If MODE's bit FP16_OVFL is set, what lies beyond `limit` times the scale (see ScaleFactor) becomes just that.
template <class V, class U>
V WithinNarrow(V a, U mode, V limit, U scale) {
  V largest = limit * ScaleValue(scale), least = Like(a, 0.0f) - largest;
  V limited = Select(a > largest, largest, Select(a < least, least, a));
  return Select((mode & 0x800000u) != 0u, limited, a);
}

template <class U>
auto Bf16Value(U a) {
  return BitsAs<float>(To<u32>(a) << 16);
}
template <class U>
auto PackBytes(U low, U high) {
  return To<u16>(low | (high << 8));
}

// --- dot products: elements of packed registers as numbers

struct HalfElement {
  static auto At(auto x, unsigned shift) { return To<float>(BitsAs<f16>(To<u16>((x >> shift) & 0xffffu))); }
};
struct Bf16Element {
  static auto At(auto x, unsigned shift) { return BitsAs<float>(((x >> shift) & 0xffffu) << 16); }
};
// Two pairs of halves, by fused steps from the low one, beginning with the addend.
template <class E, class U, class F>
F DotHalves(U a, U b, F c) {
  return Fma(E::At(a, 16), E::At(b, 16), Fma(E::At(a, 0), E::At(b, 0), c));
}
template <class A, class B, class U, class F>
F DotBytes(U a, U b, F c) {
  for (unsigned at = 0; at < 32; at += 8) {
    c = Fma(ValueOf<A>((a >> at) & 255u), ValueOf<B>((b >> at) & 255u), c);
  }
  return c;
}
template <unsigned bits, bool is_signed, class U>
auto IntegerElement(U x, unsigned at) {
  if constexpr (is_signed)
    return To<i64>(To<i32>(x << (32 - bits - at)) >> static_cast<int>(32 - bits));
  else
    return To<i64>((x >> at) & ((1u << bits) - 1));
}
template <unsigned bits, bool a_signed, bool b_signed, class U>
auto DotIntegers(U a, U b) {
  auto sum = IntegerElement<bits, a_signed>(a, 0) * IntegerElement<bits, b_signed>(b, 0);
  for (unsigned at = bits; at < 32; at += bits) {
    sum = sum + IntegerElement<bits, a_signed>(a, at) * IntegerElement<bits, b_signed>(b, at);
  }
  return sum;
}
// A wide integer, limited to the range of I.
template <class I, class V>
auto Narrowed(V wide) {
  using Limits = std::numeric_limits<I>;
  return To<I>(Min(Max(wide, Like(wide, i64{Limits::min()})), Like(wide, i64{Limits::max()})));
}

// See the table for the bits of `classes`.
template <class V, class U>
auto HasClass(V v, U classes) {
  using Format = FloatFormat<Element<V>>;
  using Bits = FloatBits<Element<V>>;
  auto bits = BitsAs<Bits>(v);
  auto is = [&](unsigned bit) { return ((classes >> bit) & 1u) != Like(classes, 0); };
  auto magnitude = bits & Like(bits, static_cast<Bits>(~Bits{0}) >> 1);
  auto negative = magnitude != bits;
  auto infinity = Like(bits, Bits{Format::kMaxExponent} << Format::kMantissa);
  auto least_normal = Like(bits, Bits{1} << Format::kMantissa);
  auto choose = [&](auto condition, unsigned bit) { return To<i32>(condition) & is(bit); };
  auto sided = [&](auto condition, unsigned below, unsigned above) {
    return choose(condition & negative, below) | choose(condition & Not(negative), above);
  };
  auto nan = magnitude > infinity;
  auto finite = magnitude < infinity;
  return choose(nan & Signalling(v), 0) | choose(nan & Not(Signalling(v)), 1) | sided(magnitude == infinity, 2, 9) |
         sided(finite & (magnitude >= least_normal), 3, 8) |
         sided((magnitude < least_normal) & (magnitude != Like(bits, 0)), 4, 7) |
         sided(magnitude == Like(bits, 0), 5, 6);
}

}  // namespace rocxla::emu
