// Orders that a seed gives: of workgroups, and of the waves in one.
#include "emulator/exec/shuffle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "emulator/testing/patched_kernel.h"

namespace rocxla::emu {
namespace {

TEST(PermutationTest, NamesEveryNumberOnce) {
  for (u64 size : {1, 2, 3, 4, 5, 31, 64, 1000}) {
    for (u64 seed : {0, 1, 12345}) {
      Permutation order(size, seed);
      std::set<u64> seen;
      for (u64 i = 0; i < size; i++) seen.insert(order(i));
      EXPECT_EQ(seen.size(), size);
      EXPECT_EQ(*seen.rbegin(), size - 1);
    }
  }
  std::set<std::vector<u64>> orders;
  for (u64 seed = 0; seed < 20; seed++) {
    std::vector<u64> order;
    for (u64 i = 0; i < 10; i++) order.push_back(Permutation(10, seed)(i));
    orders.insert(order);
  }
  EXPECT_GT(orders.size(), 15u);
}

// Kernels of four waves a workgroup, which leave a number in the first word.
class SeedTest : public testing::Test {
 protected:
  void SetUp() override { out_ = static_cast<u32*>(*memory_.Allocate(4096, 256, "out")); }
  u32 Run(const std::string& code, std::optional<u64> seed, int threads, LaunchConfig config = kGrid) {
    std::memset(out_, 0, 4096);
    LaunchOptions options;
    options.threads = threads;
    options.seed = seed;
    std::string all =
        "s_load_b64 s[2:3], s[0:1], 0\n v_and_b32 v0, 0x3ff, v0\n v_lshrrev_b32 v1, 5, v0\n v_mov_b32 v2, 0\n"
        "v_mov_b32 v3, ttmp9\n" +
        code + "\n s_endpgm";
    Status status = LaunchAssembly("gfx1201", all, out_, config, memory_, options).status();
    EXPECT_TRUE(status.ok()) << status.ToString();
    return *out_;
  }
  std::set<u32> ResultsOfSeeds(const std::string& code, LaunchConfig config = kGrid) {
    std::set<u32> results;
    for (u64 seed = 0; seed < 16; seed++) {
      const u32 result = Run(code, seed, 1, config);
      EXPECT_EQ(Run(code, seed, 1, config), result) << "seed " << seed;
      EXPECT_EQ(Run(code, seed, 4, config), result) << "seed " << seed << " on four threads";
      results.insert(result);
    }
    return results;
  }
  static constexpr LaunchConfig kGrid = {{8, 1, 1}, {128, 1, 1}};
  static constexpr LaunchConfig kOne = {{1, 1, 1}, {128, 1, 1}};
  static constexpr const char* kLastWave = "global_store_b32 v2, v1, s[2:3]";
  static constexpr const char* kLastWorkgroup = "global_store_b32 v2, v3, s[2:3]";
  // Every thread adds 1 + its workgroup's number.
  static constexpr const char* kSum = "v_add_nc_u32 v3, 1, v3\n global_atomic_add_u32 v2, v3, s[2:3]";
  AddressSpace memory_;
  u32* out_ = nullptr;
};

TEST_F(SeedTest, WithoutOneTheOrderAscends) {
  EXPECT_EQ(Run(kLastWave, std::nullopt, 1, kOne), 3u);
  EXPECT_EQ(Run(kLastWorkgroup, std::nullopt, 1), 7u);
}
TEST_F(SeedTest, RacesBetweenWavesShow) { EXPECT_GE(ResultsOfSeeds(kLastWave, kOne).size(), 3u); }
TEST_F(SeedTest, RacesBetweenWorkgroupsShow) { EXPECT_GE(ResultsOfSeeds(kLastWorkgroup).size(), 4u); }
TEST_F(SeedTest, CooperativeLaunchesAreShuffledToo) {
  LaunchConfig together = kGrid;
  together.residency = Residency::kWholeGrid;
  EXPECT_GE(ResultsOfSeeds(kLastWorkgroup, together).size(), 4u);
  EXPECT_EQ(ResultsOfSeeds(kSum, together), std::set<u32>{128 * 36});
}
TEST_F(SeedTest, RightKernelsGiveTheSame) { EXPECT_EQ(ResultsOfSeeds(kSum), std::set<u32>{128 * 36}); }

// A loop in which waves count a word up without atomics: turns end in the middle of it for some seed.
TEST_F(SeedTest, TurnsEndAtOtherPlaces) {
  const std::string count =
      "s_movk_i32 s4, 200\nagain:\n global_load_b32 v4, v2, s[2:3]\n s_sub_co_u32 s4, s4, 1\n s_cmp_lg_u32 s4, 0\n"
      "s_cbranch_scc0 over\n s_branch next\nnext:\n v_add_nc_u32 v4, 1, v4\n global_store_b32 v2, v4, s[2:3]\n"
      "s_branch again\nover:";
  EXPECT_EQ(Run(count, std::nullopt, 1, kOne), 4 * 199u);
  EXPECT_GE(ResultsOfSeeds(count, kOne).size(), 2u);
}

TEST_F(SeedTest, TheEnvironmentMayGiveOne) {
  ASSERT_EQ(setenv("ROCXLA_EMULATOR_SEED", "3", 1), 0);
  EXPECT_EQ(Run(kLastWorkgroup, std::nullopt, 4), Run(kLastWorkgroup, 3, 1));
  ASSERT_EQ(setenv("ROCXLA_EMULATOR_SEED", "three", 1), 0);
  EXPECT_EQ(LaunchAssembly("gfx1201", "s_endpgm", out_, kOne, memory_).status().ToString(),
            "E6008 BadEnvironment: ROCXLA_EMULATOR_SEED is not a seed\n"
            "  found:    'three'\n"
            "  expected: a decimal number below 2^64");
  unsetenv("ROCXLA_EMULATOR_SEED");
}

}  // namespace
}  // namespace rocxla::emu
