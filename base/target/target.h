// GpuTarget: what is known about an AMD GPU architecture at compile time. Pure data; from targets.def.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace rocxla {

enum class Generation { kCdna1, kCdna2, kCdna3, kCdna4, kRdna2, kRdna3, kRdna4 };
enum class TargetSupport { kFirstClass, kCompileOnly };
enum class MatrixUnit { kNone, kMfma, kWmmaGfx11, kWmmaGfx12 };

struct GpuModel {
  std::string_view name;  // "AMD Instinct MI300X"
  std::string_view key;   // "mi300x"
  int compute_units;
  int clock_mhz;
  uint64_t memory_bytes;
  int bandwidth_gb_per_s;  // 10^9 bytes
  int l2_bytes;
  int memory_bus_bits;
  int memory_clock_mhz;  // as HIP reports it
  int xccs;
  bool has_ecc;
};

struct GpuTarget {
  std::string_view name;  // "gfx942"
  Generation generation;
  TargetSupport support;
  int wave_size;  // lanes; the native one of compute kernels
  MatrixUnit matrix;
  int lds_bytes;  // per workgroup
  int max_block_threads;
  int max_waves_per_simd;
  int simds_per_cu;
  int vgprs_per_simd_lane;

  bool is_cdna() const { return generation <= Generation::kCdna4; }
  bool operator==(const GpuTarget& other) const { return name == other.name; }
};

// All rows, in the table's order.
const std::vector<GpuTarget>& AllTargets();
// Accepts a bare name or an upstream arch string ("gfx942:sramecc+:xnack-": the features are checked, then
// ignored). Error TritonUnknownTarget lists the known names or features.
StatusOr<GpuTarget> FindTarget(std::string_view name);
// The products of a target; empty for targets that only compile.
std::vector<GpuModel> ModelsOf(const GpuTarget& target);

}  // namespace rocxla
