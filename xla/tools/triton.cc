// rocxla triton: a Triton module to a code object.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "base/file.h"
#include "base/json.h"
#include "triton/compile.h"
#include "xla/tools/subcommand.h"
#include "xla/tools/validators.h"

namespace xla::tools {
namespace {

namespace fs = std::filesystem;
using rocxla::Json;
using rocxla::Status;
using rocxla::StatusOr;

struct Arguments {
  std::string input, target = "gfx942", output;
  std::string stages;
  int num_warps = 4, num_ctas = 1, num_stages = 2;
};

// The fields of Triton's own metadata.json, so that either file serves `rocxla launch`.
Json Metadata(const rocxla::triton::KernelInfo& info, const rocxla::GpuTarget& target, const fs::path& path) {
  return {{"path", path.string()},
          {"name", info.name},
          {"arch", target.name},
          {"warp_size", target.wave_size},
          {"num_warps", info.num_warps},
          {"num_ctas", info.num_ctas},
          {"shared", info.shared_bytes},
          {"cluster_dims", info.cluster_dims},
          {"vgpr_count", info.vgprs},
          {"agpr_count", info.agprs},
          {"sgpr_count", info.sgprs},
          {"vgpr_spill_count", info.vgpr_spills},
          {"sgpr_spill_count", info.sgpr_spills},
          {"private_segment_fixed_size", info.scratch_bytes},
          {"kernarg_segment_size", info.kernarg_bytes}};
}

Status WriteStages(const fs::path& folder, const rocxla::triton::Stages& stages) {
  std::error_code error;
  fs::create_directories(folder, error);
  for (const auto& [name, text] : {std::pair("kernel.ttir", &stages.ttir),
                                   {"kernel.plan", &stages.plan},
                                   {"kernel.ll", &stages.llvm_ir},
                                   {"kernel.opt.ll", &stages.llvm_ir_optimized},
                                   {"kernel.s", &stages.isa}})
    RETURN_IF_ERROR(rocxla::WriteFile(folder / name, *text));
  return rocxla::OkStatus();
}

Status Run(const Arguments& arguments) {
  ASSIGN_OR_RETURN(rocxla::GpuTarget target, rocxla::FindTarget(arguments.target));
  ASSIGN_OR_RETURN(std::string text, rocxla::ReadFile(arguments.input));
  rocxla::triton::CompileOptions options;
  options.target = target;
  options.num_warps = arguments.num_warps;
  options.num_ctas = arguments.num_ctas;
  options.num_stages = arguments.num_stages;
  options.keep_stages = !arguments.stages.empty();
  ASSIGN_OR_RETURN(rocxla::triton::CompiledKernel kernel, rocxla::triton::Compile(text, arguments.input, options));
  fs::path output =
      arguments.output.empty() ? fs::path(arguments.input).replace_extension(".hsaco") : fs::path(arguments.output);
  RETURN_IF_ERROR(rocxla::WriteFile(output, kernel.code_object));
  Json metadata = Metadata(kernel.info, target, output);
  RETURN_IF_ERROR(rocxla::WriteFile(output.parent_path() / "metadata.json", rocxla::JsonText(metadata) + "\n"));
  if (options.keep_stages) RETURN_IF_ERROR(WriteStages(arguments.stages, kernel.stages));
  fmt::print("{}\n", rocxla::JsonText(metadata));
  return rocxla::OkStatus();
}

}  // namespace

Action SetUpTriton(CLI::App& app) {
  auto arguments = std::make_shared<Arguments>();
  app.add_option("kernel", arguments->input, "Triton IR text (- reads standard input)")->required();
  app.add_option("--target", arguments->target, "GPU to compile for")->capture_default_str();
  app.add_option("--num-warps", arguments->num_warps, "waves of a block, a power of two")->capture_default_str();
  app.add_option("--num-ctas", arguments->num_ctas, "blocks of a cluster")->capture_default_str();
  app.add_option("--num-stages", arguments->num_stages, "depth of software pipelines")->capture_default_str();
  app.add_option("-o,--output", arguments->output,
                 "code object to write (default: the input with .hsaco); metadata.json lies beside it")
      ->check(NotEmpty);
  app.add_option("--stages", arguments->stages,
                 "folder that receives the program after each step: TTIR, plan, LLVM IR, ISA")
      ->check(NotEmpty);
  return [arguments](const rocxla::DebugOptions&) {
    Status status = Run(*arguments);
    return status.ok() ? kSuccess : Fail(status);
  };
}

}  // namespace xla::tools
