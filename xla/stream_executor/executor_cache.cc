#include "xla/stream_executor/executor_cache.h"

#include <fmt/format.h>

#include "base/error_ids.h"

namespace stream_executor {

ExecutorCache::Entry& ExecutorCache::EntryOf(int ordinal) {
  std::lock_guard lock(mutex_);
  return entries_[ordinal];
}

StatusOr<StreamExecutor*> ExecutorCache::GetOrCreate(int ordinal, const Factory& factory) {
  Entry& entry = EntryOf(ordinal);
  if (StreamExecutor* executor = entry.ready.load(std::memory_order_acquire)) return executor;
  std::lock_guard lock(entry.creating);
  if (entry.owner == nullptr) {
    ASSIGN_OR_RETURN(entry.owner, factory());
    entry.ready.store(entry.owner.get(), std::memory_order_release);
  }
  return entry.owner.get();
}

StatusOr<StreamExecutor*> ExecutorCache::Get(int ordinal) const {
  std::lock_guard lock(mutex_);
  if (const auto it = entries_.find(ordinal); it != entries_.end()) {
    if (StreamExecutor* executor = it->second.ready.load(std::memory_order_acquire)) return executor;
  }
  return Error(ErrorId::kExecutorNotFound, {.what = "no executor exists yet for this device",
                                            .where = fmt::format("platform {}", platform_),
                                            .found = fmt::format("device {}", ordinal),
                                            .expected = "a device that ExecutorForDevice has opened"});
}

}  // namespace stream_executor
