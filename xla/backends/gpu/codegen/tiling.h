// Tile sizes and grids. Sizes follow the recipes of the design: 1024 cells or so per tile, few padded lanes, accesses
// of at least 128 bytes along the contiguous dimension of every operand, warps from the bytes that each thread handles.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "xla/backends/gpu/codegen/fusion_analysis.h"
#include "xla/backends/gpu/codegen/iteration_space.h"
#include "xla/backends/gpu/codegen/ttir_builder.h"

namespace xla::gpu {

int64_t PowerOfTwoCeil(int64_t n);
int64_t PowerOfTwoFloor(int64_t n);
inline int64_t CeilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

// A power of two <= cap that covers `extent` with few padded lanes: the largest within 15 % of the best.
int64_t ChooseTileSize(int64_t extent, int64_t cap);
// Warps so that each thread owns 16 bytes or more: a power of two, 1 to 8.
int ChooseWarps(int64_t tile_bytes, const GpuTarget& target);

// Tile sizes of all dims of the space (1: the dim is a scalar in each program), for a kernel that stores along the last
// dimension. At most three are above 1.
struct LoopTile {
  std::vector<int64_t> sizes;
  int num_warps = 4;
};
// `widest_bytes`: of one element of the widest array touched.
LoopTile ChooseLoopTile(const std::vector<IterationDim>& dims, const std::vector<FusionRead>& reads,
                        int64_t widest_bytes, const GpuTarget& target);

// Which tile of each dimension a program works on.
struct ProgramGrid {
  std::array<int64_t, 3> size{1, 1, 1};  // programs in x, y, z
  std::vector<TtirValue> tiles;          // scalar i32 per dimension; no value where there is only one tile
};
// `counts`: tiles per dimension, the fastest varying last.
ProgramGrid MakeGrid(TtirBuilder& builder, const std::vector<int64_t>& counts);

}  // namespace xla::gpu
