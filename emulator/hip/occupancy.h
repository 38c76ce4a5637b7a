// How many workgroups fit on one compute unit of a target at the same time.
#pragma once
#include <cstdint>

#include "base/target/target.h"

namespace rocxla::emu {

// `vgprs`: vector registers per lane; `lds_bytes`: static and dynamic. 0 when a single workgroup does not fit. Source:
// LLVM's "User Guide for AMDGPU Backend": registers are allocated in 1/64 of a SIMD's file on GFX90A and later, waves
// stay on one compute unit with their workgroup.
int WorkgroupsPerComputeUnit(const GpuTarget& target, int vgprs, int64_t lds_bytes, int block_threads);

}  // namespace rocxla::emu
