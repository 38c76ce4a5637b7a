// Every kind of shuffle, at several widths; one block of one wave. out[kind][lane].
#include "tests/hip_programs/device.h"

KERNEL shuffles(const int* in, int* out, int delta, int width) {
  int lane = threadIdx.x;
  int x = in[lane];
  out[0 * warpSize + lane] = __shfl(x, delta, width);
  out[1 * warpSize + lane] = __shfl_up(x, delta, width);
  out[2 * warpSize + lane] = __shfl_down(x, delta, width);
  out[3 * warpSize + lane] = __shfl_xor(x, delta, width);
}
// Values of eight bytes, and a source that differs from lane to lane.
KERNEL reverse(const double* in, double* out) { out[threadIdx.x] = __shfl(in[threadIdx.x], warpSize - 1 - threadIdx.x); }
// The compiler makes DPP of these.
KERNEL neighbours(const int* in, int* out) {
  int lane = threadIdx.x, x = in[lane];
  out[0 * warpSize + lane] = __builtin_amdgcn_update_dpp(-1, x, 0x111, 0xf, 0xf, false);  // row_shr:1
  out[1 * warpSize + lane] = __builtin_amdgcn_update_dpp(-1, x, 0xb1, 0xf, 0xf, false);   // quad_perm:[1,0,3,2]
  out[2 * warpSize + lane] = __builtin_amdgcn_ds_swizzle(x, 0x041f);                      // lane ^ 1
}
