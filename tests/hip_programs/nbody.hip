// Accelerations of bodies that attract each other, in doubles and in floats.
#include "tests/hip_programs/device_library.h"

template <class T, class Rsqrt>
__device__ void Accelerate(const T* position, T* acceleration, int n, Rsqrt rsqrt) {
  __shared__ T tile[64][3];
  int i = GlobalThread();
  T x = position[3 * i], y = position[3 * i + 1], z = position[3 * i + 2], ax = 0, ay = 0, az = 0;
  for (int base = 0; base < n; base += 64) {
    __syncthreads();
    for (int d = 0; d < 3; d++) tile[threadIdx.x][d] = position[3 * (base + threadIdx.x) + d];
    __syncthreads();
    for (int j = 0; j < 64; j++) {
      T dx = tile[j][0] - x, dy = tile[j][1] - y, dz = tile[j][2] - z;
      T inverse = rsqrt(dx * dx + dy * dy + dz * dz + T(0.01));
      T force = inverse * inverse * inverse;
      ax += dx * force, ay += dy * force, az += dz * force;
    }
  }
  acceleration[3 * i] = ax, acceleration[3 * i + 1] = ay, acceleration[3 * i + 2] = az;
}
KERNEL nbody_f32(const float* position, float* acceleration, int n) {
  Accelerate(position, acceleration, n, [](float x) { return __ocml_rsqrt_f32(x); });
}
KERNEL nbody_f64(const double* position, double* acceleration, int n) {
  Accelerate(position, acceleration, n, [](double x) { return __ocml_rsqrt_f64(x); });
}
