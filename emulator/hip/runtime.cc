#include "emulator/hip/runtime.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/environment.h"
#include "emulator/hip/hip_call.h"

namespace rocxla::emu {
namespace {

constexpr const char* kDevicesVariable = "ROCXLA_EMBEDDED_DEVICES";
constexpr const char* kDefaultDevices = "gfx942";
constexpr size_t kHostAlignment = 4096;  // a page, as page-locked memory has it

std::string EmulatedTargets() {
  std::string names;
  for (const GpuTarget& target : AllTargets()) {
    if (target.support != TargetSupport::kFirstClass || ModelsOf(target).empty()) continue;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", target.name);
  }
  return names;
}

Status NoSuchDevice(std::string_view asked, std::string_view why) {
  return Error(ErrorId::kDeviceNotFound, {.what = fmt::format("there is no embedded device of this target: {}", why),
                                          .where = fmt::format("--device, or {} in the environment", kDevicesVariable),
                                          .found = fmt::format("'{}'", asked),
                                          .expected = fmt::format("one of {}", EmulatedTargets())});
}

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
    default:
      return hipErrorLaunchFailure;
  }
}

}  // namespace

Runtime& Runtime::Get() {
  static auto* runtime = [] {
    const char* configured = Environment(EnvironmentVariable::kROCXLA_EMBEDDED_DEVICES);
    return new Runtime(configured != nullptr ? configured : kDefaultDevices);
  }();
  return *runtime;
}

Runtime::Runtime(std::string_view devices) { configuration_ = AddDevices(devices); }

Status Runtime::AddDevices(std::string_view list) {
  while (!list.empty()) {
    const size_t comma = std::min(list.find(','), list.size());
    StatusOr<int> added = AddDeviceOfTarget(list.substr(0, comma));
    if (!added.ok()) {
      return added.status();
    }
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return OkStatus();
}

StatusOr<int> Runtime::AddDevice(std::string_view target) {
  RETURN_IF_ERROR(configuration_);
  return AddDeviceOfTarget(target);
}

StatusOr<int> Runtime::AddDeviceOfTarget(std::string_view name) {
  const StatusOr<GpuTarget> target = FindTarget(name);
  if (!target.ok()) return NoSuchDevice(name, "the target is unknown");
  const std::vector<GpuModel> models = ModelsOf(*target);
  if (target->support != TargetSupport::kFirstClass || models.empty()) {
    return NoSuchDevice(name, "rocXLA only compiles for it");
  }
  std::lock_guard lock(mutex_);
  const int ordinal = static_cast<int>(devices_.size());
  auto device = std::make_unique<EmbeddedDevice>(ordinal, *target, models.front());
  for (const auto& [pointer, block] : host_blocks_) {
    RETURN_IF_ERROR(device->memory().Register(pointer, block.bytes, block.label));
  }
  devices_.push_back(std::move(device));
  return ordinal;
}

int Runtime::device_count() const {
  std::lock_guard lock(mutex_);
  return static_cast<int>(devices_.size());
}

EmbeddedDevice* Runtime::device(int ordinal) const {
  std::lock_guard lock(mutex_);
  return ordinal < 0 || ordinal >= static_cast<int>(devices_.size()) ? nullptr : devices_[ordinal].get();
}

std::shared_ptr<Stream> Runtime::FindStream(hipStream_t handle) {
  if (handle != nullptr) return streams.Find(handle);
  EmbeddedDevice* current = device(CurrentDevice());
  if (current == nullptr) return nullptr;
  return std::make_shared<Stream>(current, current->null_queue(), /*ordered_with_null_stream=*/false);
}

Fence Runtime::Enqueue(const Stream& stream, WorkQueue::Work work) {
  std::lock_guard lock(ordering_);
  std::vector<Fence> after;
  const std::shared_ptr<WorkQueue> null_queue = stream.device->null_queue_if_used();
  if (stream.ordered_with_null_stream && null_queue != nullptr)
    after.push_back({null_queue, null_queue->last_ticket()});
  if (stream.queue == null_queue) {
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

StatusOr<void*> Runtime::AllocateHost(uint64_t bytes, std::string label) {
  const uint64_t padded = (bytes + kHostAlignment - 1) / kHostAlignment * kHostAlignment;
  void* pointer = padded < bytes ? nullptr : std::aligned_alloc(kHostAlignment, padded);
  if (pointer == nullptr) {
    return Error(ErrorId::kDeviceOutOfMemory,
                 {.what = "the host has not enough free memory", .expected = fmt::format("{} bytes", bytes)});
  }
  std::lock_guard lock(mutex_);
  host_blocks_[pointer] = {bytes, label};
  for (auto& device : devices_) {
    if (Status status = device->memory().Register(pointer, bytes, label); !status.ok()) return status;
  }
  return pointer;
}

bool Runtime::FreeHost(void* pointer) {
  std::lock_guard lock(mutex_);
  if (host_blocks_.erase(pointer) == 0) return false;
  for (auto& device : devices_) (void)device->memory().Unregister(pointer);
  std::free(pointer);
  return true;
}

bool Runtime::IsHostBlock(uint64_t address) const {
  std::lock_guard lock(mutex_);
  return host_blocks_.contains(reinterpret_cast<void*>(address));
}

WorkResult Runtime::Launch(const Function& function, const LaunchConfig& config, std::span<const std::byte> arguments) {
  std::lock_guard launching(function.device->launching());
  LaunchOptions options;
  {
    std::lock_guard lock(mutex_);
    options.trace = trace_;
  }
  const StatusOr<LaunchStats> stats =
      emu::Launch(*function.kernel, config, arguments, function.device->memory(), options);
  if (!stats.ok()) return {HipCodeOf(stats.status()), stats.status().ToString()};
  std::lock_guard lock(mutex_);
  ++totals_.launches;
  totals_.instructions += stats->instructions;
  totals_.waves += stats->waves;
  return {};
}

LaunchTotals Runtime::TakeLaunchTotals() {
  std::lock_guard lock(mutex_);
  return std::exchange(totals_, {});
}

void Runtime::SetLaunchTrace(std::function<void(std::string_view)> trace) {
  std::lock_guard lock(mutex_);
  trace_ = std::move(trace);
}

LaunchTotals TakeLaunchTotals() { return Runtime::Get().TakeLaunchTotals(); }
void SetLaunchTrace(std::function<void(std::string_view line)> trace) {
  Runtime::Get().SetLaunchTrace(std::move(trace));
}
StatusOr<int> AddEmbeddedDevice(std::string_view target) { return Runtime::Get().AddDevice(target); }

}  // namespace rocxla::emu
