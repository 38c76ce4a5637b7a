// KernelCompiler: all fusions of a module -> one code object.
#pragma once
#include <string>
#include <vector>

#include "triton/compile.h"
#include "xla/backends/gpu/codegen/fusion_emitter.h"
#include "xla/backends/gpu/runtime/thunk_emitter.h"

namespace xla::gpu {

// One kernel and what it went through.
struct CompiledKernel {
  TileKernel tile;     // with the Triton IR text
  std::string fusion;  // name of the first fusion that it serves
  rocxla::triton::KernelInfo info;
  rocxla::triton::Stages stages;  // filled when asked for
};
struct CompiledKernels {
  std::vector<uint8_t> code_object;     // empty without kernels
  std::vector<CompiledKernel> kernels;  // in the order of their first use
  KernelLaunches launches;
};
enum class KeepStages : bool { kNo, kYes };

// Fusions with equal tile programs share a kernel. Kernels are compiled on `threads` threads (0: one per core); the
// result does not depend on their number. The error is that of the first fusion in the module that has one.
StatusOr<CompiledKernels> CompileKernels(const HloModule& module, const GpuTarget& target, int threads,
                                         KeepStages keep_stages);

}  // namespace xla::gpu
