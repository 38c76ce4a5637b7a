// A product of doubles, one tile of 16 x 16 per wave: by MFMA where there is one for doubles (gfx9), by hand elsewhere.
#include "tests/hip_programs/device.h"

#if defined(__gfx1100__) || defined(__gfx1201__)
KERNEL product_f64(const double* a, const double* bt, double* c, int n, int k) {
  int row = blockIdx.y * 16, column = blockIdx.x * 16;
  for (uint at = threadIdx.x; at < 256; at += blockDim.x) {
    int i = row + at / 16, j = column + at % 16;
    double sum = 0;
    for (int l = 0; l < k; l++) sum = __builtin_fma(a[i * k + l], bt[j * k + l], sum);
    c[i * n + j] = sum;
  }
}
#else
using double4v = double __attribute__((ext_vector_type(4)));
KERNEL product_f64(const double* a, const double* bt, double* c, int n, int k) {
  int lane = __lane_id(), row = blockIdx.y * 16, column = blockIdx.x * 16;
  double4v sums = {};
  for (int at = 0; at < k; at += 4) {
    double x = a[(row + lane % 16) * k + at + lane / 16], y = bt[(column + lane % 16) * k + at + lane / 16];
    sums = __builtin_amdgcn_mfma_f64_16x16x4f64(x, y, sums, 0, 0, 0);
  }
  for (int i = 0; i < 4; i++) c[(row + 4 * i + lane / 16) * n + column + lane % 16] = sums[i];
}
#endif
