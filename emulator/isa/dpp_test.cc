// Witnesses for lane movement on instructions that write lane masks or consist of several operations.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "emulator/testing/instruction_harness.h"

namespace rocxla::emu {
namespace {

constexpr char kShift[] = " row_shr:3 row_mask:0xf bank_mask:0xf";
bool HasSource(int lane) { return lane % 16 >= 3; }

u32 Bits(float x) { return std::bit_cast<u32>(x); }
// v0 = 2 * lane + 1 in both halves as f16, v1 likewise with lane + 1; v2 and v8 hold a constant.
class DppTest : public testing::Test {
 protected:
  static void Fill(InstructionHarness& h, const std::function<u32(int row, int lane)>& value) {
    for (int l = 0; l < 64; l++) {
      for (int r = 0; r < 10; r++) h.wave().row[r][l] = value(r, l);
    }
  }
  static void Run(InstructionHarness& h, const std::string& text) {
    Status status = h.Run(text);
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
};

TEST_F(DppTest, ComparisonsClearTheBitsOfLanesLeftOut) {
  InstructionHarness h("gfx1100");
  Fill(h, [](int row, int lane) { return row == 0 ? lane : 100; });
  Run(h, std::string("v_cmp_lt_u32_e64_dpp s4, v0, v1") + kShift);
  for (int l = 0; l < 32; l++) EXPECT_EQ((h.scalar(4) >> l & 1) != 0, HasSource(l)) << l;
  Run(h, std::string("v_cmpx_lt_u32_dpp v0, v1") + kShift);
  EXPECT_EQ(h.scalar(kExec), 0xfff8fff8u);
}
TEST_F(DppTest, CarriesOfLanesLeftOutAreClear) {
  InstructionHarness h("gfx942");
  Fill(h, [](int row, int lane) { return row == 0 ? 0xfffffff0u + lane : row == 1 ? 0x20 : 9; });
  Run(h, std::string("v_add_co_u32_dpp v8, vcc, v0, v1") + kShift);
  for (int l = 0; l < 64; l++) {
    EXPECT_EQ(h.wave().row[8][l], HasSource(l) ? 0x10u + l - 3 : 9u);
    EXPECT_EQ((h.pair(kVcc) >> l & 1) != 0, HasSource(l) && l - 3 < 16);
  }
}
TEST_F(DppTest, PackedAndMixedOperationsMoveFirst) {
  auto half = [](float x) { return u32{std::bit_cast<u16>(static_cast<f16>(x))}; };
  auto halves = [&](float x, float y) { return half(x) | half(y) << 16; };
  auto fill = [&](InstructionHarness& h) {
    Fill(h, [&](int row, int lane) {
      float x = static_cast<float>(lane);
      return row == 0 ? halves(x, x + 1) : row == 1 ? halves(2, 3) : row == 2 ? Bits(5.0f) : halves(10, 20);
    });
  };
  InstructionHarness cdna("gfx942");
  fill(cdna);
  Run(cdna, std::string("v_pk_fmac_f16_dpp v8, v0, v1") + kShift);
  for (int l = 0; l < 64; l++) {
    float x = static_cast<float>(l - 3);
    EXPECT_EQ(cdna.wave().row[8][l], HasSource(l) ? halves(10 + 2 * x, 20 + 3 * (x + 1)) : halves(10, 20)) << l;
  }
  fill(cdna);
  for (int l = 0; l < 64; l++) cdna.wave().row[8][l] = Bits(7.0f);
  Run(cdna, std::string("v_dot2c_f32_f16_dpp v8, v0, v1") + kShift);
  for (int l = 0; l < 64; l++) {
    float x = static_cast<float>(l - 3);
    EXPECT_EQ(cdna.wave().row[8][l], Bits(HasSource(l) ? 7 + 2 * x + 3 * (x + 1) : 7)) << l;
  }
  InstructionHarness rdna("gfx1100");
  fill(rdna);
  Run(rdna, std::string("v_dot2_f32_f16_e64_dpp v8, v0, v1, v2") + kShift +
                "\n v_fma_mix_f32_e64_dpp v9, v0, v1, v2 op_sel_hi:[1,1,0]" + kShift);
  for (int l = 0; l < 32; l++) {
    float x = static_cast<float>(l - 3);
    EXPECT_EQ(rdna.wave().row[8][l], HasSource(l) ? Bits(5 + 2 * x + 3 * (x + 1)) : halves(10, 20)) << l;
    EXPECT_EQ(rdna.wave().row[9][l], HasSource(l) ? Bits(5 + 2 * x) : halves(10, 20)) << l;
  }
  fill(rdna);
  Run(rdna, "v_fma_mixhi_f16_e64_dpp v8, v0, v1, v2 op_sel_hi:[1,1,0] quad_perm:[3,2,1,0] row_mask:0x1 bank_mask:0xf");
  for (int l = 0; l < 32; l++) {
    float x = static_cast<float>(l ^ 3);
    EXPECT_EQ(rdna.wave().row[8][l], l < 16 ? halves(10, 5 + 2 * x) : halves(10, 20)) << l;
  }
}
TEST_F(DppTest, ConversionsOfParts) {
  InstructionHarness h("gfx942");
  // fp8 of gfx942: 0x40 is 1, each step of 8 doubles.
  Fill(h, [](int row, int lane) { return row == 0 ? 0x4840u + (lane % 4) * 8 : 77; });
  Run(h, std::string("v_cvt_f32_fp8_dpp v8, v0") + kShift);
  for (int l = 0; l < 64; l++) {
    EXPECT_EQ(h.wave().row[8][l], HasSource(l) ? Bits(static_cast<float>(1 << (l - 3) % 4)) : 77u);
  }
  Run(h, "v_cvt_pk_f32_fp8_dpp v[8:9], v0 row_newbcast:2 row_mask:0x5 bank_mask:0xf");
  for (int l = 0; l < 64; l++) {
    EXPECT_EQ(h.wave().row[9][l], l / 16 % 2 == 0 ? Bits(2.0f) : 77u);
    if (l / 16 % 2 == 0) EXPECT_EQ(h.wave().row[8][l], Bits(4.0f));
  }
}
// Forms in which LLVM repeats the destination, or leaves a register out.
TEST_F(DppTest, AccumulatingForms) {
  for (const char* target : {"gfx1100", "gfx1201"}) {
    InstructionHarness h(target);
    Fill(h, [](int row, int lane) { return Bits(row == 0 ? static_cast<float>(lane) : row == 1 ? 3.0f : 10.0f); });
    Run(h, std::string("v_fmac_f32_e64_dpp v8, -v0, v1") + kShift);
    for (int l = 0; l < 32; l++) {
      EXPECT_EQ(h.wave().row[8][l], Bits(HasSource(l) ? 10.0f - 3 * static_cast<float>(l - 3) : 10.0f)) << target;
    }
  }
  InstructionHarness h("gfx1201");
  Fill(h, [](int row, int lane) { return row == 0 ? Bits(static_cast<float>(1 << lane % 4)) : row == 1 ? 0 : 77u; });
  Run(h,
      std::string("v_cvt_sr_fp8_f32_e64_dpp v8, v0, v1") + kShift + "\n v_cvt_pk_fp8_f32_e64_dpp v9, v0, v0" + kShift);
  for (u32 l = 0; l < 32; l++) {
    u32 moved = 0x38 + (l - 3) % 4 * 8, own = 0x38 + l % 4 * 8;  // 1 is 0x38, each step of 8 doubles
    EXPECT_EQ(h.wave().row[8][l], HasSource(static_cast<int>(l)) ? moved : 77u);
    EXPECT_EQ(h.wave().row[9][l], HasSource(static_cast<int>(l)) ? moved | own << 8 : 77u);
  }
}
TEST(SdwaTest, PairsOfBytesFromAByteOrAHalf) {
  InstructionHarness h("gfx942");
  h.wave().row[0][0] = 0x58504840;  // 8, 4, 2, 1
  ASSERT_TRUE(
      h.Run("v_cvt_pk_f32_fp8_sdwa v[8:9], v0 src0_sel:BYTE_2\n v_cvt_pk_f32_fp8_sdwa v[4:5], v0 src0_sel:WORD_1\n"
            "v_cvt_pk_f32_fp8_sdwa v[6:7], v0 src0_sel:WORD_0")
          .ok());
  EXPECT_EQ(h.wave().row[8][0], Bits(4.0f));
  EXPECT_EQ(h.wave().row[9][0], 0u);
  EXPECT_EQ(h.wave().row[4][0], Bits(4.0f));
  EXPECT_EQ(h.wave().row[5][0], Bits(8.0f));
  EXPECT_EQ(h.wave().row[6][0], Bits(1.0f));
  EXPECT_EQ(h.wave().row[7][0], Bits(2.0f));
}
TEST(PackedClampTest, IntegersSaturateAndFloatsAreLimited) {
  InstructionHarness h("gfx942");
  h.wave().row[0][0] = 0xfff00010, h.wave().row[1][0] = 0x00200020;
  h.wave().row[2][0] = Bits(3.0f), h.wave().row[3][0] = Bits(0.25f);
  ASSERT_TRUE(h.Run("v_pk_add_u16 v8, v0, v1 clamp\n v_pk_mul_f32 v[4:5], v[2:3], v[2:3] clamp").ok());
  EXPECT_EQ(h.wave().row[8][0], 0xffff0030u);
  EXPECT_EQ(h.wave().row[4][0], Bits(1.0f));
  EXPECT_EQ(h.wave().row[5][0], Bits(0.0625f));
}

}  // namespace
}  // namespace rocxla::emu
