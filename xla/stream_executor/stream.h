// Stream: an ordered queue of work for one device.
//
// Every method but BlockHostUntilDone returns as soon as the work is queued. When queued work fails, what follows it is
// not to be relied on; once the failure is known (through status() or BlockHostUntilDone), every further call returns
// it. Host memory given to Memcpy must stay valid until the copy has run. Thread-safe; work queued from several threads
// runs in the order of arrival.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>

#include "xla/stream_executor/device_address.h"
#include "xla/stream_executor/event.h"
#include "xla/stream_executor/kernel.h"
#include "xla/stream_executor/status.h"

namespace stream_executor {

class StreamExecutor;

enum class StreamPriority { kDefault, kLowest, kHighest };

class Stream {
 public:
  virtual ~Stream() = default;  // waits for the queued work

  virtual StreamExecutor& parent() const = 0;
  virtual StreamPriority priority() const = 0;
  // OK, or the first error that the stream has met so far.
  virtual Status status() const = 0;
  bool ok() const { return status().ok(); }

  // Copies of `size_bytes` bytes; InvalidArgument when a device range is smaller than that.
  virtual Status Memcpy(const DeviceAddressBase& device_dst, const void* host_src, uint64_t size_bytes) = 0;
  virtual Status Memcpy(void* host_dst, const DeviceAddressBase& device_src, uint64_t size_bytes) = 0;
  virtual Status MemcpyD2D(const DeviceAddressBase& dst, const DeviceAddressBase& src, uint64_t size_bytes) = 0;
  virtual Status MemZero(const DeviceAddressBase& location, uint64_t size_bytes) = 0;
  // Fills with a 32-bit pattern. Address and size must be multiples of 4, else InvalidArgument.
  virtual Status Memset32(const DeviceAddressBase& location, uint32_t pattern, uint64_t size_bytes) = 0;

  virtual Status RecordEvent(Event& event) = 0;
  // What is queued after this call waits for the event, or for what is now queued on `other`.
  virtual Status WaitFor(const Event& event) = 0;
  virtual Status WaitFor(Stream& other) = 0;
  // Runs on a thread of the device's runtime, which must not call the device. A failure makes the stream fail.
  virtual Status DoHostCallbackWithStatus(std::function<Status()> callback) = 0;
  Status DoHostCallback(std::function<void()> callback) {
    return DoHostCallbackWithStatus([callback = std::move(callback)] { return callback(), OkStatus(); });
  }

  // Blocks the calling thread until everything queued so far has run; returns the stream's first error.
  virtual Status BlockHostUntilDone() = 0;
};

}  // namespace stream_executor
