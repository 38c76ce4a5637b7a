#include "emulator/hip/device_attributes.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include "base/target/multiprocessor.h"

namespace rocxla::emu {
namespace {

constexpr int kMaxGridX = 2147483647;
constexpr int kMaxGridYZ = 65536;
constexpr int kUnbounded = 2147483647;  // as HIP reports pitch and constant memory on AMD GPUs
// The constant clock that s_memrealtime counts: 100 MHz on all targets. Source: "User Guide for AMDGPU Backend".
constexpr int kWallClockKhz = 100'000;

// "gfx90a" is 9.0, "gfx1201" is 12.0: all but the last two digits, and the last but one.
int Major(const GpuTarget& target) {
  int value = 0;
  std::from_chars(target.name.data() + 3, target.name.data() + target.name.size() - 2, value);
  return value;
}
int Minor(const GpuTarget& target) { return target.name[target.name.size() - 2] - '0'; }

// Of a core as HIP counts them; its registers are the 32-bit vector registers.
int SimdsPerCore(const GpuTarget& t) { return t.simds_per_cu * ComputeUnitsPerMultiprocessor(t); }
int WavesPerCore(const GpuTarget& t) { return t.max_waves_per_simd * SimdsPerCore(t); }
int RegistersPerCore(const GpuTarget& t) { return t.vgprs_per_simd_lane * t.wave_size * SimdsPerCore(t); }
int ThreadsPerCore(const GpuTarget& t) { return WavesPerCore(t) * t.wave_size; }

}  // namespace

std::optional<int> AttributeOf(const EmbeddedDevice& device, hipDeviceAttribute_t attribute) {
  const GpuTarget& t = device.target();
  const GpuModel& m = device.model();
  switch (attribute) {
    // The model.
    case hipDeviceAttributeClockRate:
      return m.clock_mhz * 1000;
    case hipDeviceAttributeMemoryClockRate:
      return m.memory_clock_mhz * 1000;
    case hipDeviceAttributeMemoryBusWidth:
      return m.memory_bus_bits;
    case hipDeviceAttributeL2CacheSize:
      return m.l2_bytes;
    case hipDeviceAttributeMultiprocessorCount:
    case hipDeviceAttributePhysicalMultiProcessorCount:
      return device.multiprocessors();
    case hipDeviceAttributeNumberOfXccs:
      return m.xccs;
    case hipDeviceAttributeEccEnabled:
      return m.has_ecc ? 1 : 0;
    case hipDeviceAttributeWallClockRate:
    case hipDeviceAttributeClockInstructionRate:
      return kWallClockKhz;
    case hipDeviceAttributePciBusId:  // on no bus
    case hipDeviceAttributePciDomainId:
    case hipDeviceAttributePciDeviceId:
      return std::nullopt;
    // The architecture.
    case hipDeviceAttributeComputeCapabilityMajor:
      return Major(t);
    case hipDeviceAttributeComputeCapabilityMinor:
      return Minor(t);
    case hipDeviceAttributeWarpSize:
      return t.wave_size;
    case hipDeviceAttributeMaxBlockDimX:
    case hipDeviceAttributeMaxBlockDimY:
    case hipDeviceAttributeMaxBlockDimZ:
    case hipDeviceAttributeMaxThreadsPerBlock:
      return t.max_block_threads;
    case hipDeviceAttributeMaxGridDimX:
      return kMaxGridX;
    case hipDeviceAttributeMaxGridDimY:
    case hipDeviceAttributeMaxGridDimZ:
      return kMaxGridYZ;
    case hipDeviceAttributeMaxThreadsPerMultiProcessor:
      return ThreadsPerCore(t);
    case hipDeviceAttributeMaxBlocksPerMultiProcessor:
      return WavesPerCore(t);  // as HIP: workgroups of one wave each
    case hipDeviceAttributeMaxRegistersPerBlock:
    case hipDeviceAttributeMaxRegistersPerMultiprocessor:
      return RegistersPerCore(t);
    // LDS: as HIP, which tells what one workgroup can have in all of them.
    case hipDeviceAttributeMaxSharedMemoryPerBlock:
    case hipDeviceAttributeMaxSharedMemoryPerMultiprocessor:
    case hipDeviceAttributeSharedMemPerBlockOptin:
    case hipDeviceAttributeSharedMemPerMultiprocessor:
      return t.lds_bytes;
    case hipDeviceAttributeReservedSharedMemPerBlock:
      return 0;
    case hipDeviceAttributeMaxPitch:
    case hipDeviceAttributeTotalConstantMemory:
      return kUnbounded;
    // What this runtime does.
    case hipDeviceAttributeCanMapHostMemory:
    case hipDeviceAttributeCanUseHostPointerForRegisteredMem:
    case hipDeviceAttributeHostRegisterSupported:
    case hipDeviceAttributeManagedMemory:
    case hipDeviceAttributeConcurrentManagedAccess:
    case hipDeviceAttributeDirectManagedMemAccessFromHost:
    case hipDeviceAttributeHostNativeAtomicSupported:
    case hipDeviceAttributeUnifiedAddressing:
    case hipDeviceAttributeIsLargeBar:
    case hipDeviceAttributeFineGrainSupport:
    case hipDeviceAttributeMemoryPoolsSupported:
    case hipDeviceAttributeVirtualMemoryManagementSupported:
    case hipDeviceAttributeStreamPrioritiesSupported:
    case hipDeviceAttributeCanUseStreamWaitValue:
    case hipDeviceAttributeAsyncEngineCount:
    case hipDeviceAttributeDeviceOverlap:
    case hipDeviceAttributeCooperativeLaunch:
      return 1;
    // What it does not: one kernel runs at a time.
    case hipDeviceAttributeConcurrentKernels:
    case hipDeviceAttributeCooperativeMultiDeviceLaunch:
    case hipDeviceAttributeComputePreemptionSupported:
    case hipDeviceAttributePageableMemoryAccess:
    case hipDeviceAttributePageableMemoryAccessUsesHostPageTables:
    case hipDeviceAttributeImageSupport:
    case hipDeviceAttributeIntegrated:
    case hipDeviceAttributeIsMultiGpuBoard:
    case hipDeviceAttributeKernelExecTimeout:
    case hipDeviceAttributeComputeMode:  // hipComputeModeDefault
    case hipDeviceAttributeAsicRevision:
      return 0;
  }
  return std::nullopt;
}

namespace {

void CopyName(std::string_view text, char (&out)[256]) {
  std::memcpy(out, text.data(), std::min<size_t>(text.size(), 255));
}

// What both layouts have.
template <class Properties>
void FillCommon(const EmbeddedDevice& device, Properties& p) {
  const auto attribute = [&](hipDeviceAttribute_t which) { return *AttributeOf(device, which); };
  p = {};
  CopyName(device.model().name, p.name);
  CopyName(device.target().name, p.gcnArchName);
  p.totalGlobalMem = device.model().memory_bytes;
  p.sharedMemPerBlock = p.maxSharedMemoryPerMultiProcessor = device.target().lds_bytes;
  p.regsPerBlock = attribute(hipDeviceAttributeMaxRegistersPerBlock);
  p.warpSize = device.target().wave_size;
  p.memPitch = p.totalConstMem = kUnbounded;
  p.maxThreadsPerBlock = device.target().max_block_threads;
  std::fill_n(p.maxThreadsDim, 3, device.target().max_block_threads);
  p.maxGridSize[0] = kMaxGridX;
  p.maxGridSize[1] = p.maxGridSize[2] = kMaxGridYZ;
  p.clockRate = attribute(hipDeviceAttributeClockRate);
  p.memoryClockRate = attribute(hipDeviceAttributeMemoryClockRate);
  p.memoryBusWidth = device.model().memory_bus_bits;
  p.l2CacheSize = device.model().l2_bytes;
  p.major = Major(device.target());
  p.minor = Minor(device.target());
  p.multiProcessorCount = device.multiprocessors();
  p.maxThreadsPerMultiProcessor = ThreadsPerCore(device.target());
  p.clockInstructionRate = kWallClockKhz;
  p.canMapHostMemory = p.isLargeBar = p.managedMemory = 1;
  p.directManagedMemAccessFromHost = p.concurrentManagedAccess = 1;
  p.ECCEnabled = device.model().has_ecc ? 1 : 0;
}

}  // namespace

void FillProperties(const EmbeddedDevice& device, hipDeviceProp_tR0600& p) {
  FillCommon(device, p);
  const std::string uuid = device.uuid();
  std::memcpy(p.uuid.bytes, uuid.data() + 4, sizeof(p.uuid.bytes));
  p.sharedMemPerMultiprocessor = p.sharedMemPerBlockOptin = device.target().lds_bytes;
  p.regsPerMultiprocessor = RegistersPerCore(device.target());
  p.maxBlocksPerMultiProcessor = WavesPerCore(device.target());
  p.asyncEngineCount = p.deviceOverlap = p.unifiedAddressing = p.streamPrioritiesSupported = 1;
  p.hostNativeAtomicSupported = p.canUseHostPointerForRegisteredMem = p.hostRegisterSupported = 1;
  p.memoryPoolsSupported = 1;
}

void FillProperties(const EmbeddedDevice& device, hipDeviceProp_tR0000& p) { FillCommon(device, p); }

}  // namespace rocxla::emu
