// What is known before the program runs: sizes of static shapes, the number of the only device; and what only tells
// the compiler something.
#include "xla/hlo/transforms/expanders/graph_writer.h"
#include "xla/hlo/transforms/passes.h"

namespace xla {
namespace {

HloInstruction* FirstDevice(GraphWriter& w) { return w.Constant(Literal::Scalar<uint32_t>(U32, 0)); }

// Null: the instruction stays.
HloInstruction* StaticValueOf(HloInstruction* instruction) {
  GraphWriter w(*instruction->parent());
  switch (instruction->opcode()) {
    case HloOpcode::kGetDimensionSize: {
      const int64_t size = instruction->operand(0)->shape().dimensions(instruction->dimensions()[0]);
      return w.Constant(Literal::Scalar<int32_t>(S32, static_cast<int32_t>(size)));
    }
    case HloOpcode::kPartitionId:
      return instruction->parent()->parent()->config().num_partitions == 1 ? FirstDevice(w) : nullptr;
    case HloOpcode::kReplicaId:
      return instruction->parent()->parent()->config().replica_count == 1 ? FirstDevice(w) : nullptr;
    case HloOpcode::kOptimizationBarrier:
    case HloOpcode::kDomain:         // of one device
    case HloOpcode::kAddDependency:  // kernels run in order
      return instruction->mutable_operand(0);
    case HloOpcode::kCustomCall:
      return instruction->custom_call_target() == "Sharding" && instruction->operand_count() == 1
                 ? instruction->mutable_operand(0)
                 : nullptr;
    default:
      return nullptr;
  }
}

}  // namespace

StatusOr<Changed> StaticValues::Run(HloModule& module, const PassContext&) {
  Changed changed = Changed::kNo;
  for (HloComputation* computation : module.MakeComputationPostOrder()) {
    for (HloInstruction* instruction : computation->MakeInstructionPostOrder()) {
      if (instruction->IsMarkedAsDead()) continue;
      HloInstruction* value = StaticValueOf(instruction);
      if (value == nullptr) continue;
      RETURN_IF_ERROR(ReplaceExpanded(instruction, value));
      changed = Changed::kYes;
    }
  }
  return changed;
}

}  // namespace xla
