#include "xla/stream_executor/rocm/idle_streams.h"

namespace stream_executor::gpu {

bool IdleStreams::IsReady(rocxla::hipStream_t stream) const {
  if (api_.hipStreamQuery(stream) == hipSuccess) return true;
  (void)api_.hipGetLastError();  // since ROCm 7 it would stick to the thread
  return false;
}

rocxla::hipStream_t IdleStreams::TakeKept(int hip_priority) {
  std::lock_guard lock(mutex_);
  std::vector<rocxla::hipStream_t>& idle = idle_[hip_priority];
  while (!idle.empty()) {
    const rocxla::hipStream_t stream = idle.back();
    idle.pop_back();
    if (IsReady(stream)) return stream;  // else something reset the device since
  }
  return nullptr;
}

StatusOr<rocxla::hipStream_t> IdleStreams::Take(int hip_priority) {
  rocxla::hipStream_t stream = TakeKept(hip_priority);
  if (stream != nullptr) return stream;
  // Non-blocking: a stream of ours depends on what it is told to wait for, not on what else uses the null stream.
  RETURN_IF_HIP_ERROR(api_, hipStreamCreateWithPriority, &stream, rocxla::hipStreamNonBlocking, hip_priority);
  return stream;
}

void IdleStreams::GiveBack(rocxla::hipStream_t stream, int hip_priority, bool is_idle) {
  if (!is_idle || !IsReady(stream)) {
    (void)api_.hipStreamDestroy(stream);
    return;
  }
  std::lock_guard lock(mutex_);
  idle_[hip_priority].push_back(stream);
}

}  // namespace stream_executor::gpu
