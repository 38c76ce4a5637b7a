// Runtime: everything that the embedded HIP functions share: devices, live handles, memory, launch statistics.
#pragma once
#include <atomic>
#include <chrono>
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
#include "emulator/hip/capture.h"
#include "emulator/hip/embedded_device.h"
#include "emulator/hip/embedded_hip.h"
#include "emulator/hip/graph.h"
#include "emulator/hip/handle_table.h"
#include "emulator/hip/memory_pool.h"
#include "emulator/hip/memory_table.h"
#include "emulator/hip/operation.h"
#include "emulator/hip/virtual_memory.h"
#include "emulator/hip/visible_devices.h"
#include "emulator/hip/work_queue.h"
#include "emulator/loader/code_object.h"

namespace rocxla::emu {

struct Stream : std::enable_shared_from_this<Stream> {
  Stream(EmbeddedDevice* device, std::shared_ptr<WorkQueue> queue, unsigned flags, int priority, bool is_null)
      : device(device),
        queue(std::move(queue)),
        flags(flags),
        priority(priority),
        ordered_with_null_stream(!is_null && flags == hipStreamDefault),
        is_null(is_null) {}

  EmbeddedDevice* const device;
  const std::shared_ptr<WorkQueue> queue;
  const unsigned flags;
  const int priority;  // as hipDeviceGetStreamPriorityRange counts: smaller is more urgent
  const bool ordered_with_null_stream;
  const bool is_null;
  CapturePoint capture;  // guarded by Runtime::graph_mutex
};
// When a record was reached, by the host's clock.
struct RecordTime {
  std::atomic<std::chrono::steady_clock::duration> since_epoch{};
};
struct Event {
  EmbeddedDevice* device;
  bool has_timing;
  std::mutex mutex;
  Fence recorded;                    // guarded by mutex, as `time`; empty until the first record
  std::shared_ptr<RecordTime> time;  // of that record
  CapturePoint capture;              // guarded by Runtime::graph_mutex
};
struct Module {
  EmbeddedDevice* device;
  std::shared_ptr<CodeObject> object;
};

class Runtime {
 public:
  // The one behind the HIP functions, with the devices of the environment. Lives as long as the process: its threads
  // may still run while main returns.
  static Runtime& Get();
  explicit Runtime(const EmbeddedEnvironment& environment);

  // OK, or what is wrong with the list of devices.
  const Status& configuration() const { return configuration_; }
  // Why there is no device; "" when there is one.
  const std::string& no_device_reason() const { return no_device_reason_; }
  int device_count() const;
  // Null when there is no such device.
  EmbeddedDevice* device(int ordinal) const;
  // Visible whatever the environment says. An item of ROCXLA_EMBEDDED_DEVICES without a count.
  StatusOr<int> AddDevice(std::string_view item);
  // Ends everything that belongs to a device: streams, events, modules, memory, peer access.
  void Reset(EmbeddedDevice& device);

  MemoryTable memory;
  VirtualMemory virtual_memory{memory};
  HandleTable<hipMemGenericAllocationHandle_t, PhysicalMemory> physical;
  HandleTable<hipMemPool_t, MemoryPool> pools;
  HandleTable<hipStream_t, Stream> streams;
  HandleTable<hipEvent_t, Event> events;
  HandleTable<hipModule_t, Module> modules;
  HandleTable<hipFunction_t, Function> functions;
  std::mutex graph_mutex;  // guards graphs, executables and captures
  GraphHandles graphs;
  HandleTable<hipGraphExec_t, ExecutableGraph> executables;
  Captures captures;

  // The stream that a handle stands for; null for a handle that is not live. The null handle is the null stream of the
  // thread's current device, hipStreamPerThread a stream of the calling thread's own.
  std::shared_ptr<Stream> FindStream(hipStream_t handle);
  // Gives an operation to a stream: it is captured, or runs after everything that the stream has.
  WorkResult Submit(const std::shared_ptr<Stream>& stream, Operation operation);
  // The same where a capture cannot take the work.
  WorkResult SubmitUncapturable(const std::shared_ptr<Stream>& stream, const char* function, WorkQueue::Work work);
  // Appends work to a stream, ordered with the null stream as HIP demands. Returns the point where it is done.
  Fence Enqueue(const Stream& stream, WorkQueue::Work work);
  // The point where everything that the stream has now, or waits for, is done.
  Fence Mark(const Stream& stream);
  // Appends work that waits for a fence first.
  void EnqueueWait(const Stream& stream, const Fence& fence);
  // Runs the operations of a graph one after another.
  void Launch(const Stream& stream, ExecutableGraph& graph);
  // Waits for all work of a device; the first failure.
  WorkResult Synchronize(const EmbeddedDevice& device);
  void SynchronizeAll();

  // The pool of hipMallocAsync on that device, made at the first use.
  hipMemPool_t CurrentPool(int device);
  hipMemPool_t DefaultPool(int device);
  void SetCurrentPool(int device, hipMemPool_t pool);
  // What HIP does at every synchronisation.
  void TrimPools();

  // Runs a kernel now, on the calling thread, and counts it.
  WorkResult Launch(const Function& function, const LaunchConfig& config, std::span<const std::byte> arguments,
                    int priority);
  LaunchTotals TakeLaunchTotals();
  void SetKernelPrint(PrintSink print);
  void SetLaunchWatch(LaunchWatch watch);

 private:
  int Add(ConfiguredDevice configured);
  void Perform(const Stream& stream, const Operation& operation);
  std::shared_ptr<Stream> ThreadStream();

  mutable std::mutex mutex_;
  std::deque<std::unique_ptr<EmbeddedDevice>> devices_;  // guarded by mutex_, as all below; only grows
  int next_slot_ = 0;
  std::map<int, hipMemPool_t> default_pools_, current_pools_;  // by device
  LaunchTotals totals_;
  PrintSink print_;
  LaunchWatch watch_;
  std::mutex ordering_;  // held while work and its fences are put together
  Status configuration_;
  std::string no_device_reason_;
};

}  // namespace rocxla::emu
