// How many workgroups fit on one multiprocessor of a target, as HIP counts those, at the same time.
#pragma once
#include <cstdint>

#include "base/target/target.h"

namespace rocxla::emu {

// `vgprs`: vector registers per lane; `lds_bytes`: static and dynamic. 0 when a single workgroup does not fit. Source:
// LLVM's "User Guide for AMDGPU Backend": registers are allocated in 1/64 of a SIMD's file on GFX90A and later, waves
// stay on one multiprocessor with their workgroup. Of LDS a multiprocessor has what one workgroup can have: so counts
// HIP, also on RDNA, whose work-group processors have it twice.
int WorkgroupsPerMultiprocessor(const GpuTarget& target, int vgprs, int64_t lds_bytes, int block_threads);

}  // namespace rocxla::emu
