// BitcastMoves: reshapes and transposes that keep the elements' order in memory become bitcasts.
#pragma once
#include "xla/backends/gpu/codegen/status.h"
#include "xla/hlo/transforms/hlo_pass.h"

namespace xla::gpu {

// A bitcast costs nothing: buffer assignment gives it its operand's buffer.
class BitcastMoves : public HloPass {
 public:
  std::string_view name() const override { return "bitcast-moves"; }
  StatusOr<Changed> Run(HloModule& module, const PassContext& context) override;
};

}  // namespace xla::gpu
