// HandleTable: HIP's opaque handles for objects of ours. Thread-safe.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace rocxla::emu {

// A handle is a number that looks like a pointer, points nowhere and is never used twice: a stale one is recognised
// instead of meaning another object.
template <class Handle, class Object>
class HandleTable {
 public:
  Handle Add(std::shared_ptr<Object> object) {
    std::lock_guard lock(mutex_);
    next_ += kStep;
    objects_[next_] = std::move(object);
    return reinterpret_cast<Handle>(next_);
  }
  // Null for a handle that is not live.
  std::shared_ptr<Object> Find(Handle handle) const {
    std::lock_guard lock(mutex_);
    const auto it = objects_.find(reinterpret_cast<uintptr_t>(handle));
    return it == objects_.end() ? nullptr : it->second;
  }
  // Takes the object out; null for a handle that is not live.
  std::shared_ptr<Object> Remove(Handle handle) {
    std::lock_guard lock(mutex_);
    const auto node = objects_.extract(reinterpret_cast<uintptr_t>(handle));
    return node.empty() ? nullptr : node.mapped();
  }
  template <class Predicate>
  void RemoveIf(Predicate predicate) {
    std::lock_guard lock(mutex_);
    std::erase_if(objects_, [&](const auto& entry) { return predicate(*entry.second); });
  }
  // Every live object, oldest first.
  std::vector<std::shared_ptr<Object>> All() const {
    std::lock_guard lock(mutex_);
    std::vector<std::shared_ptr<Object>> all;
    for (const auto& [handle, object] : objects_) all.push_back(object);
    return all;
  }

 private:
  static constexpr uintptr_t kStep = 16;
  mutable std::mutex mutex_;
  uintptr_t next_ = uintptr_t{0xE} << 60;  // no address of a user process
  std::map<uintptr_t, std::shared_ptr<Object>> objects_;
};

}  // namespace rocxla::emu
