// Transposes matrices by tiles in LDS; a column more keeps the banks apart.
#include "tests/hip_programs/device.h"

template <class T>
__device__ void Transpose(const T* in, T* out, int rows, int columns) {
  constexpr int kTile = 16;
  __shared__ T tile[kTile][kTile + 1];
  int column = blockIdx.x * kTile + threadIdx.x, row = blockIdx.y * kTile + threadIdx.y;
  if (row < rows && column < columns) tile[threadIdx.y][threadIdx.x] = in[row * columns + column];
  __syncthreads();
  column = blockIdx.y * kTile + threadIdx.x, row = blockIdx.x * kTile + threadIdx.y;
  if (row < columns && column < rows) out[row * rows + column] = tile[threadIdx.x][threadIdx.y];
}
KERNEL transpose_bytes(const uchar* in, uchar* out, int rows, int columns) { Transpose(in, out, rows, columns); }
KERNEL transpose_floats(const float* in, float* out, int rows, int columns) { Transpose(in, out, rows, columns); }
KERNEL transpose_doubles(const double* in, double* out, int rows, int columns) { Transpose(in, out, rows, columns); }
