// EntryLayouts and OutputCopies: what the caller may rely on at the module's border.
#pragma once
#include "xla/backends/gpu/codegen/status.h"
#include "xla/hlo/transforms/hlo_pass.h"

namespace xla::gpu {

// Parameters and results get the layouts that entry_computation_layout declares. A parameter's instruction takes its layout; a
// result of another layout is copied.
class EntryLayouts : public HloPass {
 public:
  std::string_view name() const override { return "entry-layouts"; }
  StatusOr<Changed> Run(HloModule& module, const PassContext& context) override;
};

// Runs after fusion. Every array that the entry returns is computed by an instruction of its own: a copy stands where the
// module returns a parameter, a constant, or one array twice.
class OutputCopies : public HloPass {
 public:
  std::string_view name() const override { return "output-copies"; }
  StatusOr<Changed> Run(HloModule& module, const PassContext& context) override;
};

// A computation that several instructions run is cloned, so that each has buffers of its own.
class FlattenCallGraph : public HloPass {
 public:
  std::string_view name() const override { return "flatten-call-graph"; }
  StatusOr<Changed> Run(HloModule& module, const PassContext& context) override;
};

}  // namespace xla::gpu
