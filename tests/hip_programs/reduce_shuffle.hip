// Maxima and sums by shuffles within waves, then across the waves of a block through LDS.
#include "tests/hip_programs/device.h"

template <class T, class Combine>
__device__ T BlockReduce(T value, T* of_wave, Combine combine) {
  for (int delta = warpSize / 2; delta > 0; delta /= 2) value = combine(value, __shfl_down(value, delta));
  uint wave = threadIdx.x / warpSize, waves = blockDim.x / warpSize;
  if (__lane_id() == 0) of_wave[wave] = value;
  __syncthreads();
  value = of_wave[0];
  for (uint i = 1; i < waves; i++) value = combine(value, of_wave[i]);
  __syncthreads();
  return value;
}

KERNEL sum_and_maximum(const double* in, double* sum, double* maximum) {
  __shared__ double of_wave[32];
  double x = in[GlobalThread()];
  double total = BlockReduce(x, of_wave, [](double a, double b) { return a + b; });
  double largest = BlockReduce(x, of_wave, [](double a, double b) { return a > b ? a : b; });
  if (threadIdx.x == 0) sum[blockIdx.x] = total, maximum[blockIdx.x] = largest;
}
