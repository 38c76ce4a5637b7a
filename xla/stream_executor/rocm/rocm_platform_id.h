// The identity of the platform of real AMD GPUs; in a header of its own, for those who only compare it.
#pragma once
#include "xla/stream_executor/platform.h"

namespace stream_executor::rocm {

// Name "ROCM".
extern const Platform::Id kROCmPlatformId;

}  // namespace stream_executor::rocm
