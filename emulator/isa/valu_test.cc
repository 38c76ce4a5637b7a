// Witnesses for the lane-wise tables: every operation against a formula written down here, over corner values, on the
// targets that have it.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>

#include "emulator/testing/lane_cases.h"

namespace rocxla::emu {
namespace {

std::vector<Case> IntegerCases() {
  return {
      {"v_mov_b32 {d}, {a}", Result::kU32, [](u64 a, u64, u64) { return a; }},
      {"v_not_b32 {d}, {a}", Result::kU32, [](u64 a, u64, u64) { return u64{~W(a)}; }},
      {"v_bfrev_b32 {d}, {a}", Result::kU32,
       [](u64 a, u64, u64) {
         u32 r = 0;
         for (int i = 0; i < 32; i++) r |= (W(a) >> i & 1) << (31 - i);
         return u64{r};
       }},
      {"v_ffbh_u32 {d}, {a}|v_clz_i32_u32 {d}, {a}", Result::kU32,
       [](u64 a, u64, u64) { return a == 0 ? u64{0xffffffff} : u64(__builtin_clz(W(a))); }},
      {"v_ffbl_b32 {d}, {a}|v_ctz_i32_b32 {d}, {a}", Result::kU32,
       [](u64 a, u64, u64) { return a == 0 ? u64{0xffffffff} : u64(__builtin_ctz(W(a))); }},
      {"v_ffbh_i32 {d}, {a}|v_cls_i32 {d}, {a}", Result::kU32,
       [](u64 a, u64, u64) {
         for (int i = 1; i < 32; i++) {
           if ((W(a) >> (31 - i) & 1) != W(a) >> 31) return u64(i);
         }
         return u64{0xffffffff};
       }},
      {"v_add_u32 {d}, {a}, {b}|v_add_nc_u32 {d}, {a}, {b}", Result::kU32,
       [](u64 a, u64 b, u64) { return u64{W(a + b)}; }},
      {"v_sub_u32 {d}, {a}, {b}|v_sub_nc_u32 {d}, {a}, {b}", Result::kU32,
       [](u64 a, u64 b, u64) { return u64{W(a - b)}; }},
      {"v_subrev_u32 {d}, {a}, {b}|v_subrev_nc_u32 {d}, {a}, {b}", Result::kU32,
       [](u64 a, u64 b, u64) { return u64{W(b - a)}; }},
      {"v_mul_lo_u32 {d}, {a}, {b}", Result::kU32, [](u64 a, u64 b, u64) { return u64{W(a * b)}; }},
      {"v_mul_hi_u32 {d}, {a}, {b}", Result::kU32, [](u64 a, u64 b, u64) { return a * b >> 32; }},
      {"v_mul_hi_i32 {d}, {a}, {b}", Result::kU32, [](u64 a, u64 b, u64) { return u64{W(i64{S(a)} * S(b) >> 32)}; }},
      {"v_mul_u32_u24 {d}, {a}, {b}", Result::kU32,
       [](u64 a, u64 b, u64) { return u64{W((a & 0xffffff) * (b & 0xffffff))}; }},
      {"v_mul_hi_u32_u24 {d}, {a}, {b}", Result::kU32,
       [](u64 a, u64 b, u64) { return (a & 0xffffff) * (b & 0xffffff) >> 32; }},
      {"v_mul_i32_i24 {d}, {a}, {b}", Result::kU32, [](u64 a, u64 b, u64) { return u64{W(i64{S24(a)} * S24(b))}; }},
      {"v_mul_hi_i32_i24 {d}, {a}, {b}", Result::kU32,
       [](u64 a, u64 b, u64) { return u64{W(i64{S24(a)} * S24(b) >> 32)}; }},
      {"v_mad_u32_u24 {d}, {a}, {b}, {c}", Result::kU32,
       [](u64 a, u64 b, u64 c) { return u64{W((a & 0xffffff) * (b & 0xffffff) + c)}; }},
      {"v_mad_i32_i24 {d}, {a}, {b}, {c}", Result::kU32,
       [](u64 a, u64 b, u64 c) { return u64{W(i64{S24(a)} * S24(b) + S(c))}; }},
      {"v_and_b32 {d}, {a}, {b}", Result::kU32, [](u64 a, u64 b, u64) { return a & b; }},
      {"v_or_b32 {d}, {a}, {b}", Result::kU32, [](u64 a, u64 b, u64) { return a | b; }},
      {"v_xor_b32 {d}, {a}, {b}", Result::kU32, [](u64 a, u64 b, u64) { return a ^ b; }},
      {"v_xnor_b32 {d}, {a}, {b}", Result::kU32, [](u64 a, u64 b, u64) { return u64{W(~(a ^ b))}; }},
      {"v_min_u32 {d}, {a}, {b}", Result::kU32, [](u64 a, u64 b, u64) { return std::min(a, b); }},
      {"v_max_u32 {d}, {a}, {b}", Result::kU32, [](u64 a, u64 b, u64) { return std::max(a, b); }},
      {"v_min_i32 {d}, {a}, {b}", Result::kU32, [](u64 a, u64 b, u64) { return u64{W(std::min(S(a), S(b)))}; }},
      {"v_max_i32 {d}, {a}, {b}", Result::kU32, [](u64 a, u64 b, u64) { return u64{W(std::max(S(a), S(b)))}; }},
      {"v_lshlrev_b32 {d}, {a}, {b}", Result::kU32, [](u64 a, u64 b, u64) { return u64{W(b << (a % 32))}; }},
      {"v_lshrrev_b32 {d}, {a}, {b}", Result::kU32, [](u64 a, u64 b, u64) { return b >> (a % 32); }},
      {"v_ashrrev_i32 {d}, {a}, {b}", Result::kU32, [](u64 a, u64 b, u64) { return u64{W(S(b) >> (a % 32))}; }},
      {"v_lshl_add_u32 {d}, {a}, {b}, {c}", Result::kU32,
       [](u64 a, u64 b, u64 c) { return u64{W((a << (b % 32)) + c)}; }},
      {"v_add_lshl_u32 {d}, {a}, {b}, {c}", Result::kU32,
       [](u64 a, u64 b, u64 c) { return u64{W((a + b) << (c % 32))}; }},
      {"v_lshl_or_b32 {d}, {a}, {b}, {c}", Result::kU32, [](u64 a, u64 b, u64 c) { return u64{W(a << (b % 32) | c)}; }},
      {"v_and_or_b32 {d}, {a}, {b}, {c}", Result::kU32, [](u64 a, u64 b, u64 c) { return (a & b) | c; }},
      {"v_or3_b32 {d}, {a}, {b}, {c}", Result::kU32, [](u64 a, u64 b, u64 c) { return a | b | c; }},
      {"v_xor3_b32 {d}, {a}, {b}, {c}", Result::kU32, [](u64 a, u64 b, u64 c) { return a ^ b ^ c; }},
      {"v_add3_u32 {d}, {a}, {b}, {c}", Result::kU32, [](u64 a, u64 b, u64 c) { return u64{W(a + b + c)}; }},
      {"v_xad_u32 {d}, {a}, {b}, {c}", Result::kU32, [](u64 a, u64 b, u64 c) { return u64{W((a ^ b) + c)}; }},
      {"v_bfe_u32 {d}, {a}, {b}, {c}", Result::kU32,
       [](u64 a, u64 b, u64 c) { return a >> (b % 32) & ((u64{1} << (c % 32)) - 1); }},
      {"v_bfe_i32 {d}, {a}, {b}, {c}", Result::kU32,
       [](u64 a, u64 b, u64 c) {
         int width = c % 32;
         u64 field = a >> (b % 32) & ((u64{1} << width) - 1);
         bool negative = width > 0 && (field >> (width - 1) & 1) != 0;
         return u64{W(negative ? field | ~u64{0} << width : field)};
       }},
      {"v_bfi_b32 {d}, {a}, {b}, {c}", Result::kU32, [](u64 a, u64 b, u64 c) { return (a & b) | (u64{W(~a)} & c); }},
      {"v_bfm_b32 {d}, {a}, {b}", Result::kU32,
       [](u64 a, u64 b, u64) { return u64{W(((u64{1} << (a % 32)) - 1) << (b % 32))}; }},
      {"v_alignbit_b32 {d}, {a}, {b}, {c}", Result::kU32,
       [](u64 a, u64 b, u64 c) { return u64{W((a << 32 | b) >> (c % 32))}; }},
      {"v_alignbyte_b32 {d}, {a}, {b}, {c}", Result::kU32,
       [](u64 a, u64 b, u64 c) { return u64{W((a << 32 | b) >> (8 * (c % 4)))}; }},
      {"v_perm_b32 {d}, {a}, {b}, {c}", Result::kU32,
       [](u64 a, u64 b, u64 c) {
         u32 r = 0;
         for (int i = 0; i < 4; i++) r |= PermByte(W(a), W(b), c >> (8 * i) & 255) << (8 * i);
         return u64{r};
       }},
      {"v_min3_u32 {d}, {a}, {b}, {c}", Result::kU32, [](u64 a, u64 b, u64 c) { return std::min({a, b, c}); }},
      {"v_max3_u32 {d}, {a}, {b}, {c}", Result::kU32, [](u64 a, u64 b, u64 c) { return std::max({a, b, c}); }},
      {"v_med3_u32 {d}, {a}, {b}, {c}", Result::kU32, [](u64 a, u64 b, u64 c) { return Sort3(a, b, c); }},
      {"v_min3_i32 {d}, {a}, {b}, {c}", Result::kU32,
       [](u64 a, u64 b, u64 c) { return u64{W(std::min({S(a), S(b), S(c)}))}; }},
      {"v_max3_i32 {d}, {a}, {b}, {c}", Result::kU32,
       [](u64 a, u64 b, u64 c) { return u64{W(std::max({S(a), S(b), S(c)}))}; }},
      {"v_med3_i32 {d}, {a}, {b}, {c}", Result::kU32,
       [](u64 a, u64 b, u64 c) { return u64{W(Sort3(S(a), S(b), S(c)))}; }},
      {"v_maxmin_u32 {d}, {a}, {b}, {c}", Result::kU32,
       [](u64 a, u64 b, u64 c) { return std::min(std::max(a, b), c); }},
      {"v_minmax_u32 {d}, {a}, {b}, {c}", Result::kU32,
       [](u64 a, u64 b, u64 c) { return std::max(std::min(a, b), c); }},
      {"v_maxmin_i32 {d}, {a}, {b}, {c}", Result::kU32,
       [](u64 a, u64 b, u64 c) { return u64{W(std::min(std::max(S(a), S(b)), S(c)))}; }},
      {"v_minmax_i32 {d}, {a}, {b}, {c}", Result::kU32,
       [](u64 a, u64 b, u64 c) { return u64{W(std::max(std::min(S(a), S(b)), S(c)))}; }},
      {"v_bcnt_u32_b32 {d}, {a}, {b}", Result::kU32,
       [](u64 a, u64 b, u64) { return u64{W(__builtin_popcount(W(a)) + b)}; }},
      {"v_sad_u8 {d}, {a}, {b}, {c}", Result::kU32,
       [](u64 a, u64 b, u64 c) {
         for (int i = 0; i < 32; i += 8) c += std::abs(int(a >> i & 255) - int(b >> i & 255));
         return u64{W(c)};
       }},
      {"v_sad_hi_u8 {d}, {a}, {b}, {c}", Result::kU32,
       [](u64 a, u64 b, u64 c) {
         for (int i = 0; i < 32; i += 8) c += u64(std::abs(int(a >> i & 255) - int(b >> i & 255))) << 16;
         return u64{W(c)};
       }},
      {"v_sad_u16 {d}, {a}, {b}, {c}", Result::kU32,
       [](u64 a, u64 b, u64 c) {
         for (int i = 0; i < 32; i += 16) c += std::abs(int(a >> i & 65535) - int(b >> i & 65535));
         return u64{W(c)};
       }},
      {"v_sad_u32 {d}, {a}, {b}, {c}", Result::kU32,
       [](u64 a, u64 b, u64 c) { return u64{W((a > b ? a - b : b - a) + c)}; }},
      {"v_mad_u32_u16 {d}, {a}, {b}, {c}", Result::kU32,
       [](u64 a, u64 b, u64 c) { return u64{W((a & 0xffff) * (b & 0xffff) + c)}; }},
      {"v_mad_i32_i16 {d}, {a}, {b}, {c}", Result::kU32,
       [](u64 a, u64 b, u64 c) { return u64{W(i64{S16(a)} * S16(b) + S(c))}; }},
      {"v_add_u32_e64 {d}, {a}, {b} clamp|v_add_nc_u32_e64 {d}, {a}, {b} clamp", Result::kU32,
       [](u64 a, u64 b, u64) { return std::min(a + b, u64{0xffffffff}); }},
      {"v_sub_u32_e64 {d}, {a}, {b} clamp|v_sub_nc_u32_e64 {d}, {a}, {b} clamp", Result::kU32,
       [](u64 a, u64 b, u64) { return a > b ? a - b : 0; }},
      {"v_add_i32 {d}, {a}, {b} clamp|v_add_nc_i32 {d}, {a}, {b} clamp", Result::kU32,
       [](u64 a, u64 b, u64) { return u64{W(std::clamp(i64{S(a)} + S(b), i64{INT32_MIN}, i64{INT32_MAX}))}; }},
      {"v_sub_i32 {d}, {a}, {b} clamp|v_sub_nc_i32 {d}, {a}, {b} clamp", Result::kU32,
       [](u64 a, u64 b, u64) { return u64{W(std::clamp(i64{S(a)} - S(b), i64{INT32_MIN}, i64{INT32_MAX}))}; }},
      {"v_add_u16_e64 {d}, {a}, {b} clamp|v_add_nc_u16 v8.l, v0.l, v1.l clamp", Result::kF16,
       [](u64 a, u64 b, u64) { return std::min((a & 0xffff) + (b & 0xffff), u64{0xffff}); }},
      {"v_sub_u16_e64 {d}, {a}, {b} clamp|v_sub_nc_u16 v8.l, v0.l, v1.l clamp", Result::kF16,
       [](u64 a, u64 b, u64) { return (a & 0xffff) > (b & 0xffff) ? (a & 0xffff) - (b & 0xffff) : 0; }},
      {"v_add_i16 {d}, {a}, {b} clamp|v_add_nc_i16 v8.l, v0.l, v1.l clamp", Result::kF16,
       [](u64 a, u64 b, u64) { return u64(u16(std::clamp(S16(a) + S16(b), -32768, 32767))); }},
      {"v_sub_i16 {d}, {a}, {b} clamp|v_sub_nc_i16 v8.l, v0.l, v1.l clamp", Result::kF16,
       [](u64 a, u64 b, u64) { return u64(u16(std::clamp(S16(a) - S16(b), -32768, 32767))); }},
      {"v_lshlrev_b64 {d}, {a}, {b}", Result::kU64, [](u64 a, u64 b, u64) { return b << (a % 64); }, Width::k32,
       Width::k64},
      {"v_lshrrev_b64 {d}, {a}, {b}", Result::kU64, [](u64 a, u64 b, u64) { return b >> (a % 64); }, Width::k32,
       Width::k64},
      {"v_ashrrev_i64 {d}, {a}, {b}", Result::kU64, [](u64 a, u64 b, u64) { return u64(i64(b) >> (a % 64)); },
       Width::k32, Width::k64},
      {"v_lshl_add_u64 {d}, {a}, 3, {c}", Result::kU64, [](u64 a, u64, u64 c) { return (a << 3) + c; }, Width::k64,
       Width::k32, Width::k64},
      {"v_mov_b64 {d}, {a}", Result::kU64, [](u64 a, u64, u64) { return a; }, Width::k64},
      {"v_mad_u64_u32 {d}, s[20:21], {a}, {b}, {c}|v_mad_u64_u32 {d}, s20, {a}, {b}, {c}", Result::kU64,
       [](u64 a, u64 b, u64 c) { return a * b + c; }, Width::k32, Width::k32, Width::k64},
      {"v_mad_i64_i32 {d}, s[20:21], {a}, {b}, {c}|v_mad_i64_i32 {d}, s20, {a}, {b}, {c}", Result::kU64,
       [](u64 a, u64 b, u64 c) { return u64(i64{S(a)} * S(b)) + c; }, Width::k32, Width::k32, Width::k64},
      {"v_bitop3_b32 {d}, {a}, {b}, {c} bitop3:0x6a", Result::kU32,
       [](u64 a, u64 b, u64 c) {
         u32 r = 0;
         for (int i = 0; i < 32; i++) r |= u32(0x6a >> ((a >> i & 1) * 4 + (b >> i & 1) * 2 + (c >> i & 1)) & 1) << i;
         return u64{r};
       }},
  };
}

std::vector<Case> Integer16Cases() {
  auto low = [](u64 x) { return x & 0xffff; };
  auto two = [](std::string gfx9, std::string gfx11, auto f) {
    return Case{gfx9 + " {d}, {a}, {b}|" + gfx11 + " v8.l, v0.l, v1.l", Result::kF16,
                [f](u64 a, u64 b, u64) { return u64{static_cast<u16>(f(a, b))}; }};
  };
  auto three = [](std::string name, auto f) {
    return Case{name + " {d}, {a}, {b}, {c}|" + name + " v8.l, v0.l, v1.l, v2.l", Result::kF16,
                [f](u64 a, u64 b, u64 c) { return u64{static_cast<u16>(f(a, b, c))}; }};
  };
  return {
      two("v_add_u16", "v_add_nc_u16", [](u64 a, u64 b) { return a + b; }),
      two("v_sub_u16", "v_sub_nc_u16", [](u64 a, u64 b) { return a - b; }),
      two("v_subrev_u16", "v_subrev_nc_u16", [](u64 a, u64 b) { return b - a; }),
      two("v_mul_lo_u16", "v_mul_lo_u16", [](u64 a, u64 b) { return a * b; }),
      two("v_lshlrev_b16", "v_lshlrev_b16", [](u64 a, u64 b) { return b << (a % 16); }),
      two("v_lshrrev_b16", "v_lshrrev_b16", [low](u64 a, u64 b) { return low(b) >> (a % 16); }),
      two("v_ashrrev_i16", "v_ashrrev_i16", [](u64 a, u64 b) { return S16(b) >> (a % 16); }),
      two("v_min_u16", "v_min_u16", [low](u64 a, u64 b) { return std::min(low(a), low(b)); }),
      two("v_max_u16", "v_max_u16", [low](u64 a, u64 b) { return std::max(low(a), low(b)); }),
      two("v_min_i16", "v_min_i16", [](u64 a, u64 b) { return std::min(S16(a), S16(b)); }),
      two("v_max_i16", "v_max_i16", [](u64 a, u64 b) { return std::max(S16(a), S16(b)); }),
      two("v_and_b16", "v_and_b16", [](u64 a, u64 b) { return a & b; }),
      two("v_or_b16", "v_or_b16", [](u64 a, u64 b) { return a | b; }),
      two("v_xor_b16", "v_xor_b16", [](u64 a, u64 b) { return a ^ b; }),
      {"v_mov_b16 v8.l, v0.h", Result::kF16, [](u64 a, u64, u64) { return a >> 16; }},
      {"v_not_b16 v8.l, v0.l", Result::kF16, [](u64 a, u64, u64) { return ~a & 0xffff; }},
      three("v_mad_u16", [](u64 a, u64 b, u64 c) { return a * b + c; }),
      three("v_min3_u16", [low](u64 a, u64 b, u64 c) { return std::min({low(a), low(b), low(c)}); }),
      three("v_max3_u16", [low](u64 a, u64 b, u64 c) { return std::max({low(a), low(b), low(c)}); }),
      three("v_med3_u16", [low](u64 a, u64 b, u64 c) { return Sort3(low(a), low(b), low(c)); }),
      three("v_min3_i16", [](u64 a, u64 b, u64 c) { return std::min({S16(a), S16(b), S16(c)}); }),
      three("v_max3_i16", [](u64 a, u64 b, u64 c) { return std::max({S16(a), S16(b), S16(c)}); }),
      three("v_med3_i16", [](u64 a, u64 b, u64 c) { return Sort3(S16(a), S16(b), S16(c)); }),
  };
}

std::vector<Case> Float32Cases() {
  constexpr double kTurn = 6.283185307179586476925286766559;
  return {
      {"v_add_f32 {d}, {a}, {b}", Result::kF32, [](u64 a, u64 b, u64) { return B(F(a) + F(b)); }},
      {"v_sub_f32 {d}, {a}, {b}", Result::kF32, [](u64 a, u64 b, u64) { return B(F(a) - F(b)); }},
      {"v_subrev_f32 {d}, {a}, {b}", Result::kF32, [](u64 a, u64 b, u64) { return B(F(b) - F(a)); }},
      {"v_mul_f32 {d}, {a}, {b}", Result::kF32, [](u64 a, u64 b, u64) { return B(F(a) * F(b)); }},
      {"v_mul_legacy_f32 {d}, {a}, {b}|v_mul_dx9_zero_f32 {d}, {a}, {b}", Result::kF32,
       [](u64 a, u64 b, u64) { return F(a) == 0 || F(b) == 0 ? 0 : B(F(a) * F(b)); }},
      {"v_fma_f32 {d}, {a}, {b}, {c}", Result::kF32,
       [](u64 a, u64 b, u64 c) { return B(std::fmaf(F(a), F(b), F(c))); }},
      {"v_fma_f32 {d}, -{a}, |{b}|, {c} clamp", Result::kF32,
       [](u64 a, u64 b, u64 c) {
         float x = std::fmaf(-F(a), std::fabs(F(b)), F(c));
         return B(!(x > 0) ? 0.0f : x > 1 ? 1.0f : x);
       }},
      {"v_fmaak_f32 {d}, {a}, {b}, 0x40490fdb", Result::kF32,
       [](u64 a, u64 b, u64) { return B(std::fmaf(F(a), F(b), F(0x40490fdb))); }},
      {"v_fmamk_f32 {d}, {a}, 0x40490fdb, {b}", Result::kF32,
       [](u64 a, u64 b, u64) { return B(std::fmaf(F(a), F(0x40490fdb), F(b))); }},
      {"v_minimum_f32 {d}, {a}, {b}", Result::kF32,
       [](u64 a, u64 b, u64) { return std::isnan(F(a)) || std::isnan(F(b)) ? 0x7fc00000 : MinF32(a, b); }},
      {"v_maximum_f32 {d}, {a}, {b}", Result::kF32,
       [](u64 a, u64 b, u64) { return std::isnan(F(a)) || std::isnan(F(b)) ? 0x7fc00000 : MaxF32(a, b); }},
      {"v_exp_f32 {d}, {a}", Result::kF32, [](u64 a, u64, u64) { return B(float(std::exp2((long double)F(a)))); }},
      {"v_log_f32 {d}, {a}", Result::kF32, [](u64 a, u64, u64) { return B(float(std::log2((long double)F(a)))); }},
      {"v_rcp_f32 {d}, {a}", Result::kF32, [](u64 a, u64, u64) { return B(float(1.0L / F(a))); }},
      {"v_rsq_f32 {d}, {a}", Result::kF32,
       [](u64 a, u64, u64) { return B(float(1.0L / std::sqrt((long double)F(a)))); }},
      {"v_sqrt_f32 {d}, {a}", Result::kF32, [](u64 a, u64, u64) { return B(std::sqrt(F(a))); }},
      {"v_sin_f32 {d}, {a}", Result::kF32,
       [](u64 a, u64, u64) { return B(float(std::sin(std::remainder(double(F(a)), 1.0) * kTurn))); }},
      {"v_cos_f32 {d}, {a}", Result::kF32,
       [](u64 a, u64, u64) { return B(float(std::cos(std::remainder(double(F(a)), 1.0) * kTurn))); }},
      {"v_floor_f32 {d}, {a}", Result::kF32, [](u64 a, u64, u64) { return B(std::floor(F(a))); }},
      {"v_ceil_f32 {d}, {a}", Result::kF32, [](u64 a, u64, u64) { return B(std::ceil(F(a))); }},
      {"v_trunc_f32 {d}, {a}", Result::kF32, [](u64 a, u64, u64) { return B(std::trunc(F(a))); }},
      {"v_rndne_f32 {d}, {a}", Result::kF32, [](u64 a, u64, u64) { return B(std::nearbyint(F(a))); }},
      {"v_fract_f32 {d}, {a}", Result::kF32,
       [](u64 a, u64, u64) {
         float x = F(a) - std::floor(F(a));
         return std::isinf(F(a)) || std::isnan(F(a)) ? (std::isinf(F(a)) ? u64{0x3f7fffff} : u64{0x3f7fffff})
                                                     : B(std::min(x, 0x1.fffffep-1f));
       }},
      {"v_ldexp_f32 {d}, {a}, {b}", Result::kF32, [](u64 a, u64 b, u64) { return B(std::ldexp(F(a), S(b))); }},
      {"v_frexp_mant_f32 {d}, {a}", Result::kF32,
       [](u64 a, u64, u64) {
         int e;
         return std::isfinite(F(a)) ? B(std::frexp(F(a), &e)) : a;
       }},
      {"v_frexp_exp_i32_f32 {d}, {a}", Result::kU32,
       [](u64 a, u64, u64) {
         int e = 0;
         if (std::isfinite(F(a))) std::frexp(F(a), &e);
         return u64{W(e)};
       }},
      {"v_dot2_f32_f16 {d}, {a}, {b}, {c}", Result::kF32,
       [](u64 a, u64 b, u64 c) {
         float low = std::fmaf(float(H(a)), float(H(b)), F(c));
         return B(std::fmaf(float(H(a >> 16)), float(H(b >> 16)), low));
       }},
  };
}

std::vector<Case> Float16Cases() {
  auto one = [](std::string name, auto f) {
    return Case{name + " {d}, {a}|" + name + " v8.l, v0.l", Result::kF16,
                [f](u64 a, u64, u64) { return B(f16(f(H(a)))); }};
  };
  auto two = [](std::string name, auto f) {
    return Case{name + " {d}, {a}, {b}|" + name + " v8.l, v0.l, v1.l", Result::kF16,
                [f](u64 a, u64 b, u64) { return u64{f(a & 0xffff, b & 0xffff)}; }};
  };
  auto three = [](std::string name, auto f) {
    return Case{name + " {d}, {a}, {b}, {c}|" + name + " v8.l, v0.l, v1.l, v2.l", Result::kF16,
                [f](u64 a, u64 b, u64 c) { return u64{f(a & 0xffff, b & 0xffff, c & 0xffff)}; }};
  };
  auto ld = [](f16 x) { return static_cast<long double>(static_cast<float>(x)); };
  return {
      two("v_add_f16", [ld](u64 a, u64 b) { return B(ToHalf(ld(H(a)) + ld(H(b)))); }),
      two("v_sub_f16", [ld](u64 a, u64 b) { return B(ToHalf(ld(H(a)) - ld(H(b)))); }),
      two("v_subrev_f16", [ld](u64 a, u64 b) { return B(ToHalf(ld(H(b)) - ld(H(a)))); }),
      two("v_mul_f16", [ld](u64 a, u64 b) { return B(ToHalf(ld(H(a)) * ld(H(b)))); }),
      // The sum of an exact product (22 bits) and a half fits the 64 bits of long double wherever it is not far beyond
      // a half's precision, so that one rounding remains.
      three("v_fma_f16", [ld](u64 a, u64 b, u64 c) { return B(ToHalf(ld(H(a)) * ld(H(b)) + ld(H(c)))); }),
      one("v_exp_f16", [ld](f16 x) { return ToHalf(std::exp2(ld(x))); }),
      one("v_log_f16", [ld](f16 x) { return ToHalf(std::log2(ld(x))); }),
      one("v_rcp_f16", [ld](f16 x) { return ToHalf(1 / ld(x)); }),
      one("v_rsq_f16", [ld](f16 x) { return ToHalf(1 / std::sqrt(ld(x))); }),
      one("v_sqrt_f16", [ld](f16 x) { return ToHalf(std::sqrt(ld(x))); }),
      one("v_floor_f16", [](f16 x) { return std::floor(float(x)); }),
      one("v_ceil_f16", [](f16 x) { return std::ceil(float(x)); }),
      one("v_trunc_f16", [](f16 x) { return std::trunc(float(x)); }),
      one("v_rndne_f16", [](f16 x) { return std::nearbyint(float(x)); }),
      {"v_frexp_mant_f16 {d}, {a}|v_frexp_mant_f16 v8.l, v0.l", Result::kF16,
       [](u64 a, u64, u64) {
         int e;
         return std::isfinite(float(H(a))) ? B(f16(std::frexp(float(H(a)), &e))) : a & 0xffff;
       }},
  };
}

std::vector<Case> Float64Cases() {
  auto wide = [](std::string text, Result result, auto f) {
    return Case{text, result, f, Width::k64, Width::k64, Width::k64};
  };
  return {
      wide("v_add_f64 {d}, {a}, {b}", Result::kF64, [](u64 a, u64 b, u64) { return B(D(a) + D(b)); }),
      wide("v_mul_f64 {d}, {a}, {b}", Result::kF64, [](u64 a, u64 b, u64) { return B(D(a) * D(b)); }),
      wide("v_fma_f64 {d}, {a}, {b}, {c}", Result::kF64,
           [](u64 a, u64 b, u64 c) { return B(std::fma(D(a), D(b), D(c))); }),
      wide("v_fma_f64 {d}, -{a}, |{b}|, {c}", Result::kF64,
           [](u64 a, u64 b, u64 c) { return B(std::fma(-D(a), std::fabs(D(b)), D(c))); }),
      wide("v_rcp_f64 {d}, {a}", Result::kF64, [](u64 a, u64, u64) { return B(1 / D(a)); }),
      wide("v_sqrt_f64 {d}, {a}", Result::kF64, [](u64 a, u64, u64) { return B(std::sqrt(D(a))); }),
      wide("v_floor_f64 {d}, {a}", Result::kF64, [](u64 a, u64, u64) { return B(std::floor(D(a))); }),
      wide("v_ceil_f64 {d}, {a}", Result::kF64, [](u64 a, u64, u64) { return B(std::ceil(D(a))); }),
      wide("v_trunc_f64 {d}, {a}", Result::kF64, [](u64 a, u64, u64) { return B(std::trunc(D(a))); }),
      wide("v_rndne_f64 {d}, {a}", Result::kF64, [](u64 a, u64, u64) { return B(std::nearbyint(D(a))); }),
      {"v_ldexp_f64 {d}, {a}, {b}", Result::kF64, [](u64 a, u64 b, u64) { return B(std::ldexp(D(a), S(b))); },
       Width::k64},
      wide("v_frexp_mant_f64 {d}, {a}", Result::kF64,
           [](u64 a, u64, u64) {
             int e;
             return std::isfinite(D(a)) ? B(std::frexp(D(a), &e)) : a;
           }),
      wide("v_frexp_exp_i32_f64 {d}, {a}", Result::kU32,
           [](u64 a, u64, u64) {
             int e = 0;
             if (std::isfinite(D(a))) std::frexp(D(a), &e);
             return u64{W(e)};
           }),
  };
}

std::vector<Case> ConversionCases() {
  return {
      {"v_cvt_f32_i32 {d}, {a}", Result::kF32, [](u64 a, u64, u64) { return B(float(S(a))); }},
      {"v_cvt_f32_u32 {d}, {a}", Result::kF32, [](u64 a, u64, u64) { return B(float(W(a))); }},
      {"v_cvt_i32_f32 {d}, {a}", Result::kU32,
       [](u64 a, u64, u64) { return ToInteger<i32>(std::trunc(double(F(a)))); }},
      {"v_cvt_u32_f32 {d}, {a}", Result::kU32,
       [](u64 a, u64, u64) { return ToInteger<u32>(std::trunc(double(F(a)))); }},
      {"v_cvt_flr_i32_f32 {d}, {a}|v_cvt_floor_i32_f32 {d}, {a}", Result::kU32,
       [](u64 a, u64, u64) { return ToInteger<i32>(std::floor(double(F(a)))); }},
      {"v_cvt_f32_ubyte0 {d}, {a}", Result::kF32, [](u64 a, u64, u64) { return B(float(a & 255)); }},
      {"v_cvt_f32_ubyte1 {d}, {a}", Result::kF32, [](u64 a, u64, u64) { return B(float(a >> 8 & 255)); }},
      {"v_cvt_f32_ubyte2 {d}, {a}", Result::kF32, [](u64 a, u64, u64) { return B(float(a >> 16 & 255)); }},
      {"v_cvt_f32_ubyte3 {d}, {a}", Result::kF32, [](u64 a, u64, u64) { return B(float(a >> 24 & 255)); }},
      {"v_cvt_f16_f32 {d}, {a}|v_cvt_f16_f32 v8.l, v0", Result::kF16, [](u64 a, u64, u64) { return B(ToHalf(F(a))); }},
      {"v_cvt_f32_f16 {d}, {a}|v_cvt_f32_f16 v8, v0.l", Result::kF32, [](u64 a, u64, u64) { return B(float(H(a))); }},
      {"v_cvt_f16_u16 {d}, {a}|v_cvt_f16_u16 v8.l, v0.l", Result::kF16,
       [](u64 a, u64, u64) { return B(ToHalf(a & 0xffff)); }},
      {"v_cvt_f16_i16 {d}, {a}|v_cvt_f16_i16 v8.l, v0.l", Result::kF16,
       [](u64 a, u64, u64) { return B(ToHalf(S16(a))); }},
      {"v_cvt_u16_f16 {d}, {a}|v_cvt_u16_f16 v8.l, v0.l", Result::kF16,
       [](u64 a, u64, u64) { return ToInteger<u16>(std::trunc(double(float(H(a))))) & 0xffff; }},
      {"v_cvt_i16_f16 {d}, {a}|v_cvt_i16_f16 v8.l, v0.l", Result::kF16,
       [](u64 a, u64, u64) { return ToInteger<i16>(std::trunc(double(float(H(a))))) & 0xffff; }},
      {"v_cvt_f64_f32 {d}, {a}", Result::kF64, [](u64 a, u64, u64) { return B(double(F(a))); }},
      {"v_cvt_f32_f64 {d}, {a}", Result::kF32, [](u64 a, u64, u64) { return B(float(D(a))); }, Width::k64},
      {"v_cvt_f64_i32 {d}, {a}", Result::kF64, [](u64 a, u64, u64) { return B(double(S(a))); }},
      {"v_cvt_f64_u32 {d}, {a}", Result::kF64, [](u64 a, u64, u64) { return B(double(W(a))); }},
      {"v_cvt_i32_f64 {d}, {a}", Result::kU32, [](u64 a, u64, u64) { return ToInteger<i32>(std::trunc(D(a))); },
       Width::k64},
      {"v_cvt_u32_f64 {d}, {a}", Result::kU32, [](u64 a, u64, u64) { return ToInteger<u32>(std::trunc(D(a))); },
       Width::k64},
      {"v_cvt_i32_i16 v8, v0.l", Result::kU32, [](u64 a, u64, u64) { return u64{W(S16(a))}; }},
      {"v_cvt_u32_u16 v8, v0.l", Result::kU32, [](u64 a, u64, u64) { return a & 0xffff; }},
      {"v_pack_b32_f16 {d}, {a}, {b}|v_pack_b32_f16 v8, v0.l, v1.l", Result::kU32,
       [](u64 a, u64 b, u64) { return (a & 0xffff) | (b & 0xffff) << 16; }},
      {"v_cvt_pk_u16_u32 {d}, {a}, {b}", Result::kU32,
       [](u64 a, u64 b, u64) { return std::min(a, u64{0xffff}) | std::min(b, u64{0xffff}) << 16; }},
      {"v_cvt_pk_i16_i32 {d}, {a}, {b}", Result::kU32,
       [](u64 a, u64 b, u64) {
         return u64(u16(std::clamp(S(a), -32768, 32767))) | u64(u16(std::clamp(S(b), -32768, 32767))) << 16;
       }},
  };
}

TEST_P(ValuTest, EqualsTheFormula) { CheckOnAllTargets(); }

INSTANTIATE_TEST_SUITE_P(Integer, ValuTest, testing::ValuesIn(IntegerCases()), NameOf);
INSTANTIATE_TEST_SUITE_P(Integer16, ValuTest, testing::ValuesIn(Integer16Cases()), NameOf);
INSTANTIATE_TEST_SUITE_P(Float32, ValuTest, testing::ValuesIn(Float32Cases()), NameOf);
INSTANTIATE_TEST_SUITE_P(Float16, ValuTest, testing::ValuesIn(Float16Cases()), NameOf);
INSTANTIATE_TEST_SUITE_P(Float64, ValuTest, testing::ValuesIn(Float64Cases()), NameOf);
INSTANTIATE_TEST_SUITE_P(Conversion, ValuTest, testing::ValuesIn(ConversionCases()), NameOf);

}  // namespace
}  // namespace rocxla::emu
