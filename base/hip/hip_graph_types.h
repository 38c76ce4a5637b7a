// The types of HIP's C interface about graphs and stream capture. Names, values and layouts as in HIP 6 and 7
// (hip_runtime_api.h). Included by hip_types.h.
#pragma once
#include <cstddef>
#include <cstdint>

namespace rocxla {

using hipGraph_t = struct ihipGraph*;
using hipGraphNode_t = struct hipGraphNode*;
using hipGraphExec_t = struct hipGraphExec*;
using hipHostFn_t = void (*)(void* user_data);

enum hipStreamCaptureMode : int {
  hipStreamCaptureModeGlobal = 0,
  hipStreamCaptureModeThreadLocal = 1,
  hipStreamCaptureModeRelaxed = 2,
};
enum hipStreamCaptureStatus : int {
  hipStreamCaptureStatusNone = 0,
  hipStreamCaptureStatusActive = 1,
  hipStreamCaptureStatusInvalidated = 2,
};

enum hipGraphNodeType : int {
  hipGraphNodeTypeKernel = 0,
  hipGraphNodeTypeMemcpy = 1,
  hipGraphNodeTypeMemset = 2,
  hipGraphNodeTypeHost = 3,
  hipGraphNodeTypeGraph = 4,  // a child graph
  hipGraphNodeTypeEmpty = 5,
  hipGraphNodeTypeWaitEvent = 6,
  hipGraphNodeTypeEventRecord = 7,
};

struct dim3 {
  uint32_t x = 1, y = 1, z = 1;
};
struct hipKernelNodeParams {
  dim3 blockDim;  // threads
  void** extra;
  void* func;    // a hipFunction_t
  dim3 gridDim;  // blocks
  void** kernelParams;
  unsigned sharedMemBytes;
};
static_assert(sizeof(hipKernelNodeParams) == 64 && offsetof(hipKernelNodeParams, gridDim) == 32);
// Writes `width` elements of `elementSize` bytes (1, 2 or 4) into each of `height` rows, `pitch` bytes apart.
struct hipMemsetParams {
  void* dst;
  unsigned elementSize;
  size_t height;
  size_t pitch;
  unsigned value;
  size_t width;
};
static_assert(sizeof(hipMemsetParams) == 48);
struct hipHostNodeParams {
  hipHostFn_t fn;
  void* userData;
};

enum hipGraphInstantiateFlags : int {
  hipGraphInstantiateFlagAutoFreeOnLaunch = 1,
  hipGraphInstantiateFlagUpload = 2,
  hipGraphInstantiateFlagDeviceLaunch = 4,
  hipGraphInstantiateFlagUseNodePriority = 8,
};
enum hipGraphExecUpdateResult : int {
  hipGraphExecUpdateSuccess = 0,
  hipGraphExecUpdateError = 1,
  hipGraphExecUpdateErrorTopologyChanged = 2,
  hipGraphExecUpdateErrorNodeTypeChanged = 3,
  hipGraphExecUpdateErrorFunctionChanged = 4,
  hipGraphExecUpdateErrorParametersChanged = 5,
  hipGraphExecUpdateErrorNotSupported = 6,
  hipGraphExecUpdateErrorUnsupportedFunctionChange = 7,
};
constexpr unsigned hipGraphDebugDotFlagsVerbose = 1;

}  // namespace rocxla
