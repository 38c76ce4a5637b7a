// The entry point through which PJRT plugins and JAX's Pallas compile Triton modules; names and shapes are upstream's.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"

namespace xla::triton {

// A code object in a file, which the caller owns: it stays until the caller removes it.
struct HsacoPath {
  std::string value;
};

struct CompilationResult {
  HsacoPath compiled;
  std::string kernel_name;
  int64_t smem_bytes = 0;                    // dynamic LDS to pass at launch
  std::array<int, 3> cluster_dims{1, 1, 1};  // no supported GPU has clusters of workgroups
  int threads_per_block = 0;                 // num_warps times the target's wave size
};

// Compiles a module with one kernel, Triton IR as text or as MLIR bytecode, for `arch_name` ("gfx942"; features such as
// "gfx942:sramecc+:xnack-" may follow) and writes the code object to a new file "xla_triton_XXXXXX.hsaco" in the
// directory for temporary files (TMPDIR, else /tmp). The file is created exclusively and readable by its owner only; on
// errors none is left behind. Thread safe.
//
// Errors: those of rocxla::triton::Compile; FileUnreadable if the file cannot be written.
rocxla::StatusOr<CompilationResult> Compile(std::string_view module, std::string_view arch_name, int num_warps,
                                            int num_ctas, int num_stages);

}  // namespace xla::triton
