// Every atomic operation, on global memory and on LDS, in every type that has it.
#include "tests/hip_programs/device.h"

template <class T>
__device__ void Integers(T* cells, T x) {
  atomicAdd(&cells[0], x);
  atomicSub(&cells[1], x);
  atomicMin(&cells[2], x);
  atomicMax(&cells[3], x);
  atomicAnd(&cells[4], static_cast<T>(~(T(1) << (x % 31))));
  atomicOr(&cells[5], static_cast<T>(T(1) << (x % 31)));
  atomicXor(&cells[6], x);
}
KERNEL integers_32(int* cells) { Integers(cells, static_cast<int>(GlobalThread())); }
KERNEL integers_64(u64* cells) { Integers(cells, static_cast<u64>(GlobalThread()) << 20); }
KERNEL integers_lds(int* cells) {
  __shared__ int mine[7];
  if (threadIdx.x < 7) mine[threadIdx.x] = cells[threadIdx.x];
  __syncthreads();
  Integers(mine, static_cast<int>(threadIdx.x));
  __syncthreads();
  if (threadIdx.x < 7) cells[threadIdx.x] = mine[threadIdx.x];
}
// Sums that are exact in any order.
template <class T>
__device__ void Floats(T* cells) {
  __shared__ T mine;
  T x = static_cast<T>(threadIdx.x) / 4;
  if (threadIdx.x == 0) mine = 0;
  __syncthreads();
  atomicAdd(&cells[0], x);
  atomicMin(&cells[1], -x);
  atomicMax(&cells[2], x);
  atomicAdd(&mine, x);
  __syncthreads();
  if (threadIdx.x == 0) cells[3] = mine;
}
KERNEL floats_32(float* cells) { Floats(cells); }
KERNEL floats_64(double* cells) { Floats(cells); }
// Exchanges hand every value on exactly once; a spin lock by compare and swap guards what is not atomic. One thread of a
// block takes it: lanes of one wave would wait for each other for ever, here as on hardware.
KERNEL exchange_and_lock(int* cell, int* received, int* lock, int* guarded) {
  received[GlobalThread()] = atomicExch(cell, static_cast<int>(GlobalThread()));
  if (threadIdx.x != 0) return;
  while (atomicCAS(lock, 0, 1) != 0) __builtin_amdgcn_s_sleep(1);
  __threadfence();
  guarded[0] = guarded[0] + 1;
  guarded[1] = guarded[1] + guarded[0];
  __threadfence();
  atomicExch(lock, 0);
}
