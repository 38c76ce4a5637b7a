// Cases of lane-wise instructions: an instruction, and a formula over its operands as bits. The formulas use host
// arithmetic and the ISA manuals' wording, never the tables.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "emulator/testing/edge_values.h"
#include "emulator/testing/instruction_harness.h"

namespace rocxla::emu {

enum class Result { kU32, kU64, kF16, kF32, kF64 };  // float results: any NaN equals any NaN
enum class Width { k32, k64 };

struct Case {
  // Spellings separated by '|', operands as {d}, {a}, {b}, {c}; the first that a target's assembler knows is used.
  std::string text;
  Result result;
  std::function<u64(u64 a, u64 b, u64 c)> formula;
  Width width = Width::k32;  // of a
  Width width_b = Width::k32, width_c = Width::k32;
  std::string except = "";  // a target whose instruction of this name has another meaning
};
inline void PrintTo(const Case& c, std::ostream* os) { *os << c.text; }

inline float F(u64 x) { return std::bit_cast<float>(static_cast<u32>(x)); }
inline double D(u64 x) { return std::bit_cast<double>(x); }
inline f16 H(u64 x) { return std::bit_cast<f16>(static_cast<u16>(x)); }
inline u64 B(float x) { return std::bit_cast<u32>(x); }
inline u64 B(double x) { return std::bit_cast<u64>(x); }
inline u64 B(f16 x) { return std::bit_cast<u16>(x); }
inline i32 S(u64 x) { return static_cast<i32>(x); }
inline i16 S16(u64 x) { return static_cast<i16>(x); }
inline u32 W(u64 x) { return static_cast<u32>(x); }
inline i32 S24(u64 x) { return static_cast<i32>(static_cast<u32>(x) << 8) >> 8; }
inline f16 ToHalf(long double x) {  // rounds once, by exhaustion of the two neighbours
  float f = static_cast<float>(x);
  f16 best = static_cast<f16>(f);
  if (std::isnan(f) || std::isinf(static_cast<float>(best))) {
    return std::fabs(x) < 65520.0L && std::isinf(static_cast<float>(best))
               ? std::bit_cast<f16>(static_cast<u16>(x < 0 ? 0xfbff : 0x7bff))
               : best;
  }
  u16 bits = std::bit_cast<u16>(best);
  for (int step : {-1, 1}) {
    u16 near_bits = static_cast<u16>(bits + step);
    f16 candidate = std::bit_cast<f16>(near_bits);
    if ((near_bits & 0x7c00) == 0x7c00 || (near_bits & 0x8000) != (bits & 0x8000)) continue;
    long double d0 = std::fabs(static_cast<long double>(static_cast<float>(best)) - x);
    long double d1 = std::fabs(static_cast<long double>(static_cast<float>(candidate)) - x);
    if (d1 < d0 || (d1 == d0 && (near_bits & 1) == 0)) best = candidate;
  }
  return best;
}
template <class T>
T Larger(T a, T b) {  // IEEE 754-2008 maxNum for quiet inputs; +0 above -0
  if (std::isnan(static_cast<float>(a))) return b;
  if (std::isnan(static_cast<float>(b))) return a;
  if (a == b) return std::signbit(static_cast<float>(a)) ? b : a;
  return a > b ? a : b;
}
template <class T>
T Smaller(T a, T b) {
  return -Larger<T>(-a, -b);
}
inline bool SignallingF32(u64 x) { return (x & 0x7fffffff) > 0x7f800000 && (x & 0x400000) == 0; }
inline u64 MaxF32(u64 a, u64 b) {
  if (SignallingF32(a) || SignallingF32(b)) return 0x7fc00000;
  return B(Larger(F(a), F(b)));
}
inline u64 MinF32(u64 a, u64 b) {
  if (SignallingF32(a) || SignallingF32(b)) return 0x7fc00000;
  return B(Smaller(F(a), F(b)));
}
inline u64 MaxF16(u64 a, u64 b) {
  auto signalling = [](u64 x) { return (x & 0x7fff) > 0x7c00 && (x & 0x200) == 0; };
  if (signalling(a) || signalling(b)) return 0x7e00;
  return B(Larger(H(a), H(b)));
}
inline u64 MinF16(u64 a, u64 b) {
  auto signalling = [](u64 x) { return (x & 0x7fff) > 0x7c00 && (x & 0x200) == 0; };
  if (signalling(a) || signalling(b)) return 0x7e00;
  return B(Smaller(H(a), H(b)));
}
inline u64 MaxF64(u64 a, u64 b) {
  auto signalling = [](u64 x) { return std::isnan(D(x)) && (x & 0x8000000000000u) == 0; };
  if (signalling(a) || signalling(b)) return 0x7ff8000000000000u;
  if (std::isnan(D(a))) return b;
  if (std::isnan(D(b))) return a;
  if (D(a) == D(b)) return std::signbit(D(a)) ? b : a;
  return D(a) > D(b) ? a : b;
}
inline u64 MinF64(u64 a, u64 b) {
  constexpr u64 kSign = 0x8000000000000000u;
  u64 negated = MaxF64(a ^ kSign, b ^ kSign);
  return negated ^ kSign;
}
// gfx12's v_min_num and v_max_num: NaNs of both kinds lose.
inline u64 MaxNumberF32(u64 a, u64 b) { return B(Larger(F(a), F(b))); }
inline u64 MinNumberF32(u64 a, u64 b) { return B(Smaller(F(a), F(b))); }
inline u64 MaxNumberF16(u64 a, u64 b) { return B(Larger(H(a), H(b))); }
inline u64 MinNumberF16(u64 a, u64 b) { return B(Smaller(H(a), H(b))); }
inline u64 MaxNumberF64(u64 a, u64 b) { return std::isnan(D(a)) ? b : std::isnan(D(b)) ? a : MaxF64(a, b); }
inline u64 MinNumberF64(u64 a, u64 b) { return std::isnan(D(a)) ? b : std::isnan(D(b)) ? a : MinF64(a, b); }
template <class T>
T Sort3(T a, T b, T c) {
  return std::max(std::min(a, b), std::min(std::max(a, b), c));
}
template <class I>
inline u64 ToInteger(double x) {
  if (std::isnan(x)) return 0;
  if (x >= static_cast<double>(std::numeric_limits<I>::max())) return static_cast<u32>(std::numeric_limits<I>::max());
  if (x <= static_cast<double>(std::numeric_limits<I>::min())) return static_cast<u32>(std::numeric_limits<I>::min());
  return static_cast<u32>(static_cast<I>(x));
}
inline u32 PermByte(u32 a, u32 b, u32 select) {
  u64 data = u64{a} << 32 | b;
  if (select < 8) return data >> (8 * select) & 255;
  if (select < 12) return (data >> (16 * (select - 8) + 15) & 1) != 0 ? 255 : 0;
  return select == 12 ? 0 : 255;
}

inline std::string Replace(std::string text, const std::string& what, const std::string& with) {
  for (size_t at; (at = text.find(what)) != text.npos;) text.replace(at, what.size(), with);
  return text;
}
inline std::string Register(int first, Width width) {
  return width == Width::k32 ? "v" + std::to_string(first)
                             : "v[" + std::to_string(first) + ":" + std::to_string(first + 1) + "]";
}

// Runs its case on every target whose assembler knows it, over corner values and random bits.
class ValuTest : public testing::TestWithParam<Case> {
 protected:
  void CheckOnAllTargets() {
    int targets = 0;
    for (const char* target : {"gfx90a", "gfx942", "gfx1100", "gfx950", "gfx1201"}) {
      if (target == GetParam().except) continue;
      InstructionHarness harness(target);
      std::string text = TextFor(harness);
      if (text.empty()) continue;
      targets++;
      CheckOn(harness, text);
    }
    EXPECT_GT(targets, 0) << "no target knows " << GetParam().text;
  }

  static constexpr int kRounds = 12;

  std::string TextFor(const InstructionHarness& harness) {
    const Case& c = GetParam();
    bool wide = c.result == Result::kU64 || c.result == Result::kF64;
    std::string text = Replace(c.text, "{d}", Register(8, wide ? Width::k64 : Width::k32));
    bool pairs = c.width == Width::k64 || c.width_b == Width::k64 || c.width_c == Width::k64;
    text = Replace(text, "{a}", Register(0, c.width));
    text = Replace(text, "{b}", Register(pairs ? 2 : 1, c.width_b));
    text = Replace(text, "{c}", Register(pairs ? 4 : 2, c.width_c));
    for (size_t begin = 0; begin <= text.size();) {
      size_t end = std::min(text.find('|', begin), text.size());
      std::string spelling = text.substr(begin, end - begin);
      // The operand of |x| is written with bars too; spellings begin with the mnemonic.
      if (spelling.starts_with("v_") && harness.Accepts(spelling)) return spelling;
      begin = end + 1;
    }
    return harness.Accepts(text) ? text : "";
  }

  void CheckOn(InstructionHarness& harness, const std::string& text) {
    const Case& c = GetParam();
    bool pairs = c.width == Width::k64 || c.width_b == Width::k64 || c.width_c == Width::k64;
    RandomBits random(text.size());
    Wave& w = harness.wave();
    u64 in[3][64];
    for (int round = 0; round < kRounds; round++) {
      for (int l = 0; l < harness.lanes(); l++) {
        Width widths[3] = {c.width, c.width_b, c.width_c};
        for (int i = 0; i < 3; i++) {
          in[i][l] = widths[i] == Width::k64 ? random.EdgePair() : random.EdgeWord();
          int row = pairs ? 2 * i : i;
          w.row[row][l] = W(in[i][l]);
          if (pairs) w.row[row + 1][l] = W(in[i][l] >> 32);
        }
      }
      ASSERT_TRUE(harness.Run(text).ok()) << harness.Run(text).ToString();
      for (int l = 0; l < harness.lanes(); l++) Compare(harness, text, in[0][l], in[1][l], in[2][l], l);
      if (HasFailure()) return;
    }
  }

  void Compare(InstructionHarness& harness, const std::string& text, u64 a, u64 b, u64 c, int lane) {
    Result kind = GetParam().result;
    bool wide = kind == Result::kU64 || kind == Result::kF64;
    u64 want = GetParam().formula(a, b, c);
    u64 got = wide ? harness.row_pair(8, lane) : harness.wave().row[8][lane];
    if (kind == Result::kF16) got &= 0xffff;
    bool both_nan = (kind == Result::kF32 && std::isnan(F(want)) && std::isnan(F(got))) ||
                    (kind == Result::kF64 && std::isnan(D(want)) && std::isnan(D(got))) ||
                    (kind == Result::kF16 && text.find("f16") != text.npos && std::isnan(float(H(want))) &&
                     std::isnan(float(H(got))));
    if (both_nan) return;
    EXPECT_EQ(got, want) << std::hex << text << " on " << harness.target().name << ", a " << a << " b " << b << " c "
                         << c;
  }
};

inline std::string NameOf(const testing::TestParamInfo<Case>& info) {
  std::string name = info.param.text.substr(0, info.param.text.find(' '));
  return name + "_" + std::to_string(info.index);
}

}  // namespace rocxla::emu
