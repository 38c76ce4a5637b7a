// The custom call `__gpu$xla.gpu.triton`: a kernel in Triton IR inside an HLO program, as Pallas writes it.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "xla/backends/gpu/codegen/fusion_emitter.h"

namespace xla::gpu {

bool IsTritonCall(const HloInstruction& instruction);

// What the call's backend_config says: a dictionary in MLIR's syntax, {name = "k", grid_x = 6 : i32, ir = "..."}.
struct TritonCallConfig {
  std::string name;
  std::string ir;  // Triton IR, as text or as MLIR bytecode
  std::array<int64_t, 3> grid{1, 1, 1};
  int num_warps = 4;
  int num_stages = 1;
};
// Errors: CompilerBadCustomCall, which names the instruction and the field.
StatusOr<TritonCallConfig> ParseTritonCallConfig(const HloInstruction& call);

// A result that begins as a copy of an operand (output_to_operand_aliasing; Pallas' input_output_aliases).
struct AliasedOperand {
  int64_t result = 0;
  int64_t operand = 0;
};
// Errors: CompilerBadCustomCall for numbers that the call does not have and for parts of operands.
StatusOr<std::vector<AliasedOperand>> AliasedOperandsOf(const HloInstruction& call);

// The kernel of a call: its Triton IR as text, with the kernel called `name`. Its arguments are one pointer per
// operand, then one per result (per element of a tuple). Errors: those of ParseTritonCallConfig, TritonSyntax.
StatusOr<TileKernel> EmitTritonCall(const HloInstruction& call, std::string_view name);

}  // namespace xla::gpu
