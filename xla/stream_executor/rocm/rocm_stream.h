// RocmStream: a HIP stream.
#pragma once
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

#include "xla/stream_executor/rocm/rocm_event.h"
#include "xla/stream_executor/rocm/rocm_status.h"
#include "xla/stream_executor/stream.h"

namespace stream_executor::gpu {

class RocmExecutor;
class RocmModule;

class RocmStream : public Stream {
 public:
  // On the thread's current device, which is `executor`'s. Takes one of its idle streams where there is one.
  static StatusOr<std::unique_ptr<RocmStream>> Create(RocmExecutor& executor, const HipApi& api,
                                                      AnyStreamPriority priority);
  ~RocmStream() override;

  StreamExecutor& parent() const override;
  AnyStreamPriority priority() const override { return priority_; }
  Status status() const override;
  Status Memcpy(const DeviceAddressBase& device_dst, const void* host_src, uint64_t size_bytes) override;
  Status Memcpy(void* host_dst, const DeviceAddressBase& device_src, uint64_t size_bytes) override;
  Status MemcpyD2D(const DeviceAddressBase& dst, const DeviceAddressBase& src, uint64_t size_bytes) override;
  Status MemcpyFromPeer(const DeviceAddressBase& dst, const StreamExecutor& src_device, const DeviceAddressBase& src,
                        uint64_t size_bytes) override;
  Status MemZero(const DeviceAddressBase& location, uint64_t size_bytes) override;
  Status Memset32(const DeviceAddressBase& location, uint32_t pattern, uint64_t size_bytes) override;
  StatusOr<DeviceAddressBase> AllocateOrdered(uint64_t size_bytes) override;
  Status DeallocateOrdered(const DeviceAddressBase& address) override;
  Status RecordEvent(Event& event) override;
  Status WaitFor(const Event& event) override;
  Status WaitFor(Stream& other) override;
  StatusOr<std::unique_ptr<StreamHold>> Hold() override;
  Status DoHostCallbackWithStatus(std::function<Status()> callback) override;
  Status BlockHostUntilDone() override;
  Status CheckNotCapturing(std::string_view what) const override;

  rocxla::hipStream_t handle() const { return handle_; }
  // The failure that is already known; asks nobody.
  Status known_failure() const;

  // While `modules` is not null, the stream is being captured: what is launched is added there, and work that can be
  // done only once is refused.
  void SetCapture(std::vector<std::shared_ptr<RocmModule>>* modules);
  void NoteLaunch(const std::shared_ptr<RocmModule>& module);

 private:
  // Outlives the stream as long as one of its callbacks may run.
  struct Callback;
  struct State {
    std::mutex mutex;
    Status failure;                                               // guarded by mutex, as all below; the first
    std::list<std::unique_ptr<Callback>> callbacks;               // those that have not run
    std::vector<std::shared_ptr<RocmModule>>* capture = nullptr;  // not owned
  };
  struct Callback {
    std::function<Status()> function;
    std::shared_ptr<State> state;
    std::list<std::unique_ptr<Callback>>::iterator self;
  };
  static void RunCallback(void* callback);

  RocmStream(RocmExecutor& executor, const HipApi& api, AnyStreamPriority priority, int hip_priority,
             rocxla::hipStream_t handle)
      : executor_(executor),
        api_(api),
        priority_(priority),
        hip_priority_(hip_priority),
        handle_(handle),
        state_(std::make_shared<State>()) {}
  // Remembers the first failure, and returns it.
  Status Note(Status status) const;

  RocmExecutor& executor_;
  const HipApi& api_;
  const AnyStreamPriority priority_;
  const int hip_priority_;
  const rocxla::hipStream_t handle_;
  const std::shared_ptr<State> state_;
};

// BadDeviceAddress when a device range is too small for `what` ("a copy"), an operation on so many bytes.
Status CheckFits(std::string_view what, const DeviceAddressBase& address, uint64_t size_bytes);

}  // namespace stream_executor::gpu
