// LLVM IR -> relocatable object, and objects -> code object. No MLIR here.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "base/target/target.h"

namespace llvm {
class Module;
}

namespace rocxla::triton {

struct GeneratedObject {
  std::vector<uint8_t> object;    // relocatable ELF
  std::string optimized_llvm_ir;  // with keep_text only
  std::string isa;
};
// Links the device libraries where they are called, optimises, and generates code object v5. Consumes the module's
// contents. LLVM's fatal errors ("Cannot select") and its diagnostics become TritonCodegen.
StatusOr<GeneratedObject> GenerateObject(llvm::Module& module, const GpuTarget& target, bool keep_text);

// Prepares a module for `target`: triple, data layout, code object version.
Status SetTarget(llvm::Module& module, const GpuTarget& target);

// What the metadata note of an object says of its one kernel.
struct KernelMetadata {
  int vgprs = 0, agprs = 0, sgprs = 0, vgpr_spills = 0, sgpr_spills = 0, scratch_bytes = 0, kernarg_bytes = 0;
  int static_lds_bytes = 0;
};
StatusOr<KernelMetadata> ReadKernelMetadata(std::span<const uint8_t> object);

}  // namespace rocxla::triton
