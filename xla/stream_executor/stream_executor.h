// StreamExecutor: one opened device. Everything that runs on it goes through here. Owned by its Platform; thread-safe.
#pragma once
#include <chrono>
#include <cstdint>
#include <memory>
#include <span>

#include "xla/stream_executor/device_address.h"
#include "xla/stream_executor/device_description.h"
#include "xla/stream_executor/event.h"
#include "xla/stream_executor/kernel.h"
#include "xla/stream_executor/memory_space.h"
#include "xla/stream_executor/status.h"
#include "xla/stream_executor/stream.h"

namespace stream_executor {

class Platform;

struct DeviceMemoryUsage {
  uint64_t free_bytes;
  uint64_t total_bytes;
};

class StreamExecutor {
 public:
  virtual ~StreamExecutor() = default;

  virtual const Platform& GetPlatform() const = 0;
  virtual int device_ordinal() const = 0;
  virtual const DeviceDescription& GetDeviceDescription() const = 0;

  // Uninitialised memory, aligned to 256 bytes at least. 0 bytes give the null address. DeviceOutOfMemory when the
  // device is full. The caller frees it with Deallocate (or holds it through a DeviceAddressAllocator).
  virtual StatusOr<DeviceAddressBase> Allocate(uint64_t size_bytes, MemorySpace space = MemorySpace::kDevice) = 0;
  // Takes back what Allocate gave; the null address is fine. InvalidArgument for any other address.
  virtual Status Deallocate(const DeviceAddressBase& address) = 0;
  virtual StatusOr<DeviceMemoryUsage> GetDeviceMemoryUsage() const = 0;

  // Blocking copies. They wait for no stream: what a stream still writes must be waited for first.
  virtual Status SynchronousMemcpy(const DeviceAddressBase& device_dst, const void* host_src, uint64_t size_bytes) = 0;
  virtual Status SynchronousMemcpy(void* host_dst, const DeviceAddressBase& device_src, uint64_t size_bytes) = 0;
  // Waits for everything on every stream of the device; the first error that they met.
  virtual Status SynchronizeAllActivity() = 0;

  virtual StatusOr<std::unique_ptr<Stream>> CreateStream(StreamPriority priority = StreamPriority::kDefault) = 0;
  virtual StatusOr<std::unique_ptr<Event>> CreateEvent(EventTiming timing = EventTiming::kDisabled) = 0;
  // Device time between two completed events that were created with timing. The embedded device has no clock and says
  // so in its error: time is never made up.
  virtual StatusOr<std::chrono::duration<float, std::milli>> ElapsedTime(const Event& start, const Event& stop) = 0;

  // Loads a code object (HSACO) for this device. The bytes are copied.
  virtual StatusOr<std::shared_ptr<Module>> LoadModule(std::span<const uint8_t> code_object) = 0;
};

}  // namespace stream_executor
