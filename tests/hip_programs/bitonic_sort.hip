// Sorts a block's keys in LDS, each with its value.
#include "tests/hip_programs/device.h"

KERNEL bitonic_sort(float* keys, int* values) {
  __shared__ float key[512];
  __shared__ int value[512];
  uint i = threadIdx.x, n = blockDim.x, base = blockIdx.x * n;
  key[i] = keys[base + i];
  value[i] = values[base + i];
  for (uint length = 2; length <= n; length *= 2) {
    for (uint stride = length / 2; stride > 0; stride /= 2) {
      __syncthreads();
      uint partner = i ^ stride;
      bool ascending = (i & length) == 0;
      if (partner > i && (key[i] > key[partner]) == ascending) {
        float k = key[i];
        int v = value[i];
        key[i] = key[partner], value[i] = value[partner];
        key[partner] = k, value[partner] = v;
      }
    }
  }
  __syncthreads();
  keys[base + i] = key[i];
  values[base + i] = value[i];
}
