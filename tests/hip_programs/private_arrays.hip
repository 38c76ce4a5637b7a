// Arrays in a lane's private memory, indexed by what only the run knows: they live in scratch.
#include "tests/hip_programs/device.h"

// Determinants of matrices, by elimination with pivoting; a matrix per thread.
KERNEL determinants(const double* matrices, double* out, int n) {
  constexpr int kMax = 8;
  double m[kMax][kMax];
  for (int i = 0; i < n * n; i++) m[i / n][i % n] = matrices[GlobalThread() * n * n + i];
  double determinant = 1;
  for (int column = 0; column < n; column++) {
    int pivot = column;
    for (int row = column + 1; row < n; row++) {
      if (__builtin_fabs(m[row][column]) > __builtin_fabs(m[pivot][column])) pivot = row;
    }
    if (m[pivot][column] == 0) {
      determinant = 0;
      break;
    }
    if (pivot != column) determinant = -determinant;
    for (int k = 0; k < n; k++) {
      double x = m[pivot][k];
      m[pivot][k] = m[column][k];
      m[column][k] = x;
    }
    determinant *= m[column][column];
    for (int row = column + 1; row < n; row++) {
      double factor = m[row][column] / m[column][column];
      for (int k = column; k < n; k++) m[row][k] -= factor * m[column][k];
    }
  }
  out[GlobalThread()] = determinant;
}
// A permutation of bytes and of 16-bit words, and a pointer that may mean private memory or LDS.
KERNEL scramble(const uchar* in, uchar* out, const int* use_shared) {
  __shared__ uchar shared[256];
  uchar mine[16];
  unsigned short counts[16] = {};
  int thread = threadIdx.x;
  uchar* place = use_shared[thread] ? shared + 16 * (thread % 16) : mine;
  for (int i = 0; i < 16; i++) counts[in[thread * 16 + i] % 16] += 3;
  for (int i = 0; i < 16; i++) place[in[thread * 16 + i] % 16] = static_cast<uchar>(counts[i] + i);
  for (int i = 0; i < 16; i++) out[thread * 16 + i] = counts[i] == 0 ? 0 : place[i];
}
