#include "xla/backends/gpu/transforms/bitcast_moves.h"

#include "xla/backends/gpu/transforms/control_flow.h"

namespace xla::gpu {
namespace {

bool KeepsMemoryOrder(const HloInstruction& instruction) {
  const Shape& shape = instruction.shape();
  switch (instruction.opcode()) {
    case HloOpcode::kReshape: return ShapeUtil::ReshapeIsBitcast(instruction.operand(0)->shape(), shape);
    case HloOpcode::kTranspose:
      return ShapeUtil::TransposeIsBitcast(instruction.operand(0)->shape(), shape, instruction.dimensions());
    default: return false;
  }
}

}  // namespace

StatusOr<Changed> BitcastMoves::Run(HloModule& module, const PassContext&) {
  Changed changed = Changed::kNo;
  for (HloComputation* computation : ControlFlowComputations(module)) {
    for (HloInstruction* instruction : computation->MakeInstructionPostOrder()) {
      if (!KeepsMemoryOrder(*instruction)) continue;
      RETURN_IF_ERROR(computation->ReplaceWithNewInstruction(
          instruction, HloInstruction::CreateBitcast(instruction->shape(), instruction->mutable_operand(0))));
      changed = Changed::kYes;
    }
  }
  return changed;
}

}  // namespace xla::gpu
