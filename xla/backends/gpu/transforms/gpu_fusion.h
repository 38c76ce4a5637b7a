// GpuFusion: puts every instruction that computes into a fusion, each of which becomes one kernel.
#pragma once
#include "xla/backends/gpu/codegen/status.h"
#include "xla/hlo/transforms/hlo_pass.h"

namespace xla::gpu {

// Afterwards the entry and the computations of control flow hold only fusions and instructions that are no kernels:
// parameters, tuples, control flow, array constants, bitcasts, copies that keep the layout. Names are upstream's:
// loop_add_fusion, input_reduce_fusion, wrapped_add (a single instruction), gemm_fusion_dot.
class GpuFusion : public HloPass {
 public:
  std::string_view name() const override { return "gpu-fusion"; }
  StatusOr<Changed> Run(HloModule& module, const PassContext& context) override;
};

}  // namespace xla::gpu
