// Barriers of workgroups with several waves.
#include <gtest/gtest.h>

#include "emulator/testing/patched_kernel.h"

namespace rocxla::emu {
namespace {

constexpr int kWaves = 4;
constexpr LaunchConfig kFourWaves = {{1, 1, 1}, {32 * kWaves, 1, 1}};

class BarrierTest : public testing::Test {
 protected:
  // What the code leaves in s4 to s6 of each wave.
  std::vector<std::array<u32, 3>> Run(const std::string& code, LaunchConfig config = kFourWaves) {
    auto* out = static_cast<u32*>(*memory_.Allocate(4096, 256, "out"));
    Status status = LaunchAssembly("gfx1201",
                                   "s_load_b64 s[2:3], s[0:1], 0\n v_and_b32 v0, 0x3ff, v0\n"
                                   "v_readfirstlane_b32 s8, v0\n s_lshr_b32 s8, s8, 5\n" +
                                       code +
                                       "\n v_lshrrev_b32 v1, 5, v0\n v_lshlrev_b32 v1, 4, v1\n v_mov_b32 v2, s4\n"
                                       "v_mov_b32 v3, s5\n v_mov_b32 v4, s6\n"
                                       "global_store_b96 v1, v[2:4], s[2:3]\n s_endpgm",
                                   out, config, memory_)
                        .status();
    EXPECT_TRUE(status.ok()) << status.ToString();
    std::vector<std::array<u32, 3>> waves;
    for (int i = 0; i < kWaves; i++) waves.push_back({out[4 * i], out[4 * i + 1], out[4 * i + 2]});
    return waves;
  }
  // valid, members, signals
  static u32 State(u32 members, u32 signals) { return 1 | members << 4 | signals << 16; }
  AddressSpace memory_;
};

// Waves run one after another until they wait.
TEST_F(BarrierTest, TheFirstSignalIsKnownAndCounted) {
  auto waves =
      Run("s_barrier_signal_isfirst -1\n s_cselect_b32 s4, 1, 0\n s_get_barrier_state s5, -1\n s_barrier_wait -1\n"
          "s_get_barrier_state s6, -1");
  for (u32 i = 0; i < kWaves; i++) {
    EXPECT_EQ(waves[i][0], i == 0) << i;
    // The last signal completes the barrier, which counts from zero again.
    EXPECT_EQ(waves[i][1], State(kWaves, i + 1 < kWaves ? i + 1 : 0)) << i;
    // The last wave goes on and ends, then the others do, in their order.
    EXPECT_EQ(waves[i][2], State(i + 1 < kWaves ? kWaves - 1 - i : kWaves, 0)) << i;
  }
}
TEST_F(BarrierTest, EveryBarrierHasAFirst) {
  auto waves =
      Run("s_mov_b32 s4, 0\n s_movk_i32 s7, 3\nagain:\n s_barrier_signal_isfirst -1\n s_addc_u32 s4, s4, 0\n"
          "s_barrier_wait -1\n s_sub_co_u32 s7, s7, 1\n s_cmp_lg_u32 s7, 0\n s_cbranch_scc1 again");
  u32 firsts = 0;
  for (const auto& wave : waves) firsts += wave[0];
  EXPECT_EQ(firsts, 3u);
}
// Wave 0 ends; the others do not wait for it.
TEST_F(BarrierTest, WavesThatHaveEndedAreNoMembers) {
  auto waves =
      Run("s_cmp_eq_u32 s8, 0\n s_cbranch_scc0 stays\n s_endpgm\nstays:\n s_barrier_signal_isfirst -1\n"
          "s_cselect_b32 s4, 1, 0\n s_get_barrier_state s5, -1\n s_barrier_wait -1\n s_get_barrier_state s6, -1");
  EXPECT_EQ(waves[1][0], 1u);
  EXPECT_EQ(waves[1][1], State(kWaves - 1, 1));
  EXPECT_EQ(waves[3][0], 0u);
  EXPECT_EQ(waves[3][2], State(kWaves - 1, 0));
}

}  // namespace
}  // namespace rocxla::emu
