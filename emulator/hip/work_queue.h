// WorkQueue: ordered work on a thread of its own; the heart of a stream of the embedded device.
#pragma once
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/hip/hip_types.h"

namespace rocxla::emu {

// The outcome of a piece of work, in HIP's terms.
struct WorkResult {
  hipError_t code = hipSuccess;
  std::string detail;  // the full text for the user; empty when `code` says it all
  bool ok() const { return code == hipSuccess; }
};

class WorkQueue;

// A point in a queue's work: all of it up to and including `ticket`. An empty fence has always passed.
struct Fence {
  std::shared_ptr<WorkQueue> queue;
  uint64_t ticket = 0;
};

// The first piece of work that fails ends the queue: what follows is skipped, and every later Wait returns that
// failure. Waits between queues cannot deadlock, because a fence only names work that was submitted before it.
// Thread-safe.
class WorkQueue {
 public:
  using Work = std::function<WorkResult()>;

  WorkQueue();
  // Runs what is left, then ends. Not on the queue's own thread.
  ~WorkQueue();
  WorkQueue(const WorkQueue&) = delete;
  WorkQueue& operator=(const WorkQueue&) = delete;

  // Appends work, which starts when everything before it and all the fences have passed. A fence of a failed queue
  // makes this one fail too: the work would use results that do not exist. Returns the work's ticket (1, 2, ...).
  uint64_t Submit(Work work, std::vector<Fence> after = {});
  uint64_t last_ticket() const;
  bool HasPassed(uint64_t ticket) const;
  // Blocks until the work with that ticket has run or was skipped; the queue's failure if it lies at or before it.
  WorkResult Wait(uint64_t ticket) const;
  // The queue's failure, if it lies at or before that ticket. Never blocks.
  WorkResult FailureUpTo(uint64_t ticket) const;

  // True on the thread of any queue: there, waiting for work could wait for itself.
  static bool OnWorkerThread();

 private:
  struct Item {
    Work work;
    std::vector<Fence> after;
  };
  void RunWorker();
  static WorkResult RunItem(const Item& item);

  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::deque<Item> items_;  // guarded by mutex_, as all below
  uint64_t submitted_ = 0;
  uint64_t passed_ = 0;
  bool ending_ = false;
  WorkResult failure_;
  uint64_t failed_ticket_ = 0;  // 0: none
  std::thread worker_;          // last: it uses the members above
};

// Blocks until the fence has passed.
WorkResult WaitFor(const Fence& fence);

}  // namespace rocxla::emu
