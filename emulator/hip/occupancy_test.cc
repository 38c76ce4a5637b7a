#include "emulator/hip/occupancy.h"

#include <gtest/gtest.h>

namespace rocxla::emu {
namespace {

int Blocks(const char* target, int vgprs, int64_t lds_bytes, int threads) {
  return WorkgroupsPerMultiprocessor(*FindTarget(target), vgprs, lds_bytes, threads);
}

TEST(Occupancy, LimitedByWaves) {
  EXPECT_EQ(Blocks("gfx942", 32, 0, 256), 8);   // 8 waves x 4 SIMDs, 4 waves a block
  EXPECT_EQ(Blocks("gfx1100", 32, 0, 256), 8);  // 16 waves x 4 SIMDs of a WGP, 8 waves a block
  EXPECT_EQ(Blocks("gfx942", 0, 0, 1), 32);     // a wave is the least
}

TEST(Occupancy, LimitedByRegisters) {
  EXPECT_EQ(Blocks("gfx942", 128, 0, 256), 4);   // 512 / 128 waves x 4 SIMDs
  EXPECT_EQ(Blocks("gfx942", 129, 0, 256), 3);   // rounded up to 136
  EXPECT_EQ(Blocks("gfx942", 512, 0, 1024), 0);  // 1 wave x 4 SIMDs, 16 waves a block
  EXPECT_EQ(Blocks("gfx1100", 97, 0, 32), 48);   // rounded up to 120: 12 waves x 4 SIMDs
}

TEST(Occupancy, LimitedByLds) {
  EXPECT_EQ(Blocks("gfx942", 32, 32768, 256), 2);
  EXPECT_EQ(Blocks("gfx942", 32, 40000, 256), 1);
  EXPECT_EQ(Blocks("gfx942", 32, 65537, 256), 0);
  EXPECT_EQ(Blocks("gfx950", 32, 65537, 256), 2);
}

}  // namespace
}  // namespace rocxla::emu
