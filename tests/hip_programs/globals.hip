// Variables of the device, which the host reads and writes, and pointers among them.
#include "tests/hip_programs/device.h"

extern "C" {
__device__ int counter = 5;
__device__ float table[8] = {1, 2, 3, 4};
__constant__ int offsets[4] = {10, 20, 30, 40};
__device__ float* into_table = table + 2;
}
__device__ const char* const names[] = {"zero", "one", "two"};

KERNEL use_globals(float* out, char* name, int which) {
  int i = threadIdx.x;
  if (i < 8) out[i] = table[i] + offsets[i % 4];
  if (i == 0) atomicAdd(&counter, 7), into_table[1] += 100;
  if (i == 0) {
    for (const char* c = names[which]; (*name++ = *c++) != 0;) {
    }
  }
}
