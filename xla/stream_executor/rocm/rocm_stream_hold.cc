#include "xla/stream_executor/rocm/rocm_stream_hold.h"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string_view>
#include <thread>

#include "base/environment.h"
#include "base/error_ids.h"
#include "xla/stream_executor/rocm/rocm_executor.h"
#include "xla/stream_executor/rocm/rocm_stream.h"
#include "xla/stream_executor/rocm/scoped_device.h"

namespace stream_executor::gpu {
namespace {

using rocxla::EnvironmentVariable;

constexpr std::chrono::milliseconds kLongestHold(100);  // as upstream's delay kernel

// A word of the host's memory that a device reads anew each time: plain page-locked memory can be served from a stale
// cache line of CDNA 1-2 and RDNA 1-3.
class CoherentWord {
 public:
  // On the thread's current device.
  static StatusOr<std::unique_ptr<CoherentWord>> Create(const HipApi& api) {
    void* pointer = nullptr;
    RETURN_IF_HIP_ERROR(api, hipHostMalloc, &pointer, sizeof(uint32_t),
                        rocxla::hipHostMallocPortable | rocxla::hipHostMallocCoherent);
    *static_cast<uint32_t*>(pointer) = 0;
    return std::unique_ptr<CoherentWord>(new CoherentWord(api, static_cast<uint32_t*>(pointer)));
  }
  ~CoherentWord() { (void)api_.hipHostFree(word_); }
  CoherentWord(const CoherentWord&) = delete;
  CoherentWord& operator=(const CoherentWord&) = delete;

  uint32_t* address() const { return word_; }
  // False when it was set already.
  bool Set() { return std::atomic_ref(*word_).exchange(1, std::memory_order_acq_rel) == 0; }

 private:
  CoherentWord(const HipApi& api, uint32_t* word) : api_(api), word_(word) {}
  const HipApi& api_;
  uint32_t* const word_;
};

// Releases itself in the end, so that a host that forgot it does not wait for ever.
class RocmStreamHold : public StreamHold {
 public:
  // `passed`: recorded behind the wait. The word must stay until then.
  RocmStreamHold(std::unique_ptr<CoherentWord> word, std::unique_ptr<Event> passed)
      : word_(std::move(word)),
        passed_(std::move(passed)),
        watchdog_([this](const std::stop_token& stop) { Watch(stop); }) {}
  ~RocmStreamHold() override {
    Release();
    watchdog_.request_stop();
    watchdog_.join();
    (void)passed_->Synchronize();
  }
  bool Release() override {
    if (word_->Set()) ended_by_host_ = true;
    return ended_by_host_;
  }

 private:
  void Watch(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    wakes_.wait_for(lock, stop, kLongestHold, [] { return false; });
    word_->Set();
  }

  const std::unique_ptr<CoherentWord> word_;
  const std::unique_ptr<Event> passed_;
  std::atomic<bool> ended_by_host_ = false;
  std::mutex mutex_;
  std::condition_variable_any wakes_;
  std::jthread watchdog_;
};

// With one of these set, the runtime waits in each call for the call's own work: a held stream would hold the host too.
Status CheckCallsDoNotWait() {
  for (const EnvironmentVariable variable :
       {EnvironmentVariable::kHIP_LAUNCH_BLOCKING, EnvironmentVariable::kAMD_SERIALIZE_KERNEL,
        EnvironmentVariable::kAMD_SERIALIZE_COPY}) {
    const char* value = rocxla::NonEmptyEnvironment(variable);
    if (value == nullptr || std::string_view(value) == "0") continue;
    return Error(ErrorId::kNotSupportedByRuntime,
                 {.what = "a stream cannot be held while every call waits for its work",
                  .found = fmt::format("{}={}", rocxla::EnvironmentVariableName(variable), value),
                  .next = "unset the variable"});
  }
  return OkStatus();
}

// Some settings of the runtime (GPU_STREAMOPS_CP_WAIT) want a signal's memory, which the host cannot write: a stream
// cannot be held then, and that is no failure of the stream.
Status WaitForWord(RocmStream& stream, const HipApi& api, uint32_t* word) {
  constexpr const char* kFeature = "wait for a value";
  if (api.hipStreamWaitValue32 == nullptr) return FunctionIsMissing(api, "hipStreamWaitValue32", kFeature);
  const hipError_t error =
      api.hipStreamWaitValue32(stream.handle(), word, 1, rocxla::hipStreamWaitValueGte, ~uint32_t{0});
  const Status status = ToStatus(error, api, "hipStreamWaitValue32");
  if (error != rocxla::hipErrorInvalidValue) return status;
  return Error(ErrorId::kNotSupportedByRuntime,
               {.what = "the HIP runtime does not wait for a word of the host's memory",
                .where = api.origin,
                .found = status.message()});
}

}  // namespace

StatusOr<std::unique_ptr<StreamHold>> HoldRocmStream(RocmStream& stream, const HipApi& api) {
  RETURN_IF_ERROR(CheckCallsDoNotWait());
  StreamExecutor& executor = stream.parent();
  ASSIGN_OR_RETURN(const ScopedDevice device, ScopedDevice::Activate(api, executor.device_ordinal()));
  ASSIGN_OR_RETURN(std::unique_ptr<CoherentWord> word, CoherentWord::Create(api));
  ASSIGN_OR_RETURN(std::unique_ptr<Event> passed, executor.CreateEvent());
  RETURN_IF_ERROR(WaitForWord(stream, api, word->address()));
  const Status recorded = stream.RecordEvent(*passed);
  auto hold = std::make_unique<RocmStreamHold>(std::move(word), std::move(passed));
  RETURN_IF_ERROR(recorded);
  return std::unique_ptr<StreamHold>(std::move(hold));
}

}  // namespace stream_executor::gpu
