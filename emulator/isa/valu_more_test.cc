// Witnesses for lane-wise operations, continued: dot products, unfused multiply-adds, minima of several, byte and
// normalised arithmetic, carries.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/numerics/half.h"
#include "emulator/testing/lane_cases.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"

namespace rocxla::emu {
namespace {

// --- dot products: exact sums in 64 bits

i64 Element(u64 word, int index, int bits, bool is_signed) {
  u64 x = word >> (index * bits) & ((u64{1} << bits) - 1);
  return is_signed && (x >> (bits - 1)) != 0 ? static_cast<i64>(x) - (i64{1} << bits) : static_cast<i64>(x);
}
Case IntegerDot(std::string text, int bits, bool a_signed, bool b_signed, bool result_signed, bool saturates,
                std::string tail = "") {
  auto formula = [=](u64 a, u64 b, u64 c) {
    i64 sum = result_signed ? i64{S(c)} : i64{W(c)};
    for (int i = 0; i < 32 / bits; i++) sum += Element(a, i, bits, a_signed) * Element(b, i, bits, b_signed);
    i64 low = result_signed ? INT32_MIN : 0, high = result_signed ? i64{INT32_MAX} : i64{UINT32_MAX};
    return u64{W(static_cast<u64>(saturates ? std::clamp(sum, low, high) : sum))};
  };
  return {text + (saturates ? " clamp" : "") + tail, Result::kU32, formula};
}
u64 FloatDot(u64 a, u64 b, u64 c, auto value) {  // fused steps from the low half, beginning with the addend
  return B(std::fma(value(a >> 16), value(b >> 16), std::fma(value(a), value(b), F(c))));
}
float Bf16(u64 x) { return F((x & 0xffff) << 16); }
float FromF16(u64 x) { return static_cast<float>(H(x)); }
float FromByte(const llvm::fltSemantics& format, u64 x) {
  llvm::APFloat value(format, llvm::APInt(8, x & 255));
  bool inexact;
  value.convert(llvm::APFloat::IEEEsingle(), llvm::APFloat::rmNearestTiesToEven, &inexact);
  return value.convertToFloat();
}

std::vector<Case> DotCases() {
  std::vector<Case> cases;
  for (bool saturates : {false, true}) {
    cases.push_back(IntegerDot("v_dot2_i32_i16 {d}, {a}, {b}, {c}", 16, true, true, true, saturates));
    cases.push_back(IntegerDot("v_dot2_u32_u16 {d}, {a}, {b}, {c}", 16, false, false, false, saturates));
    cases.push_back(IntegerDot("v_dot4_u32_u8 {d}, {a}, {b}, {c}", 8, false, false, false, saturates));
    cases.push_back(IntegerDot("v_dot8_u32_u4 {d}, {a}, {b}, {c}", 4, false, false, false, saturates));
    // Later assemblers take these names for v_dot4_i32_iu8 and its kin, whose inputs are unsigned without modifiers;
    // they do not know v_clrexcp.
    std::string gfx9 = "\n v_clrexcp";
    cases.push_back(IntegerDot("v_dot4_i32_i8 {d}, {a}, {b}, {c}", 8, true, true, true, saturates, gfx9));
    cases.push_back(IntegerDot("v_dot8_i32_i4 {d}, {a}, {b}, {c}", 4, true, true, true, saturates, gfx9));
    for (int bits : {8, 4}) {
      for (int signs = 0; signs < 4; signs++) {
        bool a = (signs & 1) != 0, b = (signs & 2) != 0;
        std::string text = fmt::format("v_dot{}_i32_iu{} {{d}}, {{a}}, {{b}}, {{c}} neg_lo:[{},{},0]", 32 / bits, bits,
                                       int{a}, int{b});
        cases.push_back(IntegerDot(text, bits, a, b, true, saturates));
      }
    }
  }
  // The accumulator is the destination.
  for (auto [name, bits] :
       {std::pair{"v_dot2c_i32_i16", 16}, std::pair{"v_dot4c_i32_i8", 8}, std::pair{"v_dot8c_i32_i4", 4}}) {
    std::string text = fmt::format("v_mov_b32 {{d}}, {{c}}\n {} {{d}}, {{a}}, {{b}}", name);
    cases.push_back(IntegerDot(text, bits, true, true, true, false));
  }
  auto f16_dot = [](u64 a, u64 b, u64 c) { return FloatDot(a, b, c, FromF16); };
  auto bf16_dot = [](u64 a, u64 b, u64 c) { return FloatDot(a, b, c, Bf16); };
  auto swapped = [](u64 x) { return (x & 0xffff) << 16 | (x >> 16 & 0xffff); };
  cases.push_back({"v_dot2_f32_f16 {d}, {a}, {b}, {c}", Result::kF32, f16_dot});
  cases.push_back({"v_dot2_f32_bf16 {d}, {a}, {b}, {c}", Result::kF32, bf16_dot});
  cases.push_back({"v_dot2_f32_f16 {d}, {a}, {b}, {c} op_sel:[1,0,0] op_sel_hi:[0,1,1] neg_lo:[0,1,0] neg_hi:[1,0,0]",
                   Result::kF32,
                   [=](u64 a, u64 b, u64 c) { return f16_dot(swapped(a) ^ 0x80000000u, b ^ 0x8000u, c); }});
  cases.push_back(
      {"v_mov_b32 {d}, {c}\n v_dot2c_f32_f16 {d}, {a}, {b}|v_mov_b32 {d}, {c}\n v_dot2acc_f32_f16 {d}, {a}, {b}",
       Result::kF32, f16_dot});
  cases.push_back({"v_mov_b32 {d}, {c}\n v_dot2c_f32_bf16 {d}, {a}, {b}", Result::kF32, bf16_dot});
  cases.push_back({"v_dot2_f16_f16 v8, v0, v1, v2|v_dot2_f16_f16 v8.l, v0, v1, v2.l", Result::kF16,
                   [](u64 a, u64 b, u64 c) { return u64{F32ToF16(F(FloatDot(a, b, B(FromF16(c)), FromF16)))}; }});
  cases.push_back(
      {"v_dot2_bf16_bf16 v8, v0, v1, v2|v_dot2_bf16_bf16 v8.l, v0, v1, v2.l", Result::kF16, [](u64 a, u64 b, u64 c) {
         u64 sum = FloatDot(a, b, B(Bf16(c)), Bf16);
         return std::isnan(F(sum)) ? u64{0x7fc0} : u64{F32ToBf16(F(sum))};
       }});
  for (auto [name, a_format, b_format] :
       {std::tuple{"fp8_fp8", &llvm::APFloat::Float8E4M3FN(), &llvm::APFloat::Float8E4M3FN()},
        std::tuple{"fp8_bf8", &llvm::APFloat::Float8E4M3FN(), &llvm::APFloat::Float8E5M2()},
        std::tuple{"bf8_fp8", &llvm::APFloat::Float8E5M2(), &llvm::APFloat::Float8E4M3FN()},
        std::tuple{"bf8_bf8", &llvm::APFloat::Float8E5M2(), &llvm::APFloat::Float8E5M2()}}) {
    cases.push_back({fmt::format("v_dot4_f32_{} {{d}}, {{a}}, {{b}}, {{c}}", name), Result::kF32,
                     [a_format, b_format](u64 a, u64 b, u64 c) {
                       float sum = F(c);
                       for (int i = 0; i < 32; i += 8) {
                         sum = std::fma(FromByte(*a_format, a >> i), FromByte(*b_format, b >> i), sum);
                       }
                       return B(sum);
                     }});
  }
  return cases;
}

// --- floats

float Flushed(float x) { return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0f, x) : x; }
float UnfusedMad(float a, float b, float c, bool legacy) {
  a = Flushed(a), b = Flushed(b), c = Flushed(c);
  volatile float product = legacy && (a == 0 || b == 0) ? 0.0f : Flushed(a * b);
  return Flushed(product + c);
}
f16 FlushedHalf(f16 x) {
  return (std::bit_cast<u16>(x) & 0x7c00) == 0 ? std::bit_cast<f16>(static_cast<u16>(std::bit_cast<u16>(x) & 0x8000))
                                               : x;
}
u64 MinimumF32(u64 a, u64 b) { return std::isnan(F(a)) || std::isnan(F(b)) ? 0x7fc00000 : MinF32(a, b); }
u64 MaximumF32(u64 a, u64 b) { return std::isnan(F(a)) || std::isnan(F(b)) ? 0x7fc00000 : MaxF32(a, b); }
bool NanF16(u64 x) { return (x & 0x7fff) > 0x7c00; }
u64 MinimumF16(u64 a, u64 b) { return NanF16(a) || NanF16(b) ? 0x7e00 : MinF16(a & 0xffff, b & 0xffff); }
u64 MaximumF16(u64 a, u64 b) { return NanF16(a) || NanF16(b) ? 0x7e00 : MaxF16(a & 0xffff, b & 0xffff); }
u64 MinimumF64(u64 a, u64 b) { return std::isnan(D(a)) || std::isnan(D(b)) ? 0x7ff8000000000000u : MinF64(a, b); }
u64 MaximumF64(u64 a, u64 b) { return std::isnan(D(a)) || std::isnan(D(b)) ? 0x7ff8000000000000u : MaxF64(a, b); }

std::vector<Case> FloatCases() {
  using Function = std::function<u64(u64, u64, u64)>;
  constexpr double kTurn = 6.283185307179586476925286766559;
  auto three32 = [](std::string name, Function f) { return Case{name + " {d}, {a}, {b}, {c}", Result::kF32, f}; };
  auto halves = [](std::string name, int operands, Function f) {
    std::string fake = " {d}, {a}", real = " v8.l, v0.l";
    if (operands > 1) fake += ", {b}", real += ", v1.l";
    if (operands > 2) fake += ", {c}", real += ", v2.l";
    return Case{name + fake + "|" + name + real, Result::kF16, f};
  };
  auto mad = [](u64 a, u64 b, u64 c) { return B(UnfusedMad(F(a), F(b), F(c), false)); };
  auto legacy_mad = [](u64 a, u64 b, u64 c) { return B(UnfusedMad(F(a), F(b), F(c), true)); };
  auto half_mad = [](u64 a, u64 b, u64 c) {
    f16 product = FlushedHalf(ToHalf((long double)FromF16(B(FlushedHalf(H(a)))) * FromF16(B(FlushedHalf(H(b))))));
    return B(FlushedHalf(ToHalf((long double)FromF16(B(product)) + FromF16(B(FlushedHalf(H(c)))))));
  };
  return {
      three32("v_mad_f32", mad),
      {"v_mov_b32 {d}, {c}\n v_mac_f32 {d}, {a}, {b}", Result::kF32, mad},
      {"v_madmk_f32 {d}, {a}, 0x40490fdb, {b}", Result::kF32, [=](u64 a, u64 b, u64) { return mad(a, 0x40490fdb, b); }},
      {"v_madak_f32 {d}, {a}, {b}, 0x40490fdb", Result::kF32, [=](u64 a, u64 b, u64) { return mad(a, b, 0x40490fdb); }},
      three32("v_mad_legacy_f32", legacy_mad),
      {"v_fma_dx9_zero_f32 {d}, {a}, {b}, {c}", Result::kF32,
       [](u64 a, u64 b, u64 c) { return F(a) == 0 || F(b) == 0 ? c : B(std::fma(F(a), F(b), F(c))); }},
      three32("v_minimum3_f32", [](u64 a, u64 b, u64 c) { return MinimumF32(MinimumF32(a, b), c); }),
      three32("v_maximum3_f32", [](u64 a, u64 b, u64 c) { return MaximumF32(MaximumF32(a, b), c); }),
      three32("v_minimummaximum_f32", [](u64 a, u64 b, u64 c) { return MaximumF32(MinimumF32(a, b), c); }),
      three32("v_maximumminimum_f32", [](u64 a, u64 b, u64 c) { return MinimumF32(MaximumF32(a, b), c); }),
      halves("v_mad_f16", 3, half_mad),
      halves("v_mad_legacy_f16", 3, half_mad),
      halves("v_minimum_f16", 2, [](u64 a, u64 b, u64) { return MinimumF16(a, b); }),
      halves("v_maximum_f16", 2, [](u64 a, u64 b, u64) { return MaximumF16(a, b); }),
      halves("v_minimum3_f16", 3, [](u64 a, u64 b, u64 c) { return MinimumF16(MinimumF16(a, b), c); }),
      halves("v_maximum3_f16", 3, [](u64 a, u64 b, u64 c) { return MaximumF16(MaximumF16(a, b), c); }),
      halves("v_minimummaximum_f16", 3, [](u64 a, u64 b, u64 c) { return MaximumF16(MinimumF16(a, b), c); }),
      halves("v_maximumminimum_f16", 3, [](u64 a, u64 b, u64 c) { return MinimumF16(MaximumF16(a, b), c); }),
      {"v_pk_minimum3_f16 {d}, {a}, {b}, {c}", Result::kF16,
       [](u64 a, u64 b, u64 c) { return MinimumF16(MinimumF16(a, b), c); }},
      {"v_pk_maximum3_f16 {d}, {a}, {b}, {c}", Result::kF16,
       [](u64 a, u64 b, u64 c) { return MaximumF16(MaximumF16(a, b), c); }},
      {"v_mov_b32 {d}, {c}\n v_pk_fmac_f16 {d}, {a}, {b}", Result::kF16,
       [](u64 a, u64 b, u64 c) { return B(ToHalf((long double)FromF16(a) * FromF16(b) + FromF16(c))); }},
      halves("v_sin_f16", 1,
             [](u64 a, u64, u64) { return B(ToHalf(std::sin(std::remainder(FromF16(a), 1.0) * kTurn))); }),
      halves("v_cos_f16", 1,
             [](u64 a, u64, u64) { return B(ToHalf(std::cos(std::remainder(FromF16(a), 1.0) * kTurn))); }),
      halves("v_fract_f16", 1,
             [](u64 a, u64, u64) {
               float x = FromF16(a), largest = 1 - 0x1p-11f;
               if (!std::isfinite(x)) return B(static_cast<f16>(largest));
               return B(static_cast<f16>(std::min(FromF16(B(ToHalf(x - std::floor(x)))), largest)));
             }),
      halves("v_ldexp_f16", 2,
             [](u64 a, u64 b, u64) {
               return B(ToHalf(std::ldexp((long double)FromF16(a), std::clamp<int>(S16(b), -99, 99))));
             }),
      halves("v_frexp_exp_i16_f16", 1,
             [](u64 a, u64, u64) {
               int exponent = 0;
               if (std::isfinite(FromF16(a))) std::frexp(FromF16(a), &exponent);
               return u64{static_cast<u16>(exponent)};
             }),
      {"v_add_f16_e64 {d}, abs({a}), -{b} clamp|v_add_f16_e64 v8.l, abs(v0.l), -v1.l clamp", Result::kF16,
       [](u64 a, u64 b, u64) {
         float x = FromF16(B(ToHalf((long double)std::fabs(FromF16(a)) - FromF16(b))));
         return B(static_cast<f16>(!(x > 0) ? 0.0f : std::min(x, 1.0f)));
       }},
      {"v_minimum_f64 {d}, {a}, {b}", Result::kF64, [](u64 a, u64 b, u64) { return MinimumF64(a, b); }, Width::k64,
       Width::k64},
      {"v_maximum_f64 {d}, {a}, {b}", Result::kF64, [](u64 a, u64 b, u64) { return MaximumF64(a, b); }, Width::k64,
       Width::k64},
      {"v_rsq_f64 {d}, {a}", Result::kF64,
       [](u64 a, u64, u64) { return B(double(1.0L / std::sqrt((long double)D(a)))); }, Width::k64},
      {"v_fract_f64 {d}, {a}", Result::kF64,
       [](u64 a, u64, u64) {
         if (!std::isfinite(D(a))) return B(0x1.fffffffffffffp-1);
         return B(std::min(D(a) - std::floor(D(a)), 0x1.fffffffffffffp-1));
       },
       Width::k64},
      {"v_add_f64 {d}, {a}, {b} clamp|v_add_f64_e64 {d}, {a}, {b} clamp", Result::kF64,
       [](u64 a, u64 b, u64) {
         double x = D(a) + D(b);
         return B(!(x > 0) ? 0.0 : std::min(x, 1.0));
       },
       Width::k64, Width::k64},
  };
}

// --- integers, bytes, and conversions to them

u64 Byte(u64 x, int i) { return x >> (8 * i) & 255; }
u64 Sum4(u64 window, u64 reference, bool masked) {
  u64 sum = 0;
  for (int i = 0; i < 4; i++) {
    i64 x = static_cast<i64>(Byte(window, i)), y = static_cast<i64>(Byte(reference, i));
    if (!masked || y != 0) sum += static_cast<u64>(std::abs(x - y));
  }
  return sum;
}
u64 Sliding(u64 a, u64 b, u64 c, bool masked) {
  u64 r = 0;
  for (int i = 0; i < 4; i++) r |= ((Sum4(a >> (8 * i), b, masked) + (c >> (16 * i))) & 0xffff) << (16 * i);
  return r;
}
u64 Limited(i64 x, i64 low, i64 high) { return static_cast<u64>(std::clamp(x, low, high)) & 255; }
u64 Normal16(float x, float scale, float low) {
  if (std::isnan(x)) return 0;
  return static_cast<u16>(static_cast<i32>(std::nearbyint(double{std::clamp(x, low, 1.0f)} * scale)));
}
u64 Pair(u64 low, u64 high) { return (low & 0xffff) | (high & 0xffff) << 16; }

std::vector<Case> OtherCases() {
  auto shifted = [](u64 x, u64 by) { return i64{S(x) >> (by % 32)}; };
  auto snorm = [](float x) { return Normal16(x, 32767, -1); };
  auto unorm = [](float x) { return Normal16(x, 65535, 0); };
  auto bitop16 = [](u64 a, u64 b, u64 c) {
    u64 r = 0;
    for (int i = 0; i < 16; i++) r |= u64(0x6a >> ((a >> i & 1) * 4 + (b >> i & 1) * 2 + (c >> i & 1)) & 1) << i;
    return r;
  };
  return {
      {"v_msad_u8 {d}, {a}, {b}, {c}", Result::kU32, [](u64 a, u64 b, u64 c) { return u64{W(Sum4(a, b, true) + c)}; }},
      {"v_lerp_u8 {d}, {a}, {b}, {c}", Result::kU32,
       [](u64 a, u64 b, u64 c) {
         u64 r = 0;
         for (int i = 0; i < 4; i++) r |= (Byte(a, i) + Byte(b, i) + (Byte(c, i) & 1)) / 2 << (8 * i);
         return r;
       }},
      {"v_qsad_pk_u16_u8 {d}, {a}, {b}, {c}", Result::kU64, [](u64 a, u64 b, u64 c) { return Sliding(a, b, c, false); },
       Width::k64, Width::k32, Width::k64},
      {"v_cvt_pk_u8_f32 {d}, {a}, {b}, {c}", Result::kU32,
       [](u64 a, u64 b, u64 c) {
         double x = std::isnan(F(a)) ? 0 : std::clamp(std::nearbyint(double{F(a)}), 0.0, 255.0);
         u32 shift = 8 * (b & 3);
         return u64{(W(c) & ~(255u << shift)) | static_cast<u32>(x) << shift};
       }},
      {"v_mov_b32 {d}, {c}\n v_cvt_pkaccum_u8_f32 {d}, {a}, {b}", Result::kU32,
       [](u64 a, u64 b, u64 c) {
         double x = std::isnan(F(a)) ? 0 : std::clamp(std::nearbyint(double{F(a)}), 0.0, 255.0);
         u32 shift = 8 * (b & 3);
         return u64{(W(c) & ~(255u << shift)) | static_cast<u32>(x) << shift};
       }},
      {"v_mqsad_pk_u16_u8 {d}, {a}, {b}, {c}", Result::kU64, [](u64 a, u64 b, u64 c) { return Sliding(a, b, c, true); },
       Width::k64, Width::k32, Width::k64},
      {"v_sat_pk_u8_i16 {d}, {a}|v_sat_pk_u8_i16 v8.l, v0", Result::kF16,
       [](u64 a, u64, u64) { return Limited(S16(a), 0, 255) | Limited(S16(a >> 16), 0, 255) << 8; }},
      {"v_ashr_pk_i8_i32 {d}, {a}, {b}, {c}", Result::kF16,
       [=](u64 a, u64 b, u64 c) { return Limited(shifted(a, c), -128, 127) | Limited(shifted(b, c), -128, 127) << 8; }},
      {"v_ashr_pk_u8_i32 {d}, {a}, {b}, {c}", Result::kF16,
       [=](u64 a, u64 b, u64 c) { return Limited(shifted(a, c), 0, 255) | Limited(shifted(b, c), 0, 255) << 8; }},
      {"v_bitop3_b16 {d}, {a}, {b}, {c} bitop3:0x6a", Result::kF16, bitop16},
      {"v_mad_i16 {d}, {a}, {b}, {c}|v_mad_i16 v8.l, v0.l, v1.l, v2.l", Result::kF16,
       [](u64 a, u64 b, u64 c) { return u64{static_cast<u16>(S16(a) * S16(b) + S16(c))}; }},
      {"v_prng_b32 {d}, {a}", Result::kU32, [](u64 a, u64, u64) { return W(a << 1) ^ (S(a) < 0 ? u64{197} : 0); }},
      {"v_cvt_rpi_i32_f32 {d}, {a}|v_cvt_nearest_i32_f32 {d}, {a}", Result::kU32,
       [](u64 a, u64, u64) { return ToInteger<i32>(std::floor(double(F(a) + 0.5f))); }},
      {"v_cvt_off_f32_i4 {d}, {a}", Result::kF32,
       [](u64 a, u64, u64) { return B(static_cast<float>(Element(a, 0, 4, true)) / 16); }},
      {"v_cvt_pk_i16_f32 {d}, {a}, {b}", Result::kU32,
       [](u64 a, u64 b, u64) {
         return Pair(ToInteger<i16>(std::trunc(double(F(a)))), ToInteger<i16>(std::trunc(double(F(b)))));
       }},
      {"v_cvt_pk_u16_f32 {d}, {a}, {b}", Result::kU32,
       [](u64 a, u64 b, u64) {
         return Pair(ToInteger<u16>(std::trunc(double(F(a)))), ToInteger<u16>(std::trunc(double(F(b)))));
       }},
      {"v_cvt_pknorm_i16_f32 {d}, {a}, {b}|v_cvt_pk_norm_i16_f32 {d}, {a}, {b}", Result::kU32,
       [=](u64 a, u64 b, u64) { return Pair(snorm(F(a)), snorm(F(b))); }},
      {"v_cvt_pknorm_u16_f32 {d}, {a}, {b}|v_cvt_pk_norm_u16_f32 {d}, {a}, {b}", Result::kU32,
       [=](u64 a, u64 b, u64) { return Pair(unorm(F(a)), unorm(F(b))); }},
      {"v_cvt_pknorm_i16_f16 {d}, {a}, {b}|v_cvt_pk_norm_i16_f16 v8, v0.l, v1.l", Result::kU32,
       [=](u64 a, u64 b, u64) { return Pair(snorm(FromF16(a)), snorm(FromF16(b))); }},
      {"v_cvt_pknorm_u16_f16 {d}, {a}, {b}|v_cvt_pk_norm_u16_f16 v8, v0.l, v1.l", Result::kU32,
       [=](u64 a, u64 b, u64) { return Pair(unorm(FromF16(a)), unorm(FromF16(b))); }},
      {"v_cvt_norm_i16_f16 {d}, {a}|v_cvt_norm_i16_f16 v8.l, v0.l", Result::kF16,
       [=](u64 a, u64, u64) { return snorm(FromF16(a)); }},
      {"v_cvt_norm_u16_f16 {d}, {a}|v_cvt_norm_u16_f16 v8.l, v0.l", Result::kF16,
       [=](u64 a, u64, u64) { return unorm(FromF16(a)); }},
  };
}
INSTANTIATE_TEST_SUITE_P(Dot, ValuTest, testing::ValuesIn(DotCases()), NameOf);
INSTANTIATE_TEST_SUITE_P(FloatMore, ValuTest, testing::ValuesIn(FloatCases()), NameOf);
INSTANTIATE_TEST_SUITE_P(Other, ValuTest, testing::ValuesIn(OtherCases()), NameOf);

// --- results in two places

TEST(CarryTest, SumsAndMasks) {
  struct Carry {
    std::string gfx9, later;
    std::function<u64(u64 a, u64 b, u64 carry)> formula;  // bit 32: the carry or borrow
  };
  auto cut = [](u64 x) { return x & 0x1ffffffff; };
  const Carry kAll[] = {
      {"v_add_co_u32", "v_add_co_u32", [=](u64 a, u64 b, u64) { return a + b; }},
      {"v_sub_co_u32", "v_sub_co_u32", [=](u64 a, u64 b, u64) { return cut(a - b); }},
      {"v_subrev_co_u32", "v_subrev_co_u32", [=](u64 a, u64 b, u64) { return cut(b - a); }},
      {"v_addc_co_u32", "v_add_co_ci_u32", [=](u64 a, u64 b, u64 c) { return a + b + c; }},
      {"v_subb_co_u32", "v_sub_co_ci_u32", [=](u64 a, u64 b, u64 c) { return cut(a - b - c); }},
      {"v_subbrev_co_u32", "v_subrev_co_ci_u32", [=](u64 a, u64 b, u64 c) { return cut(b - a - c); }}};
  RandomBits random(21);
  for (const char* target : {"gfx942", "gfx1100"}) {
    for (const Carry& c : kAll) {
      InstructionHarness h(target);
      bool wide = h.lanes() == 64, takes = c.later.find("_ci_") != c.later.npos;
      u64 carries = random.Next(), want_mask = 0, a[64], b[64];
      h.set_pair(8, carries);
      for (int l = 0; l < h.lanes(); l++) {
        h.wave().row[0][l] = static_cast<u32>(a[l] = random.EdgeWord());
        h.wave().row[1][l] = static_cast<u32>(b[l] = random.Next() % 4 == 0 ? a[l] : random.EdgeWord());
        want_mask |= u64{(c.formula(a[l], b[l], carries >> l & 1) >> 32 & 1) != 0} << l;
      }
      std::string mask = wide ? "s[4:5]" : "s4", in = wide ? ", s[8:9]" : ", s8";
      std::string text = fmt::format("{}_e64 v8, {}, v0, v1{}", wide ? c.gfx9 : c.later, mask, takes ? in : "");
      ASSERT_TRUE(h.Run(text).ok()) << h.Run(text).ToString();
      for (int l = 0; l < h.lanes(); l++)
        EXPECT_EQ(h.wave().row[8][l], W(c.formula(a[l], b[l], carries >> l & 1))) << text;
      EXPECT_EQ(wide ? h.pair(4) : u64{h.scalar(4)}, want_mask) << text;
    }
  }
}
TEST(SelectTest, Halves) {
  InstructionHarness h("gfx1100");
  h.set_pair(4, 0x0f0f0f0f);
  for (int l = 0; l < 32; l++) {
    h.wave().row[0][l] = 0x11110000 + l;
    h.wave().row[1][l] = 0x2222ff00 + l;
    h.wave().row[8][l] = 0xabcd0000;
  }
  ASSERT_TRUE(h.Run("v_cndmask_b16 v8.l, v0.l, v1.l, s4").ok());
  for (int l = 0; l < 32; l++) EXPECT_EQ(h.wave().row[8][l], 0xabcd0000u + l + ((l & 4) == 0 ? 0xff00 : 0));
}
TEST(DivisionTest, FixupOfHalves) {
  // Quotients that need no repair, and every special pair.
  struct Special {
    float numerator, denominator, want;
  };
  const Special kSpecials[] = {
      {6, 2, 3},        {1, 0, INFINITY},          {-1, 0, -INFINITY}, {0, 0, NAN},   {INFINITY, 2, INFINITY},
      {3, INFINITY, 0}, {INFINITY, INFINITY, NAN}, {0, -5, -0.0f},     {NAN, 1, NAN}, {1, NAN, NAN}};
  InstructionHarness h("gfx942");
  for (const Special& s : kSpecials) {
    h.wave().row[0][0] = F32ToF16(s.numerator / s.denominator);
    h.wave().row[1][0] = F32ToF16(s.denominator);
    h.wave().row[2][0] = F32ToF16(s.numerator);
    ASSERT_TRUE(h.Run("v_div_fixup_f16 v8, v0, v1, v2").ok());
    float got = F16ToF32(static_cast<u16>(h.wave().row[8][0]));
    EXPECT_TRUE(std::isnan(s.want) ? std::isnan(got) : got == s.want && std::signbit(got) == std::signbit(s.want))
        << s.numerator << " / " << s.denominator << " = " << got;
  }
}

// v_trig_preop_f64: 2 / pi computed here, by Machin's formula in 1280 bits.
TEST(TrigPreopTest, SelectsBitsOfTwoOverPi) {
  constexpr unsigned kBits = 2600, kFraction = 1280;
  auto arctangent_of_inverse = [&](unsigned n) {
    llvm::APInt term = llvm::APInt(kBits, 1).shl(kFraction).udiv(llvm::APInt(kBits, n)), sum = term;
    for (unsigned k = 3; !term.isZero(); k += 2) {
      term = term.udiv(llvm::APInt(kBits, u64{n} * n));
      llvm::APInt part = term.udiv(llvm::APInt(kBits, k));
      sum = k % 4 == 3 ? sum - part : sum + part;
    }
    return sum;
  };
  llvm::APInt pi = (arctangent_of_inverse(5).shl(2) - arctangent_of_inverse(239)).shl(2);
  llvm::APInt two_over_pi = llvm::APInt(kBits, 2).shl(2 * kFraction).udiv(pi);  // fraction, kFraction bits
  InstructionHarness h("gfx942");
  for (int exponent : {1023, 1077, 1100, 1500, 1967, 1968, 2000}) {
    for (u32 segment : {0u, 1u, 2u, 7u}) {
      h.wave().row[0][0] = 0;
      h.wave().row[1][0] = static_cast<u32>(exponent) << 20;
      h.wave().row[2][0] = segment;
      ASSERT_TRUE(h.Run("v_trig_preop_f64 v[8:9], v[0:1], v2").ok());
      int shift = static_cast<int>(segment) * 53 + std::max(0, exponent - 1077);
      u64 bits = 0;
      for (int i = 0; i < 53; i++) {
        bool inside = shift + i < 1201;
        bits = bits << 1 | u64{inside && two_over_pi[kFraction - 1 - static_cast<unsigned>(shift + i)]};
      }
      double want = std::ldexp(static_cast<double>(bits), -53 - shift + (exponent >= 1968 ? 128 : 0));
      EXPECT_EQ(D(h.row_pair(8, 0)), want) << exponent << " segment " << segment;
    }
  }
}

}  // namespace
}  // namespace rocxla::emu
