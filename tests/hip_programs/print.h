// printf and assert in kernels.
#pragma once
#include "tests/hip_programs/device_library.h"

extern "C" {
__device__ int printf(const char* format, ...);

// Each returns the message's descriptor for the next; `is_last` ends the message.
__device__ u64 __ockl_fprintf_stderr_begin();
__device__ u64 __ockl_fprintf_append_args(u64 message, uint count, u64, u64, u64, u64, u64, u64, u64, uint is_last);
__device__ u64 __ockl_fprintf_append_string_n(u64 message, const char* text, u64 bytes, uint is_last);
}

// As in HIP: a line on the standard error stream, then a trap.
inline __device__ __noinline__ void FailAssertion(const char* expression, const char* file, uint line) {
  auto size = [](const char* text) {
    u64 bytes = 1;
    while (text[bytes - 1] != 0) bytes++;
    return bytes;
  };
  constexpr char kFormat[] = "%s:%u: Device-side assertion `%s' failed.\n";
  u64 message = __ockl_fprintf_stderr_begin();
  message = __ockl_fprintf_append_string_n(message, kFormat, sizeof kFormat, 0);
  message = __ockl_fprintf_append_string_n(message, file, size(file), 0);
  message = __ockl_fprintf_append_args(message, 1, line, 0, 0, 0, 0, 0, 0, 0);
  __ockl_fprintf_append_string_n(message, expression, size(expression), 1);
  __builtin_trap();
}
#define assert(condition)                                                 \
  do {                                                                    \
    if (!(condition)) FailAssertion(#condition, __FILE_NAME__, __LINE__); \
  } while (false)
