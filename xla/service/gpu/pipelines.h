// The passes of a compilation, in order: the compiler's table of contents.
#pragma once
#include <functional>
#include <string_view>

#include "base/flags.h"
#include "xla/backends/gpu/codegen/status.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla::gpu {

// Called after each pass that changed the module.
using PassDump = std::function<void(int index, std::string_view pass, const HloModule& module)>;

Status RunGpuPipelines(HloModule& module, const GpuTarget& target, const rocxla::DebugOptions& options,
                       const PassDump& dump);

}  // namespace xla::gpu
