#include <unordered_map>
#include <vector>

#include "xla/hlo/transforms/passes.h"

namespace xla {
namespace {

// Puts a copy of the callee's body into the caller and lets the call's users use its root.
Status Inline(HloInstruction* call) {
  HloComputation* caller = call->parent();
  std::unordered_map<const HloInstruction*, HloInstruction*> copy_of;
  for (HloInstruction* instruction : call->to_apply()->MakeInstructionPostOrder()) {
    if (instruction->opcode() == HloOpcode::kParameter) {
      copy_of[instruction] = call->mutable_operand(instruction->parameter_number());
      continue;
    }
    std::vector<HloInstruction*> operands;
    for (const HloInstruction* operand : instruction->operands()) operands.push_back(copy_of.at(operand));
    HloInstruction* copy = caller->AddInstruction(instruction->CloneWithNewOperands(instruction->shape(), operands));
    for (const HloInstruction* before : instruction->control_predecessors()) {
      copy_of.at(before)->AddControlDependencyTo(copy);
    }
    copy_of[instruction] = copy;
  }
  call->ReplaceAllUsesWith(copy_of.at(call->to_apply()->root_instruction()));
  return caller->RemoveInstruction(call);
}

}  // namespace

StatusOr<Changed> CallInliner::Run(HloModule& module, const PassContext&) {
  Changed changed = Changed::kNo;
  // Callees come first, so that a body that is copied has no calls any more.
  for (HloComputation* computation : module.MakeComputationPostOrder()) {
    for (HloInstruction* instruction : computation->MakeInstructionPostOrder()) {
      if (instruction->opcode() != HloOpcode::kCall) continue;
      // What must run before or after the whole call would have to be tied to each part of its body.
      if (!instruction->control_predecessors().empty() || !instruction->control_successors().empty()) continue;
      RETURN_IF_ERROR(Inline(instruction));
      changed = Changed::kYes;
    }
  }
  if (changed == Changed::kYes) module.RemoveUnusedComputations();
  return changed;
}

}  // namespace xla
