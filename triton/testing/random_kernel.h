// Random kernels in Triton IR, with the buffers that they work on: to compare a compiled kernel with its
// interpretation.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace rocxla::triton {

struct RandomKernelOptions {
  int most_elements = 1024;  // of a tensor, a power of two
  int most_steps = 14;       // pieces of which the body consists
};

struct KernelBuffer {
  std::string element;  // its type in Triton IR, "f8E4M3FN"
  std::vector<uint8_t> bytes;
  bool is_output = false;
  int ulps = 0;  // by how many codes a result may differ
};

// The kernel is tt.func public @kernel. Its arguments are pointers to the buffers, in order, then `numbers`, i32s.
//
// Every result is determined: programs write to places of their own, or add up in ways in which order does not matter;
// sums of floats that may be taken in any order are of small whole numbers. Some elements may be undefined
// (interpreter.h).
struct RandomKernel {
  std::string ttir;
  int num_warps = 4;
  std::array<int, 3> grid{1, 1, 1};
  std::vector<KernelBuffer> buffers;
  std::vector<int32_t> numbers;
};

// The same arguments give the same kernel, on every machine.
RandomKernel MakeRandomKernel(uint64_t seed, const RandomKernelOptions& options = {});

}  // namespace rocxla::triton
