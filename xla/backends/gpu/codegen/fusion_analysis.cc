#include "xla/backends/gpu/codegen/fusion_analysis.h"

#include <set>
#include <string>

namespace xla::gpu {
namespace {

class ReadCollector {
 public:
  explicit ReadCollector(const HloInstruction* hero) : hero_(hero) {}

  void Walk(const HloInstruction& instruction, const Indices& indices) {
    if (!seen_.emplace(&instruction, ToString(indices)).second) return;
    if (&instruction == hero_) {
      result_.hero_indices.push_back(indices);
      return;
    }
    if (instruction.opcode() == HloOpcode::kParameter) {
      result_.reads.push_back({&instruction, MemoryOffset(instruction.shape(), indices)});
      return;
    }
    if (instruction.opcode() == HloOpcode::kGetTupleElement) return Walk(*instruction.operand(0), indices);
    if (instruction.opcode() == HloOpcode::kIota) result_.others.push_back(indices[instruction.iota_dimension()]);
    if (!HasIndexingMap(instruction.opcode())) return;
    Indices starts = Starts(instruction);
    for (int64_t i = 0; i < instruction.operand_count(); ++i) {
      OperandRead read = OperandIndexing(instruction, i, indices, starts);
      for (const Constraint& c : read.constraints) result_.others.push_back(c.expr);
      Walk(*instruction.operand(i), read.indices);
    }
  }
  FusionReads Take() { return std::move(result_); }

 private:
  // Stand-ins for values that only the program knows.
  Indices Starts(const HloInstruction& instruction) {
    Indices starts;
    if (!HasStartIndices(instruction.opcode())) return starts;
    for (int64_t d = 0; d < instruction.operand(0)->shape().rank(); ++d) {
      starts.push_back(IndexExpr::Variable(next_start_++, StartIndexRange(instruction, d)));
    }
    return starts;
  }

  const HloInstruction* hero_;
  std::set<std::pair<const HloInstruction*, std::string>> seen_;
  FusionReads result_;
  int next_start_ = 1 << 20;  // above the variables of iteration spaces
};

}  // namespace

bool IsHero(const HloInstruction& instruction) {
  return instruction.opcode() == HloOpcode::kReduce || instruction.opcode() == HloOpcode::kDot;
}

const HloInstruction* FindHero(const HloComputation& fused) {
  for (const HloInstruction* instruction : fused.MakeInstructionPostOrder()) {
    if (IsHero(*instruction)) return instruction;
  }
  return nullptr;
}

std::vector<const HloInstruction*> FusionRoots(const HloComputation& fused) {
  const HloInstruction* root = fused.root_instruction();
  if (root->opcode() != HloOpcode::kTuple) return {root};
  return {root->operands().begin(), root->operands().end()};
}

std::vector<Shape> FusionOutputShapes(const HloInstruction& fusion) {
  if (fusion.shape().IsTuple()) return fusion.shape().tuple_shapes();
  return {fusion.shape()};
}

FusionReads CollectReads(const HloInstruction& root, const Indices& indices, const HloInstruction* hero) {
  ReadCollector collector(hero);
  collector.Walk(root, indices);
  return collector.Take();
}

void Append(FusionReads& to, const FusionReads& from) {
  to.reads.insert(to.reads.end(), from.reads.begin(), from.reads.end());
  to.others.insert(to.others.end(), from.others.begin(), from.others.end());
  to.hero_indices.insert(to.hero_indices.end(), from.hero_indices.begin(), from.hero_indices.end());
}

}  // namespace xla::gpu
