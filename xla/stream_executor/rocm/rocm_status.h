// HIP's error codes as a Status.
#pragma once
#include <string_view>

#include "base/hip/hip_api.h"
#include "xla/stream_executor/status.h"

namespace stream_executor::gpu {

using rocxla::HipApi;
using rocxla::hipError_t;
using rocxla::hipErrorNotReady;
using rocxla::hipSuccess;

// OK for hipSuccess. Out of memory becomes DeviceOutOfMemory, the codes that a running kernel causes KernelFailed,
// absent devices DeviceNotFound, everything else HipCallFailed. `function` is the HIP function that returned the code,
// on this thread: when the runtime has a detailed text, it is the embedded device's and is shown whole.
Status ToStatus(hipError_t error, const HipApi& api, std::string_view function);

}  // namespace stream_executor::gpu

// Calls a function of the table and returns its failure from the enclosing function.
#define RETURN_IF_HIP_ERROR(api, function, ...) \
  RETURN_IF_ERROR(::stream_executor::gpu::ToStatus((api).function(__VA_ARGS__), (api), #function))
