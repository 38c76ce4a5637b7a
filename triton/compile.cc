#include "triton/compile.h"

#include "triton/amdgpu/codegen.h"
#include "triton/lower.h"

namespace rocxla::triton {
namespace {

KernelInfo InfoOf(const LoweredKernel& kernel, const CompileOptions& options, const KernelMetadata& metadata) {
  return {.name = kernel.name,
          .num_warps = options.num_warps,
          .num_ctas = options.num_ctas,
          .threads_per_block = options.num_warps * options.target.wave_size,
          .shared_bytes = kernel.shared_bytes,
          .vgprs = metadata.vgprs,
          .agprs = metadata.agprs,
          .sgprs = metadata.sgprs,
          .vgpr_spills = metadata.vgpr_spills,
          .sgpr_spills = metadata.sgpr_spills,
          .scratch_bytes = metadata.scratch_bytes,
          .kernarg_bytes = metadata.kernarg_bytes};
}

}  // namespace

StatusOr<KernelObject> CompileToObject(std::string_view ttir, std::string_view file_name,
                                       const CompileOptions& options) {
  ASSIGN_OR_RETURN(LoweredKernel kernel, Lower(ttir, file_name, options));
  ASSIGN_OR_RETURN(GeneratedObject generated, GenerateObject(*kernel.module, options.target, options.keep_stages));
  ASSIGN_OR_RETURN(KernelMetadata metadata, ReadKernelMetadata(generated.object));
  // Ours begins at LDS address 0, so LLVM must not have put anything there.
  if (metadata.static_lds_bytes) return InternalError("LLVM allocated LDS of its own");
  KernelObject result{InfoOf(kernel, options, metadata), std::move(generated.object), std::move(kernel.stages)};
  result.stages.llvm_ir_optimized = std::move(generated.optimized_llvm_ir);
  result.stages.isa = std::move(generated.isa);
  return result;
}

StatusOr<CompiledKernel> Compile(std::string_view ttir, std::string_view file_name, const CompileOptions& options) {
  ASSIGN_OR_RETURN(KernelObject object, CompileToObject(ttir, file_name, options));
  std::span<const uint8_t> bytes = object.object;
  ASSIGN_OR_RETURN(std::vector<uint8_t> code_object, LinkCodeObject({&bytes, 1}));
  return CompiledKernel{std::move(object.info), std::move(code_object), std::move(object.stages)};
}

}  // namespace rocxla::triton
