// Witnesses for the MODE register: rounding against LLVM's APFloat in its four directions, denormals, output modifiers,
// and changes while a kernel runs.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "emulator/testing/edge_values.h"
#include "emulator/testing/instruction_harness.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"

namespace rocxla::emu {
namespace {

using llvm::APFloat;
constexpr const char* kTargets[] = {"gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"};
// In MODE's order.
constexpr llvm::RoundingMode kRounding[] = {llvm::RoundingMode::NearestTiesToEven, llvm::RoundingMode::TowardPositive,
                                            llvm::RoundingMode::TowardNegative, llvm::RoundingMode::TowardZero};
constexpr u32 kAllDenormals = 0xf0;

struct Format {
  std::string name;
  int bits;
  const llvm::fltSemantics& semantics;
  int rounding_bit, denormal_bit;  // in MODE
};
const std::vector<Format>& Formats() {
  static const std::vector<Format> formats = {{"f16", 16, APFloat::IEEEhalf(), 2, 6},
                                              {"f32", 32, APFloat::IEEEsingle(), 0, 4},
                                              {"f64", 64, APFloat::IEEEdouble(), 2, 6}};
  return formats;
}
APFloat Number(const Format& f, u64 bits) { return APFloat(f.semantics, llvm::APInt(f.bits, bits)); }
u64 BitsOf(const APFloat& x) { return x.bitcastToAPInt().getZExtValue(); }

// Operands a, b and c in v[0:1], v[2:3] and v[4:5], the result in v[8:9].
class ModeTest : public testing::Test {
 protected:
  static void Set(InstructionHarness& h, int row, int lane, u64 bits) {
    h.wave().row[row][lane] = static_cast<u32>(bits);
    h.wave().row[row + 1][lane] = static_cast<u32>(bits >> 32);
  }
  static u64 Get(const InstructionHarness& h, int row, int lane, int bits) {
    u64 x = h.row_pair(row, lane);
    return bits == 64 ? x : x & ((u64{1} << bits) - 1);
  }
  static std::string Register(int first, const Format& f) {
    return f.bits == 64 ? fmt::format("v[{}:{}]", first, first + 1) : fmt::format("v{}", first);
  }
  static u64 RandomOperand(RandomBits& random, const Format& f) {
    if (f.bits == 64) return random.EdgePair();
    return f.bits == 16 ? random.EdgeWord() & 0xffff : random.EdgeWord();
  }
};

struct Operation {
  std::string name;
  int operands;
  void (*apply)(APFloat& a, const APFloat& b, const APFloat& c, llvm::RoundingMode rounding);
};
const Operation kOperations[] = {
    {"add", 2, [](APFloat& a, const APFloat& b, const APFloat&, llvm::RoundingMode r) { a.add(b, r); }},
    {"mul", 2, [](APFloat& a, const APFloat& b, const APFloat&, llvm::RoundingMode r) { a.multiply(b, r); }},
    {"fma", 3,
     [](APFloat& a, const APFloat& b, const APFloat& c, llvm::RoundingMode r) { a.fusedMultiplyAdd(b, c, r); }}};

TEST_F(ModeTest, ArithmeticRoundsInEveryDirection) {
  for (const char* target : kTargets) {
    for (const Format& f : Formats()) {
      for (u32 direction = 0; direction < 4; direction++) {
        for (const Operation& operation : kOperations) {
          InstructionHarness h(target);
          h.set_float_mode(kAllDenormals | direction << f.rounding_bit);
          RandomBits random(direction + f.bits);
          for (int l = 0; l < h.lanes(); l++) {
            for (int i = 0; i < 3; i++) Set(h, 2 * i, l, RandomOperand(random, f));
          }
          std::string text =
              fmt::format("v_{}_{} {}, {}, {}", operation.name, f.name, Register(8, f), Register(0, f), Register(2, f));
          if (operation.operands == 3) text += ", " + Register(4, f);
          Status status = h.Run(text);
          ASSERT_TRUE(status.ok()) << status.ToString();
          for (int l = 0; l < h.lanes(); l++) {
            APFloat want = Number(f, Get(h, 0, l, f.bits));
            operation.apply(want, Number(f, Get(h, 2, l, f.bits)), Number(f, Get(h, 4, l, f.bits)),
                            kRounding[direction]);
            APFloat got = Number(f, Get(h, 8, l, f.bits));
            if (want.isNaN() && got.isNaN()) continue;
            EXPECT_EQ(BitsOf(got), BitsOf(want))
                << std::hex << target << " " << text << " direction " << direction << " of " << Get(h, 0, l, f.bits)
                << ", " << Get(h, 2, l, f.bits) << ", " << Get(h, 4, l, f.bits);
          }
        }
      }
    }
  }
}

TEST_F(ModeTest, ConversionsRoundByTheirResult) {
  const Format &half = Formats()[0], &single = Formats()[1], &wide = Formats()[2];
  struct Conversion {
    std::string name;
    const Format &from, &to;
  };
  for (const Conversion& c : {Conversion{"v_cvt_f16_f32", single, half}, Conversion{"v_cvt_f32_f64", wide, single}}) {
    for (u32 direction = 0; direction < 4; direction++) {
      InstructionHarness h("gfx942");
      h.set_float_mode(kAllDenormals | direction << c.to.rounding_bit | (3 - direction) << (2 - c.to.rounding_bit));
      RandomBits random(direction);
      for (int l = 0; l < 64; l++) {
        double x = std::ldexp(1 + random.Word() * 0x1p-32, static_cast<int>(random.Word() % 40) - 20);
        APFloat number(random.Word() % 2 == 0 ? x : -x);
        bool ignored;
        number.convert(c.from.semantics, kRounding[0], &ignored);
        Set(h, 0, l, BitsOf(number));
      }
      ASSERT_TRUE(h.Run(fmt::format("{} v8, {}", c.name, Register(0, c.from))).ok());
      for (int l = 0; l < 64; l++) {
        APFloat want = Number(c.from, Get(h, 0, l, c.from.bits));
        bool ignored;
        want.convert(c.to.semantics, kRounding[direction], &ignored);
        EXPECT_EQ(Get(h, 8, l, c.to.bits), BitsOf(want)) << c.name << " direction " << direction;
      }
    }
  }
  for (u32 direction = 0; direction < 4; direction++) {
    InstructionHarness h("gfx942");
    h.set_float_mode(kAllDenormals | direction);
    h.wave().row[0][0] = std::bit_cast<u32>(3.5f), h.wave().row[1][0] = 0x02000001;
    ASSERT_TRUE(h.Run("v_mov_b32 v3, 0\n v_cvt_pk_u8_f32 v2, v0, 0, v3\n v_cvt_f32_i32 v4, v1").ok());
    constexpr u32 kRounded[] = {4, 4, 3, 3}, kFloats[] = {0x4c000000, 0x4c000001, 0x4c000000, 0x4c000000};
    EXPECT_EQ(h.wave().row[2][0], kRounded[direction]);
    EXPECT_EQ(h.wave().row[4][0], kFloats[direction]);
  }
}

TEST_F(ModeTest, DenormalsGoInAndOutByTwoBits) {
  for (const char* target : kTargets) {
    for (const Format& f : Formats()) {
      for (u32 denormals = 0; denormals < 4; denormals++) {
        InstructionHarness h(target);
        u32 others = kAllDenormals & ~(3u << f.denormal_bit);
        h.set_float_mode(others | denormals << f.denormal_bit);
        APFloat least = APFloat::getSmallestNormalized(f.semantics, /*Negative=*/true);
        APFloat denormal = least;
        denormal.multiply(APFloat(f.semantics, "0.5"), kRounding[0]);
        APFloat four(f.semantics, "4"), half(f.semantics, "0.5");
        Set(h, 0, 0, BitsOf(denormal)), Set(h, 2, 0, BitsOf(four));  // only the operand is denormal
        Set(h, 4, 0, BitsOf(least)), Set(h, 6, 0, BitsOf(half));     // only the result is denormal
        std::string name = "v_mul_" + f.name;
        std::string text = fmt::format("{0} {1}, {2}, {3}\n {0} {4}, {5}, {6}", name, Register(8, f), Register(0, f),
                                       Register(2, f), Register(10, f), Register(4, f), Register(6, f));
        Status status = h.Run(text);
        ASSERT_TRUE(status.ok()) << status.ToString();
        APFloat product = denormal, zero = APFloat::getZero(f.semantics, /*Negative=*/true);
        product.multiply(four, kRounding[0]);
        EXPECT_EQ(Get(h, 8, 0, f.bits), BitsOf((denormals & 1) != 0 ? product : zero)) << target << text << denormals;
        EXPECT_EQ(Get(h, 10, 0, f.bits), BitsOf((denormals & 2) != 0 ? denormal : zero)) << target << text << denormals;
      }
    }
  }
}
// Moves, selections and classes see the bits as they are.
TEST_F(ModeTest, MovesKeepDenormals) {
  InstructionHarness h("gfx942");
  h.set_float_mode(0);
  h.wave().row[0][0] = 0x00000123;
  ASSERT_TRUE(h.Run("v_mov_b32 v1, v0\n v_mov_b32 v2, 0x80\n v_cmp_class_f32 s[4:5], v0, v2\n"
                    "v_cmp_eq_f32 s[6:7], v0, 0")
                  .ok());
  EXPECT_EQ(h.wave().row[1][0], 0x00000123u);
  EXPECT_EQ(h.scalar(4) & 1, 1u);  // a positive denormal
  EXPECT_EQ(h.scalar(6) & 1, 1u);  // which compares as zero
}

TEST_F(ModeTest, PackedAndDualInstructionsObeyIt) {
  InstructionHarness h("gfx942");
  h.set_float_mode(0x10 | 3);  // f32: toward zero, denormal results become zero; f16 likewise both ways
  for (int r : {0, 1}) h.wave().row[r][0] = std::bit_cast<u32>(r == 0 ? 0x1.fffffep-126f : 1.0f);
  h.wave().row[2][0] = std::bit_cast<u32>(0.25f), h.wave().row[3][0] = std::bit_cast<u32>(0x1.000002p0f);
  ASSERT_TRUE(h.Run("v_pk_mul_f32 v[4:5], v[0:1], v[2:3]\n v_mov_b32 v6, 0x00013c00\n v_pk_add_f16 v7, v6, 0").ok());
  EXPECT_EQ(h.wave().row[4][0], 0u);
  EXPECT_EQ(h.wave().row[5][0], std::bit_cast<u32>(0x1.000002p0f));
  EXPECT_EQ(h.wave().row[7][0], 0x00003c00u);
  InstructionHarness dual("gfx1100");
  dual.set_float_mode(0xc0);
  dual.wave().row[0][0] = dual.wave().row[5][0] = 0x00000123;
  dual.wave().row[1][0] = std::bit_cast<u32>(2.0f);
  ASSERT_TRUE(dual.Run("v_dual_mul_f32 v2, v0, v1 :: v_dual_mov_b32 v3, v5").ok());
  EXPECT_EQ(dual.wave().row[2][0], 0u);
  EXPECT_EQ(dual.wave().row[3][0], 0x00000123u);
}

// Output modifiers act only where denormal results are not allowed.
TEST_F(ModeTest, OutputModifiersScale) {
  for (const Format& f : Formats()) {
    for (auto [modifier, factor] : {std::pair{"mul:2", 2.0}, std::pair{"mul:4", 4.0}, std::pair{"div:2", 0.5}}) {
      for (bool allowed : {false, true}) {
        InstructionHarness h("gfx942");
        h.set_float_mode(allowed ? kAllDenormals | 1 : 0);
        APFloat three(f.semantics, "3"), five(f.semantics, "5");
        Set(h, 0, 0, BitsOf(three)), Set(h, 2, 0, BitsOf(five));
        std::string text = fmt::format("v_add_{}{} {}, {}, {} {}", f.name, f.bits == 64 ? "" : "_e64", Register(8, f),
                                       Register(0, f), Register(2, f), modifier);
        Status status = h.Run(text);
        ASSERT_TRUE(status.ok()) << status.ToString();
        bool ignored;
        APFloat want(allowed ? 8.0 : 8.0 * factor);
        want.convert(f.semantics, kRounding[0], &ignored);
        EXPECT_EQ(Get(h, 8, 0, f.bits), BitsOf(want)) << text;
      }
    }
  }
}

TEST_F(ModeTest, ChangesWhileTheKernelRuns) {
  for (const char* target : kTargets) {
    InstructionHarness h(target);
    h.wave().row[0][0] = 0x00000123;
    h.wave().scalar[4] = 2;
    Status status = h.Run(
        "v_add_f32 v1, v0, v0\n s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 0\n v_add_f32 v2, v0, v0\n"
        "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 3\n v_add_f32 v3, v0, v0\n"
        "s_setreg_b32 hwreg(HW_REG_MODE, 0, 2), s4\n v_cvt_f32_u32 v4, 0x1ffffff\n s_getreg_b32 s5, hwreg(HW_REG_MODE, "
        "0, 8)");
    ASSERT_TRUE(status.ok()) << status.ToString();
    EXPECT_EQ(h.wave().row[1][0], 0x00000246u);
    EXPECT_EQ(h.wave().row[2][0], 0u);
    EXPECT_EQ(h.wave().row[3][0], 0x00000246u);
    EXPECT_EQ(h.wave().row[4][0], 0x4bffffffu);  // rounded down
    EXPECT_EQ(h.scalar(5), 0xf2u);
  }
  for (const char* target : {"gfx1100", "gfx1201"}) {
    InstructionHarness h(target);
    h.wave().row[0][0] = 0x00000123;
    ASSERT_TRUE(h.Run("s_denorm_mode 12\n v_add_f32 v1, v0, v0\n s_round_mode 1\n v_cvt_f32_u32 v2, 0x1ffffff").ok());
    EXPECT_EQ(h.wave().row[1][0], 0u);
    EXPECT_EQ(h.wave().row[2][0], 0x4c000000u);
  }
}
// With DX10_CLAMP off, clamping lets NaN pass; gfx12 has no such bit.
TEST_F(ModeTest, Dx10ClampMakesNanZero) {
  const u32 nan = 0x7fc00000;
  for (const char* target : kTargets) {
    const bool gfx12 = std::string(target) == "gfx1201";
    for (u32 bit : {0u, 1u}) {
      if (gfx12 && bit == 0) continue;
      InstructionHarness h(target);
      h.set_float_mode(kAllDenormals | (gfx12 ? 0 : bit << 8));
      h.wave().row[0][0] = nan, h.wave().row[1][0] = 0x7e007e00, h.wave().row[2][0] = std::bit_cast<u32>(3.0f);
      ASSERT_TRUE(h.Run("v_add_f32_e64 v3, v0, v0 clamp\n v_pk_add_f16 v4, v1, v1 clamp\n"
                        "v_add_f32_e64 v5, v2, v2 clamp")
                      .ok());
      EXPECT_EQ(std::isnan(std::bit_cast<float>(h.wave().row[3][0])), bit == 0) << target;
      EXPECT_EQ(h.wave().row[4][0] == 0, bit == 1) << target;
      EXPECT_EQ(h.wave().row[5][0], std::bit_cast<u32>(1.0f)) << target;
    }
  }
}
// In IEEE mode a signalling NaN wins, and output modifiers do nothing; else a number wins.
TEST_F(ModeTest, IeeeModeLetsSignallingNansWin) {
  for (const char* target : {"gfx90a", "gfx942", "gfx950", "gfx1100"}) {
    for (bool ieee : {false, true}) {
      InstructionHarness h(target);
      h.set_float_mode(ieee ? 0x200 : 0);
      h.wave().row[0][0] = 0x7f800001, h.wave().row[1][0] = std::bit_cast<u32>(2.0f);
      h.wave().row[2][0] = 0x7c013c00, h.wave().row[3][0] = 0x40007c01;  // each half with one signalling NaN
      ASSERT_TRUE(h.Run("v_min_f32 v4, v0, v1\n v_max_f32 v5, v1, v0\n v_pk_max_f16 v6, v2, v3\n"
                        "v_med3_f32 v7, v0, v1, v1\n v_add_f32_e64 v8, v1, v1 mul:2")
                      .ok());
      const u32 want = ieee ? 0x7fc00001 : std::bit_cast<u32>(2.0f);
      EXPECT_EQ(h.wave().row[4][0], want) << target;
      EXPECT_EQ(h.wave().row[5][0], want) << target;
      EXPECT_EQ(h.wave().row[6][0], ieee ? 0x7e017e01u : 0x40003c00u) << target;
      EXPECT_EQ(h.wave().row[7][0], std::bit_cast<u32>(2.0f)) << target;  // the least of quiet NaN and 2
      EXPECT_EQ(h.wave().row[8][0], std::bit_cast<u32>(ieee ? 4.0f : 8.0f)) << target;
    }
  }
}
// FP16_OVFL: halves that overflow become the largest number; infinities stay.
TEST_F(ModeTest, HalvesDoNotOverflow) {
  constexpr u32 kLargest = 0x7bff, kInfinity = 0x7c00, kSign = 0x8000;
  for (const char* target : kTargets) {
    for (bool limits : {false, true}) {
      InstructionHarness h(target);
      h.set_float_mode(UsualFloatMode(h.target().generation) | u32{limits} << 23);
      Wave& w = h.wave();
      w.row[0][0] = kLargest | kLargest << 16, w.row[1][0] = kInfinity | kLargest << 16;
      w.row[2][0] = std::bit_cast<u32>(-1e5f), w.row[3][0] = std::bit_cast<u32>(std::numeric_limits<float>::infinity());
      ASSERT_TRUE(h.Run("v_pk_add_f16 v4, v0, v1\n v_cvt_f16_f32 v5, v2\n v_cvt_f16_f32 v6, v3\n"
                        "v_pk_fma_f16 v7, v0, v0, v0 neg_lo:[1,0,1]\n v_cvt_f16_u16 v8, -1")
                      .ok());
      const u32 over = limits ? kLargest : kInfinity;
      EXPECT_EQ(w.row[4][0], kInfinity | over << 16) << target;
      EXPECT_EQ(w.row[5][0] & 0xffff, over | kSign) << target;
      EXPECT_EQ(w.row[6][0] & 0xffff, kInfinity) << target;
      EXPECT_EQ(w.row[7][0], (over | kSign) | over << 16) << target;
      EXPECT_EQ(w.row[8][0] & 0xffff, over) << target;
    }
  }
  InstructionHarness h("gfx950");
  h.set_float_mode(UsualFloatMode(h.target().generation) | 1 << 23);
  h.wave().row[0][0] = std::bit_cast<u32>(1e5f), h.wave().row[1][0] = std::bit_cast<u32>(-2.0f);
  ASSERT_TRUE(h.Run("v_cvt_pk_f16_f32 v2, v0, v1").ok());
  EXPECT_EQ(h.wave().row[2][0], 0xc0007bffu);
}
// What becomes 8 bits does not overflow either, infinities included; NaN stays.
TEST_F(ModeTest, EightBitFloatsDoNotOverflow) {
  struct Format8 {
    std::string target, name;
    u32 largest, infinity, nan;  // infinity: what beyond the range becomes without the bit
  };
  for (const Format8& f : {Format8{"gfx942", "fp8", 0x7f, 0x80, 0x80}, Format8{"gfx942", "bf8", 0x7f, 0x80, 0x80},
                           Format8{"gfx950", "fp8", 0x7e, 0x7f, 0x7f}, Format8{"gfx950", "bf8", 0x7b, 0x7c, 0x7f},
                           Format8{"gfx1201", "fp8", 0x7e, 0x7f, 0x7f}, Format8{"gfx1201", "bf8", 0x7b, 0x7c, 0x7f}}) {
    for (bool limits : {false, true}) {
      InstructionHarness h(f.target);
      Wave& w = h.wave();
      const float values[] = {1e6f, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN(),
                              1.0f};
      for (int i = 0; i < 4; i++) w.row[i][0] = std::bit_cast<u32>(values[i]);
      w.row[4][0] = ~0u;  // random bits
      std::string set = limits ? "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 23, 1), 1\n" : "";
      Status status = h.Run(set + fmt::format("v_cvt_pk_{0}_f32 v8, v0, v1\n v_cvt_pk_{0}_f32 v9, v2, v3\n"
                                              "v_cvt_sr_{0}_f32 v10, v0, v4",
                                              f.name));
      ASSERT_TRUE(status.ok()) << status.ToString();
      const u32 over = limits ? f.largest : f.infinity;
      EXPECT_EQ(w.row[8][0] & 0xffff, over | over << 8) << f.target << f.name;
      EXPECT_EQ(w.row[9][0] & 0xff, f.nan) << f.target << f.name;
      EXPECT_EQ(w.row[10][0] & 0xff, over) << f.target << f.name;
    }
  }
  InstructionHarness h("gfx950");
  Wave& w = h.wave();
  w.row[0][0] = std::bit_cast<u32>(1000.0f), w.row[1][0] = std::bit_cast<u32>(-4000.0f);
  w.row[2][0] = std::bit_cast<u32>(4.0f);  // the scale
  ASSERT_TRUE(h.Run("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 23, 1), 1\n v_cvt_scalef32_pk_fp8_f32 v3, v0, v1, v2").ok());
  EXPECT_EQ(w.row[3][0] & 0xffff, 0xfe78u);  // 250 is 256, -1000 is beyond -448
}
TEST_F(ModeTest, OverflowOfSumsOfHalvesIsRefused) {
  InstructionHarness h("gfx1201");
  h.set_float_mode(kAllDenormals | 1 << 23);
  for (std::string text :
       {"v_wmma_f16_16x16x16_f16 v[8:11], v[0:3], v[4:7], v[8:11]", "v_dot2_f16_f16 v3, v0, v1, v2"}) {
    EXPECT_NE(h.Run(text).ToString().find("what FP16_OVFL does to it is not documented"), std::string::npos) << text;
  }
  EXPECT_TRUE(h.Run("v_wmma_f32_16x16x16_f16 v[8:15], v[0:3], v[4:7], v[8:15]").ok());
}
TEST_F(ModeTest, BitsChangeWhileTheKernelRuns) {
  for (const char* target : kTargets) {
    InstructionHarness h(target);
    h.wave().row[0][0] = std::bit_cast<u32>(1e6f);
    h.wave().scalar[4] = 0;
    Status status = h.Run(
        "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 23, 1), 1\n v_cvt_f16_f32 v1, v0\n"
        "s_getreg_b32 s5, hwreg(HW_REG_MODE, 23, 1)\n s_setreg_b32 hwreg(HW_REG_MODE, 23, 1), s4\n"
        "v_cvt_f16_f32 v2, v0\n s_getreg_b32 s6, hwreg(HW_REG_MODE, 23, 1)");
    ASSERT_TRUE(status.ok()) << status.ToString();
    EXPECT_EQ(h.wave().row[1][0] & 0xffff, 0x7bffu) << target;
    EXPECT_EQ(h.wave().row[2][0] & 0xffff, 0x7c00u) << target;
    EXPECT_EQ(h.scalar(5), 1u);
    EXPECT_EQ(h.scalar(6), 0u);
  }
  InstructionHarness h("gfx942");
  h.wave().row[0][0] = 0x7fc00000;
  ASSERT_TRUE(h.Run("v_add_f32_e64 v1, v0, v0 clamp\n s_setreg_imm32_b32 hwreg(HW_REG_MODE, 8, 1), 0\n"
                    "v_add_f32_e64 v2, v0, v0 clamp\n s_getreg_b32 s5, hwreg(HW_REG_MODE, 0, 10)")
                  .ok());
  EXPECT_EQ(h.wave().row[1][0], 0u);
  EXPECT_EQ(h.wave().row[2][0], 0x7fc00000u);
  EXPECT_EQ(h.scalar(5), 0x2f0u);
}
TEST_F(ModeTest, RefusesWhatItDoesNotKeep) {
  auto failure = [](const char* target, const std::string& text) {
    InstructionHarness h(target);
    return h.Run(text).ToString();
  };
  EXPECT_NE(failure("gfx942", "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 9, 1), 0")
                .find("it changes MODE's bit IEEE while the kernel runs"),
            std::string::npos);
  EXPECT_EQ(failure("gfx942", "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 9, 1), 1"), "OK");
  for (const auto& [target, bit] : {std::pair{"gfx1201", 8}, std::pair{"gfx942", 12}, std::pair{"gfx1100", 27}}) {
    EXPECT_NE(failure(target, fmt::format("s_setreg_imm32_b32 hwreg(HW_REG_MODE, {}, 1), 1", bit))
                  .find("it writes bits of MODE that the embedded GPU does not keep"),
              std::string::npos);
    EXPECT_NE(failure(target, fmt::format("s_getreg_b32 s4, hwreg(HW_REG_MODE, {}, 1)", bit))
                  .find("it reads bits of MODE that the embedded GPU does not keep"),
              std::string::npos);
  }
}
TEST_F(ModeTest, OtherHardwareRegisters) {
  InstructionHarness h("gfx942");
  ASSERT_TRUE(h.Run("s_getreg_b32 s4, hwreg(HW_REG_XCC_ID)").ok());
  EXPECT_EQ(h.scalar(4), 0u);
  EXPECT_NE(h.Run("s_getreg_b32 s4, hwreg(HW_REG_HW_ID)").ToString().find("it reads a hardware register"),
            std::string::npos);
  EXPECT_NE(h.Run("s_setreg_imm32_b32 hwreg(HW_REG_TRAPSTS, 0, 1), 1").ToString().find("it writes a hardware register"),
            std::string::npos);
  InstructionHarness later("gfx1100");
  ASSERT_TRUE(later.Run("s_branch next\nnext:\n s_getreg_b32 s4, hwreg(HW_REG_SHADER_CYCLES, 0, 20)").ok());
  EXPECT_EQ(later.scalar(4), 1u);
}

}  // namespace
}  // namespace rocxla::emu
