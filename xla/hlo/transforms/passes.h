// The passes of passes.def as classes, and by name.
#pragma once
#include <memory>
#include <span>
#include <string_view>

#include "xla/hlo/transforms/hlo_pass.h"
#include "xla/hlo/transforms/hlo_pass_pipeline.h"

namespace xla {

#define HLO_PASS(class_name, text, summary)                                        \
  class class_name : public HloPass {                                              \
   public:                                                                         \
    std::string_view name() const override { return text; }                        \
    StatusOr<Changed> Run(HloModule& module, const PassContext& context) override; \
  };
#include "xla/hlo/transforms/passes.def"
#undef HLO_PASS

struct PassInfo {
  std::string_view name;
  std::string_view summary;
  std::unique_ptr<HloPass> (*create)();
};
std::span<const PassInfo> HloPasses();

// Appends the passes of a comma-separated list to `pipeline`: "call_inliner,dce". BadFlagValue names the nearest
// spelling.
Status AddPassesByName(std::string_view list, HloPassPipeline& pipeline);

}  // namespace xla
