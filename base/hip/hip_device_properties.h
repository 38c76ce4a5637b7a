// The two layouts of HIP's device properties. ROCm 6 and later export hipGetDevicePropertiesR0600 for the first;
// hipGetDeviceProperties fills the second in every version. Included by hip_types.h.
//
// Sources: hipDeviceProp_t in hip_runtime_api.h of HIP 6 and 7, and of HIP 5.2 (later 5.x and 6's "R0000" agree).
#pragma once
#include <cstddef>
#include <cstdint>

namespace rocxla {

struct hipUUID {
  char bytes[16];  // what follows "GPU-" in the device's UUID; not terminated
};

// 17 flags, one bit each.
struct hipDeviceArch_t {
  unsigned bits;
};

struct hipDeviceProp_tR0600 {
  char name[256];
  hipUUID uuid;
  char luid[8];
  unsigned luidDeviceNodeMask;
  size_t totalGlobalMem;
  size_t sharedMemPerBlock;
  int regsPerBlock;
  int warpSize;
  size_t memPitch;
  int maxThreadsPerBlock;
  int maxThreadsDim[3];
  int maxGridSize[3];
  int clockRate;  // kHz
  size_t totalConstMem;
  int major;
  int minor;
  size_t textureAlignment;
  size_t texturePitchAlignment;
  int deviceOverlap;
  int multiProcessorCount;
  int kernelExecTimeoutEnabled;
  int integrated;
  int canMapHostMemory;
  int computeMode;
  int textureAndSurfaceLimits[40];
  size_t surfaceAlignment;
  int concurrentKernels;
  int ECCEnabled;
  int pciBusID;
  int pciDeviceID;
  int pciDomainID;
  int tccDriver;
  int asyncEngineCount;
  int unifiedAddressing;
  int memoryClockRate;  // kHz
  int memoryBusWidth;   // bits
  int l2CacheSize;
  int persistingL2CacheMaxSize;
  int maxThreadsPerMultiProcessor;
  int streamPrioritiesSupported;
  int globalL1CacheSupported;
  int localL1CacheSupported;
  size_t sharedMemPerMultiprocessor;
  int regsPerMultiprocessor;
  int managedMemory;
  int isMultiGpuBoard;
  int multiGpuBoardGroupID;
  int hostNativeAtomicSupported;
  int singleToDoublePrecisionPerfRatio;
  int pageableMemoryAccess;
  int concurrentManagedAccess;
  int computePreemptionSupported;
  int canUseHostPointerForRegisteredMem;
  int cooperativeLaunch;
  int cooperativeMultiDeviceLaunch;
  size_t sharedMemPerBlockOptin;
  int pageableMemoryAccessUsesHostPageTables;
  int directManagedMemAccessFromHost;
  int maxBlocksPerMultiProcessor;
  int accessPolicyMaxWindowSize;
  size_t reservedSharedMemPerBlock;
  int hostRegisterSupported;
  int sparseHipArraySupported;
  int hostRegisterReadOnlySupported;
  int timelineSemaphoreInteropSupported;
  int memoryPoolsSupported;
  int gpuDirectRDMASupported;
  unsigned gpuDirectRDMAFlushWritesOptions;
  int gpuDirectRDMAWritesOrdering;
  unsigned memoryPoolSupportedHandleTypes;
  int deferredMappingHipArraySupported;
  int ipcEventSupported;
  int clusterLaunch;
  int unifiedFunctionPointers;
  int reserved[63];
  int hipReserved[32];
  char gcnArchName[256];
  size_t maxSharedMemoryPerMultiProcessor;
  int clockInstructionRate;  // kHz
  hipDeviceArch_t arch;
  unsigned* hdpMemFlushCntl;
  unsigned* hdpRegFlushCntl;
  int cooperativeMultiDeviceUnmatched[4];
  int isLargeBar;
  int asicRevision;
};
// Members and order are those of the headers of HIP 6 and 7; what follows gcnArchName stayed where it was because new
// members of HIP go into `reserved` and `hipReserved`.
static_assert(offsetof(hipDeviceProp_tR0600, totalGlobalMem) == 288);
static_assert(offsetof(hipDeviceProp_tR0600, gcnArchName) == 1160);
static_assert(offsetof(hipDeviceProp_tR0600, maxSharedMemoryPerMultiProcessor) == 1416);
static_assert(offsetof(hipDeviceProp_tR0600, clockInstructionRate) == 1424);
static_assert(offsetof(hipDeviceProp_tR0600, arch) == 1428);
static_assert(offsetof(hipDeviceProp_tR0600, hdpMemFlushCntl) == 1432);
static_assert(offsetof(hipDeviceProp_tR0600, cooperativeMultiDeviceUnmatched) == 1448);
static_assert(offsetof(hipDeviceProp_tR0600, isLargeBar) == 1464);
static_assert(sizeof(hipDeviceProp_tR0600) == 1472);

struct hipDeviceProp_tR0000 {
  char name[256];
  size_t totalGlobalMem;
  size_t sharedMemPerBlock;
  int regsPerBlock;
  int warpSize;
  int maxThreadsPerBlock;
  int maxThreadsDim[3];
  int maxGridSize[3];
  int clockRate;        // kHz
  int memoryClockRate;  // kHz
  int memoryBusWidth;   // bits
  size_t totalConstMem;
  int major;
  int minor;
  int multiProcessorCount;
  int l2CacheSize;
  int maxThreadsPerMultiProcessor;
  int computeMode;
  int clockInstructionRate;  // kHz
  hipDeviceArch_t arch;
  int concurrentKernels;
  int pciDomainID;
  int pciBusID;
  int pciDeviceID;
  size_t maxSharedMemoryPerMultiProcessor;
  int isMultiGpuBoard;
  int canMapHostMemory;
  int gcnArch;  // without use
  char gcnArchName[256];
  int integrated;
  int cooperativeLaunch;
  int cooperativeMultiDeviceLaunch;
  int maxTexture1DLinear;
  int maxTexture1D;
  int maxTexture2D[2];
  int maxTexture3D[3];
  unsigned* hdpMemFlushCntl;
  unsigned* hdpRegFlushCntl;
  size_t memPitch;
  size_t textureAlignment;
  size_t texturePitchAlignment;
  int kernelExecTimeoutEnabled;
  int ECCEnabled;
  int tccDriver;
  int cooperativeMultiDeviceUnmatched[4];
  int isLargeBar;
  int asicRevision;
  int managedMemory;
  int directManagedMemAccessFromHost;
  int concurrentManagedAccess;
  int pageableMemoryAccess;
  int pageableMemoryAccessUsesHostPageTables;
  char room[232];  // versions of 5.x may have written more
};
static_assert(offsetof(hipDeviceProp_tR0000, gcnArchName) == 396 && offsetof(hipDeviceProp_tR0000, room) == 792);

}  // namespace rocxla
