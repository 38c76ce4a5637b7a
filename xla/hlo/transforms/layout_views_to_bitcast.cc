#include "xla/hlo/transforms/passes.h"

namespace xla {
namespace {

// True if the result is the operand's bytes, read with other dimensions.
bool IsLayoutView(const HloInstruction& instruction) {
  const Shape& result = instruction.shape();
  switch (instruction.opcode()) {
    case HloOpcode::kReshape:
      return ShapeUtil::ReshapeIsBitcast(instruction.operand(0)->shape(), result);
    case HloOpcode::kTranspose:
      return ShapeUtil::TransposeIsBitcast(instruction.operand(0)->shape(), result, instruction.dimensions());
    default:
      return false;
  }
}

}  // namespace

StatusOr<Changed> LayoutViewsToBitcast::Run(HloModule& module, const PassContext&) {
  Changed changed = Changed::kNo;
  for (HloComputation* computation : module.MakeComputationPostOrder()) {
    for (HloInstruction* instruction : computation->MakeInstructionPostOrder()) {
      if (!IsLayoutView(*instruction)) continue;
      // A view of a view is one view of the first.
      HloInstruction* source = instruction->mutable_operand(0);
      while (source->opcode() == HloOpcode::kBitcast) source = source->mutable_operand(0);
      RETURN_IF_ERROR(computation->ReplaceWithNewInstruction(
          instruction, HloInstruction::CreateBitcast(instruction->shape(), source)));
      changed = Changed::kYes;
    }
  }
  return changed;
}

}  // namespace xla
