// Votes within a wave, and what they are used for: keeping the elements that fulfil a condition, in order.
#include "tests/hip_programs/device.h"

KERNEL votes(const int* in, u64* ballot, int* any, int* all) {
  int x = in[GlobalThread()], wave = GlobalThread() / warpSize;
  u64 mask = __ballot(x > 0);
  int some = __any(x > 90), every = __all(x > -90);
  if (__lane_id() == 0) ballot[wave] = mask, any[wave] = some, all[wave] = every;
}
// Of each wave, in the wave's own order; waves take places as they come. One block.
KERNEL compact(const int* in, int* out, int* count, int n) {
  int i = GlobalThread();
  int x = i < n ? in[i] : 0;
  bool keep = x > 0;
  u64 kept = __ballot(keep);
  int base = 0;
  if (__lane_id() == 0) base = atomicAdd(count, __builtin_popcountll(kept));
  base = __shfl(base, 0);
  if (keep) out[base + RankInMask(kept)] = x;
}
// Which lanes are on in a divergent branch.
KERNEL active_lanes(u64* out) {
  u64 mask = 0;
  if (threadIdx.x % 3 == 0) mask = __activemask();
  out[threadIdx.x] = mask;
}
