#include "xla/hlo/ir/collectives.h"

#include <algorithm>
#include <charconv>
#include <numeric>

#include "xla/hlo/ir/hlo_instruction.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla {
namespace {

// Operations with use_global_device_ids say by it what they mean where they have a channel.
bool HasGlobalIdFlag(HloOpcode opcode) {
  const auto& uses = InfoOf(opcode).attributes;
  return std::any_of(uses.begin(), uses.end(),
                     [](const AttributeUse& use) { return use.id == AttributeId::kUseGlobalDeviceIds; });
}

// How many there are of what the mode counts.
int64_t CountOf(CollectiveGroupMode mode, const HloModuleConfig& config) {
  switch (mode) {
    case CollectiveGroupMode::kCrossReplica:
    case CollectiveGroupMode::kCrossReplicaAndPartition:
      return config.replica_count;
    case CollectiveGroupMode::kCrossPartition:
      return config.num_partitions;
    case CollectiveGroupMode::kFlattenedId:
      break;
  }
  return config.replica_count * config.num_partitions;
}

// The number by which a device stands in a group, and a device by its number where `like` is the asking device.
int64_t NumberOf(CollectiveGroupMode mode, const HloModuleConfig& config, int64_t device) {
  if (mode == CollectiveGroupMode::kFlattenedId) return device;
  if (mode == CollectiveGroupMode::kCrossPartition) return device % config.num_partitions;
  return device / config.num_partitions;
}
int64_t DeviceOf(CollectiveGroupMode mode, const HloModuleConfig& config, int64_t number, int64_t like) {
  const int64_t partitions = config.num_partitions;
  if (mode == CollectiveGroupMode::kFlattenedId) return number;
  if (mode == CollectiveGroupMode::kCrossPartition) return like / partitions * partitions + number;
  return number * partitions + like % partitions;
}

std::vector<int64_t> AllNumbers(int64_t count) {
  std::vector<int64_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

}  // namespace

CollectiveGroupMode GroupModeOf(const HloInstruction& collective) {
  const bool has_channel = collective.attributes().Has(AttributeId::kChannelId);
  if (!has_channel) return CollectiveGroupMode::kCrossReplica;
  if (!HasGlobalIdFlag(collective.opcode())) return CollectiveGroupMode::kCrossPartition;
  return collective.attributes().Get<bool>(AttributeId::kUseGlobalDeviceIds)
             ? CollectiveGroupMode::kFlattenedId
             : CollectiveGroupMode::kCrossReplicaAndPartition;
}

int64_t GroupSizeOf(const HloInstruction& collective, const HloModuleConfig& config) {
  const CollectiveGroupMode mode = GroupModeOf(collective);
  const auto groups = collective.attributes().Get<ReplicaGroups>(AttributeId::kReplicaGroups).groups;
  size_t largest = groups.empty() ? static_cast<size_t>(CountOf(mode, config)) : 0;
  for (const auto& group : groups) largest = std::max(largest, group.size());
  const bool with_partitions = mode == CollectiveGroupMode::kCrossReplicaAndPartition;
  return static_cast<int64_t>(largest) * (with_partitions ? config.num_partitions : 1);
}

std::vector<int64_t> GroupOfDevice(const HloInstruction& collective, const HloModuleConfig& config, int64_t device) {
  const CollectiveGroupMode mode = GroupModeOf(collective);
  auto groups = collective.attributes().Get<ReplicaGroups>(AttributeId::kReplicaGroups).groups;
  if (groups.empty()) groups.push_back(AllNumbers(CountOf(mode, config)));
  const int64_t number = NumberOf(mode, config, device);
  for (const std::vector<int64_t>& group : groups) {
    if (std::find(group.begin(), group.end(), number) == group.end()) continue;
    std::vector<int64_t> devices;
    for (const int64_t member : group) {
      if (mode == CollectiveGroupMode::kCrossReplicaAndPartition) {
        for (int64_t p = 0; p < config.num_partitions; ++p) devices.push_back(member * config.num_partitions + p);
      } else {
        devices.push_back(DeviceOf(mode, config, member, device));
      }
    }
    return devices;
  }
  return {};
}

int64_t SourceOfDevice(const HloInstruction& permute, const HloModuleConfig& config, int64_t device) {
  const CollectiveGroupMode mode = GroupModeOf(permute);
  const int64_t number = NumberOf(mode, config, device);
  for (const auto& [source, target] : permute.attributes().Get<SourceTargetPairs>(AttributeId::kSourceTargetPairs)) {
    if (target == number) return DeviceOf(mode, config, source, device);
  }
  return -1;
}

namespace {

// "{{0,1},{1,2}}" at the beginning of `text`.
std::optional<SourceTargetPairs> PairsFromText(std::string_view text) {
  SourceTargetPairs pairs;
  const auto consume = [&](std::string_view token) {
    while (text.starts_with(' ')) text.remove_prefix(1);
    if (!text.starts_with(token)) return false;
    text.remove_prefix(token.size());
    return true;
  };
  const auto number = [&](int64_t& value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || value < 0) return false;
    text.remove_prefix(static_cast<size_t>(end - text.data()));
    return true;
  };
  if (!consume("{")) return std::nullopt;
  while (!consume("}")) {
    if (!pairs.empty() && !consume(",")) return std::nullopt;
    auto& [source, target] = pairs.emplace_back();
    if (!consume("{") || !number(source) || !consume(",") || !number(target) || !consume("}")) return std::nullopt;
  }
  return pairs;
}

CollectiveGroupMode TransferMode(const HloModuleConfig& config) {
  return config.num_partitions > 1 ? CollectiveGroupMode::kCrossPartition : CollectiveGroupMode::kCrossReplica;
}

}  // namespace

std::optional<SourceTargetPairs> TransferPairsOf(const HloInstruction& send_or_recv) {
  constexpr std::string_view kKey = "_xla_send_recv_source_target_pairs=";
  const std::string text = send_or_recv.attributes().Get<Verbatim>(AttributeId::kFrontendAttributes).text;
  const size_t at = text.find(kKey);
  if (at == std::string::npos) return std::nullopt;
  std::string_view value = std::string_view(text).substr(at + kKey.size());
  if (value.starts_with('"')) value.remove_prefix(1);
  return PairsFromText(value);
}

int64_t TransferTargetOf(const SourceTargetPairs& pairs, const HloModuleConfig& config, int64_t device) {
  const CollectiveGroupMode mode = TransferMode(config);
  for (const auto& [source, target] : pairs) {
    if (source == NumberOf(mode, config, device)) return DeviceOf(mode, config, target, device);
  }
  return -1;
}

int64_t TransferSourceOf(const SourceTargetPairs& pairs, const HloModuleConfig& config, int64_t device) {
  const CollectiveGroupMode mode = TransferMode(config);
  for (const auto& [source, target] : pairs) {
    if (target == NumberOf(mode, config, device)) return DeviceOf(mode, config, source, device);
  }
  return -1;
}

}  // namespace xla
