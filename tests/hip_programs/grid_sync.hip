// Waits for the whole grid, again and again: smoothing steps over two buffers, and a sum of all that was written.
#include "tests/hip_programs/grid.h"

KERNEL smooth(float* a, float* b, int n, int steps) {
  int i = GlobalThread();
  for (int step = 0; step < steps; step++) {
    if (i < n) b[i] = 0.25f * a[i == 0 ? 0 : i - 1] + 0.5f * a[i] + 0.25f * a[i == n - 1 ? i : i + 1];
    GridSync();
    float* swap = a;
    a = b, b = swap;
  }
}
// Every block adds up what the one behind it has written, after each round.
KERNEL relay(int* slots, int* out, int rounds) {
  int next = (blockIdx.x + 1) % gridDim.x, sum = 0;
  for (int round = 0; round < rounds; round++) {
    if (threadIdx.x == 0) slots[blockIdx.x] = blockIdx.x + 100 * round;
    GridSync();
    sum += slots[next];
    GridSync();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
