// Witnesses for registers whose number depends on M0.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "emulator/testing/instruction_harness.h"

namespace rocxla::emu {
namespace {

class IndexedTest : public testing::TestWithParam<const char*> {
 protected:
  InstructionHarness h{GetParam()};
  Wave& w = h.wave();
  void SetUp() override {
    for (int r = 0; r < 256; r++) {
      for (int l = 0; l < 64; l++) w.row[r][l] = 1000 * r + l;
    }
    for (int s = 0; s < 100; s++) w.scalar[s] = 500 + s;
  }
  void Run(const std::string& text) {
    Status status = h.Run(text);
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  std::string Failure(const std::string& text) { return h.Run(text).ToString(); }
};

using ScalarIndexTest = IndexedTest;
TEST_P(ScalarIndexTest, MovesByM0) {
  Run("s_mov_b32 m0, 7\n s_movrels_b32 s1, s20\n s_movreld_b32 s30, s2\n s_movrels_b64 s[4:5], s[40:41]\n"
      "s_movreld_b64 s[50:51], s[60:61]");
  EXPECT_EQ(h.scalar(1), 527u);
  EXPECT_EQ(h.scalar(37), 502u);
  EXPECT_EQ(h.scalar(4), 547u);
  EXPECT_EQ(h.scalar(5), 548u);
  EXPECT_EQ(h.scalar(57), 560u);
  EXPECT_EQ(h.scalar(58), 561u);
}
TEST_P(ScalarIndexTest, RefusesNumbersBeyondTheFile) {
  EXPECT_NE(Failure("s_mov_b32 m0, 100\n s_movrels_b32 s1, s20"), "OK");
  EXPECT_EQ(w.fault.kind, FaultKind::kRegisterIndex);
}
INSTANTIATE_TEST_SUITE_P(Targets, ScalarIndexTest, testing::Values("gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"));

using VectorMoveTest = IndexedTest;
TEST_P(VectorMoveTest, MovesByM0UnderExec) {
  w.scalar[kExec] = 0xff;
  Run("s_mov_b32 m0, 9\n v_movrels_b32 v1, v20\n v_movreld_b32 v30, v2\n v_movrelsd_b32 v50, v60\n"
      "s_mov_b32 m0, 0x30005\n v_movrelsd_2_b32 v80, v90\n v_swaprel_b32 v100, v110\n s_movrelsd_2_b32 s40, s50");
  for (u32 l : {0u, 7u, 8u}) {
    bool on = l < 8;
    EXPECT_EQ(w.row[1][l], (on ? 29000 : 1000) + l);
    EXPECT_EQ(w.row[39][l], (on ? 2000 : 39000) + l);
    EXPECT_EQ(w.row[59][l], (on ? 69000 : 59000) + l);
    EXPECT_EQ(w.row[83][l], (on ? 95000 : 83000) + l);
    EXPECT_EQ(w.row[103][l], (on ? 115000 : 103000) + l);
    EXPECT_EQ(w.row[115][l], (on ? 103000 : 115000) + l);
  }
  EXPECT_EQ(h.scalar(43), 555u);
}
// DPP moves the lanes of the source, wherever that is; lanes that it leaves out keep what is at the destination.
TEST_P(VectorMoveTest, MovesLanesToo) {
  const std::string dpp = "_dpp", control = " row_shr:1 row_mask:0xf bank_mask:0xf";
  w.scalar[kExec] = 0xff;
  Run("s_mov_b32 m0, 9\n v_movrels_b32_dpp v1, v20" + control + "\n v_movreld_b32_dpp v30, v2" + control +
      "\n v_movrelsd_b32_e64_dpp v50, v60" + control + "\n s_mov_b32 m0, 0x30005\n v_movrelsd_2_b32_dpp v80, v90" +
      control + "\n s_mov_b32 m0, 2\n v_movrels_b32_dpp v120, v130 dpp8:[7,6,5,4,3,2,1,0]");
  for (u32 l : {0u, 1u, 7u, 8u}) {
    bool on = l > 0 && l < 8;  // lane 0 has no neighbour below
    EXPECT_EQ(w.row[1][l], on ? 29000 + l - 1 : 1000 + l);
    EXPECT_EQ(w.row[39][l], on ? 2000 + l - 1 : 39000 + l);
    EXPECT_EQ(w.row[59][l], on ? 69000 + l - 1 : 59000 + l);
    EXPECT_EQ(w.row[83][l], on ? 95000 + l - 1 : 83000 + l);
    EXPECT_EQ(w.row[120][l], l < 8 ? 132000 + 7 - l : 120000 + l);
  }
}
TEST_P(VectorMoveTest, RefusesNumbersBeyondTheFile) {
  EXPECT_NE(Failure("s_mov_b32 m0, 250\n v_movrels_b32 v1, v20"), "OK");
  EXPECT_EQ(w.fault.kind, FaultKind::kRegisterIndex);
}
INSTANTIATE_TEST_SUITE_P(Targets, VectorMoveTest, testing::Values("gfx1100", "gfx1201"));

using GprIndexTest = IndexedTest;
TEST_P(GprIndexTest, AddsM0BetweenOnAndOff) {
  Run("s_mov_b32 s0, 0x305\n s_mov_b32 m0, 0x110\n s_set_gpr_idx_on s0, gpr_idx(SRC0)\n v_mov_b32 v1, v20\n s_nop 0\n"
      "s_set_gpr_idx_off\n v_mov_b32 v2, v20\n s_set_gpr_idx_on s0, gpr_idx(DST)\n v_mov_b32 v40, v3\n"
      "s_set_gpr_idx_idx 6\n v_mov_b32 v40, 17\n s_set_gpr_idx_mode gpr_idx(SRC0,DST)\n v_mov_b32 v60, v70\n"
      "s_set_gpr_idx_off");
  EXPECT_EQ(w.row[1][3], 25003u);
  EXPECT_EQ(w.row[2][3], 20003u);
  EXPECT_EQ(w.row[45][3], 3003u);
  EXPECT_EQ(w.row[46][3], 17u);
  EXPECT_EQ(w.row[66][3], 76003u);
  EXPECT_EQ(h.scalar(kM0), 0x9106u);
}
TEST_P(GprIndexTest, RefusesWhatCannotBeFollowed) {
  const std::string on = "s_set_gpr_idx_on s0, gpr_idx(SRC0)\n ";
  EXPECT_NE(Failure(on + "v_add_f32 v1, v2, v3\n s_set_gpr_idx_off")
                .find("it is no plain v_mov_b32 while registers are indexed"),
            std::string::npos);
  EXPECT_NE(
      Failure(on + "s_cbranch_scc0 1\n s_nop 0\n s_set_gpr_idx_off").find("it branches while registers are indexed"),
      std::string::npos);
  EXPECT_NE(Failure("s_cbranch_scc0 1\n" + on + "v_mov_b32 v1, v2\n s_set_gpr_idx_off")
                .find("a branch leads to it while registers are indexed"),
            std::string::npos);
}
INSTANTIATE_TEST_SUITE_P(Targets, GprIndexTest, testing::Values("gfx90a", "gfx942", "gfx950"));

}  // namespace
}  // namespace rocxla::emu
