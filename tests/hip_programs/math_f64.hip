// Functions of the device libraries in double: out[function][i] of x[i] and y[i].
#include "tests/hip_programs/device_library.h"

KERNEL math_f64(const double* x_in, const double* y_in, double* out, int n) {
  int i = GlobalThread();
  if (i >= n) return;
  double x = x_in[i], y = y_in[i];
  double* place = out + i;
  auto put = [&](double value) {
    *place = value;
    place += n;
  };
#define FUNCTION1(name) put(__ocml_##name##_f64(x));
#define FUNCTION2(name) put(__ocml_##name##_f64(x, y));
#include "tests/hip_programs/math_functions.def"
}
