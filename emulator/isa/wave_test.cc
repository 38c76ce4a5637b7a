// Witnesses for cross-lane operations, LDS, and encodings' modifiers.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>

#include "emulator/testing/edge_values.h"
#include "emulator/testing/instruction_harness.h"

namespace rocxla::emu {
namespace {

u32 Bits(float x) { return std::bit_cast<u32>(x); }
float Float(u32 x) { return std::bit_cast<float>(x); }

// --- lane movement

class LaneTest : public testing::Test {
 protected:
  InstructionHarness h{"gfx942"};
  Wave& w = h.wave();
  void SetUp() override {
    for (int l = 0; l < 64; l++) {
      w.row[0][l] = 1000 + l;
      w.row[8][l] = 9;
    }
  }
  void Expect(const std::string& text, std::function<u32(int lane)> want) {
    Status status = h.Run(text);
    ASSERT_TRUE(status.ok()) << status.ToString();
    for (int l = 0; l < 64; l++) EXPECT_EQ(w.row[8][l], want(l)) << text << " lane " << l;
  }
};
TEST_F(LaneTest, DppQuadPermutation) {
  Expect("v_mov_b32_dpp v8, v0 quad_perm:[3,2,1,0] row_mask:0xf bank_mask:0xf", [](int l) { return 1000 + (l ^ 3); });
}
TEST_F(LaneTest, DppShiftKeepsLanesWithoutSource) {
  Expect("v_mov_b32_dpp v8, v0 row_shr:3 row_mask:0xf bank_mask:0xf",
         [](int l) { return l % 16 < 3 ? 9 : 1000 + l - 3; });
}
TEST_F(LaneTest, DppShiftWithBoundControlGivesZero) {
  Expect("v_mov_b32_dpp v8, v0 row_shl:2 row_mask:0xf bank_mask:0xf bound_ctrl:0",
         [](int l) { return l % 16 > 13 ? 0 : 1000 + l + 2; });
}
TEST_F(LaneTest, DppMasksSelectRowsAndBanks) {
  Expect("v_mov_b32_dpp v8, v0 row_ror:1 row_mask:0xa bank_mask:0x5",
         [](int l) { return (l / 16 % 2 == 1 && l / 4 % 2 == 0) ? 1000 + (l & ~15) + (l + 15) % 16 : 9; });
}
TEST_F(LaneTest, DppMirrorsAndBroadcasts) {
  Expect("v_mov_b32_dpp v8, v0 row_mirror row_mask:0xf bank_mask:0xf", [](int l) { return 1000 + (l ^ 15); });
  Expect("v_mov_b32_dpp v8, v0 row_half_mirror row_mask:0xf bank_mask:0xf", [](int l) { return 1000 + (l ^ 7); });
  Expect("v_mov_b32 v8, 9\n v_mov_b32_dpp v8, v0 row_bcast:15 row_mask:0xf bank_mask:0xf",
         [](int l) { return l < 16 ? 9 : 1000 + (l & ~15) - 1; });
  Expect("v_mov_b32 v8, 9\n v_mov_b32_dpp v8, v0 row_bcast:31 row_mask:0xf bank_mask:0xf",
         [](int l) { return l < 32 ? 9 : 1031; });
}
TEST_F(LaneTest, BackwardAndForwardPermutation) {
  for (int l = 0; l < 64; l++) w.row[1][l] = 4 * ((l * 7) % 64);
  Expect("ds_bpermute_b32 v8, v1, v0", [](int l) { return 1000 + l * 7 % 64; });
  Expect("ds_permute_b32 v8, v1, v0", [](int l) { return 1000 + l * 55 % 64; });  // 7 * 55 = 1 modulo 64
  Expect("ds_swizzle_b32 v8, v0 offset:0x041f", [](int l) { return 1000 + (l ^ 1); });
  Expect("ds_swizzle_b32 v8, v0 offset:0x801b", [](int l) { return 1000 + (l ^ 3); });
}
TEST_F(LaneTest, ReadAndWriteLane) {
  ASSERT_TRUE(h.Run("v_readlane_b32 s4, v0, 37\n v_readfirstlane_b32 s5, v0\n v_writelane_b32 v8, s4, 5").ok());
  EXPECT_EQ(h.scalar(4), 1037u);
  EXPECT_EQ(h.scalar(5), 1000u);
  for (int l = 0; l < 64; l++) EXPECT_EQ(w.row[8][l], l == 5 ? 1037u : 9u);
}
TEST_F(LaneTest, CountsBitsBelow) {
  Expect("v_mbcnt_lo_u32_b32 v8, -1, 0\n v_mbcnt_hi_u32_b32 v8, -1, v8", [](int l) { return u32(l); });
}
TEST(PermlaneTest, CrossesRows) {
  InstructionHarness h("gfx1100");
  for (int l = 0; l < 32; l++) h.wave().row[0][l] = 100 + l;
  h.set_pair(4, 0xfedcba9876543210u);
  ASSERT_TRUE(h.Run("v_permlanex16_b32 v8, v0, s4, s5\n v_permlane16_b32 v9, v0, s5, s4").ok());
  for (int l = 0; l < 32; l++) {
    EXPECT_EQ(h.wave().row[8][l], 100u + (l ^ 16));
    EXPECT_EQ(h.wave().row[9][l], 100u + (l ^ 8));
  }
}

TEST(PermlaneTest, SelectsByLane) {
  InstructionHarness h("gfx1201");
  for (int l = 0; l < 32; l++) h.wave().row[0][l] = 100 + l, h.wave().row[1][l] = 0xf0 + (15 - l % 16);
  ASSERT_TRUE(h.Run("v_permlane16_var_b32 v8, v0, v1\n v_permlanex16_var_b32 v9, v0, v1").ok());
  for (int l = 0; l < 32; l++) {
    EXPECT_EQ(h.wave().row[8][l], 100u + (l ^ 15));
    EXPECT_EQ(h.wave().row[9][l], 100u + (l ^ 31));
  }
}
TEST(PermlaneTest, PermutesFromInactiveLanes) {
  InstructionHarness h("gfx1201");
  h.set_pair(kExec, 0x0000ffff);
  for (int l = 0; l < 32; l++) h.wave().row[0][l] = 100 + l, h.wave().row[1][l] = 4 * (31 - l);
  ASSERT_TRUE(h.Run("ds_bpermute_fi_b32 v8, v1, v0\n ds_bpermute_b32 v9, v1, v0").ok());
  for (int l = 0; l < 16; l++) {
    EXPECT_EQ(h.wave().row[8][l], 131u - l);
    EXPECT_EQ(h.wave().row[9][l], 0u);
  }
}
TEST(PermlaneTest, Dpp8AndHalves) {
  InstructionHarness h("gfx1100");
  for (int l = 0; l < 32; l++) h.wave().row[0][l] = 100 + l;
  ASSERT_TRUE(h.Run("v_mov_b32_dpp v8, v0 dpp8:[7,6,5,4,3,2,1,0]\n v_permlane64_b32 v9, v0").ok());
  for (int l = 0; l < 32; l++) {
    EXPECT_EQ(h.wave().row[8][l], 100u + (l ^ 7));
    EXPECT_EQ(h.wave().row[9][l], 100u + l);  // a wave of 32 has no other half
  }
}
TEST(SwapTest, RegistersRowsAndHalves) {
  InstructionHarness h("gfx950");
  for (int l = 0; l < 64; l++) {
    for (int r = 0; r < 6; r++) h.wave().row[r][l] = 1000 * (r + 1) + l;
  }
  ASSERT_TRUE(h.Run("v_swap_b32 v0, v1\n v_permlane32_swap_b32 v2, v3\n v_permlane16_swap_b32 v4, v5").ok());
  for (u32 l = 0; l < 64; l++) {
    EXPECT_EQ(h.wave().row[0][l], 2000 + l);
    EXPECT_EQ(h.wave().row[1][l], 1000 + l);
    EXPECT_EQ(h.wave().row[2][l], l < 32 ? 3000 + l : 4000 + l - 32);
    EXPECT_EQ(h.wave().row[3][l], l < 32 ? 3000 + l + 32 : 4000 + l);
    EXPECT_EQ(h.wave().row[4][l], l % 32 < 16 ? 5000 + l : 6000 + l - 16);
    EXPECT_EQ(h.wave().row[5][l], l % 32 < 16 ? 5000 + l + 16 : 6000 + l);
  }
  InstructionHarness halves("gfx1100");
  halves.wave().row[0][0] = 0x11112222;
  halves.wave().row[1][0] = 0x33334444;
  ASSERT_TRUE(halves.Run("v_swap_b16 v0.l, v1.h").ok());
  EXPECT_EQ(halves.wave().row[0][0], 0x11113333u);
  EXPECT_EQ(halves.wave().row[1][0], 0x22224444u);
}
// Sixteen lanes read a matrix of 16 columns, row after row; lane l receives column l.
TEST(TransposeTest, ColumnsOfSixteen) {
  InstructionHarness h("gfx950");
  for (u32 i = 0; i < 2048; i++) h.wave().lds[i] = static_cast<u8>(i * 7 + i / 256);
  for (int l = 0; l < 64; l++) h.wave().row[0][l] = 8 * l;
  ASSERT_TRUE(h.Run("ds_read_b64_tr_b16 v[8:9], v0\n ds_read_b64_tr_b8 v[10:11], v0").ok());
  for (int l = 0; l < 64; l++) {
    u32 base = l / 16 * 128, column = l % 16;
    for (u32 row = 0; row < 4; row++) {
      u32 half = h.wave().row[8 + row / 2][l] >> (16 * (row % 2)) & 0xffff, at = base + 2 * (16 * row + column);
      EXPECT_EQ(half, h.wave().lds[at] | h.wave().lds[at + 1] << 8);
    }
    for (u32 row = 0; row < 8; row++) {
      EXPECT_EQ(h.wave().row[10 + row / 4][l] >> (8 * (row % 4)) & 255, h.wave().lds[base + 16 * row + column]);
    }
  }
}
// Elements of fewer than 8 bits: the same, on strings of bits.
TEST(TransposeTest, ColumnsOfNarrowElements) {
  InstructionHarness h("gfx950");
  RandomBits random(5);
  for (u32 i = 0; i < 2048; i++) h.wave().lds[i] = static_cast<u8>(random.Word());
  auto bits = [](auto byte_at, u32 at, u32 count) {
    u32 x = 0;
    for (u32 n = 0; n < count; n++) x |= (byte_at((at + n) / 8) >> ((at + n) % 8) & 1u) << n;
    return x;
  };
  for (auto [text, width, words] :
       {std::tuple{"ds_read_b64_tr_b4 v[8:9], v0", 4u, 2u}, std::tuple{"ds_read_b96_tr_b6 v[8:10], v0", 6u, 3u}}) {
    for (u32 l = 0; l < 64; l++) h.wave().row[0][l] = 4 * words * l;
    ASSERT_TRUE(h.Run(text).ok());
    for (u32 l = 0; l < 64; l++) {
      u32 base = l / 16 * 64 * words;
      for (u32 row = 0; row < 16; row++) {
        u32 want = bits([&](u32 i) { return h.wave().lds[base + i]; }, (16 * row + l % 16) * width, width);
        u32 got = bits([&](u32 i) { return h.wave().row[8 + i / 4][l] >> (8 * (i % 4)) & 255; }, row * width, width);
        ASSERT_EQ(got, want) << text << " lane " << l << " row " << row;
      }
    }
  }
}
// gfx12: eight lanes together. Lane L receives in place j what lane 8 * (L / 8) + j reads in place L % 8.
TEST(TransposeTest, EightLanesFromGlobalMemory) {
  InstructionHarness h("gfx1201");
  auto* memory = static_cast<u16*>(*h.memory().Allocate(2048, 256, "data"));
  for (u32 i = 0; i < 1024; i++) memory[i] = static_cast<u16>(1 + i * 3);
  h.set_pair(2, reinterpret_cast<u64>(memory));
  for (u32 l = 0; l < 32; l++) h.wave().row[0][l] = 16 * ((l * 5) % 32);
  ASSERT_TRUE(h.Run("global_load_tr_b128 v[8:11], v0, s[2:3] offset:16").ok());
  for (u32 l = 0; l < 32; l++) {
    for (u32 j = 0; j < 8; j++) {
      u32 from = l / 8 * 8 + j;
      EXPECT_EQ(h.wave().row[8 + j / 2][l] >> (16 * (j % 2)) & 0xffff, memory[8 + 8 * (from * 5 % 32) + l % 8]);
    }
  }
}
TEST(QuadSumTest, FourWindowsOfBytes) {
  for (const char* target : {"gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"}) {
    InstructionHarness h(target);
    RandomBits random(9);
    u64 bytes[64];
    u32 reference[64], addend[4][64];
    for (int l = 0; l < h.lanes(); l++) {
      bytes[l] = random.Next(), reference[l] = random.Word() & 0xffff00ff;
      h.wave().row[0][l] = static_cast<u32>(bytes[l]), h.wave().row[1][l] = static_cast<u32>(bytes[l] >> 32);
      h.wave().row[2][l] = reference[l];
      for (int i = 0; i < 4; i++) h.wave().row[8 + i][l] = addend[i][l] = random.Word();
    }
    ASSERT_TRUE(h.Run("v_mqsad_u32_u8 v[8:11], v[0:1], v2, v[8:11]").ok());
    for (int l = 0; l < h.lanes(); l++) {
      for (int i = 0; i < 4; i++) {
        u32 want = addend[i][l];
        for (int n = 0; n < 4; n++) {
          int a = bytes[l] >> (8 * (i + n)) & 255, b = reference[l] >> (8 * n) & 255;
          if (b != 0) want += std::abs(a - b);
        }
        EXPECT_EQ(h.wave().row[8 + i][l], want) << target;
      }
    }
  }
}

// --- LDS: every width writes what it should, and reads it back

TEST(LdsTest, WidthsRoundTrip) {
  InstructionHarness h("gfx942");
  Wave& w = h.wave();
  for (int l = 0; l < 64; l++) {
    w.row[0][l] = 32 * l;
    for (int r = 2; r <= 5; r++) w.row[r][l] = 0x01010101u * r + 0x81 * l;
  }
  auto lds = [&](int byte) {
    u32 x;
    std::memcpy(&x, w.lds + byte, 4);
    return x;
  };
  ASSERT_TRUE(h.Run("ds_write_b128 v0, v[2:5] offset:16\n ds_read_b128 v[8:11], v0 offset:16\n ds_read_b96 v[12:14], "
                    "v0 offset:16\n"
                    "ds_read_b64 v[16:17], v0 offset:24\n ds_read_u8 v18, v0 offset:17\n ds_read_i8 v19, v0 offset:16\n"
                    "ds_read_u16 v20, v0 offset:18\n ds_read_i16 v21, v0 offset:16\n"
                    "ds_read2_b32 v[22:23], v0 offset0:4 offset1:7\n ds_read2_b64 v[24:27], v0 offset0:3 offset1:2")
                  .ok());
  for (int l = 0; l < 64; l++) {
    for (int r = 0; r < 4; r++) EXPECT_EQ(lds(32 * l + 16 + 4 * r), w.row[2 + r][l]);
    for (int r = 0; r < 4; r++) EXPECT_EQ(w.row[8 + r][l], w.row[2 + r][l]);
    for (int r = 0; r < 3; r++) EXPECT_EQ(w.row[12 + r][l], w.row[2 + r][l]);
    EXPECT_EQ(w.row[16][l], w.row[4][l]);
    EXPECT_EQ(w.row[18][l], w.row[2][l] >> 8 & 255);
    EXPECT_EQ(w.row[19][l], static_cast<u32>(static_cast<i8>(w.row[2][l])));
    EXPECT_EQ(w.row[20][l], w.row[2][l] >> 16);
    EXPECT_EQ(w.row[21][l], static_cast<u32>(static_cast<i16>(w.row[2][l])));
    EXPECT_EQ(w.row[22][l], w.row[2][l]);
    EXPECT_EQ(w.row[23][l], w.row[5][l]);
    EXPECT_EQ(w.row[24][l], w.row[4][l]);
    EXPECT_EQ(w.row[27][l], w.row[3][l]);
  }
}

// --- modifiers of encodings

TEST(ModifierTest, SdwaSelectsExtendsAndInserts) {
  InstructionHarness h("gfx942");
  Wave& w = h.wave();
  RandomBits random(2);
  for (int l = 0; l < 64; l++) {
    w.row[0][l] = random.Word();
    w.row[1][l] = random.Word();
    w.row[9][l] = 0xaabbccdd;
  }
  ASSERT_TRUE(
      h.Run("v_add_u32_sdwa v8, v0, sext(v1) dst_sel:WORD_1 dst_unused:UNUSED_PAD src0_sel:BYTE_1 src1_sel:BYTE_3\n"
            "v_add_u32_sdwa v9, v0, v1 dst_sel:BYTE_2 dst_unused:UNUSED_PRESERVE src0_sel:DWORD src1_sel:WORD_1")
          .ok());
  for (int l = 0; l < 64; l++) {
    u32 a = w.row[0][l], b = w.row[1][l];
    EXPECT_EQ(w.row[8][l], ((a >> 8 & 255) + static_cast<u32>(static_cast<i8>(b >> 24))) << 16);
    EXPECT_EQ(w.row[9][l], 0xaa00ccddu | ((a + (b >> 16)) & 255) << 16);
  }
}
TEST(ModifierTest, PackedHalvesSelectAndNegate) {
  for (const char* target : {"gfx942", "gfx1100"}) {
    InstructionHarness h(target);
    Wave& w = h.wave();
    auto pack = [](float low, float high) {
      return u32{std::bit_cast<u16>(f16(low))} | u32{std::bit_cast<u16>(f16(high))} << 16;
    };
    for (int l = 0; l < h.lanes(); l++) {
      w.row[0][l] = pack(l, l + 0.5f);
      w.row[1][l] = pack(2, 3);
      w.row[2][l] = pack(10, 20);
    }
    ASSERT_TRUE(
        h.Run("v_pk_fma_f16 v8, v0, v1, v2 op_sel:[1,0,0] op_sel_hi:[0,1,1] neg_lo:[0,1,0] neg_hi:[0,0,1]").ok());
    for (int l = 0; l < h.lanes(); l++)
      EXPECT_EQ(w.row[8][l], pack((l + 0.5f) * -2 + 10, l * 3 - 20.0f)) << target << l;
  }
}
TEST(ModifierTest, DualInstructionsReadBeforeTheyWrite) {
  InstructionHarness h("gfx1100");
  Wave& w = h.wave();
  for (int l = 0; l < 32; l++) {
    w.row[0][l] = Bits(l);
    w.row[1][l] = Bits(2);
    w.row[3][l] = Bits(5);
  }
  ASSERT_TRUE(h.Run("v_dual_mul_f32 v0, v1, v0 :: v_dual_fmac_f32 v3, v0, v1").ok());
  for (int l = 0; l < 32; l++) {
    EXPECT_EQ(Float(w.row[0][l]), 2.0f * l);
    EXPECT_EQ(Float(w.row[3][l]), 5 + 2.0f * l);
  }
}

}  // namespace
}  // namespace rocxla::emu
