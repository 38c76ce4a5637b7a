// Operations in two halves, where nothing runs beside them: the first half does nothing, the second all the work.
#include <memory>

#include "xla/hlo/transforms/passes.h"

namespace xla {
namespace {

bool HasControlDependencies(const HloInstruction& instruction) {
  return !instruction.control_predecessors().empty() || !instruction.control_successors().empty();
}

// A copy of the array that copy-start was given; null if `done` does not wait for one.
std::unique_ptr<HloInstruction> CopyOf(HloInstruction* done) {
  HloInstruction* start = done->mutable_operand(0);
  if (start->opcode() != HloOpcode::kCopyStart || HasControlDependencies(*start)) return nullptr;
  return HloInstruction::CreateUnary(done->shape(), HloOpcode::kCopy, start->mutable_operand(0));
}

// A call of what async-start would begin.
std::unique_ptr<HloInstruction> CallOf(HloInstruction* done) {
  HloInstruction* start = done->mutable_operand(0);
  while (start->opcode() == HloOpcode::kAsyncUpdate && !HasControlDependencies(*start)) {
    start = start->mutable_operand(0);
  }
  if (start->opcode() != HloOpcode::kAsyncStart || HasControlDependencies(*start)) return nullptr;
  HloComputation* called = start->attributes().Get<HloComputation*>(AttributeId::kCalls);
  return HloInstruction::CreateCall(done->shape(), start->operands(), called);
}

}  // namespace

StatusOr<Changed> AsyncToSync::Run(HloModule& module, const PassContext& context) {
  Changed changed = Changed::kNo;
  for (HloComputation* computation : module.MakeComputationPostOrder()) {
    for (HloInstruction* done : computation->MakeInstructionPostOrder()) {
      const bool is_copy = done->opcode() == HloOpcode::kCopyDone;
      if ((!is_copy && done->opcode() != HloOpcode::kAsyncDone) || HasControlDependencies(*done)) continue;
      std::unique_ptr<HloInstruction> whole = is_copy ? CopyOf(done) : CallOf(done);
      if (whole == nullptr) continue;
      done->ReplaceAllUsesWith(computation->AddInstruction(std::move(whole)));
      changed = Changed::kYes;
    }
  }
  if (changed == Changed::kYes) RETURN_IF_ERROR(HloDce().Run(module, context).status());
  return changed;
}

}  // namespace xla
