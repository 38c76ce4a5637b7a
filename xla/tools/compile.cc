// rocxla compile: cross-compiles an HLO module and writes everything that it became.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <filesystem>
#include <memory>

#include "base/file.h"
#include "base/json.h"
#include "xla/service/gpu/dump.h"
#include "xla/tools/hlo_runner.h"
#include "xla/tools/module_forms.h"
#include "xla/tools/subcommand.h"
#include "xla/tools/validators.h"

namespace xla::tools {
namespace {

namespace fs = std::filesystem;
using rocxla::Json;
using rocxla::Status;
using rocxla::StatusOr;

struct Arguments {
  std::string module, target = "gfx942", output;
  bool json = false;
};

// What decides how a kernel runs: the numbers that a profile is read with.
Json ReportOf(const gpu::GpuExecutable& executable, const gpu::CompileReport& report, double milliseconds) {
  Json kernels = Json::array();
  for (const gpu::CompiledKernel& kernel : report.kernels) {
    kernels.push_back({{"name", kernel.tile.name},
                       {"fusion", kernel.fusion},
                       {"grid", kernel.tile.grid},
                       {"threads_per_block", kernel.info.threads_per_block},
                       {"lds_bytes", kernel.info.shared_bytes},
                       {"vgprs", kernel.info.vgprs},
                       {"agprs", kernel.info.agprs},
                       {"sgprs", kernel.info.sgprs},
                       {"vgpr_spills", kernel.info.vgpr_spills},
                       {"sgpr_spills", kernel.info.sgpr_spills},
                       {"scratch_bytes", kernel.info.scratch_bytes}});
  }
  return {{"module", executable.module().name()},
          {"target", executable.target().name},
          {"compile_milliseconds", milliseconds},
          {"code_object_bytes", executable.code_object().size()},
          {"kernels", std::move(kernels)}};
}

void PrintText(const Json& report) {
  fmt::print("{} for {}: {} kernels, {} bytes of code object, {:.0f} ms\n", report["module"].get<std::string>(),
             report["target"].get<std::string>(), report["kernels"].size(), report["code_object_bytes"].get<uint64_t>(),
             report["compile_milliseconds"].get<double>());
  if (report["kernels"].empty()) return;
  fmt::print("{:<40} {:>8} {:>7} {:>6} {:>6} {:>6} {:>7} {:>8}\n", "kernel", "blocks", "threads", "vgprs", "sgprs",
             "spills", "lds", "scratch");
  for (const Json& kernel : report["kernels"]) {
    fmt::print("{:<40} {:>8} {:>7} {:>6} {:>6} {:>6} {:>7} {:>8}\n", kernel["name"].get<std::string>(),
               kernel["grid"][0].get<int64_t>() * kernel["grid"][1].get<int64_t>() * kernel["grid"][2].get<int64_t>(),
               kernel["threads_per_block"].get<int64_t>(), kernel["vgprs"].get<int64_t>(),
               kernel["sgprs"].get<int64_t>(),
               kernel["vgpr_spills"].get<int64_t>() + kernel["sgpr_spills"].get<int64_t>(),
               kernel["lds_bytes"].get<int64_t>(), kernel["scratch_bytes"].get<int64_t>());
  }
}

Status Run(const Arguments& arguments, const rocxla::DebugOptions& options) {
  gpu::CompileOptions compile;
  ASSIGN_OR_RETURN(compile.target, rocxla::FindTarget(arguments.target));
  ASSIGN_OR_RETURN(std::unique_ptr<HloModule> module, ReadModule(arguments.module));
  compile.debug_options = options;
  if (!arguments.output.empty()) {
    compile.debug_options.xla_dump_to = arguments.output;
    compile.debug_options.xla_gpu_dump_llvmir = true;
    compile.keep_stages = gpu::KeepStages::kYes;
  }
  gpu::ModuleDump dump(*module, compile);
  compile.dump_pass = dump.PassCallback();
  gpu::CompileReport report;
  const auto begin = std::chrono::steady_clock::now();
  ASSIGN_OR_RETURN(std::unique_ptr<gpu::GpuExecutable> executable,
                   gpu::AMDGPUCompiler::Compile(std::move(module), compile, &report));
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
  RETURN_IF_ERROR(dump.Finish(report));
  const Json summary = ReportOf(*executable, report, took.count());
  if (!arguments.output.empty()) {
    const fs::path folder(arguments.output);
    RETURN_IF_ERROR(rocxla::WriteFile(folder / "module.hsaco", executable->code_object()));
    RETURN_IF_ERROR(rocxla::WriteFile(folder / "report.json", rocxla::JsonText(summary) + "\n"));
  }
  if (arguments.json) {
    fmt::print("{}\n", rocxla::JsonText(summary));
  } else {
    PrintText(summary);
  }
  return rocxla::OkStatus();
}

}  // namespace

Action SetUpCompile(CLI::App& app) {
  auto arguments = std::make_shared<Arguments>();
  app.add_option("module", arguments->module, ModuleHelp())->required();
  app.add_option("--target", arguments->target, "GPU to compile for; none needs to be there")->capture_default_str();
  app.add_option("-o,--output", arguments->output,
                 "folder that receives the optimised HLO, the Triton IR, LLVM IR and ISA of each kernel, the code "
                 "object (module.hsaco) and report.json")
      ->check(NotEmpty);
  app.add_flag("--json", arguments->json, "print the report as JSON");
  return [arguments](const rocxla::DebugOptions& options) {
    Status status = Run(*arguments, options);
    return status.ok() ? kSuccess : Fail(status);
  };
}

}  // namespace xla::tools
