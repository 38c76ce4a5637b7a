// HloModule: computations with one entry, and the settings that the module's text carries.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "xla/hlo/ir/hlo_computation.h"

namespace xla {

struct HloModuleConfig {
  int64_t replica_count = 1;
  int64_t num_partitions = 1;
  // Layouts of the entry's parameters and result as the text declares them; absent: those of the instructions.
  std::optional<ProgramShape> entry_computation_layout;
  // Every other attribute of the HloModule line, verbatim and in the order of the text: {"is_scheduled", "true"}, ...
  std::vector<std::pair<std::string, std::string>> other_attributes;
  // Adds one behind those that are there; but those that upstream prints before entry_computation_layout come first.
  void AddAttribute(std::string name, std::string value);
  static bool IsPrintedBeforeLayout(std::string_view attribute);
  // FileNames, FunctionNames, FileLocations and StackFrames blocks, verbatim.
  std::string stack_frame_tables;
  bool operator==(const HloModuleConfig&) const = default;
};

// Owns its computations. Not thread-safe; reading through const from several threads is.
class HloModule {
 public:
  explicit HloModule(std::string name) : name_(std::move(name)) {}
  ~HloModule();
  HloModule(const HloModule&) = delete;
  HloModule& operator=(const HloModule&) = delete;

  const std::string& name() const { return name_; }
  const HloModuleConfig& config() const { return config_; }
  HloModuleConfig& mutable_config() { return config_; }

  // The name is made unique by a number behind it.
  HloComputation* AddEntryComputation(std::unique_ptr<HloComputation> computation);
  HloComputation* AddEmbeddedComputation(std::unique_ptr<HloComputation> computation);
  // Null in a module that has none yet.
  HloComputation* entry_computation() const { return entry_; }
  // The computation must be called by nobody.
  void RemoveEmbeddedComputation(HloComputation* computation);
  // Removes all that the entry does not reach; returns how many.
  int64_t RemoveUnusedComputations();

  // A snapshot in insertion order.
  std::vector<HloComputation*> computations() const;
  int64_t computation_count() const { return static_cast<int64_t>(computations_.size()); }
  // Callees before callers, only what the entry reaches.
  std::vector<HloComputation*> MakeComputationPostOrder() const;
  // Callees before callers, all of them; an order that is right already stays.
  std::vector<HloComputation*> MakeComputationSorted() const;
  HloComputation* FindComputation(std::string_view name) const;  // null if there is none
  int64_t instruction_count() const;

  std::unique_ptr<HloModule> Clone() const;
  // The text of the module; parses back to an equal one.
  std::string ToString() const;

 private:
  friend class HloComputation;
  HloComputation* Add(std::unique_ptr<HloComputation> computation);

  std::string name_;
  HloModuleConfig config_;
  std::vector<std::unique_ptr<HloComputation>> computations_;
  HloComputation* entry_ = nullptr;
  std::unordered_set<std::string> computation_names_;
  std::unordered_map<std::string, int64_t> name_counters_;  // base name -> last number given
  std::unordered_set<std::string> instruction_names_;       // all ever used, so that new names are unique in the module
};

}  // namespace xla
