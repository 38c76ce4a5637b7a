// Counts bytes: atomics in LDS per block, then atomics in global memory.
#include "tests/hip_programs/device.h"

KERNEL histogram(const uchar* in, uint* counts, int n) {
  __shared__ uint mine[256];
  mine[threadIdx.x] = 0;
  __syncthreads();
  for (int i = GlobalThread(); i < n; i += gridDim.x * blockDim.x) atomicAdd(&mine[in[i]], 1u);
  __syncthreads();
  if (mine[threadIdx.x] != 0) atomicAdd(&counts[threadIdx.x], mine[threadIdx.x]);
}
