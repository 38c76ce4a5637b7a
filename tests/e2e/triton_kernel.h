// Kernels written as Triton IR text, compiled and run on the embedded device.
#pragma once
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "base/target/target.h"
#include "triton/compile.h"
#include "xla/stream_executor/rocm/device_selection.h"
#include "xla/tools/launch_spec.h"

namespace rocxla::triton {

// Where a kernel runs.
struct Launch {
  std::string target = "gfx942";
  int num_warps = 4;
  uint32_t programs = 1;
};

// "gfx942, 8 warps".
inline std::string ToString(const Launch& launch) {
  return launch.target + ", " + std::to_string(launch.num_warps) + " warps";
}

// A buffer of elements of type T, as bytes.
template <class T>
rocxla::Tensor BufferOf(const std::vector<T>& elements) {
  rocxla::Tensor tensor;
  tensor.dtype = "U8";
  tensor.shape = {static_cast<int64_t>(elements.size() * sizeof(T))};
  tensor.bytes.resize(elements.size() * sizeof(T));
  std::memcpy(tensor.bytes.data(), elements.data(), tensor.bytes.size());
  return tensor;
}

// Runs tt.func @kernel, whose arguments are pointers to `buffers`, and returns what the last of them holds then.
inline StatusOr<rocxla::Tensor> RunKernel(const std::string& ttir, const Launch& launch,
                                          const std::vector<rocxla::Tensor>& buffers) {
  CompileOptions options;
  ASSIGN_OR_RETURN(options.target, FindTarget(launch.target));
  options.num_warps = launch.num_warps;
  ASSIGN_OR_RETURN(CompiledKernel kernel, Compile(ttir, "kernel.ttir", options));
  ASSIGN_OR_RETURN(auto device, stream_executor::gpu::SelectDevice("embedded:" + launch.target));
  xla::tools::LaunchSpec spec;
  spec.kernel = "kernel";
  spec.grid = {launch.programs, 1, 1};
  spec.num_warps = launch.num_warps;
  for (size_t i = 0; i < buffers.size(); ++i) {
    std::string name = "buffer" + std::to_string(i);
    spec.arguments.push_back({.name = name, .tensor = name, .scalar = {}});
    spec.tensors[name] = buffers[i];
  }
  spec.outputs.push_back({.argument = buffers.size() - 1, .tensor = spec.arguments.back().tensor, .tolerance = {}});
  ASSIGN_OR_RETURN(
      std::vector<rocxla::Tensor> results,
      RunLaunch(spec, kernel.code_object, static_cast<uint32_t>(kernel.info.shared_bytes), *device.executor));
  return std::move(results[0]);
}

// The same, as elements; a failure of the test, and nothing, when it does not run.
template <class T>
std::vector<T> ResultOf(const std::string& ttir, const Launch& launch, std::vector<rocxla::Tensor> inputs,
                        size_t output_elements) {
  inputs.push_back(BufferOf(std::vector<T>(output_elements)));
  StatusOr<rocxla::Tensor> result = RunKernel(ttir, launch, inputs);
  EXPECT_TRUE(result.ok()) << result.status().ToString() << "\n" << ttir;
  if (!result.ok()) return {};
  std::vector<T> elements(output_elements);
  std::memcpy(elements.data(), result->bytes.data(), result->bytes.size());
  return elements;
}

// Both wave sizes, one warp and eight.
inline std::vector<Launch> Launches() {
  std::vector<Launch> all;
  for (const char* target : {"gfx942", "gfx1100"})
    for (int num_warps : {1, 8}) all.push_back({.target = target, .num_warps = num_warps});
  return all;
}

// "tensor<4x8xi32>".
inline std::string TensorType(const std::vector<int>& shape, const std::string& element) {
  std::string text = "tensor<";
  for (int extent : shape) text += std::to_string(extent) + "x";
  return text + element + ">";
}

// Triton IR that reads `count` consecutive elements behind `pointer` as the value `name`.
inline std::string LoadText(const std::string& name, const std::string& pointer, int count,
                            const std::string& element) {
  const std::string pointers = TensorType({count}, "!tt.ptr<" + element + ">");
  const std::string indices = TensorType({count}, "i32");
  return name + "_i = tt.make_range {end = " + std::to_string(count) + " : i32, start = 0 : i32} : " + indices + "\n" +
         name + "_s = tt.splat " + pointer + " : !tt.ptr<" + element + "> -> " + pointers + "\n" + name +
         "_p = tt.addptr " + name + "_s, " + name + "_i : " + pointers + ", " + indices + "\n" + name + " = tt.load " +
         name + "_p : " + pointers + "\n";
}

// Triton IR that writes `value`, of `count` elements, to `pointer`.
inline std::string StoreText(const std::string& value, const std::string& pointer, int count,
                             const std::string& element) {
  const std::string pointers = TensorType({count}, "!tt.ptr<" + element + ">");
  const std::string indices = TensorType({count}, "i32");
  return value + "_i = tt.make_range {end = " + std::to_string(count) + " : i32, start = 0 : i32} : " + indices + "\n" +
         value + "_s = tt.splat " + pointer + " : !tt.ptr<" + element + "> -> " + pointers + "\n" + value +
         "_p = tt.addptr " + value + "_s, " + value + "_i : " + pointers + ", " + indices + "\n" + "tt.store " + value +
         "_p, " + value + " : " + pointers + "\n";
}

}  // namespace rocxla::triton
