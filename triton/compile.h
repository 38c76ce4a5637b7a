// Triton IR -> AMD GPU code object, in this process.
//
//   Triton IR -> MLIR (triton/dialect) -> layout plan (triton/plan) -> LLVM IR (triton/lowering) -> object
//   (triton/amdgpu)
//
// Plain C++: neither LLVM nor MLIR shows here. Every function is thread safe, keeps no reference to its arguments, and
// is deterministic: equal arguments give equal bytes, whatever else the process does.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "base/target/target.h"

namespace rocxla::triton {

struct CompileOptions {
  GpuTarget target;
  int num_warps = 4;         // a power of two; num_warps * wave_size <= max_block_threads
  int num_ctas = 1;          // only 1: no supported target has clusters
  int num_stages = 2;        // 0 or more; loops are not pipelined yet
  bool keep_stages = false;  // fill KernelObject::stages; costs a second run of the code generator
};

// What a launcher and a report need. Register counts are those of the code object's metadata: on gfx90a and later
// `vgprs` counts accumulation registers too.
struct KernelInfo {
  std::string name;
  int num_warps = 0;
  int num_ctas = 1;
  int threads_per_block = 0;  // the block is (threads_per_block, 1, 1)
  int shared_bytes = 0;       // dynamic LDS to pass at launch; the kernel has no static LDS
  std::array<int, 3> cluster_dims{1, 1, 1};
  int vgprs = 0;
  int agprs = 0;
  int sgprs = 0;
  int vgpr_spills = 0;
  int sgpr_spills = 0;
  int scratch_bytes = 0;  // per lane
  int kernarg_bytes = 0;
};

// The program after each step, as text.
struct Stages {
  std::string ttir;               // after the Triton IR passes
  std::string plan;               // every tensor with the layouts in which it exists
  std::string llvm_ir;            // as emitted
  std::string llvm_ir_optimized;  // what the code generator got
  std::string isa;                // assembly
};

struct KernelObject {
  KernelInfo info;
  std::vector<uint8_t> object;  // relocatable ELF with one kernel
  Stages stages;                // empty without CompileOptions::keep_stages
};

// Compiles the one public tt.func of a module, text or MLIR bytecode. `file_name` names it in messages.
//
// Kernel arguments are those of the tt.func, in order and naturally aligned (pointers 8 bytes, integers and floats
// their own size); nothing is appended. A kernel with tt.get_num_programs also reads code object v5's hidden block
// counts.
//
// Errors: TritonSyntax (parsing or verification, with line:column), TritonUnsupportedOp, TritonUnknownTarget,
// TritonBadOption, TritonOutOfSharedMemory, TritonCodegen.
StatusOr<KernelObject> CompileToObject(std::string_view ttir, std::string_view file_name,
                                       const CompileOptions& options);

// A kernel as text.
struct KernelText {
  std::string text;
  int arguments = 0;
};
// Reads a module with one kernel, text or MLIR bytecode (of any version of Triton that we know), and writes it as text,
// with the kernel called `name`. Errors: TritonSyntax, TritonUnsupportedOp, as above.
StatusOr<KernelText> ReadKernelText(std::string_view module, std::string_view file_name, std::string_view name);

// Links relocatable objects for one target into a loadable code object. Kernel names must be distinct. One call at a
// time is served, and none while kernels are being compiled (the linker resets LLVM's process-wide options). Errors:
// TritonCodegen with the linker's text.
StatusOr<std::vector<uint8_t>> LinkCodeObject(std::span<const std::span<const uint8_t>> objects);

struct CompiledKernel {
  KernelInfo info;
  std::vector<uint8_t> code_object;
  Stages stages;
};
// Both of the above.
StatusOr<CompiledKernel> Compile(std::string_view ttir, std::string_view file_name, const CompileOptions& options);

}  // namespace rocxla::triton
