// Prints from kernels: compiled for both ways, through a buffer and through host calls.
#include "tests/hip_programs/print.h"

KERNEL print_from_every_thread(int n) {
  if (static_cast<int>(threadIdx.x) < n) printf("block %u thread %u\n", blockIdx.x, threadIdx.x);
}
KERNEL print_all_kinds() {
  if (GlobalThread() != 0) return;
  short small = -3;
  i64 large = -1234567890123456789ll;
  printf("no arguments, 100%%\n");
  printf("%d %5d|%-5d|%05d %+d %x %X %o %u\n", -1, 42, 42, 42, 42, 255u, 255u, 8u, 4000000000u);
  printf("%hd %hhd %ld %lld %llu %zu\n", small, (signed char)-4, static_cast<long>(large), large, ~0ull, sizeof(int));
  printf("%f %.2f %8.3f|%e %g %a\n", 3.25, 2.0 / 3, 1.5f, 12345.678, 0.0001, 1.0);
  printf("%c%c %s|%10s|%-10s|%.2s\n", 'o', 'k', "text", "right", "left", "cut off");
  printf("%p\n", reinterpret_cast<void*>(0x1234));
  printf("%*d %.*f\n", 6, 7, 2, 1.0);
}
// A format and a string that only the host knows. (Strings for such a format do not come along: the compiler does not
// know that they are strings.)
KERNEL print_strings(const char* format, const char* text, int n) {
  if (GlobalThread() == 0) printf(format, n), printf("<%s>\n", text);
}
KERNEL print_nothing(int* out) {
  if (out == nullptr) printf("never\n");
}
