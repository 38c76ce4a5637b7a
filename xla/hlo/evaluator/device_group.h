// The devices of a simulated run. Each evaluates the module on a host thread of its own; collectives are where they
// meet.
#pragma once
#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "xla/hlo/evaluator/evaluator.h"
#include "xla/hlo/evaluator/hlo_evaluator.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla::evaluator {

// What one device brings to a collective.
using Contribution = std::shared_ptr<const std::vector<Literal>>;

// From a send to a recv.
struct Route {
  int64_t channel = 0;
  int64_t source = 0;  // devices
  int64_t target = 0;
  auto operator<=>(const Route&) const = default;
};

// Thread-safe.
class DeviceGroup {
 public:
  explicit DeviceGroup(int64_t devices) : running_(devices) {}

  // Waits until each of `members` (devices) has called this for the same execution, number `round`, of the same
  // instruction. Returns what they brought, in the order of `members`. HloNotEvaluable if some can no longer come.
  StatusOr<std::vector<Contribution>> Meet(const HloInstruction& instruction, const std::vector<int64_t>& members,
                                           int64_t round, int64_t me, Contribution mine);
  // Leaves a value for the device at the end of the route; does not wait.
  void Send(const Route& route, Literal value);
  // Takes the oldest value of the route, and waits until there is one. HloNotEvaluable if none can come any more.
  StatusOr<Literal> Receive(const HloInstruction& instruction, const Route& route);
  // A device has ended, or failed: it comes to no further meeting.
  void Leave();

 private:
  struct Meeting {
    std::map<int64_t, Contribution> arrived;
    size_t left = 0;  // members who have taken the result
  };
  struct Queue {
    std::deque<Literal> values;
    int64_t waiting = 0;  // receivers without a value
  };
  using Key = std::tuple<const HloInstruction*, int64_t, std::vector<int64_t>>;

  void CheckProgress();  // mutex_ is held

  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<Key, Meeting> meetings_;
  std::map<Route, Queue> queues_;
  int64_t running_;  // devices that neither wait nor have ended
  bool stuck_ = false;
};

// What a run keeps between its instructions, besides their values.
struct RunState {
  EvaluationOptions options;
  size_t infeeds_taken = 0;
  uint64_t random_blocks_drawn = 0;                // of rng
  uint64_t random_state[2] = {0x7012395, 0};       // of rng-get-and-update-state, the lower half first
  std::vector<Route> receptions;                   // of the recvs so far; their contexts are places in it, plus one
  std::map<int64_t, std::deque<Literal>> to_self;  // what waits on a channel, in a run without simulated devices
};

// The device whose program the calling thread evaluates.
struct DeviceContext {
  DeviceGroup* group = nullptr;  // null: a run without simulated devices
  HloModuleConfig config;        // replica_count and num_partitions are those of the run
  int64_t device = 0;            // replica * num_partitions + partition
  std::unordered_map<const HloInstruction*, int64_t> rounds = {};  // executions so far, of collectives
  RunState run = {};
};
DeviceContext& CurrentDevice();

}  // namespace xla::evaluator
