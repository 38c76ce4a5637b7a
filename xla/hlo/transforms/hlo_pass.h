// What a pass is. The runner (hlo_pass_pipeline.h) does cancelling, off-switches, timing, dumping and verifying.
#pragma once
#include <string_view>

#include "xla/hlo/ir/hlo_module.h"
#include "xla/hlo/ir/status.h"

namespace xla {

enum class Changed : bool { kNo, kYes };
inline Changed operator|(Changed a, Changed b) { return a == Changed::kYes ? a : b; }
inline Changed& operator|=(Changed& a, Changed b) { return a = a | b; }

// What the passes of one compilation share. Nothing yet: what a pass needs to know of flags or a target comes in here.
struct PassContext {};

class HloPass {
 public:
  virtual ~HloPass() = default;
  virtual std::string_view name() const = 0;  // as in passes.def
  // Rewrites `module` in place. kNo promises that the printed module is unchanged.
  virtual StatusOr<Changed> Run(HloModule& module, const PassContext& context) = 0;
};

}  // namespace xla
