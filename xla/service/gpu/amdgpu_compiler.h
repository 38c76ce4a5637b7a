// AMDGPUCompiler: HLO module -> executable for an AMD GPU. No device is needed.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "base/flags.h"
#include "xla/backends/gpu/runtime/gpu_executable.h"
#include "xla/service/gpu/kernel_compiler.h"
#include "xla/service/gpu/pipelines.h"

namespace xla::gpu {

struct CompileOptions {
  GpuTarget target;
  rocxla::DebugOptions debug_options;
  KeepStages keep_stages = KeepStages::kNo;  // fill the texts of CompileReport's kernels
  PassDump dump_pass;                        // may be empty
};

// What the tools show and dump.
struct CompileReport {
  std::string optimized_hlo;
  std::string buffer_assignment;
  std::string thunks;
  std::vector<CompiledKernel> kernels;
};

class AMDGPUCompiler {
 public:
  // The HLO half: simplification, layouts, fusion. Afterwards every kernel is one fusion instruction.
  static Status RunHloPasses(HloModule& module, const CompileOptions& options);
  // Takes a verified module. `report` may be null.
  // Errors: CompilerUnsupportedOpcode, CompilerUnsupportedType, and those of triton::CompileToObject.
  static StatusOr<std::unique_ptr<GpuExecutable>> Compile(std::unique_ptr<HloModule> module,
                                                          const CompileOptions& options,
                                                          CompileReport* report = nullptr);
};

}  // namespace xla::gpu
