#include "base/thread_pool.h"

#include <algorithm>
#include <memory>
#include <system_error>
#include <utility>

namespace rocxla {
namespace {

// One ParallelFor. Whoever takes part draws indices until none is left. The caller takes part too and waits only for
// indices that somebody else is already running, so that nested loops on a busy pool cannot block each other.
class Loop {
 public:
  Loop(int64_t count, const std::function<Status(int64_t)>& body) : count_(count), body_(body) {}

  void TakePart() {
    std::unique_lock lock(mutex_);
    while (next_ < count_ && failed_index_ < 0) {
      const int64_t index = next_++;
      ++running_;
      lock.unlock();
      Status status = body_(index);  // the caller of ParallelFor keeps it alive while anything is running
      lock.lock();
      --running_;
      if (!status.ok() && (failed_index_ < 0 || index < failed_index_))
        failed_index_ = index, failure_ = std::move(status);
    }
    if (running_ == 0) done_.notify_all();
  }

  Status Wait() {
    std::unique_lock lock(mutex_);
    done_.wait(lock, [&] { return running_ == 0; });
    return failure_;
  }

 private:
  const int64_t count_;
  const std::function<Status(int64_t)>& body_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable done_;
  int64_t next_ = 0;
  int64_t running_ = 0;
  int64_t failed_index_ = -1;
  Status failure_;
};

}  // namespace

ThreadPool::ThreadPool(int threads) {
  const int cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  const int wanted = std::min(threads > 0 ? threads : cores, kMostThreads);
  workers_.reserve(wanted);
  try {
    for (int i = 0; i < wanted; ++i) workers_.emplace_back([this] { Work(); });
  } catch (const std::system_error&) {
    // The system has no more threads to give: those that exist do the work.
  }
}

ThreadPool::~ThreadPool() {
  {
    std::lock_guard lock(mutex_);
    ending_ = true;
  }
  wake_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::Work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return ending_ || !tasks_.empty(); });
    if (tasks_.empty()) return;
    std::function<void()> task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    task();
    task = nullptr;  // what it owns dies outside of the lock
    lock.lock();
  }
}

void ThreadPool::Schedule(std::function<void()> task) {
  if (workers_.empty()) return task();
  {
    std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
  }
  wake_.notify_one();
}

Status ThreadPool::ParallelFor(int64_t count, const std::function<Status(int64_t)>& body) {
  if (count <= 0) return OkStatus();
  // Shared: a helper may come to run only when the loop is over, and then finds nothing to draw.
  auto loop = std::make_shared<Loop>(count, body);
  const auto helpers = static_cast<int>(std::min<int64_t>(threads(), count - 1));
  for (int i = 0; i < helpers; ++i) Schedule([loop] { loop->TakePart(); });
  loop->TakePart();
  return loop->Wait();
}

}  // namespace rocxla
