#include "emulator/hip/embedded_device.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error_ids.h"

namespace rocxla::emu {

uint64_t EmbeddedDevice::free_bytes() const {
  std::lock_guard lock(mutex_);
  const uint64_t used = reserved_bytes_ + memory_.allocated_bytes();  // code objects allocate by themselves
  return used < model().memory_bytes ? model().memory_bytes - used : 0;
}

Status EmbeddedDevice::Reserve(uint64_t bytes) {
  std::lock_guard lock(mutex_);
  const uint64_t used = std::min(model().memory_bytes, reserved_bytes_ + memory_.allocated_bytes());
  if (bytes > model().memory_bytes - used) {
    return Error(ErrorId::kDeviceOutOfMemory,
                 {.what = "the device has not enough free memory",
                  .where = fmt::format("embedded device {} ({})", ordinal_, model().name),
                  .found = fmt::format("{} of {} bytes are free", model().memory_bytes - used, model().memory_bytes),
                  .expected = fmt::format("{} bytes", bytes)});
  }
  reserved_bytes_ += bytes;
  return OkStatus();
}

void EmbeddedDevice::Release(uint64_t bytes) {
  std::lock_guard lock(mutex_);
  reserved_bytes_ -= bytes;
}

std::shared_ptr<WorkQueue> EmbeddedDevice::null_queue() {
  std::lock_guard lock(mutex_);
  if (null_queue_ == nullptr) null_queue_ = std::make_shared<WorkQueue>();
  return null_queue_;
}

std::shared_ptr<WorkQueue> EmbeddedDevice::null_queue_if_used() const {
  std::lock_guard lock(mutex_);
  return null_queue_;
}

}  // namespace rocxla::emu
