// IdleStreams: HIP streams of one device that nobody uses, kept because a real runtime takes about 100 ms to make one
// (measured upstream). Thread-safe.
#pragma once
#include <map>
#include <mutex>
#include <vector>

#include "xla/stream_executor/rocm/rocm_status.h"

namespace stream_executor::gpu {

class IdleStreams {
 public:
  // `api` outlives this. The streams that are idle at the end stay the runtime's: it may be gone before.
  explicit IdleStreams(const HipApi& api) : api_(api) {}

  // A non-blocking stream of that HIP priority on the thread's current device, with nothing queued.
  StatusOr<rocxla::hipStream_t> Take(int hip_priority);
  // Takes back what Take gave. Kept only when its work is done and none failed (`is_idle`), else destroyed.
  void GiveBack(rocxla::hipStream_t stream, int hip_priority, bool is_idle);

 private:
  // Whether it exists, has nothing queued and has not failed.
  bool IsReady(rocxla::hipStream_t stream) const;
  // Null when none of that priority is kept.
  rocxla::hipStream_t TakeKept(int hip_priority);

  const HipApi& api_;
  std::mutex mutex_;
  std::map<int, std::vector<rocxla::hipStream_t>> idle_;  // guarded by mutex_; by priority
};

}  // namespace stream_executor::gpu
