// Runtime: everything that the embedded HIP functions share: devices, live handles, host memory, launch statistics.
#pragma once
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/hip/hip_types.h"
#include "base/status.h"
#include "emulator/exec/launch.h"
#include "emulator/hip/embedded_device.h"
#include "emulator/hip/embedded_hip.h"
#include "emulator/hip/handle_table.h"
#include "emulator/hip/work_queue.h"
#include "emulator/loader/code_object.h"

namespace rocxla::emu {

struct Stream {
  EmbeddedDevice* device;
  std::shared_ptr<WorkQueue> queue;
  bool ordered_with_null_stream;
};
struct Event {
  bool has_timing;
  std::mutex mutex;
  Fence recorded;  // guarded by mutex; empty until the first record
};
struct Module {
  EmbeddedDevice* device;
  std::shared_ptr<CodeObject> object;
};
struct Function {
  EmbeddedDevice* device;
  std::shared_ptr<CodeObject> object;  // keeps the kernel alive
  const Kernel* kernel;
};

class Runtime {
 public:
  // The one behind the HIP functions, with the devices of ROCXLA_EMBEDDED_DEVICES. Lives as long as the process: its
  // threads may still run while main returns.
  static Runtime& Get();
  // `devices`: a comma-separated list of targets.
  explicit Runtime(std::string_view devices);

  // OK, or what is wrong with the list of devices.
  const Status& configuration() const { return configuration_; }
  int device_count() const;
  // Null when there is no such device.
  EmbeddedDevice* device(int ordinal) const;
  StatusOr<int> AddDevice(std::string_view target);

  HandleTable<hipStream_t, Stream> streams;
  HandleTable<hipEvent_t, Event> events;
  HandleTable<hipModule_t, Module> modules;
  HandleTable<hipFunction_t, Function> functions;

  // The stream that a handle stands for; null for a handle that is not live. The null handle is the null stream of the
  // thread's current device.
  std::shared_ptr<Stream> FindStream(hipStream_t handle);
  // Appends work to a stream, ordered with the null stream as HIP demands. Returns the point where it is done.
  Fence Enqueue(const Stream& stream, WorkQueue::Work work);
  // The point where everything that the stream has now, or waits for, is done.
  Fence Mark(const Stream& stream);
  // Appends work that waits for a fence first.
  void EnqueueWait(const Stream& stream, const Fence& fence);
  // Waits for all work of a device; the first failure.
  WorkResult Synchronize(const EmbeddedDevice& device);

  // Host memory that every device can access: page-locked (hipHostMalloc) and managed.
  StatusOr<void*> AllocateHost(uint64_t bytes, std::string label);
  // False when AllocateHost did not return the pointer, or it is freed already.
  bool FreeHost(void* pointer);
  // True for the start of a live AllocateHost block.
  bool IsHostBlock(uint64_t address) const;

  // Runs a kernel now, on the calling thread, and counts it.
  WorkResult Launch(const Function& function, const LaunchConfig& config, std::span<const std::byte> arguments);
  LaunchTotals TakeLaunchTotals();
  void SetLaunchTrace(std::function<void(std::string_view)> trace);

 private:
  Status AddDevices(std::string_view list);
  StatusOr<int> AddDeviceOfTarget(std::string_view target);

  struct HostBlock {
    uint64_t bytes;
    std::string label;
  };
  mutable std::mutex mutex_;
  std::deque<std::unique_ptr<EmbeddedDevice>> devices_;  // guarded by mutex_, as all below; only grows
  std::map<void*, HostBlock> host_blocks_;
  LaunchTotals totals_;
  std::function<void(std::string_view)> trace_;
  std::mutex ordering_;  // held while work and its fences are put together
  Status configuration_;
};

}  // namespace rocxla::emu
