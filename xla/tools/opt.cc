// rocxla opt: reads an HLO module, runs passes on it, and prints it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "base/error_ids.h"
#include "base/file.h"
#include "base/target/target.h"
#include "xla/hlo/transforms/passes.h"
#include "xla/service/gpu/pipelines.h"
#include "xla/tools/hlo_runner.h"
#include "xla/tools/module_forms.h"
#include "xla/tools/subcommand.h"
#include "xla/tools/validators.h"

namespace xla::tools {
namespace {

using rocxla::Status;
using rocxla::StatusOr;

struct Arguments {
  std::string module, passes, target, output;
  bool list_passes = false;
};

void ListPasses() {
  for (const PassInfo& pass : HloPasses()) fmt::print("{}\n    {}\n", pass.name, pass.summary);
}

Status Run(const Arguments& arguments, const rocxla::DebugOptions& options) {
  if (arguments.list_passes) return ListPasses(), rocxla::OkStatus();
  if (arguments.module.empty())
    return Error(rocxla::ErrorId::kBadUsage, {.what = "module is required", .next = "rocxla opt --help"});
  HloPassPipeline pipeline("opt");
  RETURN_IF_ERROR(AddPassesByName(arguments.passes, pipeline));
  ASSIGN_OR_RETURN(std::unique_ptr<HloModule> module, ReadModule(arguments.module));
  RETURN_IF_ERROR(pipeline.Run(*module, {}).status());
  if (!arguments.target.empty()) {
    ASSIGN_OR_RETURN(rocxla::GpuTarget target, rocxla::FindTarget(arguments.target));
    RETURN_IF_ERROR(gpu::RunGpuPipelines(*module, target, options, {}));
  }
  if (!arguments.output.empty()) return rocxla::WriteFile(arguments.output, module->ToString());
  fmt::print("{}", module->ToString());
  return rocxla::OkStatus();
}

}  // namespace

Action SetUpOpt(CLI::App& app) {
  auto arguments = std::make_shared<Arguments>();
  app.add_option("module", arguments->module, ModuleHelp());
  app.add_option("--passes", arguments->passes,
                 "passes to run, in order: dce,cse; none: the module is printed as read");
  app.add_option("--target", arguments->target, "run the whole GPU pipeline for this target, up to fusions")
      ->check(NotEmpty);
  app.add_option("-o,--output", arguments->output, "file that receives the module instead of standard output")
      ->check(NotEmpty);
  app.add_flag("--list-passes", arguments->list_passes, "list the passes");
  return [arguments](const rocxla::DebugOptions& options) {
    Status status = Run(*arguments, options);
    return status.ok() ? kSuccess : Fail(status);
  };
}

}  // namespace xla::tools
