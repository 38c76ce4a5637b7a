#include "xla/stream_executor/rocm/idle_streams.h"

namespace stream_executor::gpu {

StatusOr<rocxla::hipStream_t> IdleStreams::Take(int hip_priority) {
  {
    std::lock_guard lock(mutex_);
    std::vector<rocxla::hipStream_t>& idle = idle_[hip_priority];
    if (!idle.empty()) {
      const rocxla::hipStream_t stream = idle.back();
      idle.pop_back();
      return stream;
    }
  }
  rocxla::hipStream_t stream = nullptr;
  // Non-blocking: a stream of ours depends on what it is told to wait for, not on what else uses the null stream.
  RETURN_IF_HIP_ERROR(api_, hipStreamCreateWithPriority, &stream, rocxla::hipStreamNonBlocking, hip_priority);
  return stream;
}

void IdleStreams::GiveBack(rocxla::hipStream_t stream, int hip_priority, bool is_idle) {
  if (!is_idle || api_.hipStreamQuery(stream) != hipSuccess) {
    (void)api_.hipStreamDestroy(stream);
    return;
  }
  std::lock_guard lock(mutex_);
  idle_[hip_priority].push_back(stream);
}

}  // namespace stream_executor::gpu
