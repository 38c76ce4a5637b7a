// Arithmetic and conversions of 16-bit floats: out[operation][i].
#include "tests/hip_programs/device.h"

template <class T>
__device__ void Arithmetic(const T* x, const T* y, T* out, int n) {
  int i = GlobalThread();
  if (i >= n) return;
  T a = x[i], b = y[i];
  out[0 * n + i] = a + b;
  out[1 * n + i] = a - b;
  out[2 * n + i] = a * b;
  out[3 * n + i] = a / b;
  out[4 * n + i] = -a;
  out[5 * n + i] = a < b ? a : b;
  out[6 * n + i] = static_cast<T>(static_cast<int>(a));
}
KERNEL half_arithmetic(const half* x, const half* y, half* out, int n) { Arithmetic(x, y, out, n); }
KERNEL bfloat_arithmetic(const bf16* x, const bf16* y, bf16* out, int n) { Arithmetic(x, y, out, n); }

KERNEL convert(const float* in, half* to_half, bf16* to_bfloat, float* back, int n) {
  int i = GlobalThread();
  if (i >= n) return;
  to_half[i] = static_cast<half>(in[i]);
  to_bfloat[i] = static_cast<bf16>(in[i]);
  back[i] = static_cast<float>(to_half[i]) + static_cast<float>(to_bfloat[i]);
}
// Two halves at once.
using half2v = half __attribute__((ext_vector_type(2)));
KERNEL half2_fma(const half2v* a, const half2v* b, half2v* c, int n) {
  int i = GlobalThread();
  if (i < n) c[i] = __builtin_elementwise_fma(a[i], b[i], c[i]);
}
