// A sparse matrix (compressed rows) times a vector: one wave per row, rows of any length.
#include "tests/hip_programs/device.h"

KERNEL sparse_product(const int* row_begin, const int* columns, const float* values, const float* x, float* y,
                      int rows) {
  int row = GlobalThread() / warpSize, lane = __lane_id();
  if (row >= rows) return;
  float sum = 0;
  for (int i = row_begin[row] + lane; i < row_begin[row + 1]; i += warpSize) sum += values[i] * x[columns[i]];
  for (int mask = warpSize / 2; mask > 0; mask /= 2) sum += __shfl_xor(sum, mask);
  if (lane == 0) y[row] = sum;
}
