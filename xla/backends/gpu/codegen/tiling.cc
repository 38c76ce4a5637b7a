#include "xla/backends/gpu/codegen/tiling.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace xla::gpu {
namespace {

constexpr int64_t kTileBytes = 4096;  // of the widest operand
constexpr int64_t kMinTileCells = 256;
constexpr int64_t kSmallestTile = 32;  // along one dimension, unless the dimension is shorter
constexpr int kMaxTileDims = 3;
constexpr int64_t kMaxGridYZ = 65535;  // of the HIP runtime

// The dimension along which `read` is contiguous while the store is not; -1 if it goes along with the store.
int TransposedDim(const std::vector<IterationDim>& dims, const FusionRead& read) {
  int last = static_cast<int>(dims.size()) - 1;
  int64_t along_store = std::abs(read.offset.CoefficientOf(dims[last].variable));
  if (along_store <= 1) return -1;
  for (int d = last - 1; d >= 0; --d) {
    if (std::abs(read.offset.CoefficientOf(dims[d].variable)) == 1) return d;
  }
  return -1;
}

}  // namespace

int64_t PowerOfTwoCeil(int64_t n) { return static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(n))); }
int64_t PowerOfTwoFloor(int64_t n) { return static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(n))); }

int64_t ChooseTileSize(int64_t extent, int64_t cap) {
  int64_t largest = std::min(cap, PowerOfTwoCeil(extent));
  int64_t smallest = std::min(kSmallestTile, largest);
  auto lanes = [&](int64_t size) { return CeilDiv(extent, size) * size; };
  int64_t best = lanes(smallest);
  for (int64_t size = largest; size > smallest; size /= 2) {
    if (lanes(size) * 100 <= best * 115) return size;
  }
  return smallest;
}

int ChooseWarps(int64_t tile_bytes, const GpuTarget& target) {
  constexpr int64_t kBytesPerThread = 16;
  int64_t warps = tile_bytes / (kBytesPerThread * target.wave_size);
  return static_cast<int>(PowerOfTwoFloor(std::clamp<int64_t>(warps, 1, 8)));
}

LoopTile ChooseLoopTile(const std::vector<IterationDim>& dims, const std::vector<FusionRead>& reads,
                        int64_t widest_bytes, const GpuTarget& target) {
  LoopTile tile{std::vector<int64_t>(dims.size(), 1), 1};
  int last = static_cast<int>(dims.size()) - 1;
  if (last < 0) return tile;
  int64_t cells = std::max(kTileBytes / widest_bytes, kMinTileCells);
  int transposed = -1;
  for (const FusionRead& read : reads) transposed = std::max(transposed, TransposedDim(dims, read));
  int used = 1;
  int64_t left = cells;
  if (transposed >= 0) {
    int64_t side = widest_bytes <= 2 ? 64 : 32;
    tile.sizes[transposed] = ChooseTileSize(dims[transposed].extent, side);
    tile.sizes[last] = ChooseTileSize(dims[last].extent, std::max(side, cells / tile.sizes[transposed]));
    left /= tile.sizes[transposed] * tile.sizes[last];
    used = 2;
  } else {
    tile.sizes[last] = ChooseTileSize(dims[last].extent, cells);
    left /= tile.sizes[last];
  }
  for (int d = last - 1; d >= 0 && left > 1 && used < kMaxTileDims; --d) {
    if (d == transposed) continue;
    tile.sizes[d] = std::min(PowerOfTwoFloor(left), PowerOfTwoCeil(dims[d].extent));
    left /= tile.sizes[d];
    ++used;
  }
  int64_t total = widest_bytes;
  for (int64_t size : tile.sizes) total *= size;
  tile.num_warps = ChooseWarps(total, target);
  return tile;
}

namespace {

// Splits `id` into tile numbers of the dimensions [begin, end), the last varying fastest.
void Decompose(TtirBuilder& builder, TtirValue id, const std::vector<int64_t>& counts, const std::vector<int>& dims,
               ProgramGrid& grid) {
  for (size_t i = dims.size(); i-- > 0;) {
    TtirValue count = builder.I32(counts[dims[i]]);
    grid.tiles[dims[i]] = i == 0 ? id : builder.Binary("arith.remsi", id, count);
    if (i > 0) id = builder.Binary("arith.divsi", id, count);
  }
}

}  // namespace

ProgramGrid MakeGrid(TtirBuilder& builder, const std::vector<int64_t>& counts) {
  ProgramGrid grid;
  grid.tiles.resize(counts.size());
  std::vector<int> dims;  // with more than one tile
  for (size_t d = 0; d < counts.size(); ++d) {
    if (counts[d] > 1) dims.push_back(static_cast<int>(d));
  }
  auto product = [&](const std::vector<int>& some) {
    int64_t n = 1;
    for (int d : some) n *= counts[d];
    return n;
  };
  // x: the fastest, y: the second, z: all others together.
  std::array<std::vector<int>, 3> axes;
  for (size_t i = 0; i < dims.size(); ++i) {
    size_t from_end = dims.size() - 1 - i;
    axes[std::min<size_t>(from_end, 2)].push_back(dims[i]);
  }
  if (product(axes[1]) > kMaxGridYZ || product(axes[2]) > kMaxGridYZ) axes = {dims, {}, {}};
  for (int axis = 0; axis < 3; ++axis) {
    if (axes[axis].empty()) continue;
    grid.size[axis] = product(axes[axis]);
    Decompose(builder, builder.ProgramId(axis), counts, axes[axis], grid);
  }
  return grid;
}

}  // namespace xla::gpu
