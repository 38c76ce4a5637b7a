#include "xla/stream_executor/rocm/device_selection.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "base/error_ids.h"
#include "base/hip/hip_providers.h"
#include "xla/stream_executor/rocm/rocm_compute_capability.h"
#include "xla/stream_executor/rocm/rocm_platform.h"

namespace stream_executor::gpu {
namespace {

constexpr std::string_view kReal = "hip";
constexpr std::string_view kEmbedded = "embedded";

Status BadSpec(std::string_view spec) {
  return Error(ErrorId::kBadUsage, {.what = "this names no device",
                                    .found = fmt::format("'{}'", spec),
                                    .expected = "auto, hip:0, embedded:0, embedded:gfx942 or gfx942",
                                    .next = "rocxla devices lists what there is"});
}

std::optional<int> ParseOrdinal(std::string_view text) {
  int ordinal = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), ordinal);
  const bool all_digits = error == std::errc() && end == text.data() + text.size() && ordinal >= 0;
  return all_digits ? std::optional(ordinal) : std::nullopt;
}

std::string FirstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

// `why`: in brackets at the end; may be empty.
StatusOr<SelectedDevice> Open(ROCmPlatform& platform, int ordinal, std::string_view why) {
  ASSIGN_OR_RETURN(StreamExecutor * executor, platform.ExecutorForDevice(ordinal));
  ASSIGN_OR_RETURN(const HipApi* api, platform.hip());
  const DeviceDescription& device = executor->GetDeviceDescription();
  std::string text =
      platform.provider() == kReal
          ? fmt::format("hip:{}: {} ({}) through {}", ordinal, device.name(), device.gcn_arch_name(), api->origin)
          : fmt::format("{}:{}: {} as {}, executed on the CPU", platform.provider(), ordinal, device.gcn_arch_name(),
                        device.name());
  if (!why.empty()) text += fmt::format(" ({})", why);
  return SelectedDevice{executor, std::move(text), platform.provider() == kEmbedded};
}

// The first device of that target, or a new one.
StatusOr<int> OrdinalOfTarget(const ROCmPlatform& platform, std::string_view target) {
  for (int ordinal = 0; ordinal < platform.VisibleDeviceCount(); ++ordinal) {
    ASSIGN_OR_RETURN(auto description, platform.DescriptionForDevice(ordinal));
    if (RocmComputeCapability(description->gcn_arch_name()).gfx_version() == target) return ordinal;
  }
  return rocxla::AddHipDevice(platform.provider(), target);
}

StatusOr<SelectedDevice> SelectAuto() {
  ASSIGN_OR_RETURN(ROCmPlatform * real, RocmPlatformOf(kReal));
  if (real->VisibleDeviceCount() > 0) return Open(*real, 0, "");
  const Status reason = real->InitStatus();
  const StatusOr<ROCmPlatform*> embedded = RocmPlatformOf(kEmbedded);
  if (!embedded.ok()) return reason;
  const std::string why = reason.ok() ? "ROCm lists no GPU" : FirstLine(reason.message());
  return Open(**embedded, 0, fmt::format("no AMD GPU: {}", why));
}

ProviderListing ListProvider(const std::string& provider) {
  ProviderListing listing{provider, {}, OkStatus()};
  StatusOr<ROCmPlatform*> platform = RocmPlatformOf(provider);
  if (!platform.ok()) return listing.missing = platform.status(), listing;
  listing.missing = (*platform)->InitStatus();
  for (int ordinal = 0; ordinal < (*platform)->VisibleDeviceCount(); ++ordinal) {
    auto description = (*platform)->DescriptionForDevice(ordinal);
    if (description.ok()) {
      listing.devices.push_back({fmt::format("{}:{}", provider, ordinal), **description});
    } else if (listing.missing.ok()) {
      listing.missing = description.status();
    }
  }
  return listing;
}

}  // namespace

StatusOr<SelectedDevice> SelectDevice(std::string_view spec) {
  if (spec == "auto") return SelectAuto();
  if (spec.starts_with("gfx")) return SelectDevice(fmt::format("{}:{}", kEmbedded, spec));
  const size_t colon = spec.find(':');
  if (colon == spec.npos) return BadSpec(spec);
  const std::string_view provider = spec.substr(0, colon), which = spec.substr(colon + 1);
  if (provider != kReal && provider != kEmbedded) return BadSpec(spec);
  ASSIGN_OR_RETURN(ROCmPlatform * platform, RocmPlatformOf(provider));
  if (const std::optional<int> ordinal = ParseOrdinal(which)) return Open(*platform, *ordinal, "");
  if (provider != kEmbedded || !which.starts_with("gfx")) return BadSpec(spec);
  ASSIGN_OR_RETURN(const int ordinal, OrdinalOfTarget(*platform, which));
  return Open(*platform, ordinal, "");
}

std::vector<ProviderListing> ListDevices() {
  std::vector<ProviderListing> all;
  for (const std::string& provider : rocxla::HipProviderNames()) all.push_back(ListProvider(provider));
  return all;
}

}  // namespace stream_executor::gpu
