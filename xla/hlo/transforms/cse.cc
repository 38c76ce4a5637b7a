#include <algorithm>
#include <functional>
#include <unordered_map>
#include <vector>

#include "xla/hlo/ir/hlo_equality.h"
#include "xla/hlo/transforms/passes.h"

namespace xla {
namespace {

// Equal for expressions that SameExpression finds equal.
size_t HashOf(const HloInstruction& instruction) {
  size_t hash = static_cast<size_t>(instruction.opcode());
  const auto mix = [&](size_t value) { hash = (hash ^ value) * 0x9e3779b97f4a7c15u; };
  mix(instruction.shape().element_type());
  for (int64_t size : instruction.shape().dimensions()) mix(static_cast<size_t>(size));
  // Summed, so that the order of commuting operands does not matter.
  size_t operands = 0;
  for (const HloInstruction* operand : instruction.operands()) operands += std::hash<const void*>()(operand);
  mix(operands);
  if (instruction.opcode() == HloOpcode::kConstant) {
    for (uint8_t byte : instruction.literal().bytes()) mix(byte);
  }
  return hash;
}

bool MayBeMerged(const HloInstruction& instruction) {
  return instruction.opcode() != HloOpcode::kParameter && instruction.control_predecessors().empty() &&
         instruction.control_successors().empty() && !instruction.HasSideEffect();
}

StatusOr<Changed> RunOn(HloComputation& computation) {
  Changed changed = Changed::kNo;
  std::unordered_map<size_t, std::vector<HloInstruction*>> seen;
  for (HloInstruction* instruction : computation.MakeInstructionPostOrder()) {
    if (!MayBeMerged(*instruction)) continue;
    std::vector<HloInstruction*>& alike = seen[HashOf(*instruction)];
    const auto first = std::find_if(alike.begin(), alike.end(), [&](const HloInstruction* earlier) {
      return SameExpression(*earlier, *instruction);
    });
    if (first == alike.end()) {
      alike.push_back(instruction);
      continue;
    }
    instruction->ReplaceAllUsesWith(*first);
    RETURN_IF_ERROR(computation.RemoveInstruction(instruction));
    changed = Changed::kYes;
  }
  return changed;
}

}  // namespace

StatusOr<Changed> HloCse::Run(HloModule& module, const PassContext&) {
  Changed changed = Changed::kNo;
  for (HloComputation* computation : module.MakeComputationPostOrder()) {
    ASSIGN_OR_RETURN(const Changed one, RunOn(*computation));
    changed |= one;
  }
  if (changed == Changed::kYes) module.RemoveUnusedComputations();
  return changed;
}

}  // namespace xla
