// What a fused computation is, and what memory it touches: the facts that fusion and code generation share.
#pragma once
#include <vector>

#include "xla/backends/gpu/codegen/indexing_map.h"
#include "xla/hlo/ir/hlo_computation.h"

namespace xla::gpu {

// The instruction that decides how a fusion's kernel is organised: its reduce or dot; null for a loop.
const HloInstruction* FindHero(const HloComputation& fused);
bool IsHero(const HloInstruction& instruction);

// The arrays that the fusion computes: its root, or the elements of a root tuple.
std::vector<const HloInstruction*> FusionRoots(const HloComputation& fused);
// The shapes of the buffers that the fusion writes, in order.
std::vector<Shape> FusionOutputShapes(const HloInstruction& fusion);

// One load of a fusion.
struct FusionRead {
  const HloInstruction* parameter;
  IndexExpr offset;  // elements
};
struct FusionReads {
  std::vector<FusionRead> reads;
  std::vector<IndexExpr> others;      // what constraints compare and iotas give
  std::vector<Indices> hero_indices;  // at which the hero's result is used
};
// Everything that evaluating `root` at `indices` loads and computes from the indices, once per distinct map. The walk
// stops at `hero` (may be null).
FusionReads CollectReads(const HloInstruction& root, const Indices& indices, const HloInstruction* hero);
void Append(FusionReads& to, const FusionReads& from);

}  // namespace xla::gpu
