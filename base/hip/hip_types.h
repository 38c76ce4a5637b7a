// The types of HIP's C interface that rocXLA uses, in our namespace, so that no ROCm header is needed to build.
// Names and values as in HIP 6 and 7 (hip_runtime_api.h); they are the binary interface of libamdhip64.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/hip/hip_device_properties.h"
#include "base/hip/hip_graph_types.h"
#include "base/hip/hip_memory_types.h"

namespace rocxla {

enum hipError_t : int {
  hipSuccess = 0,
#define HIP_ERROR(number, name, text) hipError##name = number,
#include "base/hip/hip_errors.def"
#undef HIP_ERROR
};
// "hipErrorOutOfMemory"; "hipError_t(N)" for a number without a name.
std::string HipErrorName(hipError_t error);
// One clause that says what it means: "the device has not enough free memory".
std::string_view HipErrorText(hipError_t error);

using hipDevice_t = int;
using hipDeviceptr_t = void*;
using hipStream_t = struct ihipStream_t*;
using hipEvent_t = struct ihipEvent_t*;
using hipModule_t = struct ihipModule_t*;
using hipFunction_t = struct ihipModuleSymbol_t*;
using hipStreamCallback_t = void (*)(hipStream_t stream, hipError_t status, void* user_data);

enum hipDeviceAttribute_t : int {
#define HIP_DEVICE_ATTRIBUTE(name, number) hipDeviceAttribute##name = number,
#include "base/hip/hip_device_attributes.def"
#undef HIP_DEVICE_ATTRIBUTE
};
enum hipDeviceP2PAttr : int {
  hipDevP2PAttrPerformanceRank = 0,
  hipDevP2PAttrAccessSupported = 1,
  hipDevP2PAttrNativeAtomicSupported = 2,
  hipDevP2PAttrHipArrayAccessSupported = 3,
};
// What hipExtGetLinkTypeAndHopCount gives. Source: hsa_amd_link_info_type_t of the HSA runtime.
constexpr uint32_t kHipLinkTypePcie = 2;
constexpr uint32_t kHipLinkTypeXgmi = 4;

enum hipFunction_attribute : int {
  HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0,
  HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1,
  HIP_FUNC_ATTRIBUTE_CONST_SIZE_BYTES = 2,
  HIP_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES = 3,
  HIP_FUNC_ATTRIBUTE_NUM_REGS = 4,
  HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8,
};
enum hipFuncAttribute : int {
  hipFuncAttributeMaxDynamicSharedMemorySize = 8,
  hipFuncAttributePreferredSharedMemoryCarveout = 9,
};

constexpr unsigned hipDeviceScheduleAuto = 0;
constexpr unsigned hipDeviceScheduleSpin = 1;
constexpr unsigned hipDeviceScheduleYield = 2;
constexpr unsigned hipDeviceScheduleBlockingSync = 4;
constexpr unsigned hipDeviceMapHost = 8;

constexpr unsigned hipStreamDefault = 0;      // ordered with the null stream
constexpr unsigned hipStreamNonBlocking = 1;  // not ordered with it
constexpr unsigned hipEventDefault = 0;
constexpr unsigned hipEventBlockingSync = 1;
constexpr unsigned hipEventDisableTiming = 2;
constexpr unsigned hipEventDisableSystemFence = 0x20000000;
constexpr unsigned hipEventReleaseToDevice = 0x40000000;
constexpr unsigned hipEventReleaseToSystem = 0x80000000;

// hipStreamWaitValue waits until `*pointer & mask` compares so with the value.
constexpr unsigned hipStreamWaitValueGte = 0;
constexpr unsigned hipStreamWaitValueEq = 1;
constexpr unsigned hipStreamWaitValueAnd = 2;
constexpr unsigned hipStreamWaitValueNor = 3;

// Streams that exist without being created.
inline const hipStream_t hipStreamLegacy = reinterpret_cast<hipStream_t>(1);  // the null stream
inline const hipStream_t hipStreamPerThread = reinterpret_cast<hipStream_t>(2);

// Keys of hipModuleLaunchKernel's `extra` array: {POINTER, buffer, SIZE, &size, END}.
inline void* const HIP_LAUNCH_PARAM_BUFFER_POINTER = reinterpret_cast<void*>(1);
inline void* const HIP_LAUNCH_PARAM_BUFFER_SIZE = reinterpret_cast<void*>(2);
inline void* const HIP_LAUNCH_PARAM_END = reinterpret_cast<void*>(3);

}  // namespace rocxla
