#include "xla/hlo/ir/hlo_equality.h"

#include <algorithm>
#include <set>

namespace xla {
namespace {

// Everything but operands and called computations.
bool SamePayload(const HloInstruction& a, const HloInstruction& b) {
  if (a.opcode() != b.opcode() || a.shape() != b.shape() || a.parameter_number() != b.parameter_number()) return false;
  if (a.raw_backend_config() != b.raw_backend_config()) return false;
  return a.opcode() != HloOpcode::kConstant || a.literal() == b.literal();
}

bool IsComputation(const AttributeValue& value) {
  return std::holds_alternative<HloComputation*>(value) || std::holds_alternative<std::vector<HloComputation*>>(value);
}

// Attributes without the computations, whose number and roles must agree.
bool SamePlainAttributes(const AttributeSet& a, const AttributeSet& b) {
  return std::equal(a.entries().begin(), a.entries().end(), b.entries().begin(), b.entries().end(),
                    [](const AttributeSet::Entry& x, const AttributeSet::Entry& y) {
                      if (x.first != y.first) return false;
                      return IsComputation(x.second) ? IsComputation(y.second) : x.second == y.second;
                    });
}

class Comparison {
 public:
  explicit Comparison(CompareNames names) : names_(names) {}

  bool Computations(const HloComputation& a, const HloComputation& b) {
    if (&a == &b || equal_.contains({&a, &b})) return true;
    const std::vector<HloInstruction*> order_a = a.MakeInstructionPostOrder();
    const std::vector<HloInstruction*> order_b = b.MakeInstructionPostOrder();
    if (order_a.size() != order_b.size()) return false;
    if (names_ == CompareNames::kYes && a.name() != b.name()) return false;
    std::unordered_map<const HloInstruction*, const HloInstruction*> partner;
    for (size_t i = 0; i < order_a.size(); ++i) {
      if (!Instructions(*order_a[i], *order_b[i], partner)) return false;
      partner[order_a[i]] = order_b[i];
    }
    if (partner[a.root_instruction()] != b.root_instruction()) return false;
    equal_.insert({&a, &b});
    return true;
  }

 private:
  using Partners = std::unordered_map<const HloInstruction*, const HloInstruction*>;

  bool Instructions(const HloInstruction& a, const HloInstruction& b, Partners& partner) {
    if (!SamePayload(a, b) || !SamePlainAttributes(a.attributes(), b.attributes())) return false;
    if (names_ == CompareNames::kYes && (a.name() != b.name() || a.metadata() != b.metadata())) return false;
    const auto are_partners = [&](const HloInstruction* x, const HloInstruction* y) { return partner[x] == y; };
    const auto same = [&](const std::vector<HloInstruction*>& x, const std::vector<HloInstruction*>& y) {
      return std::equal(x.begin(), x.end(), y.begin(), y.end(), are_partners);
    };
    if (!same(a.operands(), b.operands()) || !same(a.control_predecessors(), b.control_predecessors())) return false;
    return std::equal(a.called_computations().begin(), a.called_computations().end(), b.called_computations().begin(),
                      b.called_computations().end(),
                      [&](const HloComputation* x, const HloComputation* y) { return Computations(*x, *y); });
  }

  const CompareNames names_;
  std::set<std::pair<const HloComputation*, const HloComputation*>> equal_;
};

}  // namespace

bool Equal(const HloComputation& a, const HloComputation& b, CompareNames names) {
  return Comparison(names).Computations(a, b);
}

bool Equal(const HloModule& a, const HloModule& b, CompareNames names) {
  if (a.config() != b.config()) return false;
  if ((a.entry_computation() == nullptr) != (b.entry_computation() == nullptr)) return false;
  Comparison comparison(names);
  if (names == CompareNames::kYes) {
    const std::vector<HloComputation*> all_a = a.MakeComputationSorted();
    const std::vector<HloComputation*> all_b = b.MakeComputationSorted();
    const auto same = [&](const HloComputation* x, const HloComputation* y) { return comparison.Computations(*x, *y); };
    if (a.name() != b.name() || !std::equal(all_a.begin(), all_a.end(), all_b.begin(), all_b.end(), same)) return false;
  }
  return a.entry_computation() == nullptr || comparison.Computations(*a.entry_computation(), *b.entry_computation());
}

bool SameExpression(const HloInstruction& a, const HloInstruction& b) {
  if (!SamePayload(a, b) || !SamePlainAttributes(a.attributes(), b.attributes())) return false;
  Comparison bodies(CompareNames::kNo);
  if (!std::equal(a.called_computations().begin(), a.called_computations().end(), b.called_computations().begin(),
                  b.called_computations().end(),
                  [&](const HloComputation* x, const HloComputation* y) { return bodies.Computations(*x, *y); })) {
    return false;
  }
  if (a.operands() == b.operands()) return true;
  return HasTrait(a.opcode(), op_trait::kCommutative) && a.operand_count() == 2 && b.operand_count() == 2 &&
         a.operand(0) == b.operand(1) && a.operand(1) == b.operand(0);
}

}  // namespace xla
