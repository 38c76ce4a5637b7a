// Test data: a library with the functions of RCCL that collective memory needs. It gives memory of the host, and none
// for 13 bytes. Built as it is, and without ncclMemFree.
#include <cstddef>
#include <cstdlib>

extern "C" int ncclMemAlloc(void** pointer, size_t bytes) {
  constexpr size_t kRefused = 13;
  constexpr int kSystemError = 2;
  if (bytes == kRefused) return kSystemError;
  *pointer = std::malloc(bytes);
  return 0;
}
extern "C" int ncclMemFree(void* pointer) { return std::free(pointer), 0; }
extern "C" const char* ncclGetErrorString(int) { return "unhandled system error"; }
