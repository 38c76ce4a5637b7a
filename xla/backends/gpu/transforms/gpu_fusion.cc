// GpuFusion: afterwards the entry and the computations of control flow hold only fusions and instructions that are no
// kernels: parameters, tuples, control flow, array constants, bitcasts, copies that keep the layout. Names are
// upstream's: loop_add_fusion, input_reduce_fusion, wrapped_add (a single instruction), gemm_fusion_dot.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "xla/backends/gpu/codegen/fusion_analysis.h"
#include "xla/backends/gpu/transforms/control_flow.h"
#include "xla/backends/gpu/transforms/fusion_decisions.h"
#include "xla/backends/gpu/transforms/passes.h"

namespace xla::gpu {
namespace {

std::string Underscored(std::string_view text) {
  std::string out(text);
  std::replace(out.begin(), out.end(), '-', '_');
  return out;
}

struct FusionLabel {
  FusionKind kind;
  std::string name;
};
// `members`: how many instructions that are no constants.
FusionLabel LabelOf(const HloInstruction& root, const HloInstruction* hero, int members) {
  std::string opcode = Underscored(HloOpcodeString(root.opcode()));
  if (hero != nullptr && hero->opcode() == HloOpcode::kDot) return {FusionKind::kCustom, "gemm_fusion_dot"};
  FusionKind kind = hero != nullptr ? FusionKind::kInput : FusionKind::kLoop;
  if (members == 1) return {kind, "wrapped_" + opcode};
  if (hero != nullptr) return {kind, "input_reduce_fusion"};
  return {kind, fmt::format("loop_{}_fusion", opcode)};
}

// A bitcast is a view of its operand's buffer: no kernel, when its operand is in memory anyway.
bool NeedsNoKernel(const HloInstruction& root, const FusionPlan& plan) {
  bool is_view = root.opcode() == HloOpcode::kBitcast ||
                 (root.opcode() == HloOpcode::kCopy && root.shape() == root.operand(0)->shape());
  if (!is_view) return false;
  auto it = plan.find(root.operand(0));
  return it == plan.end() || (it->second.size() == 1 && it->second[0] == root.operand(0));
}

class FusionWriter {
 public:
  FusionWriter(HloComputation& computation, HloInstruction* root, const std::vector<HloInstruction*>& members)
      : computation_(computation), root_(root), members_(members) {}

  // Puts copies of the members into a new computation and lets a fusion take root's place.
  Status Write() {
    auto fused = std::make_unique<HloComputation>("fused_computation");
    const HloInstruction* hero = nullptr;
    int counted = 0;
    std::unordered_set<const HloInstruction*> inside(members_.begin(), members_.end());
    for (HloInstruction* member : members_) {
      if (IsHero(*member)) hero = member;
      if (member->opcode() != HloOpcode::kConstant) ++counted;
      std::vector<HloInstruction*> operands;
      for (HloInstruction* operand : member->operands()) {
        operands.push_back(inside.contains(operand) ? clones_.at(operand) : ParameterFor(operand, *fused));
      }
      clones_[member] = fused->AddInstruction(member->CloneWithNewOperands(member->shape(), operands), member->name());
    }
    SetRoot(*fused);
    FusionLabel label = LabelOf(*root_, hero, counted);
    HloComputation* added = computation_.parent()->AddEmbeddedComputation(std::move(fused));
    HloInstruction* fusion = computation_.AddInstruction(
        HloInstruction::CreateFusion(root_->shape(), label.kind, operands_, added), label.name);
    fusion->set_metadata(root_->metadata());
    root_->ReplaceAllUsesWith(fusion);
    return OkStatus();
  }

 private:
  HloInstruction* ParameterFor(HloInstruction* operand, HloComputation& fused) {
    auto [it, is_new] = parameters_.try_emplace(operand);
    if (is_new) {
      int64_t number = static_cast<int64_t>(operands_.size());
      operands_.push_back(operand);
      it->second = fused.AddInstruction(
          HloInstruction::CreateParameter(number, operand->shape(), fmt::format("param_{}", number)));
    }
    return it->second;
  }

  // A reduce of several arrays gives a tuple; a kernel's outputs are arrays.
  void SetRoot(HloComputation& fused) {
    HloInstruction* root = clones_.at(root_);
    if (root->shape().IsTuple()) {
      std::vector<HloInstruction*> elements;
      for (size_t i = 0; i < root->shape().tuple_shapes().size(); ++i) {
        elements.push_back(fused.AddInstruction(HloInstruction::CreateGetTupleElement(root, i)));
      }
      root = fused.AddInstruction(HloInstruction::CreateTuple(elements));
    }
    fused.set_root_instruction(root);
  }

  HloComputation& computation_;
  HloInstruction* root_;
  const std::vector<HloInstruction*>& members_;
  std::unordered_map<const HloInstruction*, HloInstruction*> clones_, parameters_;
  std::vector<HloInstruction*> operands_;
};

Status RemoveDead(HloComputation& computation) {
  for (bool removed = true; removed;) {
    removed = false;
    std::vector<HloInstruction*> all = computation.instructions();
    for (size_t i = all.size(); i-- > 0;) {  // users stand behind operands, mostly
      if (!all[i]->IsDead()) continue;
      RETURN_IF_ERROR(computation.RemoveInstruction(all[i]));
      removed = true;
    }
  }
  return OkStatus();
}

StatusOr<Changed> FuseComputation(HloComputation& computation) {
  FusionPlan plan = PlanFusions(computation);
  std::unordered_map<const HloInstruction*, std::vector<HloInstruction*>> members;
  std::vector<HloInstruction*> roots;
  for (HloInstruction* instruction : computation.MakeInstructionPostOrder()) {
    auto it = plan.find(instruction);
    if (it == plan.end()) continue;
    for (HloInstruction* kernel : it->second) {
      members[kernel].push_back(instruction);
      if (kernel == instruction && !NeedsNoKernel(*instruction, plan)) roots.push_back(instruction);
    }
  }
  for (HloInstruction* root : roots) RETURN_IF_ERROR(FusionWriter(computation, root, members[root]).Write());
  if (roots.empty()) return Changed::kNo;
  RETURN_IF_ERROR(RemoveDead(computation));
  return Changed::kYes;
}

}  // namespace

StatusOr<Changed> GpuFusion::Run(HloModule& module, const PassContext&) {
  Changed changed = Changed::kNo;
  for (HloComputation* computation : ControlFlowComputations(module)) {
    ASSIGN_OR_RETURN(Changed one, FuseComputation(*computation));
    if (one == Changed::kYes) changed = Changed::kYes;
  }
  return changed;
}

}  // namespace xla::gpu
