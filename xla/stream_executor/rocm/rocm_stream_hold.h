// A HIP stream that waits for the host. Upstream queues a kernel that spins on a word of host memory; the runtime's own
// wait for a word needs no code object, and so works on every target.
#pragma once
#include <memory>

#include "xla/stream_executor/rocm/rocm_status.h"
#include "xla/stream_executor/stream.h"

namespace stream_executor::gpu {

class RocmStream;

// As Stream::Hold. The stream's device outlives the hold, the end of which waits until the stream has passed it.
StatusOr<std::unique_ptr<StreamHold>> HoldRocmStream(RocmStream& stream, const HipApi& api);

}  // namespace stream_executor::gpu
