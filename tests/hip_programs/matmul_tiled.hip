// Matrix products by tiles in LDS, any size.
#include "tests/hip_programs/device.h"

template <class T, class Sum>
__device__ void Product(const T* a, const T* b, Sum* c, int m, int n, int k) {
  constexpr int kTile = 16;
  __shared__ T a_tile[kTile][kTile], b_tile[kTile][kTile];
  int row = blockIdx.y * kTile + threadIdx.y, column = blockIdx.x * kTile + threadIdx.x;
  Sum sum = 0;
  for (int at = 0; at < k; at += kTile) {
    int a_column = at + threadIdx.x, b_row = at + threadIdx.y;
    a_tile[threadIdx.y][threadIdx.x] = row < m && a_column < k ? a[row * k + a_column] : T(0);
    b_tile[threadIdx.y][threadIdx.x] = b_row < k && column < n ? b[b_row * n + column] : T(0);
    __syncthreads();
    for (int i = 0; i < kTile; i++) sum += Sum(a_tile[threadIdx.y][i]) * Sum(b_tile[i][threadIdx.x]);
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}
KERNEL product_f32(const float* a, const float* b, float* c, int m, int n, int k) { Product(a, b, c, m, n, k); }
KERNEL product_f64(const double* a, const double* b, double* c, int m, int n, int k) { Product(a, b, c, m, n, k); }
KERNEL product_bf16(const bf16* a, const bf16* b, float* c, int m, int n, int k) { Product(a, b, c, m, n, k); }
KERNEL product_i8(const signed char* a, const signed char* b, int* c, int m, int n, int k) {
  Product(a, b, c, m, n, k);
}
