#include "xla/tools/case_runner.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error_ids.h"
#include "base/file.h"
#include "base/target/target.h"
#include "triton/compile.h"
#include "xla/hlo/evaluator/hlo_evaluator.h"
#include "xla/stream_executor/rocm/device_selection.h"
#include "xla/tools/compare.h"
#include "xla/tools/hlo_runner.h"
#include "xla/tools/launch_spec.h"
#include "xla/tools/literal_tensors.h"
#include "xla/tools/program_io.h"

namespace xla::tools {
namespace {

namespace fs = std::filesystem;
namespace se = stream_executor;
using rocxla::ErrorId;
using rocxla::GpuTarget;
using rocxla::Status;
using rocxla::StatusOr;

// The forms in which JAX cases hold their module; they are compiled from the first that is there.
constexpr std::string_view kModuleForms[] = {"module.hlo", "module.mlir", "module.mlirbc"};

// Empty if there is none.
std::string FirstForm(const fs::path& folder) {
  for (std::string_view form : kModuleForms)
    if (fs::exists(folder / form)) return std::string(form);
  return "";
}
bool IsJaxCase(const fs::path& folder) { return !FirstForm(folder).empty() && fs::exists(folder / "io.safetensors"); }
// Whether a JAX case's module is the program of one of several devices. What is wrong with case.json is told when the
// case runs.
bool IsSpmdCase(const fs::path& folder) {
  StatusOr<rocxla::Json> json = rocxla::ReadJson(folder / "case.json");
  return json.ok() && json->contains("num_devices");
}
bool IsTritonCase(const fs::path& folder) {
  return fs::exists(folder / "kernel.ttir") && fs::exists(folder / "launch.json");
}

// The targets that a Triton case runs on: D's only, or all that the embedded device executes.
StatusOr<std::vector<std::pair<std::string, std::string>>> TritonTargets(const std::string& device) {
  std::vector<std::pair<std::string, std::string>> targets;  // device, target
  if (device.empty()) {
    for (const GpuTarget& target : rocxla::AllTargets())
      if (target.support == rocxla::TargetSupport::kFirstClass)
        targets.emplace_back(fmt::format("embedded:{}", target.name), target.name);
    return targets;
  }
  ASSIGN_OR_RETURN(se::gpu::SelectedDevice selected, se::gpu::SelectDevice(device));
  ASSIGN_OR_RETURN(GpuTarget target, rocxla::FindTarget(selected.executor->GetDeviceDescription().gcn_arch_name()));
  targets.emplace_back(device, target.name);
  return targets;
}

void AddCases(const fs::path& folder, const FindOptions& options,
              const std::vector<std::pair<std::string, std::string>>& targets, std::vector<Case>& cases) {
  if (IsJaxCase(folder) && !options.objects && IsSpmdCase(folder)) {
    const CaseKind kind = options.evaluator ? CaseKind::kSpmdEvaluated : CaseKind::kSpmd;
    cases.push_back({.kind = kind, .folder = folder, .form = "module.hlo", .device = options.device});
    return;
  }
  if (options.evaluator) {
    for (std::string_view form : kModuleForms)
      if (IsJaxCase(folder) && fs::exists(folder / form))
        cases.push_back({.kind = CaseKind::kEvaluated, .folder = folder, .form = std::string(form)});
    return;
  }
  if (IsJaxCase(folder) && !options.objects)
    cases.push_back({.kind = CaseKind::kJax,
                     .folder = folder,
                     .form = FirstForm(folder),
                     .device = options.device.empty() ? "auto" : options.device});
  if (!IsTritonCase(folder)) return;
  for (const auto& [device, target] : targets) {
    const CaseKind kind = options.objects ? CaseKind::kTritonObjects : CaseKind::kTriton;
    if (!options.objects || fs::exists(folder / fmt::format("triton-{}", target) / "kernel.hsaco"))
      cases.push_back({.kind = kind, .folder = folder, .device = device, .target = target});
  }
}

// The first output that disagrees as an error; otherwise the largest error of all.
CaseResult Judge(const std::vector<std::pair<std::string, Comparison>>& comparisons) {
  CaseResult result;
  for (const auto& [name, comparison] : comparisons) {
    result.largest_error = std::max(result.largest_error, comparison.largest_error);
    if (comparison.equal() || !result.status.ok()) continue;
    result.status =
        Error(ErrorId::kResultMismatch,
              {.what = fmt::format("{} differs in {} of {} elements", name, comparison.mismatches, comparison.elements),
               .found = comparison.first_mismatch});
  }
  return result;
}

StatusOr<CaseResult> RunJaxCase(const Case& one, const rocxla::DebugOptions& options) {
  ASSIGN_OR_RETURN(Tolerance tolerance, ReadTolerance(one.folder / "case.json"));
  ASSIGN_OR_RETURN(rocxla::TensorMap tensors, rocxla::ReadSafetensors(one.folder / "io.safetensors"));
  ASSIGN_OR_RETURN(std::unique_ptr<HloModule> module, ReadModule((one.folder / one.form).string()));
  ASSIGN_OR_RETURN(std::vector<Literal> inputs, InputsFromTensors(*module, tensors, "io.safetensors"));
  if (one.kind == CaseKind::kEvaluated) {
    ASSIGN_OR_RETURN(std::vector<Literal> results, Evaluate(*module, inputs));
    ASSIGN_OR_RETURN(auto evaluated,
                     CompareWithRecorded(results, tensors, [&](std::string_view) { return tolerance; }));
    return Judge(evaluated);
  }
  ASSIGN_OR_RETURN(se::gpu::SelectedDevice device, se::gpu::SelectDevice(one.device));
  ASSIGN_OR_RETURN(std::unique_ptr<gpu::GpuExecutable> executable,
                   CompileForDevice(std::move(module), *device.executor, options));
  ASSIGN_OR_RETURN(std::vector<Literal> outputs, gpu::RunWithLiterals(*executable, *device.executor, inputs));
  ASSIGN_OR_RETURN(auto comparisons,
                   CompareWithRecorded(outputs, tensors, [&](std::string_view) { return tolerance; }));
  CaseResult result = Judge(comparisons);
  result.compiled = CompiledText(*executable);
  return result;
}

StatusOr<CaseResult> RunSpmdCase(const Case& one) {
  if (one.kind == CaseKind::kSpmd)
    return Error(ErrorId::kCompilerUnsupportedOpcode, {.what = "programs for several devices cannot be compiled yet",
                                                       .where = (one.folder / one.form).string(),
                                                       .next = "--evaluator runs it on simulated devices"});
  ASSIGN_OR_RETURN(Tolerance tolerance, ReadTolerance(one.folder / "case.json"));
  ASSIGN_OR_RETURN(rocxla::TensorMap tensors, rocxla::ReadSafetensors(one.folder / "io.safetensors"));
  ASSIGN_OR_RETURN(std::unique_ptr<HloModule> module, ReadModule((one.folder / one.form).string()));
  std::vector<rocxla::TensorMap> recorded;
  for (rocxla::TensorMap own; !(own = TensorsOfDevice(tensors, recorded.size())).empty();) recorded.push_back(own);
  std::vector<std::vector<Literal>> arguments;
  for (size_t device = 0; device < recorded.size(); ++device) {
    const std::string origin = fmt::format("io.safetensors, device {}", device);
    ASSIGN_OR_RETURN(std::vector<Literal> inputs, InputsFromTensors(*module, recorded[device], origin));
    arguments.push_back(std::move(inputs));
  }
  ASSIGN_OR_RETURN(auto results, EvaluateOnDevices(*module, arguments));
  std::vector<std::pair<std::string, Comparison>> all;
  for (size_t device = 0; device < results.size(); ++device) {
    ASSIGN_OR_RETURN(auto compared, CompareWithRecorded(results[device], recorded[device],
                                                        [&](std::string_view) { return tolerance; }));
    for (auto& [name, comparison] : compared) all.emplace_back(fmt::format("dev{}.{}", device, name), comparison);
  }
  return Judge(all);
}

// A kernel that allows TF32 gets it where the GPU has it, from Triton as from this compiler: gfx942's XF32 instructions
// read ten bits of a fraction. The recorded results are f32's, so that such kernels agree as far as TF32 does. (Tests
// of TF32 products in JAX and PyTorch allow 0.01 to 0.05.)
Status AllowTf32(const Case& one, const GpuTarget& target, LaunchSpec& spec) {
  if (target.generation != rocxla::Generation::kCdna3) return rocxla::OkStatus();
  ASSIGN_OR_RETURN(const std::string ttir, rocxla::ReadFile(one.folder / "kernel.ttir"));
  if (ttir.find("inputPrecision = tf32") == ttir.npos) return rocxla::OkStatus();
  constexpr double kTf32Tolerance = 0.02;
  for (auto& output : spec.outputs) {
    output.tolerance.atol = std::max(output.tolerance.atol, kTf32Tolerance);
    output.tolerance.rtol = std::max(output.tolerance.rtol, kTf32Tolerance);
  }
  return rocxla::OkStatus();
}

StatusOr<CaseResult> RunTritonCase(const Case& one) {
  ASSIGN_OR_RETURN(LaunchSpec spec, ReadLaunchSpec(one.folder / "launch.json"));
  ASSIGN_OR_RETURN(GpuTarget target, rocxla::FindTarget(one.target));
  RETURN_IF_ERROR(AllowTf32(one, target, spec));
  ASSIGN_OR_RETURN(se::gpu::SelectedDevice device, se::gpu::SelectDevice(one.device));
  std::vector<uint8_t> code_object;
  uint32_t shared_bytes = 0;
  if (one.kind == CaseKind::kTritonObjects) {
    fs::path path = one.folder / fmt::format("triton-{}", one.target) / "kernel.hsaco";
    ASSIGN_OR_RETURN(std::string bytes, rocxla::ReadFile(path));
    code_object.assign(bytes.begin(), bytes.end());
    ASSIGN_OR_RETURN(shared_bytes, SharedBytesOf(path));
  } else {
    fs::path path = one.folder / "kernel.ttir";
    ASSIGN_OR_RETURN(std::string text, rocxla::ReadFile(path));
    rocxla::triton::CompileOptions options;
    options.target = target;
    options.num_warps = spec.num_warps;
    options.num_ctas = spec.num_ctas;
    options.num_stages = spec.num_stages;
    ASSIGN_OR_RETURN(rocxla::triton::CompiledKernel kernel, rocxla::triton::Compile(text, path.string(), options));
    code_object = std::move(kernel.code_object);
    shared_bytes = static_cast<uint32_t>(kernel.info.shared_bytes);
  }
  ASSIGN_OR_RETURN(std::vector<rocxla::Tensor> results, RunLaunch(spec, code_object, shared_bytes, *device.executor));
  ASSIGN_OR_RETURN(std::vector<Comparison> compared, CompareOutputs(spec, results));
  std::vector<std::pair<std::string, Comparison>> comparisons;
  for (size_t i = 0; i < compared.size(); ++i)
    comparisons.emplace_back(fmt::format("buffer '{}'", spec.arguments[spec.outputs[i].argument].name), compared[i]);
  return Judge(comparisons);
}

}  // namespace

std::string Case::Label() const {
  std::string name = folder.filename().string();
  if (kind == CaseKind::kSpmdEvaluated) return fmt::format("{}/{} on simulated devices", name, form);
  if (kind == CaseKind::kSpmd) return fmt::format("{} on several devices", name);
  if (kind == CaseKind::kEvaluated) return fmt::format("{}/{} in the evaluator", name, form);
  std::string_view object = kind == CaseKind::kTritonObjects ? " (Triton's object)" : "";
  return fmt::format("{}{} on {}", name, object, device);
}

StatusOr<std::vector<Case>> FindCases(const std::vector<fs::path>& folders, const FindOptions& options) {
  ASSIGN_OR_RETURN(auto targets, TritonTargets(options.device));
  std::vector<Case> cases;
  for (const fs::path& folder : folders) {
    size_t before = cases.size();
    std::error_code error;
    std::vector<fs::path> candidates{folder};
    for (auto it = fs::recursive_directory_iterator(folder, error); !error && it != fs::recursive_directory_iterator();
         it.increment(error))
      if (it->is_directory()) candidates.push_back(it->path());
    if (error)
      return Error(ErrorId::kFileUnreadable,
                   {.what = "cannot list a folder", .where = folder.string(), .found = error.message()});
    std::sort(candidates.begin(), candidates.end());
    for (const fs::path& candidate : candidates) AddCases(fs::weakly_canonical(candidate), options, targets, cases);
    if (cases.size() == before)
      return Error(
          ErrorId::kFileUnreadable,
          {.what = "no case in this folder",
           .where = folder.string(),
           .expected = options.evaluator ? "module.hlo or module.mlir with io.safetensors"
                       : options.objects ? "launch.json with triton-gfxNNN/kernel.hsaco of a chosen target (--objects)"
                                         : "module.hlo or module.mlir with io.safetensors, or kernel.ttir with "
                                           "launch.json"});
  }
  return cases;
}

CaseResult RunCase(const Case& one, const rocxla::DebugOptions& options) {
  const bool is_jax = one.kind == CaseKind::kJax || one.kind == CaseKind::kEvaluated;
  const bool is_spmd = one.kind == CaseKind::kSpmd || one.kind == CaseKind::kSpmdEvaluated;
  StatusOr<CaseResult> result = is_jax ? RunJaxCase(one, options) : is_spmd ? RunSpmdCase(one) : RunTritonCase(one);
  if (result.ok()) return std::move(result).value();
  return {.status = result.status(), .largest_error = 0, .compiled = ""};
}

}  // namespace xla::tools
