#include "xla/backends/gpu/codegen/fusion_emitter.h"

#include "xla/backends/gpu/codegen/emitters.h"

namespace xla::gpu {

StatusOr<TileKernel> EmitFusion(const HloInstruction& fusion, std::string_view name, const GpuTarget& target) {
  const HloComputation& fused = *fusion.fused_instructions_computation();
  TtirBuilder builder;
  EmitContext context{fusion, fused, target, builder, {}, {}};
  for (const HloInstruction* operand : fusion.operands()) {
    ASSIGN_OR_RETURN(TtirElement element, MemoryType(operand->shape().element_type(), fusion));
    context.parameters.push_back(builder.PointerArgument(element, ShapeUtil::ByteSizeOf(operand->shape())));
  }
  for (const HloInstruction* root : FusionRoots(fused)) {
    ASSIGN_OR_RETURN(TtirElement element, MemoryType(root->shape().element_type(), *root));
    context.outputs.push_back(builder.PointerArgument(element, ShapeUtil::ByteSizeOf(root->shape())));
  }
  const HloInstruction* hero = FindHero(fused);
  ASSIGN_OR_RETURN(EmittedLaunch launch, hero == nullptr                             ? EmitLoop(context)
                                         : hero->opcode() == HloOpcode::kReduce ? EmitReduction(context, *hero)
                                                                                : EmitDot(context, *hero));
  return TileKernel{std::string(name), builder.Finish(name), launch.num_warps, launch.grid};
}

}  // namespace xla::gpu
