// Assertions in kernels.
#include "tests/hip_programs/print.h"

KERNEL check_positive(const int* in, int* out) {
  int x = in[GlobalThread()];
  assert(x > 0);
  out[GlobalThread()] = 2 * x;
}
KERNEL trap_if(int condition) {
  if (condition) __builtin_trap();
}
