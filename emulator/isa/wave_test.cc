// Witnesses for the scalar unit, cross-lane operations, LDS, encodings' modifiers and matrix operations.
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

// --- scalar unit: s4 = f(s0, s1), or pairs; SCC where it is defined (-1: not checked)

struct ScalarResult {
  u64 value;
  int scc;
};
struct ScalarCase {
  std::string text;  // alternatives by '|'
  bool wide;
  std::function<ScalarResult(u64 a, u64 b, bool scc)> formula;
};
void PrintTo(const ScalarCase& c, std::ostream* os) { *os << c.text; }

std::vector<ScalarCase> ScalarCases() {
  auto w = [](u64 x) { return u64{static_cast<u32>(x)}; };
  auto s = [](u64 x) { return i64{static_cast<i32>(static_cast<u32>(x))}; };
  auto logic = [&](std::string name, auto f) {
    return std::vector<ScalarCase>{{name + "_b32 s4, s0, s1", false,
                                    [f, w](u64 a, u64 b, bool) { return ScalarResult{w(f(a, b)), w(f(a, b)) != 0}; }},
                                   {name + "_b64 s[4:5], s[0:1], s[2:3]", true,
                                    [f](u64 a, u64 b, bool) { return ScalarResult{f(a, b), f(a, b) != 0}; }}};
  };
  std::vector<ScalarCase> cases = {
      {"s_add_u32 s4, s0, s1", false, [w](u64 a, u64 b, bool) { return ScalarResult{w(a + b), a + b > 0xffffffff}; }},
      {"s_sub_u32 s4, s0, s1", false, [w](u64 a, u64 b, bool) { return ScalarResult{w(a - b), b > a}; }},
      {"s_addc_u32 s4, s0, s1", false,
       [w](u64 a, u64 b, bool c) { return ScalarResult{w(a + b + c), a + b + c > 0xffffffff}; }},
      {"s_subb_u32 s4, s0, s1", false, [w](u64 a, u64 b, bool c) { return ScalarResult{w(a - b - c), b + c > a}; }},
      {"s_add_i32 s4, s0, s1", false,
       [=](u64 a, u64 b, bool) { return ScalarResult{w(a + b), s(a) + s(b) != s(w(a + b))}; }},
      {"s_sub_i32 s4, s0, s1", false,
       [=](u64 a, u64 b, bool) { return ScalarResult{w(a - b), s(a) - s(b) != s(w(a - b))}; }},
      {"s_mul_i32 s4, s0, s1", false, [w](u64 a, u64 b, bool) { return ScalarResult{w(a * b), -1}; }},
      {"s_mul_hi_u32 s4, s0, s1", false, [](u64 a, u64 b, bool) { return ScalarResult{a * b >> 32, -1}; }},
      {"s_mul_hi_i32 s4, s0, s1", false, [=](u64 a, u64 b, bool) { return ScalarResult{w(s(a) * s(b) >> 32), -1}; }},
      {"s_min_i32 s4, s0, s1", false,
       [=](u64 a, u64 b, bool) { return ScalarResult{s(a) < s(b) ? a : b, s(a) < s(b)}; }},
      {"s_max_i32 s4, s0, s1", false,
       [=](u64 a, u64 b, bool) { return ScalarResult{s(a) > s(b) ? a : b, s(a) > s(b)}; }},
      {"s_min_u32 s4, s0, s1", false, [](u64 a, u64 b, bool) { return ScalarResult{std::min(a, b), a < b}; }},
      {"s_max_u32 s4, s0, s1", false, [](u64 a, u64 b, bool) { return ScalarResult{std::max(a, b), a > b}; }},
      {"s_lshl_b32 s4, s0, s1", false,
       [w](u64 a, u64 b, bool) { return ScalarResult{w(a << b % 32), w(a << b % 32) != 0}; }},
      {"s_lshr_b32 s4, s0, s1", false, [](u64 a, u64 b, bool) { return ScalarResult{a >> b % 32, a >> b % 32 != 0}; }},
      {"s_ashr_i32 s4, s0, s1", false,
       [=](u64 a, u64 b, bool) { return ScalarResult{w(s(a) >> b % 32), w(s(a) >> b % 32) != 0}; }},
      {"s_lshl_b64 s[4:5], s[0:1], s2", true,
       [](u64 a, u64 b, bool) { return ScalarResult{a << b % 64, a << b % 64 != 0}; }},
      {"s_lshr_b64 s[4:5], s[0:1], s2", true,
       [](u64 a, u64 b, bool) { return ScalarResult{a >> b % 64, a >> b % 64 != 0}; }},
      {"s_ashr_i64 s[4:5], s[0:1], s2", true,
       [](u64 a, u64 b, bool) { return ScalarResult{u64(i64(a) >> b % 64), i64(a) >> b % 64 != 0}; }},
      {"s_cselect_b32 s4, s0, s1", false, [](u64 a, u64 b, bool c) { return ScalarResult{c ? a : b, -1}; }},
      {"s_cselect_b64 s[4:5], s[0:1], s[2:3]", true, [](u64 a, u64 b, bool c) { return ScalarResult{c ? a : b, -1}; }},
      {"s_bfe_u32 s4, s0, 0x70003", false,
       [](u64 a, u64, bool) { return ScalarResult{a >> 3 & 127, (a >> 3 & 127) != 0}; }},
      {"s_bfe_i32 s4, s0, 0x80008", false,
       [w](u64 a, u64, bool) { return ScalarResult{w(i64{static_cast<i8>(a >> 8)}), static_cast<i8>(a >> 8) != 0}; }},
      {"s_brev_b32 s4, s0", false, [](u64 a, u64, bool) { return ScalarResult{__builtin_bitreverse32(a), -1}; }},
      {"s_not_b32 s4, s0", false, [w](u64 a, u64, bool) { return ScalarResult{w(~a), w(~a) != 0}; }},
      {"s_not_b64 s[4:5], s[0:1]", true, [](u64 a, u64, bool) { return ScalarResult{~a, ~a != 0}; }},
      {"s_bcnt1_i32_b32 s4, s0", false,
       [](u64 a, u64, bool) { return ScalarResult{u64(__builtin_popcountll(a)), a != 0}; }},
      {"s_ff1_i32_b32 s4, s0|s_ctz_i32_b32 s4, s0", false,
       [](u64 a, u64, bool) { return ScalarResult{a == 0 ? 0xffffffff : u64(__builtin_ctzll(a)), -1}; }},
      {"s_flbit_i32_b32 s4, s0|s_clz_i32_u32 s4, s0", false,
       [](u64 a, u64, bool) { return ScalarResult{a == 0 ? 0xffffffff : u64(__builtin_clzll(a) - 32), -1}; }},
      {"s_abs_i32 s4, s0", false, [=](u64 a, u64, bool) { return ScalarResult{w(u64(std::abs(s(a)))), a != 0}; }},
      {"s_sext_i32_i8 s4, s0", false, [w](u64 a, u64, bool) { return ScalarResult{w(i64{static_cast<i8>(a)}), -1}; }},
      {"s_sext_i32_i16 s4, s0", false, [w](u64 a, u64, bool) { return ScalarResult{w(i64{static_cast<i16>(a)}), -1}; }},
      {"s_pack_ll_b32_b16 s4, s0, s1", false,
       [](u64 a, u64 b, bool) { return ScalarResult{(a & 0xffff) | (b & 0xffff) << 16, -1}; }},
      {"s_pack_hh_b32_b16 s4, s0, s1", false,
       [](u64 a, u64 b, bool) { return ScalarResult{a >> 16 | (b >> 16) << 16, -1}; }},
      {"s_lshl2_add_u32 s4, s0, s1", false,
       [w](u64 a, u64 b, bool) { return ScalarResult{w((a << 2) + b), (a << 2) + b > 0xffffffff}; }},
      {"s_bfm_b32 s4, s0, s1", false,
       [w](u64 a, u64 b, bool) { return ScalarResult{w(((u64{1} << a % 32) - 1) << b % 32), -1}; }},
      {"s_bitset1_b32 s0, s1\n s_mov_b32 s4, s0", false,
       [](u64 a, u64 b, bool) { return ScalarResult{a | u64{1} << b % 32, -1}; }},
      {"s_bitset0_b32 s0, s1\n s_mov_b32 s4, s0", false,
       [](u64 a, u64 b, bool) { return ScalarResult{a & ~(u64{1} << b % 32), -1}; }},
      {"s_mov_b32 s4, s0\n s_addk_i32 s4, 0x8001", false,
       [=](u64 a, u64, bool) { return ScalarResult{w(a - 32767), s(a) - 32767 != s(w(a - 32767))}; }},
      {"s_mov_b32 s4, s0\n s_mulk_i32 s4, 0xfffd", false,
       [w](u64 a, u64, bool) { return ScalarResult{w(a * u64(-3)), -1}; }},
      {"s_movk_i32 s4, 0x8000", false, [](u64, u64, bool) { return ScalarResult{0xffff8000, -1}; }},
  };
  for (auto& group :
       {logic("s_and", [](u64 a, u64 b) { return a & b; }), logic("s_or", [](u64 a, u64 b) { return a | b; }),
        logic("s_xor", [](u64 a, u64 b) { return a ^ b; }), logic("s_nand", [](u64 a, u64 b) { return ~(a & b); }),
        logic("s_nor", [](u64 a, u64 b) { return ~(a | b); }),
        logic("s_xnor", [](u64 a, u64 b) { return ~(a ^ b); })}) {
    cases.insert(cases.end(), group.begin(), group.end());
  }
  for (auto [name, f] :
       std::initializer_list<std::pair<std::string, std::function<bool(i64, i64)>>>{{"lt", std::less<i64>()},
                                                                                    {"le", std::less_equal<i64>()},
                                                                                    {"gt", std::greater<i64>()},
                                                                                    {"ge", std::greater_equal<i64>()},
                                                                                    {"eq", std::equal_to<i64>()},
                                                                                    {"lg", std::not_equal_to<i64>()}}) {
    cases.push_back({"s_mov_b32 s4, 0\n s_cmp_" + name + "_i32 s0, s1", false,
                     [f, s](u64 a, u64 b, bool) { return ScalarResult{0, f(s(a), s(b))}; }});
    cases.push_back({"s_mov_b32 s4, 0\n s_cmp_" + name + "_u32 s0, s1", false,
                     [f](u64 a, u64 b, bool) { return ScalarResult{0, f(i64(a), i64(b))}; }});
  }
  return cases;
}

class ScalarTest : public testing::TestWithParam<ScalarCase> {};
TEST_P(ScalarTest, EqualsTheFormula) {
  const ScalarCase& c = GetParam();
  for (const char* target : {"gfx942", "gfx1100"}) {
    InstructionHarness h(target);
    size_t bar = c.text.find('|');
    std::string text = c.text.substr(0, bar);
    if (!h.Accepts(text) && bar != std::string::npos) text = c.text.substr(bar + 1);
    RandomBits random(1);
    for (int round = 0; round < 60; round++) {
      u64 a = c.wide ? random.EdgePair() : random.EdgeWord(), b = c.wide ? random.EdgePair() : random.EdgeWord();
      bool scc = random.Next() % 2 != 0;
      h.set_pair(0, c.wide ? a : b << 32 | a);
      h.set_pair(2, b);
      h.wave().scalar[kScc] = scc;
      Status status = h.Run(text);
      ASSERT_TRUE(status.ok()) << status.ToString();
      ScalarResult want = c.formula(a, b, scc);
      EXPECT_EQ(c.wide ? h.pair(4) : h.scalar(4), want.value) << std::hex << text << " of " << a << ", " << b;
      if (want.scc >= 0)
        EXPECT_EQ(h.scalar(kScc), u32(want.scc)) << std::hex << "SCC of " << text << " of " << a << ", " << b;
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Salu, ScalarTest, testing::ValuesIn(ScalarCases()));

TEST(SaveExecTest, SavesAndCombines) {
  InstructionHarness h("gfx942");
  h.set_pair(0, 0xff00ff00ff00ff00u);
  ASSERT_TRUE(h.Run("s_and_saveexec_b64 s[4:5], s[0:1]").ok());
  EXPECT_EQ(h.pair(4), ~u64{0});
  EXPECT_EQ(h.wave().Mask(kExec), 0xff00ff00ff00ff00u);
  EXPECT_EQ(h.scalar(kScc), 1u);
}

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

// --- matrices: register layouts written down from the manuals, products of small integers, so that every order gives
// the same

struct MatrixCase {
  std::string target, text;
  int m, k, element_bits;
  bool bf16;
};
void PrintTo(const MatrixCase& c, std::ostream* os) { *os << c.text; }
class MatrixTest : public testing::TestWithParam<MatrixCase> {};

TEST_P(MatrixTest, MultipliesAndAdds) {
  const MatrixCase& c = GetParam();
  InstructionHarness h(c.target);
  Wave& w = h.wave();
  auto value = [](int i, int k, int salt) { return float((i * 7 + k * 3 + salt) % 9 - 4); };
  auto encode = [&](float x) -> u32 {
    if (c.element_bits == 32) return Bits(x);
    return c.bf16 ? Bits(x) >> 16 : std::bit_cast<u16>(f16(x));
  };
  int lanes = h.lanes(), per_word = 32 / c.element_bits;
  bool wmma = c.text.starts_with("v_wmma");
  int per_lane = wmma ? c.k : c.m * c.k / 64;
  for (int l = 0; l < lanes; l++) {
    for (int e = 0; e < per_lane; e++) {
      int i = l % c.m, k = wmma ? e : l / c.m * per_lane + e;
      for (int side = 0; side < 2; side++) {
        u32& word = w.row[16 * side + e / per_word][l];
        if (e % per_word == 0) word = 0;
        word |= encode(value(i, k, side)) << (c.element_bits * (e % per_word));
      }
    }
  }
  int registers = c.m * c.m / lanes;
  auto row_of = [&](int r, int l) {
    if (wmma) return 2 * r + l / 16;
    return c.m == 32 ? 8 * (r / 4) + 4 * (l / 32) + r % 4 : 4 * (l / 16) + r;
  };
  for (int r = 0; r < registers; r++) {
    for (int l = 0; l < lanes; l++) w.row[40 + r][l] = Bits(float(row_of(r, l) - l % c.m));
  }
  Status status = h.Run(c.text);
  ASSERT_TRUE(status.ok()) << status.ToString();
  for (int r = 0; r < registers; r++) {
    for (int l = 0; l < lanes; l++) {
      int i = row_of(r, l), j = l % c.m;
      float want = float(i - j);
      for (int k = 0; k < c.k; k++) want += value(i, k, 0) * value(j, k, 1);
      EXPECT_EQ(Float(w.row[64 + r][l]), want) << "row " << i << " column " << j;
    }
  }
}
INSTANTIATE_TEST_SUITE_P(
    Shapes, MatrixTest,
    testing::Values(
        MatrixCase{"gfx942", "v_mfma_f32_32x32x2_f32 v[64:79], v0, v16, v[40:55]", 32, 2, 32, false},
        MatrixCase{"gfx942", "v_mfma_f32_16x16x4_f32 v[64:67], v0, v16, v[40:43]", 16, 4, 32, false},
        MatrixCase{"gfx942", "v_mfma_f32_32x32x8_f16 v[64:79], v[0:1], v[16:17], v[40:55]", 32, 8, 16, false},
        MatrixCase{"gfx942", "v_mfma_f32_16x16x16_f16 v[64:67], v[0:1], v[16:17], v[40:43]", 16, 16, 16, false},
        MatrixCase{"gfx942", "v_mfma_f32_32x32x8_bf16 v[64:79], v[0:1], v[16:17], v[40:55]", 32, 8, 16, true},
        MatrixCase{"gfx942", "v_mfma_f32_16x16x16_bf16 v[64:67], v[0:1], v[16:17], v[40:43]", 16, 16, 16, true},
        MatrixCase{"gfx90a", "v_mfma_f32_32x32x8f16 v[64:79], v[0:1], v[16:17], v[40:55]", 32, 8, 16, false},
        MatrixCase{"gfx950", "v_mfma_f32_16x16x32_f16 v[64:67], v[0:3], v[16:19], v[40:43]", 16, 32, 16, false},
        MatrixCase{"gfx1100", "v_wmma_f32_16x16x16_f16 v[64:71], v[0:7], v[16:23], v[40:47]", 16, 16, 16, false},
        MatrixCase{"gfx1100", "v_wmma_f32_16x16x16_bf16 v[64:71], v[0:7], v[16:23], v[40:47]", 16, 16, 16, true}));

}  // namespace
}  // namespace rocxla::emu
