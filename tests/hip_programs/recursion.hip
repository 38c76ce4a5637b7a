// Functions that call themselves, to a depth that the compiler cannot know: they need a stack per lane.
#include "tests/hip_programs/device.h"

__device__ __noinline__ int Fibonacci(int n) { return n < 2 ? n : Fibonacci(n - 1) + Fibonacci(n - 2); }
KERNEL fibonacci(const int* in, int* out) { out[threadIdx.x] = Fibonacci(in[threadIdx.x]); }

__device__ __noinline__ int Ackermann(int m, int n) {
  if (m == 0) return n + 1;
  return Ackermann(m - 1, n == 0 ? 1 : Ackermann(m, n - 1));
}
KERNEL ackermann(const int* m, const int* n, int* out) { out[threadIdx.x] = Ackermann(m[threadIdx.x], n[threadIdx.x]); }

// Two functions that call each other.
__device__ __noinline__ bool IsOdd(int n);
__device__ __noinline__ bool IsEven(int n) { return n == 0 || IsOdd(n - 1); }
__device__ __noinline__ bool IsOdd(int n) { return n != 0 && IsEven(n - 1); }
KERNEL parity(const int* in, int* out) { out[threadIdx.x] = IsEven(in[threadIdx.x]) ? 0 : 1; }

__device__ __noinline__ void Quicksort(int* begin, int* end) {
  if (end - begin < 2) return;
  int pivot = begin[(end - begin) / 2], *low = begin, *high = end - 1;
  while (low <= high) {
    while (*low < pivot) low++;
    while (*high > pivot) high--;
    if (low > high) break;
    int x = *low;
    *low++ = *high;
    *high-- = x;
  }
  Quicksort(begin, high + 1);
  Quicksort(low, end);
}
// Every thread sorts a part of its own.
KERNEL quicksort(int* data, int n) { Quicksort(data + threadIdx.x * n, data + threadIdx.x * n + n); }

// Does not end while *n is not negative; the address of what lies on the stack keeps it from becoming a loop.
__device__ __noinline__ int Bottomless(const volatile int* n) {
  volatile int mine = *n;
  return mine < 0 ? mine : Bottomless(&mine) + 1;
}
KERNEL bottomless(int* n) { *n = Bottomless(n); }
