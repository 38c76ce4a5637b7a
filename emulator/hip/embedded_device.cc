#include "emulator/hip/embedded_device.h"

#include <fmt/format.h>

namespace rocxla::emu {
namespace {
constexpr uint64_t kAlignment = 256;  // of hipMalloc
}

Status DeviceOutOfMemory(const EmbeddedDevice& device, uint64_t bytes) {
  return Error(ErrorId::kDeviceOutOfMemory,
               {.what = "the device has not enough free memory",
                .where = fmt::format("embedded device {} ({})", device.ordinal(), device.model().name),
                .found = fmt::format("{} of {} bytes are free", device.free_bytes(), device.model().memory_bytes),
                .expected = fmt::format("{} bytes", bytes)});
}

uint64_t EmbeddedDevice::free_bytes() const {
  const uint64_t used = memory_.allocated_bytes();
  return used < model_.memory_bytes ? model_.memory_bytes - used : 0;
}

StatusOr<void*> EmbeddedDevice::Allocate(uint64_t bytes) {
  std::lock_guard lock(mutex_);
  if (bytes > free_bytes()) return DeviceOutOfMemory(*this, bytes);
  ASSIGN_OR_RETURN(void* pointer, memory_.Allocate(bytes, kAlignment, "hipMalloc"));
  allocations_[pointer] = bytes;
  return pointer;
}

bool EmbeddedDevice::Free(void* pointer) {
  std::lock_guard lock(mutex_);
  return allocations_.erase(pointer) != 0 && memory_.Free(pointer).ok();
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
