// A small stack machine: a switch over what only the run knows, a loop without a bound, a stack in private memory.
#include "tests/hip_programs/device.h"

enum Code : int { kPush, kAdd, kMultiply, kSubtract, kDuplicate, kSwap, kJumpIfNotZero, kArgument, kEnd };

KERNEL run_machine(const int* code, const int* arguments, int* out) {
  int stack[16], top = 0, argument = arguments[GlobalThread()];
  for (int pc = 0; code[pc] != kEnd;) {
    switch (code[pc++]) {
      case kPush: stack[top++] = code[pc++]; break;
      case kArgument: stack[top++] = argument; break;
      case kAdd: top--, stack[top - 1] += stack[top]; break;
      case kSubtract: top--, stack[top - 1] -= stack[top]; break;
      case kMultiply: top--, stack[top - 1] *= stack[top]; break;
      case kDuplicate: stack[top] = stack[top - 1], top++; break;
      case kSwap: {
        int x = stack[top - 1];
        stack[top - 1] = stack[top - 2], stack[top - 2] = x;
        break;
      }
      case kJumpIfNotZero: {
        int target = code[pc++];
        if (stack[--top] != 0) pc = target;
        break;
      }
    }
  }
  out[GlobalThread()] = stack[top - 1];
}
