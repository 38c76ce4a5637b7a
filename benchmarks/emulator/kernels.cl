// The kernels that emulator_benchmark.cc times, compiled for gfx90a. OpenCL C, because clang compiles it for AMD GPUs
// without any headers.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define KERNEL(threads) kernel __attribute__((reqd_work_group_size(threads, 1, 1))) void

static uint Thread(void) { return __builtin_amdgcn_workitem_id_x(); }
static uint Block(void) { return __builtin_amdgcn_workgroup_id_x(); }
static void Barrier(void) {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

KERNEL(256) vector_add(global float* restrict sum, global const float* restrict x, global const float* restrict y) {
  uint i = Block() * 256 + Thread();
  sum[i] = x[i] + y[i];
}

// Eight chains of dependent fused multiply-adds.
KERNEL(256) fma_chains(global float* restrict out, global const float* restrict x, int n) {
  uint i = Block() * 256 + Thread();
  float b = x[i], c = x[i + 1];
  float a[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  for (int k = 0; k < n; k++)
#pragma unroll
    for (int j = 0; j < 8; j++) a[j] = __builtin_fmaf(a[j], b, c);
  out[i] = ((a[0] + a[1]) + (a[2] + a[3])) + ((a[4] + a[5]) + (a[6] + a[7]));
}

// Each thread one element of an n-column product.
KERNEL(256) naive_product(global float* restrict c, global const float* restrict a, global const float* restrict b,
                          int n, int depth) {
  uint column = Block() * 256 + Thread(), row = __builtin_amdgcn_workgroup_id_y();
  float sum = 0;
  for (int k = 0; k < depth; k++) sum = __builtin_fmaf(a[row * depth + k], b[k * n + column], sum);
  c[row * n + column] = sum;
}

// 64x64 elements per workgroup, 4x4 per thread, 16 deep in LDS.
KERNEL(256) tiled_product(global float* restrict c, global const float* restrict a, global const float* restrict b,
                          int n, int depth) {
  local float tile_a[16][64], tile_b[16][64];
  uint t = Thread(), tx = t & 15, ty = t >> 4;
  uint column = Block() * 64, row = __builtin_amdgcn_workgroup_id_y() * 64;
  float sum[4][4] = {};
  for (int k = 0; k < depth; k += 16) {
    for (uint e = t; e < 1024; e += 256) {
      tile_a[e & 15][e >> 4] = a[(row + (e >> 4)) * depth + k + (e & 15)];
      tile_b[e >> 6][e & 63] = b[(k + (e >> 6)) * n + column + (e & 63)];
    }
    Barrier();
#pragma unroll
    for (int q = 0; q < 16; q++)
      for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) sum[i][j] = __builtin_fmaf(tile_a[q][ty * 4 + i], tile_b[q][tx * 4 + j], sum[i][j]);
    Barrier();
  }
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) c[(row + ty * 4 + i) * n + column + tx * 4 + j] = sum[i][j];
}

typedef half half4 __attribute__((ext_vector_type(4)));
typedef float float16_ __attribute__((ext_vector_type(16)));

// One wave per 32x32 elements, by V_MFMA_F32_32X32X8F16.
KERNEL(64) mfma_product(global float* restrict c, global const half* restrict a, global const half* restrict b, int n,
                        int depth) {
  uint lane = Thread(), column = Block() * 32, row = __builtin_amdgcn_workgroup_id_y() * 32;
  uint r = lane & 31, first = (lane >> 5) * 4;
  float16_ sum = 0;
  for (int k = 0; k < depth; k += 8) {
    half4 x = *(global const half4*)&a[(row + r) * depth + k + first], y;
    for (int q = 0; q < 4; q++) y[q] = b[(k + first + q) * n + column + r];
    sum = __builtin_amdgcn_mfma_f32_32x32x8f16(x, y, sum, 0, 0, 0);
  }
  for (int q = 0; q < 16; q++) c[(row + (q >> 2) * 8 + (lane >> 5) * 4 + (q & 3)) * n + column + r] = sum[q];
}
