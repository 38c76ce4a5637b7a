#include <algorithm>

#include "xla/hlo/transforms/passes.h"

namespace xla {

StatusOr<Changed> HloDce::Run(HloModule& module, const PassContext&) {
  Changed changed = Changed::kNo;
  if (module.RemoveUnusedComputations() > 0) changed = Changed::kYes;
  for (HloComputation* computation : module.computations()) {
    std::vector<HloInstruction*> order = computation->MakeInstructionPostOrder();
    std::reverse(order.begin(), order.end());
    for (HloInstruction* instruction : order) {
      if (!instruction->IsDead()) continue;
      RETURN_IF_ERROR(computation->RemoveInstruction(instruction));
      changed = Changed::kYes;
    }
  }
  // A removed call may have been the last one.
  if (module.RemoveUnusedComputations() > 0) changed = Changed::kYes;
  return changed;
}

}  // namespace xla
