// The emitters behind EmitFusion, one per way of organising a kernel, and what they share.
#pragma once
#include <vector>

#include "xla/backends/gpu/codegen/fusion_analysis.h"
#include "xla/backends/gpu/codegen/fusion_emitter.h"
#include "xla/backends/gpu/codegen/tile_evaluator.h"
#include "xla/backends/gpu/codegen/tiling.h"

namespace xla::gpu {

// What an emitter works on: the fusion, the text being written, the pointers.
struct EmitContext {
  const HloInstruction& fusion;
  const HloComputation& fused;
  const GpuTarget& target;
  TtirBuilder& builder;
  std::vector<TtirValue> parameters;  // pointers, by parameter number
  std::vector<TtirValue> outputs;     // pointers, by root
};
struct EmittedLaunch {
  int num_warps = 4;
  std::array<int64_t, 3> grid{1, 1, 1};
};

// Elementwise chains, moves of elements, transposes: each program computes one tile of all roots.
StatusOr<EmittedLaunch> EmitLoop(EmitContext& context);
// A reduce with fused producers, and an epilogue of the same number of elements.
StatusOr<EmittedLaunch> EmitReduction(EmitContext& context, const HloInstruction& reduce);
// A dot with fused producers and an epilogue of the same number of elements.
StatusOr<EmittedLaunch> EmitDot(EmitContext& context, const HloInstruction& dot);

// Adds a dimension to `space` for each dimension of `shape`, slowest in memory first; the indices that walk the array
// in the order of its memory.
Indices AddDimensionsOf(const Shape& shape, IterationSpace& space, int group);
// Bytes of one element of the widest array among the reads and roots.
int64_t WidestElement(const std::vector<FusionRead>& reads, const std::vector<const HloInstruction*>& roots);

}  // namespace xla::gpu
