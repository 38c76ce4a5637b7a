#include "xla/stream_executor/rocm/rocm_compute_capability.h"

#include <algorithm>

namespace stream_executor {
namespace {

// Cuts `text` at `separator` and gives the pieces to `visit` until it returns true.
template <class Visit>
bool AnyPiece(std::string_view text, char separator, Visit visit) {
  while (!text.empty()) {
    const size_t end = std::min(text.find(separator), text.size());
    if (visit(text.substr(0, end))) return true;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return false;
}

}  // namespace

std::string_view RocmComputeCapability::gfx_version() const {
  return std::string_view(gcn_arch_name_).substr(0, gcn_arch_name_.find(':'));
}

bool RocmComputeCapability::IsAmong(std::string_view versions) const {
  return AnyPiece(versions, ' ', [version = gfx_version()](std::string_view listed) {
    return listed.ends_with('*') ? version.starts_with(listed.substr(0, listed.size() - 1)) : version == listed;
  });
}

RocmComputeCapability::Feature RocmComputeCapability::FeatureNamed(std::string_view name) const {
  Feature feature = Feature::kUnspecified;
  AnyPiece(gcn_arch_name_, ':', [&](std::string_view piece) {
    if (piece.size() != name.size() + 1 || !piece.starts_with(name)) return false;
    if (piece.back() == '+') feature = Feature::kOn;
    if (piece.back() == '-') feature = Feature::kOff;
    return true;
  });
  return feature;
}

std::optional<rocxla::GpuTarget> RocmComputeCapability::target() const {
  auto found = rocxla::FindTarget(gfx_version());
  return found.ok() ? std::optional(*found) : std::nullopt;
}

int RocmComputeCapability::threads_per_warp() const {
  constexpr int kCdnaWave = 64, kRdnaWave = 32;
  if (const auto known = target()) return known->wave_size;
  return gfx_version().starts_with("gfx9") ? kCdnaWave : kRdnaWave;
}

bool RocmComputeCapability::has_mfma_instr_support() const {
  const auto known = target();
  return known && known->matrix == rocxla::MatrixUnit::kMfma;
}

bool RocmComputeCapability::has_amd_matrix_instr() const {
  const auto known = target();
  return gfx11() || gfx12() || (known && known->matrix != rocxla::MatrixUnit::kNone);
}

}  // namespace stream_executor
