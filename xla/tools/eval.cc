// rocxla eval: runs an HLO module in the reference evaluator, on simulated devices if it is for several.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "base/error_ids.h"
#include "xla/hlo/evaluator/hlo_evaluator.h"
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
  std::string module, inputs, outputs;
  bool check = false;
  std::optional<double> rtol, atol;
};

// What is done with the results of one device. `prefix`: "dev3.", or nothing in a program for one.
Status Show(const Arguments& arguments, std::string_view prefix, const Inputs& inputs,
            const std::vector<Literal>& results, const ToleranceChoice& tolerance) {
  if (arguments.check) return PrintAgreement(prefix, "the recorded result", results, inputs.file, tolerance);
  if (!arguments.outputs.empty()) return rocxla::OkStatus();
  for (size_t i = 0; i < results.size(); ++i) {
    const std::string name = prefix.empty() ? "" : fmt::format("{}out.{} = ", prefix, i);
    fmt::print("{}{}\n", name, Preview(results[i]));
  }
  return rocxla::OkStatus();
}

Status Run(const Arguments& arguments) {
  if (arguments.check && arguments.inputs.empty())
    return Error(ErrorId::kBadUsage, {.what = "--check compares with the results of the inputs' file",
                                      .expected = "--inputs FILE.safetensors"});
  ASSIGN_OR_RETURN(ToleranceChoice tolerance, ChooseTolerance(arguments.module, arguments.rtol, arguments.atol));
  ASSIGN_OR_RETURN(std::unique_ptr<HloModule> module, ReadModule(arguments.module));
  rocxla::TensorMap outputs;
  if (module->config().replica_count == 1 && module->config().num_partitions == 1) {
    ASSIGN_OR_RETURN(Inputs inputs, ReadInputs(arguments.inputs, *module));
    ASSIGN_OR_RETURN(std::vector<Literal> results, Evaluate(*module, inputs.literals));
    RETURN_IF_ERROR(Show(arguments, "", inputs, results, tolerance));
    outputs = NamedOutputs(results);
  } else {
    ASSIGN_OR_RETURN(std::vector<Inputs> inputs, ReadInputsOfDevices(arguments.inputs, *module));
    std::vector<std::vector<Literal>> literals;
    for (const Inputs& of_device : inputs) literals.push_back(of_device.literals);
    ASSIGN_OR_RETURN(auto results, EvaluateOnDevices(*module, literals));
    for (size_t device = 0; device < results.size(); ++device) {
      const std::string prefix = fmt::format("dev{}.", device);
      RETURN_IF_ERROR(Show(arguments, prefix, inputs[device], results[device], tolerance));
      for (auto& [name, tensor] : NamedOutputs(results[device])) outputs[prefix + name] = std::move(tensor);
    }
  }
  return arguments.outputs.empty() ? rocxla::OkStatus() : rocxla::WriteSafetensors(arguments.outputs, outputs);
}

}  // namespace

Action SetUpEval(CLI::App& app) {
  auto arguments = std::make_shared<Arguments>();
  app.add_option("module", arguments->module, ModuleHelp())->required();
  app.add_option("--inputs", arguments->inputs,
                 "safetensors file with the parameters in.0, in.1, ... (dev0.in.0, ... of a module for several "
                 "devices); without it, seeded random data")
      ->check(NotEmpty);
  app.add_option("--outputs", arguments->outputs, "safetensors file that receives the results out.0, out.1, ...")
      ->check(NotEmpty);
  app.add_flag("--check", arguments->check, "compare with out.0, out.1, ... of the inputs' file");
  app.add_option("--rtol", arguments->rtol,
                 "relative tolerance (default: case.json beside the module, else by type: f32 1e-4, bf16 0.02, ...)")
      ->check(Tolerable);
  app.add_option("--atol", arguments->atol, "absolute tolerance (default: likewise)")->check(Tolerable);
  return [arguments](const rocxla::DebugOptions&) {
    Status status = Run(*arguments);
    return status.ok() ? kSuccess : Fail(status);
  };
}

}  // namespace xla::tools
