#include "xla/hlo/ir/hlo_computation.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "xla/hlo/ir/hlo_module.h"

namespace xla {

HloComputation::~HloComputation() {
  // All go together: nobody needs to leave the others' lists of users one by one.
  for (auto& instruction : instructions_) {
    if (instruction != nullptr) instruction->ForgetNeighbours();
  }
}

bool HloComputation::IsEntryComputation() const { return parent_ != nullptr && parent_->entry_computation() == this; }

std::string HloComputation::UniqueInstructionName(std::string wish) {
  const auto is_taken = [&](const std::string& name) {
    return names_.contains(std::string_view(name)) ||
           (parent_ != nullptr && parent_->instruction_names_.contains(name));
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
  added->index_ = instruction_index_limit();
  instructions_.push_back(std::move(instruction));
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
  for (const auto& instruction : instructions_) {
    if (instruction != nullptr) all.push_back(instruction.get());
  }
  return all;
}

namespace {

// Depth-first over operands and control predecessors, with the stack on the heap.
class PostOrderWalk {
 public:
  explicit PostOrderWalk(const HloComputation& computation)
      : computation_(computation), seen_(computation.instruction_index_limit()) {
    order.reserve(seen_.size());
  }
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
    if (MarkAsSeen(instruction)) stack_.emplace_back(instruction, 0);
  }
  // False if it was seen before.
  bool MarkAsSeen(const HloInstruction* instruction) {
    if (instruction->parent() != &computation_) return foreign_.insert(instruction).second;
    return !std::exchange(seen_[instruction->index()], 1);
  }
  const HloComputation& computation_;
  std::vector<char> seen_;                             // by index
  std::unordered_set<const HloInstruction*> foreign_;  // a mistake, which the verifier reports
  std::vector<std::pair<HloInstruction*, size_t>> stack_;
};

}  // namespace

std::vector<HloInstruction*> HloComputation::MakeInstructionPostOrder() const {
  PostOrderWalk walk(*this);
  // In insertion order, so that a list that is already sorted stays as it is.
  for (const auto& instruction : instructions_) {
    if (instruction != nullptr) walk.Visit(instruction.get());
  }
  return std::move(walk.order);
}

Status HloComputation::RemoveInstruction(HloInstruction* instruction) {
  if (instruction->parent() != this || instruction->user_count() != 0 || instruction == root_ ||
      instruction->opcode() == HloOpcode::kParameter) {
    return InternalError(
        fmt::format("instruction '{}' cannot be removed from computation '{}': it is used, the root, "
                    "a parameter or of another computation",
                    instruction->name(), name_));
  }
  names_.erase(instruction->name());
  instruction->DetachFromOperands();
  instruction->DropControlDependencies();
  instruction->parent_ = nullptr;
  instruction->is_marked_as_dead_ = true;
  removed_.push_back(std::move(instructions_[instruction->index()]));
  return OkStatus();
}

void HloComputation::Cleanup() {
  if (removed_.empty()) return;
  removed_.clear();
  std::erase(instructions_, nullptr);
  for (size_t i = 0; i < instructions_.size(); ++i) instructions_[i]->index_ = static_cast<int64_t>(i);
}

Status HloComputation::RemoveInstructionAndUnusedOperands(HloInstruction* instruction) {
  std::vector<HloInstruction*> dead = {instruction};
  while (!dead.empty()) {
    HloInstruction* next = dead.back();
    dead.pop_back();
    if (next->IsMarkedAsDead()) continue;
    const std::vector<HloInstruction*> operands = next->operands();
    RETURN_IF_ERROR(RemoveInstruction(next));
    for (HloInstruction* operand : operands) {
      if (!operand->IsMarkedAsDead() && operand->IsDead()) dead.push_back(operand);
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
