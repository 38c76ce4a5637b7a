// ExpandDots: turns dots that matrix instructions do not serve into multiplications and a reduction.
#pragma once
#include "xla/backends/gpu/codegen/status.h"
#include "xla/hlo/transforms/hlo_pass.h"

namespace xla::gpu {

// A dot with one row, one column or one product per element, or of a type without matrix instructions, becomes
//   reduce(multiply(broadcast(lhs), broadcast(rhs)), 0), dimensions={contracting}
// which one reduction kernel computes. f16 and bf16 products are summed in f32.
class ExpandDots : public HloPass {
 public:
  std::string_view name() const override { return "expand-dots"; }
  StatusOr<Changed> Run(HloModule& module, const PassContext& context) override;
};

}  // namespace xla::gpu
