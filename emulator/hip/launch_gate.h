// LaunchGate: one kernel at a time on a device, since a launch uses all host cores by itself.
#pragma once
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <set>
#include <utility>

namespace rocxla::emu {

// Of those who wait, the smallest priority number goes first (as HIP counts), equal ones in order of arrival.
// Thread-safe.
class LaunchGate {
 public:
  // Holds the gate while it lives.
  class Turn {
   public:
    Turn(LaunchGate& gate, int priority) : gate_(gate) { gate_.Enter(priority); }
    ~Turn() { gate_.Leave(); }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    LaunchGate& gate_;
  };

  // How many wait now.
  size_t waiting() const {
    std::lock_guard lock(mutex_);
    return queue_.size();
  }

 private:
  void Enter(int priority) {
    std::unique_lock lock(mutex_);
    const std::pair<int, uint64_t> mine{priority, arrivals_++};
    queue_.insert(mine);
    changed_.wait(lock, [&] { return !held_ && *queue_.begin() == mine; });
    queue_.erase(mine);
    held_ = true;
  }
  void Leave() {
    std::lock_guard lock(mutex_);
    held_ = false;
    changed_.notify_all();
  }

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::set<std::pair<int, uint64_t>> queue_;  // guarded by mutex_, as all below: priority and arrival
  uint64_t arrivals_ = 0;
  bool held_ = false;
};

}  // namespace rocxla::emu
