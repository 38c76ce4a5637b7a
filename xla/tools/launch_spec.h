// A launch: launch.json with the files beside it (format: docs/emulator.md), and running it on a device.
#pragma once
#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/safetensors.h"
#include "base/status.h"
#include "xla/stream_executor/stream_executor.h"
#include "xla/tools/compare.h"

namespace xla::tools {

struct LaunchArgument {
  std::string name;
  std::string tensor;           // of a buffer: its initial contents; empty: zeros
  std::vector<uint8_t> scalar;  // of a scalar: its bytes, little endian; empty for a buffer
  size_t zero_bytes = 0;        // of a buffer without a tensor

  bool is_buffer() const { return scalar.empty(); }
};

struct LaunchOutput {
  size_t argument;     // index into LaunchSpec::arguments
  std::string tensor;  // what the buffer must hold afterwards
  Tolerance tolerance;
};

struct LaunchSpec {
  std::string kernel;
  std::array<uint32_t, 3> grid;                       // blocks
  std::optional<std::array<uint32_t, 3>> block = {};  // threads; num_warps waves of the device without it
  std::vector<LaunchArgument> arguments;
  std::vector<LaunchOutput> outputs;
  rocxla::TensorMap tensors;  // io.safetensors; empty without such a file
  int num_warps = 4;          // options.json
  int num_ctas = 1;
  int num_stages = 2;
  std::optional<uint32_t> dynamic_lds_bytes = {};  // else what the code object's metadata.json says
};

// Reads launch.json and, beside it, io.safetensors and options.json. BadJson, BadSafetensors, FileUnreadable,
// WrongInputs (a tensor that the arguments name but the file lacks).
rocxla::StatusOr<LaunchSpec> ReadLaunchSpec(const std::filesystem::path& launch_json);

// The block that RunLaunch launches on the device.
stream_executor::ThreadDim BlockOf(const LaunchSpec& spec, stream_executor::StreamExecutor& device);

// Dynamic LDS bytes to launch a code object with: `shared` of metadata.json beside it; 0 without such a file.
rocxla::StatusOr<uint32_t> SharedBytesOf(const std::filesystem::path& code_object);

// Loads the code object, runs the kernel once on `device` and returns what each of spec.outputs' buffers holds then, in
// that order. A kernel with two more pointer arguments than the specification gets null for them: Triton's own scratch
// arguments.
rocxla::StatusOr<std::vector<rocxla::Tensor>> RunLaunch(const LaunchSpec& spec, std::span<const uint8_t> code_object,
                                                        uint32_t shared_bytes, stream_executor::StreamExecutor& device);

// Compares the results of RunLaunch with the recorded ones: one Comparison per output.
rocxla::StatusOr<std::vector<Comparison>> CompareOutputs(const LaunchSpec& spec,
                                                         std::span<const rocxla::Tensor> results);

}  // namespace xla::tools
