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

// OK for hipSuccess; else the error that rocm_status.def has for the code, or HipCallFailed. `function` is the HIP
// function that returned the code, on this thread: when the runtime has a detailed text, it is the embedded device's
// and is shown whole. The thread's last error is taken from the runtime: since ROCm 7 it would stick to later calls.
Status ToStatus(hipError_t error, const HipApi& api, std::string_view function);

// NotSupportedByRuntime, for a function that older libraries lack. `why_needed`: "virtual memory".
Status FunctionIsMissing(const HipApi& api, std::string_view function, std::string_view needed_for);

}  // namespace stream_executor::gpu

// Calls a function of the table and returns its failure from the enclosing function.
#define RETURN_IF_HIP_ERROR(api, function, ...) \
  RETURN_IF_ERROR(::stream_executor::gpu::ToStatus((api).function(__VA_ARGS__), (api), #function))
// The same for an optional function of the table.
#define RETURN_IF_OPTIONAL_HIP_ERROR(needed_for, api, function, ...)                                             \
  do {                                                                                                           \
    if ((api).function == nullptr) return ::stream_executor::gpu::FunctionIsMissing(api, #function, needed_for); \
    RETURN_IF_HIP_ERROR(api, function, __VA_ARGS__);                                                             \
  } while (false)
