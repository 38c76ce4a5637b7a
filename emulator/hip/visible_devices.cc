#include "emulator/hip/visible_devices.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <climits>
#include <cstdlib>

#include "base/environment.h"
#include "base/error_ids.h"

namespace rocxla::emu {
namespace {

constexpr const char* kDevicesVariable = "ROCXLA_EMBEDDED_DEVICES";
constexpr const char* kDefaultDevices = "gfx942";
constexpr int kMaxDevices = 64;

std::optional<std::string> Variable(EnvironmentVariable variable) {
  const char* value = Environment(variable);
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

std::string EmulatedTargets() {
  std::string names;
  for (const GpuTarget& target : AllTargets()) {
    if (target.support != TargetSupport::kFirstClass) continue;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", target.name);
  }
  return names;
}

Status NoSuchDevice(std::string_view asked, std::string_view why) {
  return Error(ErrorId::kDeviceNotFound, {.what = fmt::format("there is no embedded device of this target: {}", why),
                                          .where = fmt::format("--device, or {} in the environment", kDevicesVariable),
                                          .found = fmt::format("'{}'", asked),
                                          .expected = fmt::format("one of {}", EmulatedTargets())});
}

Status BadItem(std::string_view item, std::string_view what) {
  return Error(
      ErrorId::kDeviceNotFound,
      {.what = fmt::format("the list of embedded devices is malformed: {}", what),
       .where = fmt::format("{} in the environment", kDevicesVariable),
       .found = fmt::format("'{}'", item),
       .expected = fmt::format("targets or models separated by commas, each with an optional count of 1 to {}: "
                               "gfx942:2,gfx1100",
                               kMaxDevices)});
}

bool AllDigits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
}

std::vector<std::string_view> Split(std::string_view list) {
  std::vector<std::string_view> items;
  while (true) {
    const size_t comma = list.find(',');
    items.push_back(list.substr(0, comma));
    if (comma == std::string_view::npos) return items;
    list.remove_prefix(comma + 1);
  }
}

std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// A non-negative number without superfluous characters; -1 for anything else.
int Number(std::string_view text) {
  int value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return AllDigits(text) && error == std::errc() && end == text.data() + text.size() ? value : -1;
}

constexpr std::string_view kUuidPrefix = "GPU-";

// The device that an item names, or -1.
int NamedForHip(std::string_view item, const std::vector<std::string>& uuids) {
  if (item.find(kUuidPrefix) == item.npos) {
    const int number = Number(item);
    return fmt::format("{}", number) == item ? number : -1;
  }
  for (size_t i = 0; i < uuids.size(); ++i) {
    if (uuids[i].find(item) != std::string::npos) return static_cast<int>(i);
  }
  return -1;
}

std::string UpperCase(std::string_view text) {
  std::string upper(text);
  std::ranges::transform(upper, upper.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return upper;
}

int NamedForRocr(std::string_view item, const std::vector<std::string>& uuids) {
  const std::string text = UpperCase(Trimmed(item));
  if (!text.starts_with(kUuidPrefix.front())) {
    char* end = nullptr;
    const long number = std::strtol(text.c_str(), &end, /*base=*/0);
    const bool is_ordinal = !text.empty() && *end == '\0' && number >= 0 && number <= INT_MAX;
    return is_ordinal ? static_cast<int>(number) : -1;
  }
  int found = -1;
  for (size_t i = 0; i < uuids.size() && text.size() > kUuidPrefix.size(); ++i) {
    if (!UpperCase(uuids[i]).starts_with(text)) continue;
    if (found != -1) return -1;
    found = static_cast<int>(i);
  }
  return found;
}

// Keeps what the variable lets through, and says so when that is nothing.
void Filter(VisibilityRules rules, const char* variable, const std::string& value, VisibleDevices& visible) {
  if (visible.devices.empty()) return;
  std::vector<std::string> uuids;
  for (const ConfiguredDevice& device : visible.devices) uuids.push_back(device.uuid());
  std::vector<ConfiguredDevice> kept;
  for (int index : SelectVisible(rules, value, uuids)) kept.push_back(visible.devices[index]);
  if (kept.empty()) {
    visible.reason =
        fmt::format("{}='{}' hides all of the {} embedded devices: its first item is none of their ordinals or UUIDs",
                    variable, value, uuids.size());
  }
  visible.devices = std::move(kept);
}

}  // namespace

EmbeddedEnvironment EmbeddedEnvironment::OfProcess() {
  return {Variable(EnvironmentVariable::kROCXLA_EMBEDDED_DEVICES), Variable(EnvironmentVariable::kROCR_VISIBLE_DEVICES),
          Variable(EnvironmentVariable::kHIP_VISIBLE_DEVICES), Variable(EnvironmentVariable::kCUDA_VISIBLE_DEVICES)};
}

std::string ConfiguredDevice::uuid() const {
  uint32_t digits = 0;  // gfx90a -> 0x90a
  std::from_chars(target.name.data() + 3, target.name.data() + target.name.size(), digits, 16);
  return fmt::format("GPU-e{:07x}{:08x}", digits, slot);
}

StatusOr<ConfiguredDevice> ConfigureDevice(std::string_view item, int slot) {
  for (const GpuTarget& target : AllTargets()) {
    for (const GpuModel& model : ModelsOf(target)) {
      if (model.key == item) return ConfiguredDevice{target, model, slot};
    }
  }
  const StatusOr<GpuTarget> target = FindTarget(item);
  if (!target.ok()) return NoSuchDevice(item, "the target is unknown");
  const std::vector<GpuModel> models = ModelsOf(*target);
  if (target->support != TargetSupport::kFirstClass || models.empty()) {
    return NoSuchDevice(item, "rocXLA only compiles for it");
  }
  return ConfiguredDevice{*target, models.front(), slot};
}

StatusOr<std::vector<ConfiguredDevice>> ConfigureDevices(std::string_view list) {
  std::vector<ConfiguredDevice> devices;
  if (Trimmed(list).empty()) return devices;
  for (std::string_view part : Split(list)) {
    const std::string_view item = Trimmed(part);
    if (item.empty()) return BadItem(list, "an item is empty");
    const size_t colon = item.rfind(':');
    std::string_view name = item;
    int count = 1;
    if (colon != std::string_view::npos && (colon + 1 == item.size() || AllDigits(item.substr(colon + 1)))) {
      name = item.substr(0, colon);
      count = Number(item.substr(colon + 1));
      if (count < 1 || count > kMaxDevices) return BadItem(item, "the count is no number in its range");
    }
    if (devices.size() + count > kMaxDevices) return BadItem(list, "too many devices");
    for (int i = 0; i < count; ++i) {
      ASSIGN_OR_RETURN(ConfiguredDevice device, ConfigureDevice(name, static_cast<int>(devices.size())));
      devices.push_back(std::move(device));
    }
  }
  return devices;
}

std::vector<int> SelectVisible(VisibilityRules rules, std::string_view value, const std::vector<std::string>& uuids) {
  std::vector<int> selected;
  for (std::string_view item : Split(value)) {
    const bool is_hip = rules == VisibilityRules::kHip;
    const int index = is_hip ? NamedForHip(item, uuids) : NamedForRocr(item, uuids);
    if (index < 0 || index >= static_cast<int>(uuids.size())) break;
    const bool is_new = std::ranges::find(selected, index) == selected.end();
    if (!is_new && !is_hip) break;
    if (is_new) selected.push_back(index);
  }
  return selected;
}

StatusOr<VisibleDevices> FindVisibleDevices(const EmbeddedEnvironment& environment) {
  VisibleDevices visible;
  ASSIGN_OR_RETURN(visible.devices, ConfigureDevices(environment.devices.value_or(kDefaultDevices)));
  if (visible.devices.empty()) visible.reason = fmt::format("{} is empty", kDevicesVariable);
  // An empty ROCR_VISIBLE_DEVICES hides every device: the HSA runtime asks whether the variable is set. HIP looks at
  // the first character of its own: an empty one is as good as none, and CUDA's counts then.
  if (environment.rocr_visible) {
    Filter(VisibilityRules::kRocr, "ROCR_VISIBLE_DEVICES", *environment.rocr_visible, visible);
  }
  if (environment.hip_visible && !environment.hip_visible->empty()) {
    Filter(VisibilityRules::kHip, "HIP_VISIBLE_DEVICES", *environment.hip_visible, visible);
  } else if (environment.cuda_visible && !environment.cuda_visible->empty()) {
    Filter(VisibilityRules::kHip, "CUDA_VISIBLE_DEVICES", *environment.cuda_visible, visible);
  }
  return visible;
}

}  // namespace rocxla::emu
