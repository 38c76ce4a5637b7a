// Functions of the device libraries in half: out[function][i] of x[i] and y[i].
#include "tests/hip_programs/device_library.h"

KERNEL math_f16(const half* x_in, const half* y_in, half* out, int n) {
  int i = GlobalThread();
  if (i >= n) return;
  half x = x_in[i], y = y_in[i];
  half* place = out + i;
  auto put = [&](half value) {
    *place = value;
    place += n;
  };
#define FUNCTION1(name) put(__ocml_##name##_f16(x));
#define FUNCTION2(name) put(__ocml_##name##_f16(x, y));
#include "tests/hip_programs/math_functions.def"
}
