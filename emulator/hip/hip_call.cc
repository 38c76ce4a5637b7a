#include "emulator/hip/hip_call.h"

#include <fmt/format.h>

#include <utility>

#include "emulator/hip/runtime.h"

namespace rocxla::emu {
namespace {

struct ThreadState {
  int device = 0;
  hipError_t last_error = hipSuccess;
  std::string detail;
};
thread_local ThreadState thread_state;

}  // namespace

int CurrentDevice() { return thread_state.device; }
void SetCurrentDevice(int ordinal) { thread_state.device = ordinal; }
hipError_t LastError() { return thread_state.last_error; }
hipError_t TakeLastError() { return std::exchange(thread_state.last_error, hipSuccess); }
const std::string& LastErrorDetail() { return thread_state.detail; }

hipError_t Fail(hipError_t code, std::string detail) {
  thread_state.last_error = code;
  thread_state.detail = std::move(detail);
  return code;
}

hipError_t Report(const WorkResult& result) { return result.ok() ? hipSuccess : Fail(result.code, result.detail); }

hipError_t NullPointer(const char* what) {
  return Fail(hipErrorInvalidValue, fmt::format("null pointer for {}", what));
}

hipError_t NotLive(const char* kind) {
  return Fail(hipErrorInvalidHandle, fmt::format("not a live {}: never created, or destroyed already", kind));
}

hipError_t NoDevice(int ordinal) {
  Runtime& runtime = Runtime::Get();
  const int count = runtime.device_count();
  if (count == 0) {
    return Fail(hipErrorNoDevice, fmt::format("there is no embedded device: {}", runtime.no_device_reason()));
  }
  return Fail(hipErrorInvalidDevice,
              fmt::format("there are {} embedded devices, none with ordinal {}", count, ordinal));
}

hipError_t CheckDeviceLocation(const hipMemLocation& location) {
  if (location.type != hipMemLocationTypeDevice) {
    return Fail(hipErrorInvalidValue, "the location must be a device (hipMemLocationTypeDevice)");
  }
  return Runtime::Get().device(location.id) == nullptr ? NoDevice(location.id) : hipSuccess;
}

EmbeddedDevice* CurrentEmbeddedDevice() { return Runtime::Get().device(CurrentDevice()); }

hipError_t CheckNotInHostFunction(const char* function) {
  if (!WorkQueue::OnWorkerThread()) return hipSuccess;
  return Fail(hipErrorIllegalState, fmt::format("{}: a host function may not wait for the device", function));
}

hipError_t CheckMayWait(const char* function) {
  if (hipError_t error = CheckNotInHostFunction(function); error != hipSuccess) return error;
  Runtime& runtime = Runtime::Get();
  std::lock_guard lock(runtime.graph_mutex);
  return Report(runtime.captures.CheckUnsafeCall(function));
}

}  // namespace rocxla::emu
