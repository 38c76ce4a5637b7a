// The driver of algebraic_rules.h: applies the rules until none fires.
#include <vector>

#include "xla/hlo/transforms/algebraic_rules.h"
#include "xla/hlo/transforms/passes.h"

namespace xla {
namespace {

// Every rule makes the graph smaller or moves towards one form, so few rounds do; the limit catches rules that fight.
constexpr int kMaxRounds = 100;

const std::vector<const RewriteRule*>& RulesFor(HloOpcode opcode) {
  static const auto* const table = [] {
    auto* rules = new std::vector<std::vector<const RewriteRule*>>(kHloOpcodeCount);
    for (const auto group : {ArithmeticRules(), MovementRules()}) {
      for (const RewriteRule& rule : group) (*rules)[static_cast<int>(rule.opcode)].push_back(&rule);
    }
    return rules;
  }();
  return (*table)[static_cast<int>(opcode)];
}

StatusOr<Changed> SimplifyInstruction(HloInstruction* instruction) {
  if (!instruction->control_predecessors().empty() || !instruction->control_successors().empty()) return Changed::kNo;
  for (const RewriteRule* rule : RulesFor(instruction->opcode())) {
    HloInstruction* replacement = rule->apply(*instruction);
    if (replacement == nullptr) continue;
    // Another layout is another value in memory; such a replacement would need a copy. Only rules that return an
    // instruction that was there before can get here: new ones take the instruction's shape.
    if (replacement->shape() != instruction->shape()) continue;
    RETURN_IF_ERROR(instruction->parent()->ReplaceInstruction(instruction, replacement));
    return Changed::kYes;
  }
  return Changed::kNo;
}

StatusOr<Changed> SimplifyOnce(HloComputation& computation) {
  Changed changed = Changed::kNo;
  // A replacement may take instructions with it that stand further on in the snapshot.
  for (HloInstruction* instruction : computation.MakeInstructionPostOrder()) {
    if (instruction->IsMarkedAsDead()) continue;
    ASSIGN_OR_RETURN(const Changed one, SimplifyInstruction(instruction));
    changed |= one;
  }
  return changed;
}

}  // namespace

StatusOr<Changed> AlgebraicSimplifier::Run(HloModule& module, const PassContext&) {
  Changed changed = Changed::kNo;
  for (HloComputation* computation : module.MakeComputationPostOrder()) {
    for (int round = 0; round < kMaxRounds; ++round) {
      ASSIGN_OR_RETURN(const Changed one, SimplifyOnce(*computation));
      changed |= one;
      if (one == Changed::kNo) break;
    }
  }
  if (changed == Changed::kYes) module.RemoveUnusedComputations();
  return changed;
}

}  // namespace xla
