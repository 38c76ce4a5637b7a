// Calls through pointers: of a table, of the host's choice, and of every lane's own.
#include "tests/hip_programs/device.h"

using Function = float (*)(float, float);
__device__ float Add(float a, float b) { return a + b; }
__device__ float Subtract(float a, float b) { return a - b; }
__device__ float Multiply(float a, float b) { return a * b; }
__device__ float Maximum(float a, float b) { return a > b ? a : b; }
__device__ Function table[] = {Add, Subtract, Multiply, Maximum};

KERNEL apply_chosen(int which, const float* a, const float* b, float* out) {
  int i = GlobalThread();
  out[i] = table[which](a[i], b[i]);
}
// Lanes of one wave call different functions.
KERNEL apply_own(const int* which, const float* a, const float* b, float* out) {
  int i = GlobalThread();
  out[i] = table[which[i]](a[i], b[i]);
}
// The host passes what it read from the table.
KERNEL apply_given(Function function, const float* a, const float* b, float* out) {
  int i = GlobalThread();
  out[i] = function(a[i], b[i]);
}

// Chains: each function returns what is to be done next.
struct State;
using Step = void (*)(State&);
struct State {
  int n = 0, steps = 0;
  Step next = nullptr;
};
__device__ void Halve(State& s);
__device__ void Triple(State& s);
__device__ void Choose(State& s) { s.next = s.n == 1 ? nullptr : s.n % 2 == 0 ? Halve : Triple; }
__device__ void Halve(State& s) { s.n /= 2, s.steps++, s.next = Choose; }
__device__ void Triple(State& s) { s.n = 3 * s.n + 1, s.steps++, s.next = Choose; }
KERNEL collatz_steps(const int* in, int* out) {
  State s;
  s.n = in[threadIdx.x];
  s.next = Choose;
  while (s.next != nullptr) s.next(s);
  out[threadIdx.x] = s.steps;
}
