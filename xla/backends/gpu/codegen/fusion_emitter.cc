#include "xla/backends/gpu/codegen/fusion_emitter.h"

#include <fmt/format.h>

#include "xla/backends/gpu/codegen/emitters.h"

namespace xla::gpu {
namespace {

// Reads a parameter of the fusion; the error names the fusion's instruction that does.
const HloInstruction& ReaderOf(const HloComputation& fused, int64_t parameter) {
  const HloInstruction* instruction = fused.parameter_instruction(parameter);
  return instruction->users().empty() ? *instruction : *instruction->users()[0];
}

StatusOr<TileKernel> Emit(const HloInstruction& fusion, std::string_view name, const GpuTarget& target) {
  const HloComputation& fused = *fusion.fused_instructions_computation();
  TtirBuilder builder;
  EmitContext context{fusion, fused, target, builder, {}, {}};
  for (int64_t i = 0; i < fusion.operand_count(); ++i) {
    const HloInstruction* operand = fusion.operand(i);
    ASSIGN_OR_RETURN(TtirElement element, MemoryType(operand->shape().element_type(), ReaderOf(fused, i)));
    context.parameters.push_back(builder.PointerArgument(element, ShapeUtil::ByteSizeOf(operand->shape())));
  }
  for (const HloInstruction* root : FusionRoots(fused)) {
    ASSIGN_OR_RETURN(TtirElement element, MemoryType(root->shape().element_type(), *root));
    context.outputs.push_back(builder.PointerArgument(element, ShapeUtil::ByteSizeOf(root->shape())));
  }
  const HloInstruction* hero = FindHero(fused);
  ASSIGN_OR_RETURN(EmittedLaunch launch, hero == nullptr                        ? EmitLoop(context)
                                         : hero->opcode() == HloOpcode::kReduce ? EmitReduction(context, *hero)
                                                                                : EmitDot(context, *hero));
  return TileKernel{std::string(name), builder.Finish(name), launch.num_warps, launch.grid};
}

}  // namespace

StatusOr<TileKernel> EmitFusion(const HloInstruction& fusion, std::string_view name, const GpuTarget& target) {
  StatusOr<TileKernel> kernel = Emit(fusion, name, target);
  if (kernel.ok()) return kernel;
  const Status& status = kernel.status();
  return Status(status.code(),
                fmt::format("{}\n  while:    compiling {} for {}", status.message(), fusion.name(), target.name),
                status.id());
}

}  // namespace xla::gpu
