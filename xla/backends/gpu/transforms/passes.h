// The passes of passes.def as classes, and by name.
#pragma once
#include <memory>
#include <span>

#include "xla/backends/gpu/codegen/status.h"
#include "xla/hlo/transforms/passes.h"

namespace xla::gpu {

#define HLO_PASS(class_name, text, summary)                                        \
  class class_name : public HloPass {                                              \
   public:                                                                         \
    std::string_view name() const override { return text; }                        \
    StatusOr<Changed> Run(HloModule& module, const PassContext& context) override; \
  };
#include "xla/backends/gpu/transforms/passes.def"
#undef HLO_PASS

// Those of this folder; HloPasses() has the others.
std::span<const PassInfo> GpuPasses();

}  // namespace xla::gpu
