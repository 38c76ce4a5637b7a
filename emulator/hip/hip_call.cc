#include "emulator/hip/hip_call.h"

#include <utility>

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
hipError_t TakeLastError() { return std::exchange(thread_state.last_error, hipSuccess); }
const std::string& LastErrorDetail() { return thread_state.detail; }

hipError_t Fail(hipError_t code, std::string detail) {
  thread_state.last_error = code;
  thread_state.detail = std::move(detail);
  return code;
}

hipError_t Report(const WorkResult& result) { return result.ok() ? hipSuccess : Fail(result.code, result.detail); }

}  // namespace rocxla::emu
