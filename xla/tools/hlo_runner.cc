#include "xla/tools/hlo_runner.h"

#include <fmt/format.h>

#include "base/error_ids.h"
#include "base/file.h"
#include "base/json.h"
#include "xla/service/gpu/dump.h"
#include "xla/tools/literal_tensors.h"
#include "xla/tools/module_forms.h"

namespace xla::tools {
namespace {

namespace fs = std::filesystem;
using rocxla::ErrorId;
using rocxla::Status;
using rocxla::StatusOr;

}  // namespace

StatusOr<std::unique_ptr<HloModule>> ReadModule(const std::string& path) {
  ASSIGN_OR_RETURN(const std::string content, rocxla::ReadFile(path));
  return ParseModule(DetectModuleForm(path, content), content, path);
}

StatusOr<Tolerance> ReadTolerance(const fs::path& case_json) {
  ASSIGN_OR_RETURN(rocxla::Json json, rocxla::ReadJson(case_json));
  return ToleranceFromJson(json, case_json.string());
}

StatusOr<std::unique_ptr<gpu::GpuExecutable>> CompileForDevice(std::unique_ptr<HloModule> module,
                                                               stream_executor::StreamExecutor& device,
                                                               const rocxla::DebugOptions& options) {
  gpu::CompileOptions compile;
  ASSIGN_OR_RETURN(compile.target, rocxla::FindTarget(device.GetDeviceDescription().gcn_arch_name()));
  compile.debug_options = options;
  if (options.xla_gpu_dump_llvmir && !options.xla_dump_to.empty()) compile.keep_stages = gpu::KeepStages::kYes;
  gpu::ModuleDump dump(*module, compile);
  compile.dump_pass = dump.PassCallback();
  gpu::CompileReport report;
  ASSIGN_OR_RETURN(std::unique_ptr<gpu::GpuExecutable> executable,
                   gpu::AMDGPUCompiler::Compile(std::move(module), compile, &report));
  RETURN_IF_ERROR(dump.Finish(report));
  return executable;
}

std::string CompiledText(const gpu::GpuExecutable& executable) {
  const auto& kernels = executable.kernels();
  std::string names;
  for (const auto& kernel : kernels) names += fmt::format("{}{}", names.empty() ? "" : ", ", kernel.name);
  return fmt::format("{} kernel{} for {}{}", kernels.size(), kernels.size() == 1 ? "" : "s", executable.target().name,
                     names.empty() ? "" : fmt::format(" ({})", names));
}

StatusOr<std::vector<std::pair<std::string, Comparison>>> CompareWithRecorded(std::span<const Literal> results,
                                                                              const rocxla::TensorMap& recorded,
                                                                              const ToleranceFor& tolerance) {
  size_t wanted = 0;
  for (const auto& [name, tensor] : recorded) wanted += name.starts_with("out.");
  if (wanted != results.size())
    return Error(ErrorId::kWrongInputs, {.what = "the number of recorded results is not the program's",
                                         .found = fmt::format("{} tensors out.N", wanted),
                                         .expected = fmt::format("{}", results.size())});
  std::vector<std::pair<std::string, Comparison>> comparisons;
  for (size_t i = 0; i < results.size(); ++i) {
    std::string name = fmt::format("out.{}", i);
    auto tensor = recorded.find(name);
    if (tensor == recorded.end())
      return Error(ErrorId::kWrongInputs, {.what = "a recorded result is missing", .expected = name});
    ASSIGN_OR_RETURN(Comparison comparison,
                     Compare(TensorFromLiteral(results[i]), tensor->second, tolerance(tensor->second.dtype)));
    comparisons.emplace_back(std::move(name), std::move(comparison));
  }
  return comparisons;
}

}  // namespace xla::tools
