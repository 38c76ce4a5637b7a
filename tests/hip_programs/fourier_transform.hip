// A fast Fourier transform of 256 complex numbers per block, in LDS.
#include "tests/hip_programs/device_library.h"

struct Complex {
  float re, im;
};

KERNEL fourier_transform(const Complex* in, Complex* out) {
  constexpr uint n = 256;
  __shared__ Complex x[n];
  uint i = threadIdx.x;  // n / 2 of them
  in += blockIdx.x * n, out += blockIdx.x * n;
  for (uint j = i; j < n; j += n / 2) x[__builtin_bitreverse32(j) >> 24] = in[j];
  for (uint half = 1; half < n; half *= 2) {
    __syncthreads();
    uint k = i % half, at = i / half * 2 * half + k;
    float angle = -3.14159265358979f * k / half;
    Complex w = {__ocml_cos_f32(angle), __ocml_sin_f32(angle)}, a = x[at], b = x[at + half];
    Complex t = {b.re * w.re - b.im * w.im, b.re * w.im + b.im * w.re};
    x[at] = {a.re + t.re, a.im + t.im};
    x[at + half] = {a.re - t.re, a.im - t.im};
  }
  __syncthreads();
  for (uint j = i; j < n; j += n / 2) out[j] = x[j];
}
