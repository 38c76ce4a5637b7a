#include "emulator/hip/runtime.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <shared_mutex>

#include "base/error_ids.h"
#include "emulator/hip/hip_call.h"
#include "emulator/observe/counting.h"
#include "emulator/observe/trace.h"

namespace rocxla::emu {
namespace {

// The HIP code that comes closest to an error of the emulator.
hipError_t HipCodeOf(const Status& status) {
  switch (status.id()) {
    case ErrorId::kEmulatorMemoryFault:
      return hipErrorIllegalAddress;
    case ErrorId::kEmulatorTimeout:
      return hipErrorLaunchTimeOut;
    case ErrorId::kEmulatorBadLaunch:
      return hipErrorInvalidConfiguration;
    case ErrorId::kDeviceOutOfMemory:
      return hipErrorOutOfMemory;
    case ErrorId::kBadEnvironment:
      return hipErrorInvalidValue;
    default:
      return hipErrorLaunchFailure;
  }
}

// As HIP does. Written at once: the process may end in any way.
void PrintToStandardStreams(PrintStream stream, std::string_view text) {
  FILE* file = stream == PrintStream::kOut ? stdout : stderr;
  std::fwrite(text.data(), 1, text.size(), file);
  std::fflush(file);
}

// The streams of hipStreamPerThread, one per device, of one thread.
struct ThreadStreams {
  std::map<int, hipStream_t> by_device;
  ~ThreadStreams() {
    Runtime& runtime = Runtime::Get();
    for (const auto& [device, handle] : by_device) {
      const std::shared_ptr<Stream> stream = runtime.streams.Remove(handle);
      if (stream == nullptr) continue;
      std::lock_guard lock(runtime.graph_mutex);
      runtime.captures.EndWith(*stream);
    }
  }
};
thread_local ThreadStreams thread_streams;

Fence FenceOf(Event& event) {
  std::lock_guard lock(event.mutex);
  return event.recorded;
}

}  // namespace

Runtime& Runtime::Get() {
  static auto* runtime = new Runtime(EmbeddedEnvironment::OfProcess());
  return *runtime;
}

Runtime::Runtime(const EmbeddedEnvironment& environment) {
  StatusOr<VisibleDevices> visible = FindVisibleDevices(environment);
  configuration_ = visible.status();
  if (!visible.ok()) return;
  no_device_reason_ = visible->reason;
  for (ConfiguredDevice& device : visible->devices) Add(std::move(device));
}

int Runtime::Add(ConfiguredDevice configured) {
  std::lock_guard lock(mutex_);
  const int ordinal = static_cast<int>(devices_.size());
  next_slot_ = std::max(next_slot_, configured.slot + 1);
  devices_.push_back(std::make_unique<EmbeddedDevice>(ordinal, std::move(configured)));
  memory.AddDevice(devices_.back().get());
  return ordinal;
}

StatusOr<int> Runtime::AddDevice(std::string_view item) {
  RETURN_IF_ERROR(configuration_);
  ASSIGN_OR_RETURN(ConfiguredDevice configured, ConfigureDevice(item, next_slot_));
  return Add(std::move(configured));
}

int Runtime::device_count() const {
  std::lock_guard lock(mutex_);
  return static_cast<int>(devices_.size());
}

EmbeddedDevice* Runtime::device(int ordinal) const {
  std::lock_guard lock(mutex_);
  return ordinal < 0 || ordinal >= static_cast<int>(devices_.size()) ? nullptr : devices_[ordinal].get();
}

void Runtime::Reset(EmbeddedDevice& device) {
  SynchronizeAll();
  for (const auto& stream : streams.All()) {
    if (stream->device != &device) continue;
    std::lock_guard lock(graph_mutex);
    captures.EndWith(*stream);
  }
  streams.RemoveIf([&](const Stream& stream) { return stream.device == &device; });
  events.RemoveIf([&](const Event& event) { return event.device == &device; });
  functions.RemoveIf([&](const Function& function) { return function.device == &device; });
  modules.RemoveIf([&](const Module& module) { return module.device == &device; });
  virtual_memory.UnmapAllOf(&device);
  physical.RemoveIf([&](const PhysicalMemory& memory) { return memory.device == &device; });
  for (const Block& block : memory.BlocksOf(device.ordinal())) {
    if (block.pool != nullptr) {
      block.pool->Recycle(block.pointer());
    } else {
      (void)memory.Remove(block.pointer());
    }
  }
  for (const auto& pool : pools.All()) {
    if (pool->device() == device.ordinal()) pool->TrimTo(0);
  }
  for (int other = 0; other < device_count(); ++other) (void)memory.SetPeerAccess(device.ordinal(), other, false);
  device.flags = hipDeviceScheduleAuto;
}

std::shared_ptr<Stream> Runtime::ThreadStream() {
  hipStream_t& handle = thread_streams.by_device[CurrentDevice()];
  if (std::shared_ptr<Stream> stream = handle == nullptr ? nullptr : streams.Find(handle)) return stream;
  EmbeddedDevice* current = device(CurrentDevice());
  if (current == nullptr) return nullptr;
  auto made = std::make_shared<Stream>(current, std::make_shared<WorkQueue>(), hipStreamDefault, 0, false);
  handle = streams.Add(made);
  return made;
}

std::shared_ptr<Stream> Runtime::FindStream(hipStream_t handle) {
  if (handle == hipStreamPerThread) return ThreadStream();
  if (handle != nullptr && handle != hipStreamLegacy) return streams.Find(handle);
  EmbeddedDevice* current = device(CurrentDevice());
  if (current == nullptr) return nullptr;
  return std::make_shared<Stream>(current, current->null_queue(), hipStreamDefault, 0, /*is_null=*/true);
}

WorkResult Runtime::Submit(const std::shared_ptr<Stream>& stream, Operation operation) {
  {
    std::lock_guard lock(graph_mutex);
    if (stream->capture.capture != nullptr) return captures.Add(*stream, std::move(operation));
    if (stream->is_null) {
      if (WorkResult result = captures.CheckNullStream(stream->device); !result.ok()) return result;
    }
  }
  Perform(*stream, operation);
  return {};
}

WorkResult Runtime::SubmitUncapturable(const std::shared_ptr<Stream>& stream, const char* function,
                                       WorkQueue::Work work) {
  {
    std::lock_guard lock(graph_mutex);
    if (WorkResult result = captures.CheckNotCapturing(*stream, function); !result.ok()) return result;
    if (stream->is_null) {
      if (WorkResult result = captures.CheckNullStream(stream->device); !result.ok()) return result;
    }
  }
  (void)Enqueue(*stream, std::move(work));
  return {};
}

void Runtime::Perform(const Stream& stream, const Operation& operation) {
  if (const auto* wait = std::get_if<WaitOperation>(&operation)) return EnqueueWait(stream, FenceOf(*wait->event));
  if (const auto* record = std::get_if<RecordOperation>(&operation)) {
    auto time = std::make_shared<RecordTime>();
    std::lock_guard lock(record->event->mutex);
    record->event->time = time;
    record->event->recorded = Enqueue(stream, [time] {
      time->since_epoch = std::chrono::steady_clock::now().time_since_epoch();
      return WorkResult{};
    });
    return;
  }
  (void)Enqueue(stream,
                [this, operation, priority = stream.priority] { return RunOperation(*this, operation, priority); });
}

void Runtime::Launch(const Stream& stream, ExecutableGraph& graph) {
  EnqueueWait(stream, graph.last_launch);
  for (const Operation* operation : graph.Operations()) Perform(stream, *operation);
  graph.last_launch = Mark(stream);
}

Fence Runtime::Enqueue(const Stream& stream, WorkQueue::Work work) {
  std::lock_guard lock(ordering_);
  std::vector<Fence> after;
  const std::shared_ptr<WorkQueue> null_queue = stream.device->null_queue_if_used();
  if (stream.ordered_with_null_stream && null_queue != nullptr) {
    after.push_back({null_queue, null_queue->last_ticket()});
  }
  if (stream.is_null) {
    for (const auto& other : streams.All()) {
      if (other->device != stream.device || !other->ordered_with_null_stream) continue;
      after.push_back({other->queue, other->queue->last_ticket()});
    }
  }
  return {stream.queue, stream.queue->Submit(std::move(work), std::move(after))};
}

Fence Runtime::Mark(const Stream& stream) {
  return Enqueue(stream, [] { return WorkResult{}; });
}

void Runtime::EnqueueWait(const Stream& stream, const Fence& fence) {
  if (fence.queue == nullptr || fence.queue == stream.queue) return;
  (void)Enqueue(stream, [fence] { return WaitFor(fence); });
}

WorkResult Runtime::Synchronize(const EmbeddedDevice& device) {
  std::vector<std::shared_ptr<WorkQueue>> queues;
  for (const auto& stream : streams.All()) {
    if (stream->device == &device) queues.push_back(stream->queue);
  }
  if (auto null_queue = device.null_queue_if_used()) queues.push_back(std::move(null_queue));
  WorkResult first;
  for (const auto& queue : queues) {
    WorkResult result = queue->Wait(queue->last_ticket());
    if (first.ok()) first = std::move(result);
  }
  return first;
}

void Runtime::SynchronizeAll() {
  for (int i = 0; i < device_count(); ++i) (void)Synchronize(*device(i));
}

hipMemPool_t Runtime::DefaultPool(int device) {
  std::lock_guard lock(mutex_);
  hipMemPool_t& pool = default_pools_[device];
  if (pool == nullptr) pool = pools.Add(std::make_shared<MemoryPool>(memory, device, 0));
  return pool;
}

hipMemPool_t Runtime::CurrentPool(int device) {
  {
    std::lock_guard lock(mutex_);
    const auto it = current_pools_.find(device);
    if (it != current_pools_.end() && pools.Find(it->second) != nullptr) return it->second;
  }
  return DefaultPool(device);
}

void Runtime::SetCurrentPool(int device, hipMemPool_t pool) {
  std::lock_guard lock(mutex_);
  current_pools_[device] = pool;
}

void Runtime::TrimPools() {
  for (const auto& pool : pools.All()) pool->TrimToThreshold();
}

WorkResult Runtime::Launch(const Function& function, const LaunchConfig& config, std::span<const std::byte> arguments,
                           int priority) {
  LaunchGate::Turn turn(function.device->launching(), priority);
  LaunchWatch watch;
  PrintSink print;
  {
    std::lock_guard lock(mutex_);
    watch = watch_;
    print = print_ ? print_ : PrintToStandardStreams;
  }
  Trace trace(watch.trace, watch.filter);
  Counting counting;
  ObserverList observers;
  if (watch.trace) observers.Add(&trace);
  if (watch.count) observers.Add(&counting);
  LaunchOptions options;
  options.print = std::move(print);
  options.seed = watch.seed;
  if (!observers.empty()) options.observer = &observers;
  std::shared_lock running(memory.in_use());
  const StatusOr<LaunchStats> stats =
      emu::Launch(*function.kernel, config, arguments, function.device->memory(), options);
  if (!stats.ok()) return {HipCodeOf(stats.status()), stats.status().ToString()};
  std::lock_guard lock(mutex_);
  ++totals_.launches;
  totals_.instructions += stats->instructions;
  totals_.waves += stats->waves;
  totals_.counters += counting.counters();
  return {};
}

LaunchTotals Runtime::TakeLaunchTotals() {
  std::lock_guard lock(mutex_);
  return std::exchange(totals_, {});
}

void Runtime::SetLaunchWatch(LaunchWatch watch) {
  std::lock_guard lock(mutex_);
  watch_ = std::move(watch);
}

void Runtime::SetKernelPrint(PrintSink print) {
  std::lock_guard lock(mutex_);
  print_ = std::move(print);
}

LaunchTotals TakeLaunchTotals() { return Runtime::Get().TakeLaunchTotals(); }
void SetKernelPrint(PrintSink print) { Runtime::Get().SetKernelPrint(std::move(print)); }
void SetLaunchWatch(LaunchWatch watch) { Runtime::Get().SetLaunchWatch(std::move(watch)); }
StatusOr<int> AddEmbeddedDevice(std::string_view target) { return Runtime::Get().AddDevice(target); }

}  // namespace rocxla::emu
