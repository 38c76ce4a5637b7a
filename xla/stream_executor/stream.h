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
#include <string_view>
#include <variant>

#include "xla/stream_executor/device_address.h"
#include "xla/stream_executor/event.h"
#include "xla/stream_executor/kernel.h"
#include "xla/stream_executor/status.h"

namespace stream_executor {

class StreamExecutor;

// How urgent a stream's work is, among the streams of its device.
enum class StreamPriority { kDefault, kLowest, kHighest };
// By name or as the runtime's number; see StreamExecutor::GetStreamPriorityRange.
using AnyStreamPriority = std::variant<StreamPriority, int>;

// A stop in a stream, which the host takes away; at the latest when this goes out of scope, and after 100 ms in any
// case: so a host that waits for the stream by mistake loses time, and does not hang.
class StreamHold {
 public:
  virtual ~StreamHold() = default;
  // From any thread; again is fine. False when the hold had ended by itself.
  virtual bool Release() = 0;
};

class Stream {
 public:
  virtual ~Stream() = default;  // waits for the queued work

  // Expires with the stream, for those that keep a pointer to it.
  std::weak_ptr<const void> lifetime() const { return lifetime_; }
  virtual StreamExecutor& parent() const = 0;
  virtual AnyStreamPriority priority() const = 0;  // as it was asked for
  // OK, or the first error that the stream has met so far.
  virtual Status status() const = 0;
  bool ok() const { return status().ok(); }

  // Copies of `size_bytes` bytes; BadDeviceAddress when a device range is smaller than that. Nothing to copy or fill is
  // fine with any address.
  virtual Status Memcpy(const DeviceAddressBase& device_dst, const void* host_src, uint64_t size_bytes) = 0;
  virtual Status Memcpy(void* host_dst, const DeviceAddressBase& device_src, uint64_t size_bytes) = 0;
  virtual Status MemcpyD2D(const DeviceAddressBase& dst, const DeviceAddressBase& src, uint64_t size_bytes) = 0;
  // From another device of the same platform, with or without peer access; WrongDevice for another platform's.
  virtual Status MemcpyFromPeer(const DeviceAddressBase& dst, const StreamExecutor& src_device,
                                const DeviceAddressBase& src, uint64_t size_bytes) = 0;
  virtual Status MemZero(const DeviceAddressBase& location, uint64_t size_bytes) = 0;
  // Fills with a 32-bit pattern. Address and size must be multiples of 4, else BadMemoryRequest.
  virtual Status Memset32(const DeviceAddressBase& location, uint32_t pattern, uint64_t size_bytes) = 0;

  // Device memory whose allocation and release happen in the order of the stream's work: what is queued after Allocate
  // may use it, what is queued before Deallocate still may. Events carry the order to other streams. DeviceOutOfMemory,
  // BadDeviceAddress, and NotSupportedByRuntime where the runtime has no such memory. Executor::Deallocate does not
  // take it.
  virtual StatusOr<DeviceAddressBase> AllocateOrdered(uint64_t size_bytes) = 0;
  virtual Status DeallocateOrdered(const DeviceAddressBase& address) = 0;

  virtual Status RecordEvent(Event& event) = 0;
  // What is queued after this call waits for the event, or for what is now queued on `other`.
  virtual Status WaitFor(const Event& event) = 0;
  virtual Status WaitFor(Stream& other) = 0;
  // Holds back what is queued after this call until the hold is released; see StreamHold. NotSupportedByRuntime where a
  // stream cannot wait for the host, or where the environment makes every call wait for its work.
  virtual StatusOr<std::unique_ptr<StreamHold>> Hold() = 0;
  // Runs on a thread of the device's runtime, which must not call the device. A failure makes the stream fail.
  virtual Status DoHostCallbackWithStatus(std::function<Status()> callback) = 0;
  Status DoHostCallback(std::function<void()> callback) {
    return DoHostCallbackWithStatus([callback = std::move(callback)] { return callback(), OkStatus(); });
  }

  // Blocks the calling thread until everything queued so far has run; returns the stream's first error.
  virtual Status BlockHostUntilDone() = 0;

  // CommandBufferMisuse while the stream is traced into a command buffer, of which `what` ("an allocation") cannot be
  // part.
  virtual Status CheckNotCapturing(std::string_view what) const = 0;

 private:
  const std::shared_ptr<const char> lifetime_ = std::make_shared<const char>();
};

}  // namespace stream_executor
