// Which instructions of a computation are written to memory, and which exist only inside the kernels that need them.
#pragma once
#include <unordered_map>
#include <vector>

#include "xla/backends/gpu/codegen/status.h"
#include "xla/hlo/ir/hlo_computation.h"

namespace xla::gpu {

// What the compiler does with an opcode outside of fusions.
enum class KernelRole {
  kFused,    // becomes part of a kernel: elementwise operations, moves, reduce, dot
  kNoKernel  // parameters, tuples, control flow, array constants, bitcasts: no kernel; custom calls: one of their own
};
KernelRole KernelRoleOf(const HloInstruction& instruction);

// For every instruction with a kernel role: the instructions written to memory in whose kernels it is computed. One
// that is written to memory itself has exactly itself.
using FusionPlan = std::unordered_map<const HloInstruction*, std::vector<HloInstruction*>>;

// Producers move into all their consumers' kernels, from the root upwards, unless
//   - something that is no kernel needs their result (the caller, a tuple, a loop);
//   - they would be computed too often: in several kernels at some depth, or at several places of one;
//   - the kernel has a reduce or dot already, or its epilogue is more than elementwise;
//   - the consumer is a dot, which takes only moves and conversions of its operands.
// Deterministic: depends on the graph only.
FusionPlan PlanFusions(const HloComputation& computation);

}  // namespace xla::gpu
