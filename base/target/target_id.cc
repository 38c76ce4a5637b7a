#include "base/target/target_id.h"

namespace rocxla {
namespace {

struct GenericTarget {
  std::string_view name, processors;
};
constexpr GenericTarget kGenericTargets[] = {
#define GENERIC_TARGET(name, processors) {name, processors},
#include "base/target/generic_targets.def"
#undef GENERIC_TARGET
};

bool Includes(std::string_view generic, std::string_view processor) {
  for (const GenericTarget& target : kGenericTargets) {
    if (target.name != generic) continue;
    const std::string padded = " " + std::string(target.processors) + " ";
    return padded.find(" " + std::string(processor) + " ") != padded.npos;
  }
  return false;
}

}  // namespace

std::optional<TargetId> ParseTargetId(std::string_view text) {
  TargetId id;
  size_t colon = text.find(':');
  id.processor = text.substr(0, colon);
  if (!id.processor.starts_with("gfx")) return std::nullopt;
  while (colon != text.npos) {
    text.remove_prefix(colon + 1);
    colon = text.find(':');
    std::string_view feature = text.substr(0, colon);
    if (feature.size() < 2 || (feature.back() != '+' && feature.back() != '-')) return std::nullopt;
    const bool on = feature.back() == '+';
    feature.remove_suffix(1);
    if (!id.features.emplace(feature, on).second) return std::nullopt;
  }
  return id;
}

std::optional<int> TargetMatch(const TargetId& code, const TargetId& device) {
  const bool exact = code.processor == device.processor;
  if (!exact && !Includes(code.processor, device.processor)) return std::nullopt;
  constexpr int kExact = 100;
  int match = exact ? kExact : 0;
  for (const auto& [feature, on] : code.features) {
    const auto found = device.features.find(feature);
    if (found == device.features.end()) continue;
    if (found->second != on) return std::nullopt;
    ++match;
  }
  return match;
}

}  // namespace rocxla
