// Sorts the 32-bit keys of one wave's block by one bit after another: ballots say where a key goes.
#include "tests/hip_programs/device.h"

KERNEL radix_sort(uint* keys) {
  __shared__ uint sorted[64];
  uint lane = threadIdx.x;
  uint key = keys[blockIdx.x * warpSize + lane];
  for (int bit = 0; bit < 32; bit++) {
    bool one = (key >> bit & 1) != 0;
    u64 ones = __ballot(one), zeros = __ballot(!one);
    uint place = one ? __builtin_popcountll(zeros) + RankInMask(ones) : RankInMask(zeros);
    sorted[place] = key;
    __syncthreads();
    key = sorted[lane];
    __syncthreads();
  }
  keys[blockIdx.x * warpSize + lane] = key;
}
