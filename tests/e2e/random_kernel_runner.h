// A random kernel, interpreted and compiled: whether both give the same.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "triton/interpreter/interpreter.h"
#include "triton/testing/random_kernel.h"

namespace rocxla::triton {

// A kernel, and the buffers as the interpreter leaves them.
struct InterpretedKernel {
  RandomKernel kernel;
  std::vector<InterpretedBuffer> expected;
};
StatusOr<InterpretedKernel> InterpretKernel(RandomKernel kernel);
// The kernel of this seed. Of those in which a branch or an address turns out to depend on an undefined value, others
// are made, of seeds that follow from this one.
StatusOr<InterpretedKernel> MakeInterpretedKernel(uint64_t seed, const RandomKernelOptions& options = {});

enum class Verdict : uint8_t {
  kAgrees,
  kUnsupported,  // the compiler or the target has no such thing (E3002, E3005, E3006), which it says
  kDiffers,      // another result, or none: a failure to compile or to run
};
struct Outcome {
  Verdict verdict;
  std::string text = {};  // the error, or the first difference: buffer, element, got and want
};
// Compiles for the target and runs on the embedded device, whose waves take turns in an order that `seed` chooses.
Outcome CompareOnDevice(const InterpretedKernel& kernel, std::string_view target, uint64_t seed);

// The share of output bytes that are defined, from 0 to 1.
double DefinedShare(const InterpretedKernel& kernel);

// Without lines and regions that the failure does not need, as long as it stays a failure on the target that can be
// interpreted. Tries each line a few times: seconds to minutes.
InterpretedKernel Reduced(InterpretedKernel kernel, std::string_view target, uint64_t seed);

}  // namespace rocxla::triton
