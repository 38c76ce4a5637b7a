#include "xla/backends/gpu/transforms/fusion_decisions.h"

#include <algorithm>

#include "xla/backends/gpu/codegen/fusion_analysis.h"
#include "xla/backends/gpu/codegen/indexing_map.h"

namespace xla::gpu {
namespace {

constexpr int kMaxKernelsPerInstruction = 4;
constexpr int kMaxDuplicatedDepth = 16;  // of a chain that several kernels compute
constexpr int kMaxPlacesPerKernel = 4;   // different index maps of one instruction in one kernel
constexpr int kMaxInstructionsPerKernel = 200;

bool IsElementwise(const HloInstruction& instruction) {
  return HasIndexingMap(instruction.opcode()) && !MovesElements(instruction.opcode());
}

bool IsFree(const HloInstruction& instruction) {
  return instruction.opcode() == HloOpcode::kConstant || instruction.opcode() == HloOpcode::kIota;
}

// What a dot may compute of its operands while loading them.
bool IsDotPrologue(const HloInstruction& instruction) {
  switch (instruction.opcode()) {
    case HloOpcode::kConvert:
    case HloOpcode::kBroadcast:
    case HloOpcode::kReshape:
    case HloOpcode::kBitcast:
    case HloOpcode::kTranspose:
    case HloOpcode::kReverse:
    case HloOpcode::kSlice:
    case HloOpcode::kCopy:
    case HloOpcode::kConstant:
      return true;
    default:
      return false;
  }
}

struct Kernel {
  const HloInstruction* hero = nullptr;
  int instructions = 0;
};

class Planner {
 public:
  explicit Planner(const HloComputation& computation) : computation_(computation) {}

  FusionPlan Plan() {
    std::vector<HloInstruction*> order = computation_.MakeInstructionPostOrder();
    for (HloInstruction* instruction : order) depth_[instruction] = DepthOf(*instruction);
    for (size_t i = order.size(); i-- > 0;) {
      if (KernelRoleOf(*order[i]) == KernelRole::kFused) Decide(order[i]);
    }
    return std::move(plan_);
  }

 private:
  int DepthOf(const HloInstruction& instruction) {
    int depth = 0;
    for (const HloInstruction* operand : instruction.operands()) {
      if (KernelRoleOf(*operand) == KernelRole::kFused && !IsHero(*operand)) {
        depth = std::max(depth, depth_[operand] + 1);
      }
    }
    return depth;
  }

  void Decide(HloInstruction* instruction) {
    std::vector<HloInstruction*> kernels = KernelsOfUsers(*instruction);
    if (!CanFuse(*instruction, kernels)) kernels = {instruction};
    for (HloInstruction* kernel : kernels) {
      ++kernels_[kernel].instructions;
      if (IsHero(*instruction)) kernels_[kernel].hero = instruction;
    }
    bool is_root = kernels.size() == 1 && kernels[0] == instruction;
    places_[instruction] = is_root ? 1 : PlacesOf(*instruction);
    on_epilogue_[instruction] = is_root ? IsElementwise(*instruction) : AllUsersOnEpilogue(*instruction);
    plan_[instruction] = std::move(kernels);
  }

  // Empty if a user is no kernel.
  std::vector<HloInstruction*> KernelsOfUsers(const HloInstruction& instruction) {
    std::vector<HloInstruction*> kernels;
    if (instruction.IsRoot()) return kernels;
    for (const HloInstruction* user : instruction.users()) {
      auto it = plan_.find(user);
      if (it == plan_.end()) return {};
      for (HloInstruction* kernel : it->second) {
        if (std::find(kernels.begin(), kernels.end(), kernel) == kernels.end()) kernels.push_back(kernel);
      }
    }
    return kernels;
  }

  int PlacesOf(const HloInstruction& instruction) {
    int same = 0, moved = 0;
    for (const HloInstruction* user : instruction.users()) {
      if (MovesElements(user->opcode())) {
        moved += places_[user];
      } else {
        same = std::max(same, places_[user]);
      }
    }
    return std::max(same + moved, 1);
  }

  bool AllUsersOnEpilogue(const HloInstruction& instruction) {
    return IsElementwise(instruction) && std::all_of(instruction.users().begin(), instruction.users().end(),
                                                     [&](const HloInstruction* user) { return on_epilogue_[user]; });
  }

  bool CanFuse(const HloInstruction& instruction, const std::vector<HloInstruction*>& kernels) {
    if (kernels.empty()) return false;
    if (IsFree(instruction)) return true;
    for (HloInstruction* kernel : kernels) {
      if (kernels_[kernel].instructions >= kMaxInstructionsPerKernel) return false;
    }
    if (IsHero(instruction)) return CanBeHero(instruction, kernels);
    for (const HloInstruction* user : instruction.users()) {
      if (user->opcode() == HloOpcode::kDot && !IsDotPrologue(instruction)) return false;
    }
    if (PlacesOf(instruction) > kMaxPlacesPerKernel) return false;
    bool cheap = MovesElements(instruction.opcode()) || depth_[&instruction] <= kMaxDuplicatedDepth;
    return kernels.size() == 1 || (cheap && kernels.size() <= kMaxKernelsPerInstruction);
  }

  bool CanBeHero(const HloInstruction& hero, const std::vector<HloInstruction*>& kernels) {
    if (kernels.size() != 1 || kernels_[kernels[0]].hero != nullptr || hero.shape().IsTuple()) return false;
    return std::all_of(hero.users().begin(), hero.users().end(), [&](const HloInstruction* user) {
      return on_epilogue_[user] && ShapeUtil::SameDimensions(user->shape(), hero.shape());
    });
  }

  const HloComputation& computation_;
  FusionPlan plan_;
  std::unordered_map<const HloInstruction*, Kernel> kernels_;
  std::unordered_map<const HloInstruction*, int> depth_, places_;
  std::unordered_map<const HloInstruction*, bool> on_epilogue_;
};

}  // namespace

KernelRole KernelRoleOf(const HloInstruction& instruction) {
  switch (instruction.opcode()) {
    case HloOpcode::kConstant:
      return instruction.shape().IsScalar() ||
                     (instruction.shape().IsArray() && !instruction.literal().is_elided() &&
                      ShapeUtil::ElementsIn(instruction.shape()) > 0 && instruction.literal().IsAllEqual())
                 ? KernelRole::kFused
                 : KernelRole::kNoKernel;
    case HloOpcode::kParameter:
    case HloOpcode::kTuple:
    case HloOpcode::kGetTupleElement:
    case HloOpcode::kCall:
    case HloOpcode::kConditional:
    case HloOpcode::kWhile:
    case HloOpcode::kFusion:
    case HloOpcode::kCustomCall:
      return KernelRole::kNoKernel;
    case HloOpcode::kBitcast:  // packed elements seen as bytes: a view, which index arithmetic on elements cannot say
      return BitWidth(instruction.shape().element_type()) == BitWidth(instruction.operand(0)->shape().element_type())
                 ? KernelRole::kFused
                 : KernelRole::kNoKernel;
    default:
      return KernelRole::kFused;
  }
}

FusionPlan PlanFusions(const HloComputation& computation) { return Planner(computation).Plan(); }

}  // namespace xla::gpu
