#include "xla/hlo/ir/hlo_module.h"

#include <fmt/format.h>

#include <algorithm>

namespace xla {

bool HloModuleConfig::IsPrintedBeforeLayout(std::string_view attribute) {
  constexpr std::string_view kFirst[] = {"is_scheduled", "alias_passthrough_params", "input_output_alias",
                                         "buffer_donor"};
  return std::find(std::begin(kFirst), std::end(kFirst), attribute) != std::end(kFirst);
}

void HloModuleConfig::AddAttribute(std::string name, std::string value) {
  const auto comes_later = [](const auto& attribute) { return !IsPrintedBeforeLayout(attribute.first); };
  const auto place = IsPrintedBeforeLayout(name)
                         ? std::find_if(other_attributes.begin(), other_attributes.end(), comes_later)
                         : other_attributes.end();
  other_attributes.emplace(place, std::move(name), std::move(value));
}

HloModule::~HloModule() = default;

HloComputation* HloModule::Add(std::unique_ptr<HloComputation> computation) {
  std::string name = computation->name_;
  for (int64_t i = 1; !computation_names_.insert(name).second; ++i) name = fmt::format("{}.{}", computation->name_, i);
  computation->name_ = name;
  computation->parent_ = this;
  for (const std::string_view used : computation->names_) instruction_names_.emplace(used);
  computations_.push_back(std::move(computation));
  return computations_.back().get();
}

HloComputation* HloModule::AddEntryComputation(std::unique_ptr<HloComputation> computation) {
  entry_ = Add(std::move(computation));
  return entry_;
}

HloComputation* HloModule::AddEmbeddedComputation(std::unique_ptr<HloComputation> computation) {
  return Add(std::move(computation));
}

void HloModule::RemoveEmbeddedComputation(HloComputation* computation) {
  computation_names_.erase(computation->name());
  std::erase_if(computations_, [&](const auto& owned) { return owned.get() == computation; });
}

int64_t HloModule::RemoveUnusedComputations() {
  const std::vector<HloComputation*> used = MakeComputationPostOrder();
  const std::unordered_set<const HloComputation*> keep(used.begin(), used.end());
  for (const auto& computation : computations_) {
    if (!keep.contains(computation.get())) computation_names_.erase(computation->name());
  }
  return static_cast<int64_t>(
      std::erase_if(computations_, [&](const auto& owned) { return !keep.contains(owned.get()); }));
}

std::vector<HloComputation*> HloModule::computations() const {
  std::vector<HloComputation*> all;
  for (const auto& computation : computations_) all.push_back(computation.get());
  return all;
}

namespace {

// Depth-first over called computations, with the stack on the heap.
class CalleesFirst {
 public:
  void Visit(HloComputation* start) {
    Push(start);
    while (!stack_.empty()) {
      Frame& top = stack_.back();
      if (top.next == top.callees.size()) {
        order.push_back(top.computation);
        stack_.pop_back();
      } else {
        Push(top.callees[top.next++]);
      }
    }
  }
  std::vector<HloComputation*> order;

 private:
  struct Frame {
    HloComputation* computation;
    std::vector<HloComputation*> callees;
    size_t next = 0;
  };
  void Push(HloComputation* computation) {
    if (!seen_.insert(computation).second) return;
    Frame frame{computation, {}};
    for (const HloInstruction* instruction : computation->MakeInstructionPostOrder()) {
      const auto& called = instruction->called_computations();
      frame.callees.insert(frame.callees.end(), called.begin(), called.end());
    }
    stack_.push_back(std::move(frame));
  }
  std::unordered_set<const HloComputation*> seen_;
  std::vector<Frame> stack_;
};

}  // namespace

std::vector<HloComputation*> HloModule::MakeComputationPostOrder() const {
  CalleesFirst walk;
  if (entry_ != nullptr) walk.Visit(entry_);
  return std::move(walk.order);
}

std::vector<HloComputation*> HloModule::MakeComputationSorted() const {
  CalleesFirst walk;
  for (const auto& computation : computations_) walk.Visit(computation.get());
  return std::move(walk.order);
}

HloComputation* HloModule::FindComputation(std::string_view name) const {
  for (const auto& computation : computations_) {
    if (computation->name() == name) return computation.get();
  }
  return nullptr;
}

int64_t HloModule::instruction_count() const {
  int64_t count = 0;
  for (const auto& computation : computations_) count += computation->instruction_count();
  return count;
}

std::unique_ptr<HloModule> HloModule::Clone() const {
  auto clone = std::make_unique<HloModule>(name_);
  clone->config_ = config_;
  std::unordered_map<const HloComputation*, HloComputation*> clone_of;
  for (const HloComputation* computation : MakeComputationSorted()) {
    HloComputation* added = clone->Add(computation->Clone(computation->name(), clone_of));
    clone_of[computation] = added;
    if (computation == entry_) clone->entry_ = added;
  }
  return clone;
}

}  // namespace xla
