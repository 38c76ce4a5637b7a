#include "xla/backends/gpu/transforms/control_flow.h"

#include <algorithm>
#include <unordered_set>

namespace xla::gpu {
namespace {

bool RunsItsComputations(const HloInstruction& instruction) {
  return instruction.opcode() == HloOpcode::kWhile || instruction.opcode() == HloOpcode::kConditional ||
         instruction.opcode() == HloOpcode::kCall;
}

}  // namespace

std::vector<HloComputation*> ControlFlowComputations(const HloModule& module) {
  std::unordered_set<const HloComputation*> wanted{module.entry_computation()};
  std::vector<HloComputation*> order = module.MakeComputationPostOrder(), out;
  for (size_t i = order.size(); i-- > 0;) {  // callers first
    if (!wanted.contains(order[i])) continue;
    out.push_back(order[i]);
    for (const HloInstruction* instruction : order[i]->instructions()) {
      if (!RunsItsComputations(*instruction)) continue;
      for (const HloComputation* called : instruction->called_computations()) wanted.insert(called);
    }
  }
  std::reverse(out.begin(), out.end());
  return out;
}

}  // namespace xla::gpu
