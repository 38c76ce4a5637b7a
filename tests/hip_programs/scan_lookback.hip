// Prefix sums of a whole grid in one pass: a block waits for the sums of its predecessors (decoupled look-back).
// Blocks take their numbers from a counter, so that those that are waited for have begun.
#include "tests/hip_programs/device.h"

struct Descriptor {
  uint state;  // 0: nothing yet, 1: the block's own sum, 2: the sum of all up to it
  uint own, inclusive, pad;
};

__device__ uint SumBefore(Descriptor* descriptors, int block) {
  uint sum = 0;
  for (int i = block - 1; i >= 0;) {
    uint state = AtomicLoad(&descriptors[i].state);
    if (state == 0) continue;
    if (state == 2) return sum + descriptors[i].inclusive;
    sum += descriptors[i--].own;
  }
  return sum;
}

KERNEL scan_lookback(const uint* in, uint* out, uint* next_block, Descriptor* descriptors) {
  __shared__ uint block, before, part[256];
  uint i = threadIdx.x;
  if (i == 0) block = atomicAdd(next_block, 1u);
  __syncthreads();
  part[i] = in[block * blockDim.x + i];
  __syncthreads();
  for (uint offset = 1; offset < blockDim.x; offset *= 2) {
    uint x = part[i] + (i >= offset ? part[i - offset] : 0);
    __syncthreads();
    part[i] = x;
    __syncthreads();
  }
  if (i == 0) {
    Descriptor& mine = descriptors[block];
    mine.own = part[blockDim.x - 1];
    AtomicStore(&mine.state, 1u);
    before = SumBefore(descriptors, block);
    mine.inclusive = before + mine.own;
    AtomicStore(&mine.state, 2u);
  }
  __syncthreads();
  out[block * blockDim.x + i] = before + part[i];
}
