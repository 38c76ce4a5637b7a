// Inclusive prefix sums of a block: Hillis and Steele's, with two buffers.
#include "tests/hip_programs/device.h"

KERNEL scan_block(const uint* in, uint* out) {
  __shared__ uint buffer[2][512];
  uint i = threadIdx.x, n = blockDim.x, now = 0;
  buffer[0][i] = in[blockIdx.x * n + i];
  __syncthreads();
  for (uint offset = 1; offset < n; offset *= 2, now ^= 1) {
    buffer[now ^ 1][i] = buffer[now][i] + (i >= offset ? buffer[now][i - offset] : 0);
    __syncthreads();
  }
  out[blockIdx.x * n + i] = buffer[now][i];
}
