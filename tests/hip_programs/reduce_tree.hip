// Sums by a tree in LDS: every block adds its part up, and its sum to the whole.
#include "tests/hip_programs/device.h"

template <class T>
__device__ void Reduce(const T* in, T* out, int n) {
  __shared__ T part[256];
  int i = GlobalThread();
  part[threadIdx.x] = i < n ? in[i] : T(0);
  __syncthreads();
  for (uint stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (threadIdx.x < stride) part[threadIdx.x] += part[threadIdx.x + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}
KERNEL reduce_int(const int* in, int* out, int n) { Reduce(in, out, n); }
KERNEL reduce_float(const float* in, float* out, int n) { Reduce(in, out, n); }
KERNEL reduce_double(const double* in, double* out, int n) { Reduce(in, out, n); }
KERNEL reduce_half(const half* in, half* out, int n) { Reduce(in, out, n); }
