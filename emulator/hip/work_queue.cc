#include "emulator/hip/work_queue.h"

#include <fmt/format.h>

#include <utility>

namespace rocxla::emu {
namespace {
thread_local bool on_worker_thread = false;
}

WorkQueue::WorkQueue() : worker_([this] { RunWorker(); }) {}

WorkQueue::~WorkQueue() {
  {
    std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  worker_.join();
}

bool WorkQueue::OnWorkerThread() { return on_worker_thread; }

uint64_t WorkQueue::Submit(Work work, std::vector<Fence> after) {
  std::lock_guard lock(mutex_);
  items_.push_back({std::move(work), std::move(after)});
  changed_.notify_all();
  return ++submitted_;
}

uint64_t WorkQueue::last_ticket() const {
  std::lock_guard lock(mutex_);
  return submitted_;
}

bool WorkQueue::HasPassed(uint64_t ticket) const {
  std::lock_guard lock(mutex_);
  return passed_ >= ticket;
}

WorkResult WorkQueue::FailureUpTo(uint64_t ticket) const {
  std::lock_guard lock(mutex_);
  return failed_ticket_ != 0 && failed_ticket_ <= ticket ? failure_ : WorkResult{};
}

WorkResult WorkQueue::Wait(uint64_t ticket) const {
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return passed_ >= ticket; });
  }
  return FailureUpTo(ticket);
}

WorkResult WaitFor(const Fence& fence) {
  return fence.queue == nullptr ? WorkResult{} : fence.queue->Wait(fence.ticket);
}

WorkResult WorkQueue::RunItem(const Item& item) {
  for (const Fence& fence : item.after) {
    WorkResult result = WaitFor(fence);
    if (!result.ok()) return result;
  }
  return item.work();
}

void WorkQueue::RunWorker() {
  on_worker_thread = true;
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return ending_ || !items_.empty(); });
    if (items_.empty()) return;
    Item item = std::move(items_.front());
    items_.pop_front();
    const bool skip = failed_ticket_ != 0;
    lock.unlock();
    WorkResult result = skip ? WorkResult{} : RunItem(item);
    item = {};  // what the work captured goes away before anyone hears that it is done
    lock.lock();
    ++passed_;
    if (!result.ok() && failed_ticket_ == 0) {
      failure_ = std::move(result);
      failed_ticket_ = passed_;
    }
    changed_.notify_all();
  }
}

}  // namespace rocxla::emu
