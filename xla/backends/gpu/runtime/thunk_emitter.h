// ThunkEmitter: a scheduled module with buffers and kernels -> thunks.
#pragma once
#include <map>
#include <memory>
#include <string>

#include "triton/compile.h"
#include "xla/backends/gpu/codegen/fusion_emitter.h"
#include "xla/backends/gpu/runtime/thunk.h"

namespace xla::gpu {

// What launching a kernel takes.
struct KernelLaunch {
  std::string kernel;  // its name in the code object
  std::array<int64_t, 3> grid{1, 1, 1};
  rocxla::triton::KernelInfo info;
};
// By fusion instruction; a fusion without elements has none.
using KernelLaunches = std::map<const HloInstruction*, KernelLaunch>;

// The steps of the entry computation, in the order for which `buffers` was made.
StatusOr<std::unique_ptr<Thunk>> EmitThunks(const HloModule& module, const BufferAssignment& buffers,
                                            const KernelLaunches& launches);

}  // namespace xla::gpu
