#include "xla/service/gpu/pipelines.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "base/error_ids.h"
#include "xla/backends/gpu/transforms/passes.h"

namespace xla::gpu {
namespace {

using Names = std::set<std::string, std::less<>>;

Status CheckName(std::string_view name) {
  std::vector<std::string_view> known;
  for (const PassInfo& pass : HloPasses()) known.push_back(pass.name);
  for (const PassInfo& pass : GpuPasses()) known.push_back(pass.name);
  if (std::ranges::find(known, name) != known.end()) return OkStatus();
  const std::string nearest = rocxla::NearestSpelling(name, known);
  return Error(rocxla::ErrorId::kBadFlagValue,
               {.what = "no pass has this name",
                .where = "--xla_disable_hlo_passes",
                .found = fmt::format("'{}'", name),
                .expected = nearest.empty() ? fmt::format("{}", fmt::join(known, ", ")) : nearest});
}

// Upstream writes '-' where we write '_'; both are read.
StatusOr<Names> CheckedNames(const std::vector<std::string>& list) {
  Names names;
  for (std::string name : list) {
    std::ranges::replace(name, '-', '_');
    RETURN_IF_ERROR(CheckName(name));
    names.insert(std::move(name));
  }
  return names;
}

void AddPasses(HloPassPipeline& pipeline) {
  pipeline.Add<AsyncToSync>();                // kernels run in order; makes calls
  pipeline.Add<CallInliner>();                // fusion sees only one computation at a time
  pipeline.Add<FlattenCallGraph>();           // bodies that several loops share would share their buffers
  pipeline.Add<StaticValues>();               // device numbers and annotations are not for kernels
  pipeline.Add<BatchNormExpander>();          // makes reductions
  pipeline.Add<RngBitGeneratorExpander>();    // elementwise, on counters
  pipeline.Add<StochasticConvertExpander>();  // elementwise
  pipeline.Add<BitcastConvertExpander>();     // likewise, and reductions
  pipeline.Add<CholeskyExpander>();           // makes loops
  pipeline.Add<TriangularSolveExpander>();    // likewise
  pipeline.Add<TopKExpander>();               // makes sorts
  pipeline.Add<SortExpander>();               // steps that are elementwise
  pipeline.Add<SelectAndScatterExpander>();   // makes reduce-windows and scatters
  pipeline.Add<ReduceWindowExpander>();       // likewise elementwise
  pipeline.Add<ScatterExpander>();            // makes reductions
  pipeline.Add<ConvolutionExpander>();        // makes dots
  pipeline.Add<FftExpander>();                // likewise, of real and imaginary parts
  pipeline.Add<NarrowIntegerExpander>();      // after all that makes operations of the program's types
  pipeline.Add<ComplexExpander>();            // after all that may make complex numbers: kernels compute real ones only
  pipeline.Add<AlgebraicSimplifier>();        // chains of reshapes and broadcasts become one map
  pipeline.Add<EntryLayouts>();               // before anything reasons about layouts
  pipeline.Add<TupleLayouts>();               // a tuple is addresses: it cannot turn its elements
  pipeline.Add<CustomCallLayouts>();          // as soon as layouts are fixed
  pipeline.Add<ExpandDots>();                 // what remains a dot is served by matrix instructions or multiply-adds
  pipeline.Add<AlgebraicSimplifier>();        // what the expansion left behind
  pipeline.Add<LayoutViewsToBitcast>();       // moves that move nothing need no kernel
  pipeline.Add<HloCse>();                     // equal values would be fused, and computed, twice
  pipeline.Add<HloDce>();                     // dead consumers would keep their producers from fusing
  pipeline.Add<GpuFusion>();                  // from here on, one fusion is one kernel
  pipeline.Add<HloDce>();                     // what was fused everywhere
  pipeline.Add<OutputCopies>();               // last: it inserts copies that nothing may remove
}

}  // namespace

Status RunGpuPipelines(HloModule& module, const GpuTarget&, const rocxla::DebugOptions& options, const PassDump& dump) {
  PipelineOptions pipeline_options;
  ASSIGN_OR_RETURN(pipeline_options.disabled_passes, CheckedNames(options.xla_disable_hlo_passes));
  pipeline_options.dump = dump;
  HloPassPipeline pipeline("gpu", pipeline_options);
  AddPasses(pipeline);
  return pipeline.Run(module, PassContext()).status();
}

}  // namespace xla::gpu
