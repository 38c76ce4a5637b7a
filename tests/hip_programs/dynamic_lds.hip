// LDS whose size the launch decides, in several arrays, beside some of fixed size.
#include "tests/hip_programs/device.h"

extern __shared__ double dynamic[];

KERNEL rotate(const double* in, double* out, const int* shift, int n) {
  __shared__ int common;
  auto* indices = reinterpret_cast<int*>(dynamic + n);
  if (threadIdx.x == 0) common = *shift;
  for (int i = threadIdx.x; i < n; i += blockDim.x) dynamic[i] = in[i], indices[i] = i;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = dynamic[(indices[i] + common) % n];
}
