#include <fmt/format.h>

#include <unordered_map>
#include <vector>

#include "base/error_ids.h"
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

// Calls of calls may double at each level: a few lines of text can stand for more instructions than any memory holds.
// Counted before anything is copied; in double, which does not overflow here.
Status CheckInlinedSize(const HloModule& module) {
  constexpr double kMostInstructions = 1e6;
  std::unordered_map<const HloComputation*, double> size_of;
  for (const HloComputation* computation : module.MakeComputationPostOrder()) {
    double& size = size_of[computation];
    for (const HloInstruction* instruction : computation->instructions()) {
      size += instruction->opcode() == HloOpcode::kCall ? size_of.at(instruction->to_apply()) : 1;
    }
    if (size <= kMostInstructions) continue;
    return Error(rocxla::ErrorId::kCompilerModuleTooLarge,
                 {.what = "the calls of this module stand for too many instructions",
                  .where = fmt::format("computation '{}'", computation->name()),
                  .found = fmt::format("about {:.2g} instructions once every call is inlined", size),
                  .expected = fmt::format("at most {:.0f}", kMostInstructions),
                  .next = "Call the shared computation from a while loop, or make the program smaller."});
  }
  return OkStatus();
}

}  // namespace

StatusOr<Changed> CallInliner::Run(HloModule& module, const PassContext&) {
  RETURN_IF_ERROR(CheckInlinedSize(module));
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
