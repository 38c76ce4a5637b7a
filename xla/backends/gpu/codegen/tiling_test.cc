#include "xla/backends/gpu/codegen/tiling.h"

#include <gtest/gtest.h>

namespace xla::gpu {
namespace {

GpuTarget Target(std::string_view name) { return *rocxla::FindTarget(name); }

TEST(Tiling, TileSizesPadFewLanes) {
  EXPECT_EQ(ChooseTileSize(75, 1024), 32);  // 96 lanes; 128 would pad 53
  EXPECT_EQ(ChooseTileSize(1024, 1024), 1024);
  EXPECT_EQ(ChooseTileSize(1000, 1024), 1024);
  EXPECT_EQ(ChooseTileSize(5, 1024), 8);
  EXPECT_EQ(ChooseTileSize(100000, 1024), 1024);
}

TEST(Tiling, TileSizesAreWithinBounds) {
  for (int64_t cap : {32, 256, 1024}) {
    for (int64_t extent = 1; extent < 3000; ++extent) {
      int64_t size = ChooseTileSize(extent, cap);
      ASSERT_EQ(size, PowerOfTwoFloor(size));
      ASSERT_LE(size, cap);
      ASSERT_LT(size, 2 * extent);  // never more than one tile's worth of padding
      ASSERT_LE(CeilDiv(extent, size) * size * 100, (CeilDiv(extent, 32) * 32) * 115);
    }
  }
}

TEST(Tiling, WarpsComeFromBytes) {
  EXPECT_EQ(ChooseWarps(4096, Target("gfx942")), 4);
  EXPECT_EQ(ChooseWarps(4096, Target("gfx1100")), 8);
  EXPECT_EQ(ChooseWarps(100, Target("gfx942")), 1);
}

TEST(Tiling, GridSplitsIdsFastestFirst) {
  TtirBuilder builder;
  ProgramGrid grid = MakeGrid(builder, {3, 1, 5, 7, 2});
  EXPECT_EQ(grid.size, (std::array<int64_t, 3>{2, 7, 15}));
  EXPECT_FALSE(grid.tiles[1]);
  EXPECT_TRUE(grid.tiles[0] && grid.tiles[2] && grid.tiles[3] && grid.tiles[4]);
}

TEST(Tiling, GridBeyondTheLimitOfYAndZIsFlat) {
  TtirBuilder builder;
  EXPECT_EQ(MakeGrid(builder, {70000, 4}).size, (std::array<int64_t, 3>{280000, 1, 1}));
}

}  // namespace
}  // namespace xla::gpu
