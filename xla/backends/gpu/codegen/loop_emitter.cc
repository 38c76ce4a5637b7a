// Loops: the tile follows the output's memory, so stores are contiguous; a read that is contiguous along another
// dimension makes that one the tile's second long side, and the tile compiler exchanges the elements on chip.
#include <algorithm>

#include "xla/backends/gpu/codegen/emitters.h"

namespace xla::gpu {

Indices AddDimensionsOf(const Shape& shape, IterationSpace& space, int group) {
  Indices indices(shape.rank());
  const std::vector<int64_t>& minor_to_major = shape.layout().minor_to_major();
  for (size_t i = minor_to_major.size(); i-- > 0;) {
    indices[minor_to_major[i]] = space.AddDimension(shape.dimensions(minor_to_major[i]), group);
  }
  return indices;
}

int64_t WidestElement(const std::vector<FusionRead>& reads, const std::vector<const HloInstruction*>& roots) {
  int64_t widest = 1;
  for (const FusionRead& read : reads) {
    widest = std::max<int64_t>(widest, ByteWidth(read.parameter->shape().element_type()));
  }
  for (const HloInstruction* root : roots) {
    widest = std::max<int64_t>(widest, ByteWidth(root->shape().element_type()));
  }
  return widest;
}

StatusOr<EmittedLaunch> EmitLoop(EmitContext& context) {
  TtirBuilder& b = context.builder;
  std::vector<const HloInstruction*> roots = FusionRoots(context.fused);
  IterationSpace space;
  Indices indices = AddDimensionsOf(roots[0]->shape(), space, 0);
  FusionReads all;
  for (const HloInstruction* root : roots) {
    if (!ShapeUtil::SameDimensions(root->shape(), roots[0]->shape())) {
      return UnsupportedOpcode(*root, "a fusion with roots of different dimensions");
    }
    Append(all, CollectReads(*root, indices, nullptr));
    space.Track(MemoryOffset(root->shape(), indices));
  }
  for (const FusionRead& read : all.reads) space.Track(read.offset);
  for (const IndexExpr& other : all.others) space.Track(other);
  space.Simplify();
  for (FusionRead& read : all.reads) read.offset = space.Rewrite(read.offset);
  indices = space.Rewrite(indices);

  const std::vector<IterationDim>& dims = space.dims();
  LoopTile tile = ChooseLoopTile(dims, all.reads, WidestElement(all.reads, roots), context.target);
  std::vector<int64_t> counts;
  for (size_t d = 0; d < dims.size(); ++d) counts.push_back(CeilDiv(dims[d].extent, tile.sizes[d]));
  ProgramGrid grid = MakeGrid(b, counts);
  std::vector<TileAxis> axes;
  for (size_t d = 0; d < dims.size(); ++d) {
    if (tile.sizes[d] == 1) continue;
    TtirValue base;
    if (grid.tiles[d]) base = b.Binary("arith.muli", grid.tiles[d], b.I32(tile.sizes[d]));
    axes.push_back({dims[d].variable, dims[d].extent, tile.sizes[d], base});
  }
  TileFrame frame(&b, axes);
  for (size_t d = 0; d < dims.size(); ++d) {
    if (tile.sizes[d] == 1) frame.BindScalar(dims[d].variable, grid.tiles[d]);
  }
  TileEvaluator evaluator(frame, context.parameters);
  for (size_t i = 0; i < roots.size(); ++i) {
    RETURN_IF_ERROR(evaluator.EvaluateAndStore(context.outputs[i], *roots[i], indices));
  }
  return EmittedLaunch{tile.num_warps, grid.size};
}

}  // namespace xla::gpu
