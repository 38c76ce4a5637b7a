// ExecutorCache: the executors that a platform has made, by device. Thread-safe.
#pragma once
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "xla/stream_executor/status.h"
#include "xla/stream_executor/stream_executor.h"

namespace stream_executor {

class ExecutorCache {
 public:
  using Factory = std::function<StatusOr<std::unique_ptr<StreamExecutor>>()>;

  // `platform`: its name, for messages.
  explicit ExecutorCache(std::string platform) : platform_(std::move(platform)) {}

  // The executor of that device; `factory` makes it at the first call. However many threads ask, it runs one at a time
  // for a device, and never again once it succeeded; its failure is returned and not remembered. Different devices do
  // not wait for each other.
  StatusOr<StreamExecutor*> GetOrCreate(int ordinal, const Factory& factory);
  // ExecutorNotFound when GetOrCreate has not made it yet. Never waits.
  StatusOr<StreamExecutor*> Get(int ordinal) const;

 private:
  struct Entry {
    std::mutex creating;
    std::unique_ptr<StreamExecutor> owner;  // guarded by creating
    std::atomic<StreamExecutor*> ready = nullptr;
  };
  Entry& EntryOf(int ordinal);

  const std::string platform_;
  mutable std::mutex mutex_;
  std::map<int, Entry> entries_;  // guarded by mutex_; entries stay where they are
};

}  // namespace stream_executor
