// HloComputation: a graph of instructions with parameters and one root.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "xla/hlo/ir/hlo_instruction.h"

namespace xla {

// Owns its instructions. Not thread-safe; reading through const from several threads is.
class HloComputation {
 public:
  explicit HloComputation(std::string name) : name_(std::move(name)) {}
  ~HloComputation();
  HloComputation(const HloComputation&) = delete;
  HloComputation& operator=(const HloComputation&) = delete;

  const std::string& name() const { return name_; }
  HloModule* parent() const { return parent_; }
  bool IsEntryComputation() const;

  // Takes the instruction at the end of the list and gives it a name that no other one has: its own if it has one and
  // it is free, else that with a number behind it; the opcode's text if it has none. A parameter goes to its number's
  // place. The last instruction added is the root until set_root_instruction says otherwise.
  HloInstruction* AddInstruction(std::unique_ptr<HloInstruction> instruction);
  // The same, with a wish for the name.
  HloInstruction* AddInstruction(std::unique_ptr<HloInstruction> instruction, std::string_view name);
  bool HasInstructionNamed(std::string_view name) const { return names_.contains(name); }

  HloInstruction* root_instruction() const { return root_; }
  void set_root_instruction(HloInstruction* root) {
    root_ = root;
    root_is_set_ = true;
  }
  int64_t num_parameters() const { return static_cast<int64_t>(parameters_.size()); }
  // Null where a number is missing (the verifier rejects that).
  HloInstruction* parameter_instruction(int64_t i) const { return parameters_[i]; }
  const std::vector<HloInstruction*>& parameter_instructions() const { return parameters_; }
  ProgramShape ComputeProgramShape() const;

  int64_t instruction_count() const { return static_cast<int64_t>(instructions_.size() - removed_.size()); }
  // HloInstruction::index() is below this.
  int64_t instruction_index_limit() const { return static_cast<int64_t>(instructions_.size()); }
  // A snapshot in insertion order: adding and removing while iterating is fine.
  std::vector<HloInstruction*> instructions() const;
  // A snapshot in which operands and control predecessors precede their users. Not recursive. An instruction on a cycle
  // stands somewhere (the verifier rejects cycles).
  std::vector<HloInstruction*> MakeInstructionPostOrder() const;

  // Removes `instruction`, which must have no users and be neither the root nor a parameter. Its memory stays until
  // Cleanup, so that a pass may ask instructions of a snapshot whether they are marked as dead.
  Status RemoveInstruction(HloInstruction* instruction);
  // Removes it and whatever becomes dead by that, except parameters.
  Status RemoveInstructionAndUnusedOperands(HloInstruction* instruction);
  // Lets all users of `old_instruction` use `new_instruction` (of this computation, compatible shape), removes the old
  // one and what becomes dead. The new one inherits metadata if it has none.
  Status ReplaceInstruction(HloInstruction* old_instruction, HloInstruction* new_instruction);
  // The same with an instruction that is not added yet.
  Status ReplaceWithNewInstruction(HloInstruction* old_instruction, std::unique_ptr<HloInstruction> new_instruction);

  // Replaces `instructions` by one fusion that computes them in a new computation "fused_computation" of the module.
  //
  // They may stand in any order and must not contain parameters. Values used outside become the results: one gives the
  // fusion that shape; several give a tuple, read through get-tuple-element instructions. Fused constants are kept in.
  // FailedPrecondition if a path leaves the set and comes back, which would make a cycle.
  StatusOr<HloInstruction*> CreateFusionInstruction(std::span<HloInstruction* const> instructions, FusionKind kind);

  // Frees removed instructions and numbers the others anew. Pass pipelines do so after every pass.
  void Cleanup();

  // A copy named `name`; called computations are those of the original unless `replaced` says otherwise.
  std::unique_ptr<HloComputation> Clone(
      std::string name, const std::unordered_map<const HloComputation*, HloComputation*>& replaced = {}) const;

  std::string ToString() const;

 private:
  friend class HloModule;
  friend class HloInstruction;
  // Parameter numbers further than this beyond the number of instructions do not get a place in parameters_.
  static constexpr size_t kMaxParameterGap = 65536;

  std::string UniqueInstructionName(std::string wish);

  std::string name_;
  HloModule* parent_ = nullptr;
  std::vector<std::unique_ptr<HloInstruction>> instructions_;  // by index(); null where one was removed
  std::vector<std::unique_ptr<HloInstruction>> removed_;       // until Cleanup
  std::unordered_set<std::string_view> names_;                 // the instructions' own strings
  std::unordered_map<std::string, int64_t> name_counters_;     // while there is no module
  std::vector<HloInstruction*> parameters_;
  HloInstruction* root_ = nullptr;
  bool root_is_set_ = false;
};

}  // namespace xla
