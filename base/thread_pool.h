// A fixed number of threads, for work that is worth a lock per item (microseconds and more).
#pragma once
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "base/status.h"

namespace rocxla {

class ThreadPool {
 public:
  // `threads` of them; 0 and below: one per core. At most kMostThreads. When the system gives fewer, the pool is
  // smaller; when it gives none, work runs on the caller's thread.
  explicit ThreadPool(int threads = 0);
  // Finishes all that was scheduled, and joins. Nobody may use the pool meanwhile, but its own tasks.
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  static constexpr int kMostThreads = 1024;
  int threads() const { return static_cast<int>(workers_.size()); }

  // Runs `task` on some thread of the pool, later or already. Thread-safe, also from tasks. Tasks do not throw.
  void Schedule(std::function<void()> task);

  // Calls body(0), ..., body(count - 1), each once, in any order, on the pool and on the caller's thread, and returns
  // when all are done. After a failure no further index is begun; the failure with the lowest index is returned, which
  // does not depend on the threads' speed. Thread-safe; the body may call it again, to any depth.
  Status ParallelFor(int64_t count, const std::function<Status(int64_t)>& body);

 private:
  void Work();

  std::mutex mutex_;  // guards what follows
  std::condition_variable wake_;
  std::deque<std::function<void()>> tasks_;
  bool ending_ = false;

  std::vector<std::thread> workers_;  // constant after construction
};

}  // namespace rocxla
