// EmitFusion: one fusion -> one tile program (Triton IR text) and its launch.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "xla/backends/gpu/codegen/status.h"
#include "xla/hlo/ir/hlo_instruction.h"

namespace xla::gpu {

// A kernel before compilation. Its arguments are pointers: one per operand of the fusion, then one per output.
struct TileKernel {
  std::string name;
  std::string ttir;
  int num_warps = 4;
  std::array<int64_t, 3> grid{1, 1, 1};  // programs (blocks)
  bool num_warps_is_given = false;       // by the user's program: not a choice of ours
};

// Writes the kernel `name` for a fusion whose computation has one reduce, one dot or neither. All shapes are constants
// in the text, so equal texts are equal kernels. Errors: CompilerUnsupportedOpcode, CompilerUnsupportedType; they name
// the instruction.
StatusOr<TileKernel> EmitFusion(const HloInstruction& fusion, std::string_view name, const GpuTarget& target);

}  // namespace xla::gpu
