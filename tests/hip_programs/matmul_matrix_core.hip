// Matrix products by the matrix instructions of each target: MFMA (gfx9) and WMMA (gfx11, gfx12). A wave makes a tile of
// 16 x 16; m and n are multiples of 16, k of 32. Layouts: AMD's "Matrix Instruction Calculator".
#include "tests/hip_programs/device.h"

using half4 = half __attribute__((ext_vector_type(4)));
using half8 = half __attribute__((ext_vector_type(8)));
using half16 = half __attribute__((ext_vector_type(16)));
using short4 = short __attribute__((ext_vector_type(4)));
using short8 = short __attribute__((ext_vector_type(8)));
using short16 = short __attribute__((ext_vector_type(16)));
using int2v = int __attribute__((ext_vector_type(2)));
using int4v = int __attribute__((ext_vector_type(4)));
using int8v = int __attribute__((ext_vector_type(8)));
using float4v = float __attribute__((ext_vector_type(4)));
using float8v = float __attribute__((ext_vector_type(8)));

#if defined(__gfx1100__)
constexpr int kResults = 8, kF16 = 16, kF16Step = 16, kI8 = 16, kI8Step = 16;
using F32s = float8v;
using I32s = int8v;
// Both halves of the wave hold the same elements of A and B.
__device__ int FirstK(int, int) { return 0; }
__device__ int ResultRow(int i, int lane) { return 2 * i + lane / 16; }
__device__ F32s Multiply(half16 a, half16 b, F32s c) { return __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(a, b, c); }
__device__ F32s Multiply(short16 a, short16 b, F32s c) { return __builtin_amdgcn_wmma_f32_16x16x16_bf16_w32(a, b, c); }
__device__ I32s MultiplyBytes(const signed char* a, const signed char* b, I32s c) {
  int4v x = *reinterpret_cast<const int4v*>(a), y = *reinterpret_cast<const int4v*>(b);
  return __builtin_amdgcn_wmma_i32_16x16x16_iu8_w32(true, x, true, y, c, false);
}
#elif defined(__gfx1201__)
constexpr int kResults = 8, kF16 = 8, kF16Step = 16, kI8 = 8, kI8Step = 16;
using F32s = float8v;
using I32s = int8v;
__device__ int FirstK(int lane, int count) { return lane / 16 * count; }
__device__ int ResultRow(int i, int lane) { return lane / 16 * 8 + i; }
__device__ F32s Multiply(half8 a, half8 b, F32s c) { return __builtin_amdgcn_wmma_f32_16x16x16_f16_w32_gfx12(a, b, c); }
__device__ F32s Multiply(short8 a, short8 b, F32s c) {
  return __builtin_amdgcn_wmma_f32_16x16x16_bf16_w32_gfx12(a, b, c);
}
__device__ I32s MultiplyBytes(const signed char* a, const signed char* b, I32s c) {
  int2v x = *reinterpret_cast<const int2v*>(a), y = *reinterpret_cast<const int2v*>(b);
  return __builtin_amdgcn_wmma_i32_16x16x16_iu8_w32_gfx12(true, x, true, y, c, false);
}
#else
constexpr int kResults = 4, kF16 = 4, kF16Step = 16;
using F32s = float4v;
using I32s = int4v;
__device__ int FirstK(int lane, int count) { return lane / 16 * count; }
__device__ int ResultRow(int i, int lane) { return lane / 16 * 4 + i; }
__device__ F32s Multiply(half4 a, half4 b, F32s c) { return __builtin_amdgcn_mfma_f32_16x16x16f16(a, b, c, 0, 0, 0); }
__device__ F32s Multiply(short4 a, short4 b, F32s c) {
  return __builtin_amdgcn_mfma_f32_16x16x16bf16_1k(a, b, c, 0, 0, 0);
}
#if defined(__gfx90a__)
constexpr int kI8 = 4, kI8Step = 16;
__device__ I32s MultiplyBytes(const signed char* a, const signed char* b, I32s c) {
  return __builtin_amdgcn_mfma_i32_16x16x16i8(*reinterpret_cast<const int*>(a), *reinterpret_cast<const int*>(b), c, 0,
                                              0, 0);
}
#else
constexpr int kI8 = 8, kI8Step = 32;
__device__ I32s MultiplyBytes(const signed char* a, const signed char* b, I32s c) {
  return __builtin_amdgcn_mfma_i32_16x16x32_i8(*reinterpret_cast<const long*>(a), *reinterpret_cast<const long*>(b), c,
                                               0, 0, 0);
}
#endif
#endif

template <class Sums, class Sum>
__device__ void Store(const Sums& sums, Sum* c, int row, int column, int n) {
  int lane = __lane_id();
  for (int i = 0; i < kResults; i++) c[(row + ResultRow(i, lane)) * n + column + lane % 16] = sums[i];
}

// B is stored transposed: n rows of k elements.
template <class T>
__device__ void Product16(const T* a, const T* bt, float* c, int n, int k) {
  using Elements = T __attribute__((ext_vector_type(kF16)));
  int lane = __lane_id(), row = blockIdx.y * 16, column = blockIdx.x * 16, first = FirstK(lane, kF16);
  F32s sums = {};
  for (int at = 0; at < k; at += kF16Step) {
    Elements x, y;
    for (int i = 0; i < kF16; i++) {
      x[i] = a[(row + lane % 16) * k + at + first + i];
      y[i] = bt[(column + lane % 16) * k + at + first + i];
    }
    sums = Multiply(x, y, sums);
  }
  Store(sums, c, row, column, n);
}
KERNEL product_f16(const half* a, const half* bt, float* c, int n, int k) { Product16(a, bt, c, n, k); }
KERNEL product_bf16(const short* a, const short* bt, float* c, int n, int k) { Product16(a, bt, c, n, k); }
KERNEL product_i8(const signed char* a, const signed char* bt, int* c, int n, int k) {
  int lane = __lane_id(), row = blockIdx.y * 16, column = blockIdx.x * 16, first = FirstK(lane, kI8);
  I32s sums = {};
  for (int at = 0; at < k; at += kI8Step) {
    sums = MultiplyBytes(a + (row + lane % 16) * k + at + first, bt + (column + lane % 16) * k + at + first, sums);
  }
  Store(sums, c, row, column, n);
}
