// What a kernel costs: read off its code object, and counted while the embedded device executes it.
#pragma once
#include <cstdint>
#include <span>

#include "base/status.h"
#include "base/target/target.h"
#include "xla/tools/launch_spec.h"

namespace rocxla::bench {

struct KernelFigures {
  int vgprs = 0;  // per lane; accumulation registers included, as the hardware allocates them together
  int spills = 0;
  int lds_bytes = 0;  // static and dynamic
  int occupancy = 0;  // waves that fit on a multiprocessor at the same time
  int64_t static_instructions = 0;
  int64_t executed_instructions = 0;  // of waves, over the whole grid
  int64_t lds_conflicts = 0;          // passes over LDS beyond those that the bytes need
  int64_t matrix_instructions = 0;    // executed
};

// Runs the launch once on an embedded `target`. Errors: those of loading and running code objects.
StatusOr<KernelFigures> MeasureKernel(const xla::tools::LaunchSpec& spec, std::span<const uint8_t> code_object,
                                      uint32_t shared_bytes, const GpuTarget& target);

}  // namespace rocxla::bench
