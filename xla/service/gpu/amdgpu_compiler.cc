#include "xla/service/gpu/amdgpu_compiler.h"

#include <algorithm>

#include "xla/backends/gpu/codegen/element_type.h"

namespace xla::gpu {
namespace {

bool HasNarrowFloats(const Shape& shape) {
  return (IsFloat(shape.element_type()) && BitWidth(shape.element_type()) < 8) ||
         std::ranges::any_of(shape.tuple_shapes(), HasNarrowFloats);
}

// Kernels have no floats below 8 bits, and buffers no order of them: said before any pass meets one.
Status CheckTypes(const HloModule& module) {
  for (const HloComputation* computation : module.computations()) {
    for (const HloInstruction* instruction : computation->instructions()) {
      const Shape& shape = instruction->shape();
      if (shape.IsArray() && HasNarrowFloats(shape)) return UnsupportedType(shape.element_type(), *instruction);
    }
  }
  return OkStatus();
}

}  // namespace

Status AMDGPUCompiler::RunHloPasses(HloModule& module, const CompileOptions& options) {
  return RunGpuPipelines(module, options.target, options.debug_options, options.dump_pass);
}

StatusOr<std::unique_ptr<GpuExecutable>> AMDGPUCompiler::Compile(std::unique_ptr<HloModule> module,
                                                                 const CompileOptions& options, CompileReport* report) {
  RETURN_IF_ERROR(CheckTypes(*module));
  RETURN_IF_ERROR(RunHloPasses(*module, options));
  int threads = static_cast<int>(options.debug_options.xla_gpu_force_compilation_parallelism);
  ASSIGN_OR_RETURN(CompiledKernels kernels, CompileKernels(*module, options.target, threads, options.keep_stages));
  ASSIGN_OR_RETURN(BufferAssignment buffers, BufferAssignment::Create(*module));
  ASSIGN_OR_RETURN(std::unique_ptr<Thunk> thunks, EmitThunks(*module, buffers, kernels.launches));
  GpuExecutable::Parts parts{.module = std::move(module),
                             .target = options.target,
                             .code_object = std::move(kernels.code_object),
                             .buffers = std::move(buffers),
                             .thunks = std::move(thunks),
                             .max_loop_iterations = options.debug_options.rocxla_max_loop_iterations};
  for (const CompiledKernel& kernel : kernels.kernels) parts.kernels.push_back(kernel.info);
  auto executable = std::make_unique<GpuExecutable>(std::move(parts));
  if (report != nullptr) {
    *report = {.optimized_hlo = executable->module().ToString(),
               .buffer_assignment = executable->buffer_assignment().ToString(),
               .thunks = executable->ThunksToString(),
               .kernels = std::move(kernels.kernels)};
  }
  return executable;
}

}  // namespace xla::gpu
