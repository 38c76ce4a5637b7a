// RocmComputeCapability: what an AMD GPU can do, from the name that HIP gives its architecture. A value.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/target/target.h"

namespace stream_executor {

class RocmComputeCapability {
 public:
  // `gcn_arch_name`: "gfx942", or with features as HIP reports it, "gfx942:sramecc+:xnack-".
  explicit RocmComputeCapability(std::string gcn_arch_name) : gcn_arch_name_(std::move(gcn_arch_name)) {}
  RocmComputeCapability() : RocmComputeCapability(kInvalidGfx) {}

  // Equal means that a code object for one runs on the other: the features count.
  bool operator==(const RocmComputeCapability&) const = default;

  const std::string& gcn_arch_name() const { return gcn_arch_name_; }
  std::string_view gfx_version() const;  // "gfx942"
  enum class Feature { kUnspecified, kOff, kOn };
  Feature xnack() const { return FeatureNamed("xnack"); }
  Feature sramecc() const { return FeatureNamed("sramecc"); }

  // The row of base/target; empty for a GPU that is not in it.
  std::optional<rocxla::GpuTarget> target() const;
  int threads_per_warp() const;
  bool has_mfma_instr_support() const;
  bool has_amd_matrix_instr() const;  // MFMA or WMMA
  bool has_bf16_dtype_support() const { return has_amd_matrix_instr(); }
  bool has_fp8_support() const { return has_ocp_fp8_support() || has_nanoo_fp8_support(); }
  // The predicates of rocm_predicates.def.
#define ROCM_PREDICATE(name, versions) \
  bool name() const { return IsAmong(versions); }
#include "xla/stream_executor/rocm/rocm_predicates.def"
#undef ROCM_PREDICATE

 private:
  static constexpr const char* kInvalidGfx = "gfx000";
  bool IsAmong(std::string_view versions) const;
  Feature FeatureNamed(std::string_view name) const;

  std::string gcn_arch_name_;
};

}  // namespace stream_executor
