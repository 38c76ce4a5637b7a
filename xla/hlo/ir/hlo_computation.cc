#include "xla/hlo/ir/hlo_computation.h"

#include <fmt/format.h>

#include <algorithm>

#include "xla/hlo/ir/hlo_module.h"

namespace xla {

HloComputation::~HloComputation() {
  // Users before operands, whatever the order in the list.
  for (auto& instruction : instructions_) {
    instruction->DetachFromOperands();
    instruction->DropControlDependencies();
  }
}

bool HloComputation::IsEntryComputation() const { return parent_ != nullptr && parent_->entry_computation() == this; }

std::string HloComputation::UniqueInstructionName(std::string wish) {
  const auto is_taken = [&](const std::string& name) {
    return names_.contains(name) || (parent_ != nullptr && parent_->instruction_names_.contains(name));
  };
  if (!is_taken(wish)) return wish;
  // "add.3" gives "add.4", not "add.3.1".
  const size_t dot = wish.rfind('.');
  if (dot != std::string::npos && dot + 1 < wish.size() &&
      wish.find_first_not_of("0123456789", dot + 1) == std::string::npos) {
    wish.resize(dot);
  }
  std::string name;
  auto& counters = parent_ != nullptr ? parent_->name_counters_ : name_counters_;
  do {
    name = fmt::format("{}.{}", wish, ++counters[wish]);
  } while (is_taken(name));
  return name;
}

HloInstruction* HloComputation::AddInstruction(std::unique_ptr<HloInstruction> instruction) {
  const std::string wish = instruction->name();
  return AddInstruction(std::move(instruction), wish);
}

HloInstruction* HloComputation::AddInstruction(std::unique_ptr<HloInstruction> instruction, std::string_view name) {
  HloInstruction* added = instruction.get();
  added->name_ = UniqueInstructionName(std::string(name.empty() ? HloOpcodeString(added->opcode()) : name));
  added->parent_ = this;
  names_.insert(added->name_);
  if (parent_ != nullptr) parent_->instruction_names_.insert(added->name_);
  instructions_.push_back(std::move(instruction));
  positions_[added] = std::prev(instructions_.end());
  if (added->opcode() == HloOpcode::kParameter && added->parameter_number() >= 0) {
    const auto number = static_cast<size_t>(added->parameter_number());
    // A wild number leaves the parameter out of the table; the verifier reports it.
    if (number < instructions_.size() + parameters_.size() + kMaxParameterGap) {
      if (number >= parameters_.size()) parameters_.resize(number + 1, nullptr);
      if (parameters_[number] == nullptr) parameters_[number] = added;
    }
  }
  if (!root_is_set_) root_ = added;
  return added;
}

ProgramShape HloComputation::ComputeProgramShape() const {
  ProgramShape shape;
  for (const HloInstruction* parameter : parameters_) {
    shape.parameters.push_back(parameter == nullptr ? Shape() : parameter->shape());
  }
  if (root_ != nullptr) shape.result = root_->shape();
  return shape;
}

std::vector<HloInstruction*> HloComputation::instructions() const {
  std::vector<HloInstruction*> all;
  all.reserve(instructions_.size());
  for (const auto& instruction : instructions_) all.push_back(instruction.get());
  return all;
}

namespace {

// Depth-first over operands and control predecessors, with the stack on the heap.
class PostOrderWalk {
 public:
  void Visit(HloInstruction* start) {
    Push(start);
    while (!stack_.empty()) {
      auto& [instruction, next] = stack_.back();
      const size_t operands = instruction->operands().size();
      if (next < operands) {
        Push(instruction->operands()[next++]);
      } else if (next < operands + instruction->control_predecessors().size()) {
        Push(instruction->control_predecessors()[next++ - operands]);
      } else {
        order.push_back(instruction);
        stack_.pop_back();
      }
    }
  }
  std::vector<HloInstruction*> order;

 private:
  void Push(HloInstruction* instruction) {
    if (seen_.insert(instruction).second) stack_.emplace_back(instruction, 0);
  }
  std::unordered_set<const HloInstruction*> seen_;
  std::vector<std::pair<HloInstruction*, size_t>> stack_;
};

}  // namespace

std::vector<HloInstruction*> HloComputation::MakeInstructionPostOrder() const {
  PostOrderWalk walk;
  walk.order.reserve(instructions_.size());
  // In insertion order, so that a list that is already sorted stays as it is.
  for (const auto& instruction : instructions_) walk.Visit(instruction.get());
  return std::move(walk.order);
}

void HloComputation::Erase(HloInstruction* instruction) {
  const auto position = positions_.find(instruction);
  names_.erase(instruction->name());
  const auto in_list = position->second;
  positions_.erase(position);
  instructions_.erase(in_list);
}

Status HloComputation::RemoveInstruction(HloInstruction* instruction) {
  if (instruction->parent() != this || instruction->user_count() != 0 || instruction == root_ ||
      instruction->opcode() == HloOpcode::kParameter) {
    return InternalError(
        fmt::format("instruction '{}' cannot be removed from computation '{}': it is used, the root, "
                    "a parameter or of another computation",
                    instruction->name(), name_));
  }
  Erase(instruction);
  return OkStatus();
}

Status HloComputation::RemoveInstructionAndUnusedOperands(HloInstruction* instruction) {
  std::vector<HloInstruction*> dead = {instruction};
  std::unordered_set<const HloInstruction*> removed;
  while (!dead.empty()) {
    HloInstruction* next = dead.back();
    dead.pop_back();
    if (!removed.insert(next).second) continue;
    const std::vector<HloInstruction*> operands = next->operands();
    RETURN_IF_ERROR(RemoveInstruction(next));
    for (HloInstruction* operand : operands) {
      if (!removed.contains(operand) && operand->IsDead()) dead.push_back(operand);
    }
  }
  return OkStatus();
}

Status HloComputation::ReplaceInstruction(HloInstruction* old_instruction, HloInstruction* new_instruction) {
  if (!ShapeUtil::Compatible(old_instruction->shape(), new_instruction->shape())) {
    return InternalError(fmt::format("'{}' of shape {} cannot replace '{}' of shape {}", new_instruction->name(),
                                     new_instruction->shape().ToString(), old_instruction->name(),
                                     old_instruction->shape().ToString()));
  }
  if (new_instruction->metadata().empty()) new_instruction->set_metadata(old_instruction->metadata());
  old_instruction->ReplaceAllUsesWith(new_instruction);
  if (!old_instruction->IsDead()) return OkStatus();
  return RemoveInstructionAndUnusedOperands(old_instruction);
}

Status HloComputation::ReplaceWithNewInstruction(HloInstruction* old_instruction,
                                                 std::unique_ptr<HloInstruction> new_instruction) {
  return ReplaceInstruction(old_instruction, AddInstruction(std::move(new_instruction)));
}

std::unique_ptr<HloComputation> HloComputation::Clone(
    std::string name, const std::unordered_map<const HloComputation*, HloComputation*>& replaced) const {
  auto clone = std::make_unique<HloComputation>(std::move(name));
  std::unordered_map<const HloInstruction*, HloInstruction*> clone_of;
  const auto computation_for = [&](HloComputation* called) {
    const auto it = replaced.find(called);
    return it == replaced.end() ? called : it->second;
  };
  for (const HloInstruction* instruction : MakeInstructionPostOrder()) {
    std::vector<HloInstruction*> operands;
    for (const HloInstruction* operand : instruction->operands()) operands.push_back(clone_of.at(operand));
    HloInstruction* copy = clone->AddInstruction(instruction->CloneWithNewOperands(instruction->shape(), operands));
    for (const auto& [id, value] : instruction->attributes().entries()) {
      if (auto* const* one = std::get_if<HloComputation*>(&value)) copy->SetAttribute(id, computation_for(*one));
      if (const auto* list = std::get_if<std::vector<HloComputation*>>(&value)) {
        std::vector<HloComputation*> mapped;
        for (HloComputation* called : *list) mapped.push_back(computation_for(called));
        copy->SetAttribute(id, std::move(mapped));
      }
    }
    for (const HloInstruction* before : instruction->control_predecessors()) {
      clone_of.at(before)->AddControlDependencyTo(copy);
    }
    clone_of[instruction] = copy;
  }
  clone->set_root_instruction(clone_of.at(root_));
  return clone;
}

}  // namespace xla
