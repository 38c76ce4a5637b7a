// ROCm's device libraries (bitcode, linked in by the compiler) and the constants by which they learn the target; the
// distribution's libraries have no such constants for newer targets.
#pragma once
#include "tests/hip_programs/device.h"

extern "C" {
extern const __device__ __constant__ int __oclc_ABI_version = 500;
extern const __device__ __constant__ uchar __oclc_wavefrontsize64 = warpSize == 64;
extern const __device__ __constant__ uchar __oclc_finite_only_opt = 0;
extern const __device__ __constant__ uchar __oclc_unsafe_math_opt = 0;
extern const __device__ __constant__ uchar __oclc_daz_opt = 0;
extern const __device__ __constant__ uchar __oclc_correctly_rounded_sqrt32 = 1;
// Major version, minor version and stepping, two digits each but the first.
extern const __device__ __constant__ int __oclc_ISA_version =
#if defined(__gfx90a__)
    9010;
#elif defined(__gfx942__)
    9402;
#elif defined(__gfx950__)
    9500;
#elif defined(__gfx1100__)
    11000;
#elif defined(__gfx1201__)
    12001;
#endif

// clang-format off
#define OCML1(name)                            \
  __device__ half __ocml_##name##_f16(half);   \
  __device__ float __ocml_##name##_f32(float); \
  __device__ double __ocml_##name##_f64(double);
#define OCML2(name)                                   \
  __device__ half __ocml_##name##_f16(half, half);    \
  __device__ float __ocml_##name##_f32(float, float); \
  __device__ double __ocml_##name##_f64(double, double);
OCML1(sin) OCML1(cos) OCML1(tan) OCML1(asin) OCML1(acos) OCML1(atan) OCML1(sinh) OCML1(cosh) OCML1(tanh) OCML1(exp)
OCML1(exp2) OCML1(expm1) OCML1(log) OCML1(log2) OCML1(log10) OCML1(log1p) OCML1(sqrt) OCML1(rsqrt) OCML1(cbrt) OCML1(erf)
OCML1(erfc) OCML1(tgamma) OCML1(floor) OCML1(ceil) OCML1(rint) OCML1(trunc)
OCML2(atan2) OCML2(pow) OCML2(fmod) OCML2(remainder) OCML2(hypot) OCML2(copysign) OCML2(fdim)
#undef OCML1
#undef OCML2
// clang-format on
}
