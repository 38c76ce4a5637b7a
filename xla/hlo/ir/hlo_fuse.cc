// HloComputation::CreateFusionInstruction.
#include <fmt/format.h>

#include <algorithm>

#include "xla/hlo/ir/hlo_module.h"

namespace xla {
namespace {

using InstructionSet = std::unordered_set<const HloInstruction*>;

bool HasOutsideUse(const HloInstruction* instruction, const InstructionSet& set) {
  if (instruction->IsRoot()) return true;
  return std::any_of(instruction->users().begin(), instruction->users().end(),
                     [&](const HloInstruction* user) { return !set.contains(user); });
}

// True if an operand of the set that stands outside depends on a member of the set.
bool LeavesAndComesBack(const std::vector<HloInstruction*>& members, const InstructionSet& set) {
  InstructionSet seen;
  std::vector<const HloInstruction*> pending;
  for (const HloInstruction* member : members) {
    for (const HloInstruction* operand : member->operands()) {
      if (!set.contains(operand)) pending.push_back(operand);
    }
  }
  while (!pending.empty()) {
    const HloInstruction* next = pending.back();
    pending.pop_back();
    if (!seen.insert(next).second) continue;
    for (const auto* inputs : {&next->operands(), &next->control_predecessors()}) {
      for (const HloInstruction* input : *inputs) {
        if (set.contains(input)) return true;
        pending.push_back(input);
      }
    }
  }
  return false;
}

Status CheckFusible(const HloComputation& computation, const std::vector<HloInstruction*>& members,
                    const InstructionSet& set) {
  const auto refuse = [&](std::string_view why) {
    return rocxla::FailedPreconditionError(fmt::format("cannot fuse in computation '{}': {}", computation.name(), why));
  };
  if (members.empty() || members.size() != set.size()) {
    return refuse("the set is empty, or has a member of another computation");
  }
  for (const HloInstruction* member : members) {
    if (member->opcode() == HloOpcode::kParameter) return refuse("a parameter cannot be fused: " + member->name());
    if (!member->control_predecessors().empty() || !member->control_successors().empty()) {
      return refuse("it has control dependencies: " + member->name());
    }
  }
  if (LeavesAndComesBack(members, set)) return refuse("a path leaves the set and comes back, which makes a cycle");
  return OkStatus();
}

// The body of a fusion, and which instructions it takes and gives.
struct FusionBody {
  std::unique_ptr<HloComputation> computation = std::make_unique<HloComputation>("fused_computation");
  std::vector<HloInstruction*> inputs;
  std::vector<HloInstruction*> outputs;
};

FusionBody BuildBody(const std::vector<HloInstruction*>& members, const InstructionSet& set) {
  FusionBody body;
  std::unordered_map<const HloInstruction*, HloInstruction*> inside;
  const auto value_of = [&](HloInstruction* operand) {
    auto [it, is_new] = inside.try_emplace(operand, nullptr);
    if (is_new) {
      const auto number = static_cast<int64_t>(body.inputs.size());
      it->second = body.computation->AddInstruction(
          HloInstruction::CreateParameter(number, operand->shape(), fmt::format("param_{}", number)));
      body.inputs.push_back(operand);
    }
    return it->second;
  };
  for (HloInstruction* member : members) {
    std::vector<HloInstruction*> operands;
    for (HloInstruction* operand : member->operands()) operands.push_back(value_of(operand));
    inside[member] = body.computation->AddInstruction(member->CloneWithNewOperands(member->shape(), operands));
    if (HasOutsideUse(member, set)) body.outputs.push_back(member);
  }
  std::vector<HloInstruction*> results;
  for (const HloInstruction* output : body.outputs) results.push_back(inside.at(output));
  HloInstruction* root = nullptr;
  if (results.size() == 1) root = results[0];
  if (root == nullptr) root = body.computation->AddInstruction(HloInstruction::CreateTuple(results));
  body.computation->set_root_instruction(root);
  return body;
}

}  // namespace

StatusOr<HloInstruction*> HloComputation::CreateFusionInstruction(std::span<HloInstruction* const> instructions,
                                                                  FusionKind kind) {
  const InstructionSet set(instructions.begin(), instructions.end());
  std::vector<HloInstruction*> members;
  for (HloInstruction* instruction : MakeInstructionPostOrder()) {
    if (set.contains(instruction)) members.push_back(instruction);
  }
  RETURN_IF_ERROR(CheckFusible(*this, members, set));

  FusionBody body = BuildBody(members, set);
  HloComputation* fused = parent_->AddEmbeddedComputation(std::move(body.computation));
  HloInstruction* fusion =
      AddInstruction(HloInstruction::CreateFusion(fused->root_instruction()->shape(), kind, body.inputs, fused));
  if (body.outputs.size() == 1) {
    fusion->set_metadata(body.outputs[0]->metadata());
    body.outputs[0]->ReplaceAllUsesWith(fusion);
  }
  for (size_t i = 0; body.outputs.size() > 1 && i < body.outputs.size(); ++i) {
    // Uses inside the set are redirected too; those instructions go away below.
    body.outputs[i]->ReplaceAllUsesWith(
        AddInstruction(HloInstruction::CreateGetTupleElement(fusion, static_cast<int64_t>(i))));
  }
  std::reverse(members.begin(), members.end());
  for (HloInstruction* member : members) RETURN_IF_ERROR(RemoveInstruction(member));
  return fusion;
}

}  // namespace xla
