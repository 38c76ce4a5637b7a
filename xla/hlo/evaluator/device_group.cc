#include "xla/hlo/evaluator/device_group.h"

#include <fmt/format.h>

namespace xla::evaluator {

// A thread evaluates for one device only, and evaluation functions are too many to hand it through all of them.
DeviceContext& CurrentDevice() {
  thread_local DeviceContext context;
  return context;
}

StatusOr<std::vector<Contribution>> DeviceGroup::Meet(const HloInstruction& instruction,
                                                      const std::vector<int64_t>& members, int64_t round, int64_t me,
                                                      Contribution mine) {
  std::unique_lock lock(mutex_);
  const Key key = {&instruction, round, members};
  Meeting& meeting = meetings_[key];
  meeting.arrived[me] = std::move(mine);
  if (meeting.arrived.size() == members.size()) {
    running_ += static_cast<int64_t>(members.size()) - 1;  // the others go on
    changed_.notify_all();
  } else {
    --running_;
    CheckProgress();
    changed_.wait(lock, [&] { return stuck_ || meeting.arrived.size() == members.size(); });
  }
  if (meeting.arrived.size() < members.size()) {
    ++running_;
    return NotEvaluable(instruction,
                        "devices of the group do not come to this collective: they have ended, failed, or "
                        "wait in another one");
  }
  std::vector<Contribution> all;
  for (const int64_t member : members) all.push_back(meeting.arrived.at(member));
  if (++meeting.left == members.size()) meetings_.erase(key);
  return all;
}

void DeviceGroup::Send(const Route& route, Literal value) {
  std::lock_guard lock(mutex_);
  Queue& queue = queues_[route];
  queue.values.push_back(std::move(value));
  if (queue.waiting > 0) {
    --queue.waiting;
    ++running_;  // the receiver goes on
    changed_.notify_all();
  }
}

StatusOr<Literal> DeviceGroup::Receive(const HloInstruction& instruction, const Route& route) {
  std::unique_lock lock(mutex_);
  Queue& queue = queues_[route];
  if (queue.values.empty()) {
    ++queue.waiting;
    --running_;
    CheckProgress();
    changed_.wait(lock, [&] { return stuck_ || !queue.values.empty(); });
  }
  if (queue.values.empty()) {
    ++running_;
    return NotEvaluable(
        instruction, fmt::format("device {} sends nothing on channel {}: it has ended, failed, or waits", route.source,
                                 route.channel));
  }
  Literal value = std::move(queue.values.front());
  queue.values.pop_front();
  return value;
}

void DeviceGroup::Leave() {
  std::lock_guard lock(mutex_);
  --running_;
  CheckProgress();
}

void DeviceGroup::CheckProgress() {
  if (running_ > 0) return;
  stuck_ = true;
  changed_.notify_all();
}

}  // namespace xla::evaluator
