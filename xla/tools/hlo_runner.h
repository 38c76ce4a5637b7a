// From a module's text to its results on a device, as `run` and `check` need it.
#pragma once
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/flags.h"
#include "base/safetensors.h"
#include "base/status.h"
#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/literal.h"
#include "xla/service/gpu/amdgpu_compiler.h"
#include "xla/stream_executor/stream_executor.h"
#include "xla/tools/compare.h"

namespace xla::tools {

// Reads and verifies a module in any form of module_forms.def.
rocxla::StatusOr<std::unique_ptr<HloModule>> ReadModule(const std::string& path);

// rtol and atol of a case.json.
rocxla::StatusOr<Tolerance> ReadTolerance(const std::filesystem::path& case_json);

// Compiles for the device's architecture.
rocxla::StatusOr<std::unique_ptr<gpu::GpuExecutable>> CompileForDevice(std::unique_ptr<HloModule> module,
                                                                       stream_executor::StreamExecutor& device,
                                                                       const rocxla::DebugOptions& options);

// "3 kernels for gfx942 (gemm_fusion_dot, ...)".
std::string CompiledText(const gpu::GpuExecutable& executable);

// The tolerance for results of a dtype.
using ToleranceFor = std::function<Tolerance(std::string_view dtype)>;

// Compares results (array leaves) with the tensors `out.0`, `out.1`, ... of a file: one entry per result, named so.
// WrongInputs when the file does not hold as many as there are results.
rocxla::StatusOr<std::vector<std::pair<std::string, Comparison>>> CompareWithRecorded(std::span<const Literal> results,
                                                                                      const rocxla::TensorMap& recorded,
                                                                                      const ToleranceFor& tolerance);

}  // namespace xla::tools
