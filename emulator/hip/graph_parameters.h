// Operations from HIP's parameter structures, checked as the calls that run them at once check theirs.
#pragma once
#include "base/hip/hip_types.h"
#include "emulator/hip/operation.h"

namespace rocxla::emu {

WorkResult MakeKernel(const hipKernelNodeParams* params, Operation& operation);
WorkResult MakeCopy(void* dst, const void* src, size_t bytes, hipMemcpyKind kind, Operation& operation);
WorkResult MakeFill(const hipMemsetParams* params, Operation& operation);
WorkResult MakeHost(const hipHostNodeParams* params, Operation& operation);

}  // namespace rocxla::emu
