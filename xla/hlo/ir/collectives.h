// Which devices take part together in a collective operation. Source: XLA's "Operation Semantics" and the meaning that
// it gives to channel_id and use_global_device_ids.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace xla {

class HloInstruction;
struct HloModuleConfig;

// replica_groups=...: the text as it was written (three spellings mean the same) and the groups.
struct ReplicaGroups {
  std::string text = "{}";
  std::vector<std::vector<int64_t>> groups;  // none: all take part together
  bool operator==(const ReplicaGroups& other) const { return groups == other.groups; }
};

// source_target_pairs={{0,1},{1,2}}.
using SourceTargetPairs = std::vector<std::pair<int64_t, int64_t>>;

// What the numbers in replica_groups and source_target_pairs count.
enum class CollectiveGroupMode {
  kCrossReplica,              // replicas, of one partition
  kCrossPartition,            // partitions, of one replica
  kCrossReplicaAndPartition,  // replicas, with all of their partitions
  kFlattenedId,               // devices: replica * partitions + partition
};
CollectiveGroupMode GroupModeOf(const HloInstruction& collective);

// How many devices meet in one group; the largest group's number if they differ.
int64_t GroupSizeOf(const HloInstruction& collective, const HloModuleConfig& config);

// The group that `device` (replica * partitions + partition) belongs to, as such numbers in their order; empty if it
// belongs to none. Without replica_groups (collective-permute has none): all devices that the numbers can name.
std::vector<int64_t> GroupOfDevice(const HloInstruction& collective, const HloModuleConfig& config, int64_t device);

// Of a collective-permute: the device from which `device` receives; -1: from none.
int64_t SourceOfDevice(const HloInstruction& permute, const HloModuleConfig& config, int64_t device);

// Between which devices a send or recv moves its value: what frontend_attributes say in
// _xla_send_recv_source_target_pairs="{{0,1},{1,2}}", as numbers of partitions where there are several, else of
// replicas. Nothing if they do not say it, or not in this form.
std::optional<SourceTargetPairs> TransferPairsOf(const HloInstruction& send_or_recv);
// The device at the other end for `device`; -1: it takes no part.
int64_t TransferTargetOf(const SourceTargetPairs& pairs, const HloModuleConfig& config, int64_t device);
int64_t TransferSourceOf(const SourceTargetPairs& pairs, const HloModuleConfig& config, int64_t device);

}  // namespace xla
