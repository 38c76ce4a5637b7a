#include "xla/service/gpu/kernel_compiler.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <map>
#include <set>
#include <thread>

#include "base/error_ids.h"
#include "xla/backends/gpu/codegen/fusion_analysis.h"
#include "xla/backends/gpu/codegen/triton_call.h"
#include "xla/backends/gpu/transforms/control_flow.h"

namespace xla::gpu {
namespace {

bool HasElements(const HloInstruction& kernel) {
  if (kernel.opcode() != HloOpcode::kFusion) return true;
  std::vector<Shape> shapes = FusionOutputShapes(kernel);
  return std::any_of(shapes.begin(), shapes.end(), [](const Shape& s) { return ShapeUtil::ElementsIn(s) > 0; });
}

// A symbol that no other kernel has, of letters that every tool accepts: the kernel's own name, or the instruction's.
std::string SymbolFor(const HloInstruction& fusion, std::set<std::string>& taken) {
  std::string base = fusion.name();
  if (IsTritonCall(fusion)) {
    const auto config = ParseTritonCallConfig(fusion);
    if (config.ok()) base = config->name;  // the error comes when the kernel is written
  }
  for (char& c : base) {
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  std::string name = base;
  for (int i = 1; !taken.insert(name).second; ++i) name = fmt::format("{}_{}", base, i);
  return name;
}

bool IsKernel(const HloInstruction& instruction) {
  return instruction.opcode() == HloOpcode::kFusion || instruction.opcode() == HloOpcode::kCustomCall;
}

StatusOr<TileKernel> EmitKernel(const HloInstruction& instruction, const std::string& name, const GpuTarget& target) {
  if (instruction.opcode() == HloOpcode::kFusion) return EmitFusion(instruction, name, target);
  if (IsTritonCall(instruction)) return EmitTritonCall(instruction, name);
  return Error(
      rocxla::ErrorId::kCompilerUnknownCustomCall,
      {.what = fmt::format("the target of custom call '{}' is not known", instruction.name()),
       .where = fmt::format("computation '{}'{}{}", instruction.parent()->name(),
                            instruction.metadata().empty() ? "" : ": ", OpMetadataToString(instruction.metadata())),
       .found = fmt::format("'{}'", instruction.custom_call_target()),
       .expected = "'Sharding' or '__gpu$xla.gpu.triton'",
       .next = "Write the computation in HLO, or as a Triton kernel (jax.experimental.pallas)."});
}

// Writes the tile programs, one per distinct text.
Status EmitAll(const HloModule& module, const GpuTarget& target, CompiledKernels& out) {
  std::map<std::pair<std::string, int>, size_t> by_text;
  std::set<std::string> symbols;
  for (const HloComputation* computation : ControlFlowComputations(module)) {
    for (const HloInstruction* fusion : computation->MakeInstructionPostOrder()) {
      if (!IsKernel(*fusion) || !HasElements(*fusion)) continue;
      ASSIGN_OR_RETURN(TileKernel anonymous, EmitKernel(*fusion, "kernel", target));
      auto [known, is_new] = by_text.try_emplace({anonymous.ttir, anonymous.num_warps}, out.kernels.size());
      if (is_new) {
        ASSIGN_OR_RETURN(TileKernel named, EmitKernel(*fusion, SymbolFor(*fusion, symbols), target));
        out.kernels.push_back({.tile = std::move(named), .fusion = fusion->name()});
      }
      const TileKernel& tile = out.kernels[known->second].tile;
      out.launches[fusion] = {.kernel = tile.name, .grid = tile.grid};
    }
  }
  return OkStatus();
}

// Registers that spill are the commonest way to a slow kernel, and more warps, each with less of the tile, the surest
// cure.
StatusOr<rocxla::triton::KernelObject> CompileWithoutSpills(const TileKernel& tile,
                                                            rocxla::triton::CompileOptions options) {
  constexpr int kMostWarps = 8;
  std::string file = tile.name + ".ttir";
  options.num_warps = tile.num_warps;
  ASSIGN_OR_RETURN(rocxla::triton::KernelObject best, rocxla::triton::CompileToObject(tile.ttir, file, options));
  while (!tile.num_warps_is_given && best.info.vgpr_spills > 0 && options.num_warps < kMostWarps) {
    options.num_warps *= 2;
    ASSIGN_OR_RETURN(rocxla::triton::KernelObject other, rocxla::triton::CompileToObject(tile.ttir, file, options));
    if (other.info.vgpr_spills >= best.info.vgpr_spills) break;
    best = std::move(other);
  }
  return best;
}

using Objects = std::vector<StatusOr<rocxla::triton::KernelObject>>;

Objects CompileAll(const std::vector<CompiledKernel>& kernels, const GpuTarget& target, int threads,
                   KeepStages keep_stages) {
  Objects objects(kernels.size(), Status());
  std::atomic<size_t> next = 0;
  auto work = [&] {
    for (size_t i = next++; i < kernels.size(); i = next++) {
      objects[i] =
          CompileWithoutSpills(kernels[i].tile, {.target = target, .keep_stages = keep_stages == KeepStages::kYes});
    }
  };
  size_t wanted = threads > 0 ? threads : std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::thread> pool;
  for (size_t i = 1; i < std::min(wanted, kernels.size()); ++i) pool.emplace_back(work);
  work();
  for (std::thread& thread : pool) thread.join();
  return objects;
}

}  // namespace

StatusOr<CompiledKernels> CompileKernels(const HloModule& module, const GpuTarget& target, int threads,
                                         KeepStages keep_stages) {
  CompiledKernels out;
  RETURN_IF_ERROR(EmitAll(module, target, out));
  if (out.kernels.empty()) return out;
  Objects objects = CompileAll(out.kernels, target, threads, keep_stages);
  std::vector<std::span<const uint8_t>> parts;
  std::map<std::string, rocxla::triton::KernelInfo> infos;
  for (size_t i = 0; i < objects.size(); ++i) {
    if (!objects[i].ok()) return objects[i].status();
    out.kernels[i].info = objects[i]->info;
    out.kernels[i].stages = std::move(objects[i]->stages);
    infos[out.kernels[i].tile.name] = objects[i]->info;
    parts.push_back(objects[i]->object);
  }
  ASSIGN_OR_RETURN(out.code_object, rocxla::triton::LinkCodeObject(parts));
  for (auto& [fusion, launch] : out.launches) launch.info = infos[launch.kernel];
  return out;
}

}  // namespace xla::gpu
