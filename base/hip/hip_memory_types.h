// The types of HIP's C interface about memory. Names, values and layouts as in HIP 6 and 7 (hip_runtime_api.h).
// Included by hip_types.h.
#pragma once
#include <cstddef>
#include <cstdint>

namespace rocxla {

enum hipMemcpyKind : int {
  hipMemcpyHostToHost = 0,
  hipMemcpyHostToDevice = 1,
  hipMemcpyDeviceToHost = 2,
  hipMemcpyDeviceToDevice = 3,
  hipMemcpyDefault = 4,  // from the addresses
};

// Flags of hipHostMalloc, hipHostRegister, hipMallocManaged and hipExtMallocWithFlags.
constexpr unsigned hipHostMallocDefault = 0;
constexpr unsigned hipHostMallocPortable = 1;
constexpr unsigned hipHostMallocMapped = 2;
constexpr unsigned hipHostMallocWriteCombined = 4;
constexpr unsigned hipHostMallocNumaUser = 0x20000000;
constexpr unsigned hipHostMallocCoherent = 0x40000000;
constexpr unsigned hipHostMallocNonCoherent = 0x80000000;
constexpr unsigned hipHostRegisterDefault = 0;
constexpr unsigned hipHostRegisterPortable = 1;
constexpr unsigned hipHostRegisterMapped = 2;
constexpr unsigned hipMemAttachGlobal = 1;
constexpr unsigned hipMemAttachHost = 2;
constexpr unsigned hipDeviceMallocDefault = 0;
constexpr unsigned hipDeviceMallocFinegrained = 1;
constexpr unsigned hipMallocSignalMemory = 2;
constexpr unsigned hipDeviceMallocUncached = 3;
constexpr int hipCpuDeviceId = -1;

enum hipMemoryAdvise : int {
  hipMemAdviseSetReadMostly = 1,
  hipMemAdviseUnsetReadMostly = 2,
  hipMemAdviseSetPreferredLocation = 3,
  hipMemAdviseUnsetPreferredLocation = 4,
  hipMemAdviseSetAccessedBy = 5,
  hipMemAdviseUnsetAccessedBy = 6,
  hipMemAdviseSetCoarseGrain = 100,
  hipMemAdviseUnsetCoarseGrain = 101,
};

enum hipMemoryType : int {
  hipMemoryTypeUnregistered = 0,
  hipMemoryTypeHost = 1,
  hipMemoryTypeDevice = 2,
  hipMemoryTypeManaged = 3,
  hipMemoryTypeArray = 10,
  hipMemoryTypeUnified = 11,
};
struct hipPointerAttribute_t {
  hipMemoryType type;
  int device;
  void* devicePointer;
  void* hostPointer;
  int isManaged;
  unsigned allocationFlags;
};
static_assert(sizeof(hipPointerAttribute_t) == 32 && offsetof(hipPointerAttribute_t, devicePointer) == 8);

// Keys of hipDrvPointerGetAttributes; what each writes.
enum hipPointer_attribute : int {
  HIP_POINTER_ATTRIBUTE_MEMORY_TYPE = 2,        // hipMemoryType
  HIP_POINTER_ATTRIBUTE_DEVICE_POINTER = 3,     // void*
  HIP_POINTER_ATTRIBUTE_HOST_POINTER = 4,       // void*
  HIP_POINTER_ATTRIBUTE_BUFFER_ID = 7,          // uint64_t
  HIP_POINTER_ATTRIBUTE_IS_MANAGED = 8,         // unsigned
  HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL = 9,     // int
  HIP_POINTER_ATTRIBUTE_RANGE_START_ADDR = 11,  // void*
  HIP_POINTER_ATTRIBUTE_RANGE_SIZE = 12,        // size_t
  HIP_POINTER_ATTRIBUTE_MAPPED = 13,            // unsigned
};

// Pools and virtual memory.
using hipMemPool_t = struct ihipMemPoolHandle_t*;
using hipMemGenericAllocationHandle_t = struct ihipMemGenericAllocationHandle*;

enum hipMemLocationType : int {
  hipMemLocationTypeInvalid = 0,
  hipMemLocationTypeDevice = 1,
  hipMemLocationTypeHost = 2,  // since HIP 7
};
struct hipMemLocation {
  hipMemLocationType type;
  int id;  // the device's ordinal
};
enum hipMemAccessFlags : int {
  hipMemAccessFlagsProtNone = 0,
  hipMemAccessFlagsProtRead = 1,
  hipMemAccessFlagsProtReadWrite = 3,
};
struct hipMemAccessDesc {
  hipMemLocation location;
  hipMemAccessFlags flags;
};
static_assert(sizeof(hipMemAccessDesc) == 12);
enum hipMemAllocationType : int {
  hipMemAllocationTypeInvalid = 0,
  hipMemAllocationTypePinned = 1,
};
enum hipMemAllocationHandleType : int {
  hipMemHandleTypeNone = 0,
  hipMemHandleTypePosixFileDescriptor = 1,
};
enum hipMemAllocationGranularity_flags : int {
  hipMemAllocationGranularityMinimum = 0,
  hipMemAllocationGranularityRecommended = 1,
};
struct hipMemAllocationProp {
  hipMemAllocationType type;
  hipMemAllocationHandleType requestedHandleType;
  hipMemLocation location;
  void* win32HandleMetaData;
  struct {
    unsigned char compressionType;
    unsigned char gpuDirectRDMACapable;
    unsigned short usage;
  } allocFlags;
};
static_assert(sizeof(hipMemAllocationProp) == 32 && offsetof(hipMemAllocationProp, location) == 8);

enum hipMemPoolAttr : int {
  hipMemPoolReuseFollowEventDependencies = 1,
  hipMemPoolReuseAllowOpportunistic = 2,
  hipMemPoolReuseAllowInternalDependencies = 3,
  hipMemPoolAttrReleaseThreshold = 4,
  hipMemPoolAttrReservedMemCurrent = 5,
  hipMemPoolAttrReservedMemHigh = 6,
  hipMemPoolAttrUsedMemCurrent = 7,
  hipMemPoolAttrUsedMemHigh = 8,
};
struct hipMemPoolProps {
  hipMemAllocationType allocType;
  hipMemAllocationHandleType handleTypes;
  hipMemLocation location;
  void* win32SecurityAttributes;
  size_t maxSize;  // bytes; 0: no limit of its own. Since HIP 6
  unsigned char reserved[56];
};
static_assert(sizeof(hipMemPoolProps) == 88);

}  // namespace rocxla
