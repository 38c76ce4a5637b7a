// y = a x + y over any number of elements: every thread takes several (a grid-stride loop).
#include "tests/hip_programs/device.h"

KERNEL saxpy(const float* x, float* y, float a, int n) {
  for (int i = GlobalThread(); i < n; i += gridDim.x * blockDim.x) y[i] = a * x[i] + y[i];
}
