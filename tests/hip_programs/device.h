// What HIP programs expect of <hip/hip_runtime.h> on the device, as far as the programs of this folder use it: written
// for clang's HIP mode without ROCm's headers (-nogpuinc -nogpulib). Names are HIP's.
#pragma once

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __constant__ __attribute__((constant))
#define __shared__ __attribute__((shared))
#define __noinline__ __attribute__((noinline))
#define KERNEL extern "C" __global__ void

using size_t = decltype(sizeof(0));
using uint = unsigned;
using uchar = unsigned char;
using u64 = unsigned long long;
using i64 = long long;
using half = _Float16;
using bf16 = __bf16;

// --- coordinates

#define COORDINATES(name, x_value, y_value, z_value)   \
  struct name##_t {                                    \
    __declspec(property(get = get_x)) uint x;          \
    __declspec(property(get = get_y)) uint y;          \
    __declspec(property(get = get_z)) uint z;          \
    __device__ static uint get_x() { return x_value; } \
    __device__ static uint get_y() { return y_value; } \
    __device__ static uint get_z() { return z_value; } \
  };                                                   \
  extern const __device__ __attribute__((weak)) name##_t name
COORDINATES(threadIdx, __builtin_amdgcn_workitem_id_x(), __builtin_amdgcn_workitem_id_y(),
            __builtin_amdgcn_workitem_id_z());
COORDINATES(blockIdx, __builtin_amdgcn_workgroup_id_x(), __builtin_amdgcn_workgroup_id_y(),
            __builtin_amdgcn_workgroup_id_z());
COORDINATES(blockDim, __builtin_amdgcn_workgroup_size_x(), __builtin_amdgcn_workgroup_size_y(),
            __builtin_amdgcn_workgroup_size_z());
COORDINATES(gridDim, __builtin_amdgcn_grid_size_x() / blockDim.x, __builtin_amdgcn_grid_size_y() / blockDim.y,
            __builtin_amdgcn_grid_size_z() / blockDim.z);
#undef COORDINATES

inline __device__ uint GlobalThread() { return blockIdx.x * blockDim.x + threadIdx.x; }

// --- barriers and fences

inline __device__ void __threadfence() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent"); }
inline __device__ void __syncthreads() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

// --- lanes of a wave

#if defined(__gfx1100__) || defined(__gfx1201__)
inline constexpr int warpSize = 32;
inline __device__ u64 __ballot(int predicate) { return __builtin_amdgcn_ballot_w32(predicate != 0); }
#else
inline constexpr int warpSize = 64;
inline __device__ u64 __ballot(int predicate) { return __builtin_amdgcn_ballot_w64(predicate != 0); }
#endif
inline __device__ int __any(int predicate) { return __ballot(predicate) != 0; }
inline __device__ int __all(int predicate) { return __ballot(!predicate) == 0; }
inline __device__ u64 __activemask() { return __ballot(1); }
inline __device__ uint __lane_id() { return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0)); }
// How many lanes below this one are in the mask.
inline __device__ uint RankInMask(u64 mask) {
  return __builtin_amdgcn_mbcnt_hi(static_cast<uint>(mask >> 32),
                                   __builtin_amdgcn_mbcnt_lo(static_cast<uint>(mask), 0));
}

template <class T>
inline __device__ T FromLane(T value, int lane) {
  static_assert(sizeof(T) % sizeof(int) == 0);
  struct Words {
    int word[sizeof(T) / sizeof(int)];
  };
  Words words = __builtin_bit_cast(Words, value);
  for (int& word : words.word) word = __builtin_amdgcn_ds_bpermute(lane << 2, word);
  return __builtin_bit_cast(T, words);
}
template <class T>
inline __device__ T __shfl(T value, int source, int width = warpSize) {
  int self = __lane_id();
  return FromLane(value, (self & ~(width - 1)) + (source & (width - 1)));
}
template <class T>
inline __device__ T __shfl_up(T value, uint delta, int width = warpSize) {
  int self = __lane_id(), source = self - static_cast<int>(delta);
  return FromLane(value, source < (self & ~(width - 1)) ? self : source);
}
template <class T>
inline __device__ T __shfl_down(T value, uint delta, int width = warpSize) {
  int self = __lane_id(), source = self + static_cast<int>(delta);
  return FromLane(value, static_cast<int>((self & (width - 1)) + delta) >= width ? self : source);
}
template <class T>
inline __device__ T __shfl_xor(T value, int mask, int width = warpSize) {
  int self = __lane_id(), source = self ^ mask;
  return FromLane(value, source >= ((self + width) & ~(width - 1)) ? self : source);
}

// --- atomics, relaxed at the scope of the device as HIP's are

#define ATOMIC(name, builtin)                                                   \
  template <class T>                                                            \
  inline __device__ T name(T* address, T value) {                               \
    return builtin(address, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT); \
  }
ATOMIC(atomicAdd, __hip_atomic_fetch_add)
ATOMIC(atomicSub, __hip_atomic_fetch_sub)
ATOMIC(atomicMin, __hip_atomic_fetch_min)
ATOMIC(atomicMax, __hip_atomic_fetch_max)
ATOMIC(atomicAnd, __hip_atomic_fetch_and)
ATOMIC(atomicOr, __hip_atomic_fetch_or)
ATOMIC(atomicXor, __hip_atomic_fetch_xor)
ATOMIC(atomicExch, __hip_atomic_exchange)
#undef ATOMIC
template <class T>
inline __device__ T atomicCAS(T* address, T expected, T value) {
  __hip_atomic_compare_exchange_strong(address, &expected, value, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                       __HIP_MEMORY_SCOPE_AGENT);
  return expected;
}
template <class T>
inline __device__ T AtomicLoad(T* address) {
  return __hip_atomic_load(address, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT);
}
template <class T>
inline __device__ void AtomicStore(T* address, T value) {
  __hip_atomic_store(address, value, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
}
