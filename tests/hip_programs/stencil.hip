// One step of heat flow on a plane: tiles with a rim in LDS, and blocks of two dimensions.
#include "tests/hip_programs/device.h"

KERNEL stencil(const float* in, float* out, int width, int height) {
  constexpr int kTile = 16;
  __shared__ float tile[kTile + 2][kTile + 2];
  auto at = [&](int x, int y) { return x < 0 || y < 0 || x >= width || y >= height ? 0.0f : in[y * width + x]; };
  int left = blockIdx.x * kTile - 1, top = blockIdx.y * kTile - 1;
  for (int i = threadIdx.y * kTile + threadIdx.x; i < (kTile + 2) * (kTile + 2); i += kTile * kTile) {
    tile[i / (kTile + 2)][i % (kTile + 2)] = at(left + i % (kTile + 2), top + i / (kTile + 2));
  }
  __syncthreads();
  int x = left + 1 + threadIdx.x, y = top + 1 + threadIdx.y;
  if (x >= width || y >= height) return;
  int column = threadIdx.x + 1, row = threadIdx.y + 1;
  float around = tile[row - 1][column] + tile[row + 1][column] + tile[row][column - 1] + tile[row][column + 1];
  out[y * width + x] = 0.5f * tile[row][column] + 0.125f * around;
}
