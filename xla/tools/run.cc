// rocxla run: compiles an HLO module for a device, runs it, and compares if asked to.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <memory>
#include <optional>

#include "base/error_ids.h"
#include "xla/hlo/evaluator/hlo_evaluator.h"
#include "xla/stream_executor/rocm/device_selection.h"
#include "xla/tools/hlo_runner.h"
#include "xla/tools/literal_tensors.h"
#include "xla/tools/module_forms.h"
#include "xla/tools/program_io.h"
#include "xla/tools/subcommand.h"
#include "xla/tools/validators.h"

namespace xla::tools {
namespace {

using rocxla::ErrorId;
using rocxla::Status;
using rocxla::StatusOr;

struct Arguments {
  std::string module, inputs, outputs, device = "auto";
  bool check = false, reference = false;
  std::optional<double> rtol, atol;
};

Status Run(const Arguments& arguments, const rocxla::DebugOptions& options) {
  if (arguments.check && arguments.inputs.empty())
    return Error(ErrorId::kBadUsage, {.what = "--check compares with the results of the inputs' file",
                                      .expected = "--inputs FILE.safetensors"});
  ASSIGN_OR_RETURN(ToleranceChoice tolerance, ChooseTolerance(arguments.module, arguments.rtol, arguments.atol));
  ASSIGN_OR_RETURN(std::unique_ptr<HloModule> module, ReadModule(arguments.module));
  ASSIGN_OR_RETURN(Inputs inputs, ReadInputs(arguments.inputs, *module));
  std::optional<rocxla::TensorMap> reference;
  if (arguments.reference) {
    ASSIGN_OR_RETURN(std::vector<Literal> evaluated, Evaluate(*module, inputs.literals));
    reference = NamedOutputs(evaluated);
  }
  ASSIGN_OR_RETURN(stream_executor::gpu::SelectedDevice device, stream_executor::gpu::SelectDevice(arguments.device));
  auto begin = std::chrono::steady_clock::now();
  std::string name(module->name());
  ASSIGN_OR_RETURN(std::unique_ptr<gpu::GpuExecutable> executable,
                   CompileForDevice(std::move(module), *device.executor, options));
  std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
  fmt::print("compiled {} in {:.0f} ms: {}\n", name, took.count(), CompiledText(*executable));
  fmt::print("device: {}\n", device.description);
  std::fflush(stdout);  // a long run should say so
  ASSIGN_OR_RETURN(std::vector<Literal> outputs, gpu::RunWithLiterals(*executable, *device.executor, inputs.literals));
  if (!arguments.outputs.empty()) RETURN_IF_ERROR(rocxla::WriteSafetensors(arguments.outputs, NamedOutputs(outputs)));
  if (arguments.check) RETURN_IF_ERROR(PrintAgreement("", "the recorded result", outputs, inputs.file, tolerance));
  if (reference) RETURN_IF_ERROR(PrintAgreement("", "the evaluator", outputs, *reference, tolerance));
  if (!arguments.check && !reference && arguments.outputs.empty())
    for (const Literal& output : outputs) fmt::print("{}\n", Preview(output));
  return rocxla::OkStatus();
}

}  // namespace

Action SetUpRun(CLI::App& app) {
  auto arguments = std::make_shared<Arguments>();
  app.add_option("module", arguments->module, ModuleHelp())->required();
  app.add_option("--inputs", arguments->inputs,
                 "safetensors file with the parameters in.0, in.1, ...; without it, seeded random data")
      ->check(NotEmpty);
  app.add_option("--outputs", arguments->outputs, "safetensors file that receives the results out.0, out.1, ...")
      ->check(NotEmpty);
  app.add_option("--device", arguments->device, "auto, embedded:gfx942, embedded:0 or hip:0")->capture_default_str();
  app.add_flag("--check", arguments->check, "compare with out.0, out.1, ... of the inputs' file");
  app.add_flag("--reference", arguments->reference, "compare with the HLO evaluator");
  app.add_option("--rtol", arguments->rtol,
                 "relative tolerance (default: case.json beside the module, else by type: f32 1e-4, bf16 0.02, ...)")
      ->check(Tolerable);
  app.add_option("--atol", arguments->atol, "absolute tolerance (default: likewise)")->check(Tolerable);
  return [arguments](const rocxla::DebugOptions& options) {
    Status status = Run(*arguments, options);
    return status.ok() ? kSuccess : Fail(status);
  };
}

}  // namespace xla::tools
