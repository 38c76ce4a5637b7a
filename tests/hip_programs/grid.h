// Barriers of a whole grid, for cooperative launches. HIP passes a hidden argument that points to the grid's state.
#pragma once
#include "tests/hip_programs/device.h"

struct GridState {
  void* all_grids;
  uint grid, grids;
  u64 previous_sum, sum;
  uint arrived, opened;  // of this grid
  uint workgroups;
};

inline __device__ void GridSync() {
  constexpr int kOffset = 88;  // in the implicit arguments of code object V5
  auto* implicit = static_cast<const __constant__ char*>(__builtin_amdgcn_implicitarg_ptr());
  GridState* state = *reinterpret_cast<GridState* const*>(reinterpret_cast<const char*>(implicit) + kOffset);
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0) {
    uint workgroups = gridDim.x * gridDim.y * gridDim.z;
    uint opened = AtomicLoad(&state->opened);
    if (atomicAdd(&state->arrived, 1u) == workgroups - 1) {
      AtomicStore(&state->arrived, 0u);
      __threadfence();
      atomicAdd(&state->opened, 1u);
    } else {
      while (AtomicLoad(&state->opened) == opened) __builtin_amdgcn_s_sleep(1);
    }
  }
  __syncthreads();
  __threadfence();
}
