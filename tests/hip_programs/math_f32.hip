// Functions of the device libraries in float: out[function][i] of x[i] and y[i].
#include "tests/hip_programs/device_library.h"

KERNEL math_f32(const float* x_in, const float* y_in, float* out, int n) {
  int i = GlobalThread();
  if (i >= n) return;
  float x = x_in[i], y = y_in[i];
  float* place = out + i;
  auto put = [&](float value) {
    *place = value;
    place += n;
  };
#define FUNCTION1(name) put(__ocml_##name##_f32(x));
#define FUNCTION2(name) put(__ocml_##name##_f32(x, y));
#include "tests/hip_programs/math_functions.def"
}
