#include "emulator/hip/occupancy.h"

#include <algorithm>

#include "base/target/multiprocessor.h"

namespace rocxla::emu {

int WorkgroupsPerMultiprocessor(const GpuTarget& target, int vgprs, int64_t lds_bytes, int block_threads) {
  constexpr int kAllocationUnits = 64;
  const int granule = target.vgprs_per_simd_lane / kAllocationUnits;
  const int allocated = std::max(granule, (vgprs + granule - 1) / granule * granule);
  const int waves_per_simd = std::min(target.max_waves_per_simd, target.vgprs_per_simd_lane / allocated);
  const int waves_per_block = std::max(1, (block_threads + target.wave_size - 1) / target.wave_size);
  const int simds = target.simds_per_cu * ComputeUnitsPerMultiprocessor(target);
  int64_t blocks = waves_per_simd * simds / waves_per_block;
  if (lds_bytes > 0) blocks = std::min(blocks, target.lds_bytes / lds_bytes);
  return static_cast<int>(blocks);
}

}  // namespace rocxla::emu
