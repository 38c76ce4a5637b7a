// The embedded HIP functions about the runtime and its devices.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>

#include "emulator/hip/hip_call.h"
#include "emulator/hip/runtime.h"

namespace rocxla::emu {
namespace {

constexpr int kVersion = 7'00'00000;  // major * 10^7 + minor * 10^5 + patch: HIP 7.0, whose interface this is
constexpr int kMaxGridX = 2147483647;
constexpr int kMaxGridYZ = 65536;

hipError_t NoDevice(int ordinal) {
  const int count = Runtime::Get().device_count();
  return Fail(count == 0 ? hipErrorNoDevice : hipErrorInvalidDevice,
              fmt::format("there are {} embedded devices, none with ordinal {}", count, ordinal));
}

hipError_t CopyText(std::string_view text, char* out, int bytes) {
  if (out == nullptr || bytes <= 0) return Fail(hipErrorInvalidValue, "no room for the text");
  const size_t copied = std::min<size_t>(text.size(), bytes - 1);
  std::memcpy(out, text.data(), copied);
  out[copied] = '\0';
  return hipSuccess;
}

template <class Properties>
hipError_t FillProperties(Properties* properties, int ordinal) {
  if (properties == nullptr) return Fail(hipErrorInvalidValue, "null pointer for the properties");
  EmbeddedDevice* device = Runtime::Get().device(ordinal);
  if (device == nullptr) return NoDevice(ordinal);
  *properties = {};
  (void)CopyText(device->model().name, properties->name, sizeof(properties->name));
  return CopyText(device->target().name, properties->gcnArchName, sizeof(properties->gcnArchName));
}

// A core's 32-bit vector registers.
int RegistersPerCore(const GpuTarget& t) { return t.vgprs_per_simd_lane * t.wave_size * t.simds_per_cu; }

// Memory clock that gives the model's bandwidth over its bus at two transfers per clock.
int MemoryClockKhz(const GpuModel& m) {
  return static_cast<int>(m.bandwidth_gb_per_s * 1e9 * 8 / m.memory_bus_bits / 2 / 1000);
}

std::optional<int> AttributeOf(const GpuTarget& t, const GpuModel& m, hipDeviceAttribute_t attribute) {
  switch (attribute) {
    case hipDeviceAttributeEccEnabled:
      return 0;
    case hipDeviceAttributeClockRate:
      return m.clock_mhz * 1000;
    case hipDeviceAttributeL2CacheSize:
      return m.l2_bytes;
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
      return t.max_waves_per_simd * t.simds_per_cu * t.wave_size;
    case hipDeviceAttributeMemoryBusWidth:
      return m.memory_bus_bits;
    case hipDeviceAttributeMemoryClockRate:
      return MemoryClockKhz(m);
    case hipDeviceAttributeMultiprocessorCount:
      return m.compute_units;
    case hipDeviceAttributeMaxRegistersPerBlock:
    case hipDeviceAttributeMaxRegistersPerMultiprocessor:
      return RegistersPerCore(t);
    case hipDeviceAttributeMaxSharedMemoryPerBlock:
    case hipDeviceAttributeMaxSharedMemoryPerMultiprocessor:
      return t.lds_bytes;
    case hipDeviceAttributeWarpSize:
      return t.wave_size;
    default:
      return std::nullopt;
  }
}

}  // namespace

StatusOr<const HipApi*> EmbeddedHip() {
  RETURN_IF_ERROR(Runtime::Get().configuration());
  static const HipApi api = {
#define HIP_FN(result, name, params, need) .name = &embedded::name,
#include "base/hip/hip_api.def"
#undef HIP_FN
      .origin = "embedded device"};
  return &api;
}

namespace embedded {

hipError_t hipInit(unsigned flags) {
  if (flags != 0) return Fail(hipErrorInvalidValue, "hipInit has no flags");
  return hipSuccess;  // also without devices: some may be added later
}

hipError_t hipRuntimeGetVersion(int* version) {
  if (version == nullptr) return Fail(hipErrorInvalidValue, "null pointer for the version");
  return *version = kVersion, hipSuccess;
}
hipError_t hipDriverGetVersion(int* version) { return hipRuntimeGetVersion(version); }

hipError_t hipGetLastError() { return TakeLastError(); }
const char* hipGetErrorName(hipError_t error) {
  thread_local std::string name;
  return (name = HipErrorName(error)).c_str();
}
const char* hipGetErrorString(hipError_t error) { return HipErrorText(error).data(); }
const char* rocxlaGetLastErrorDetail() { return LastErrorDetail().c_str(); }

hipError_t hipGetDeviceCount(int* count) {
  if (count == nullptr) return Fail(hipErrorInvalidValue, "null pointer for the count");
  *count = Runtime::Get().device_count();
  return *count == 0 ? NoDevice(0) : hipSuccess;
}

hipError_t hipSetDevice(int device) {
  if (Runtime::Get().device(device) == nullptr) return NoDevice(device);
  return SetCurrentDevice(device), hipSuccess;
}

hipError_t hipGetDevice(int* device) {
  if (device == nullptr) return Fail(hipErrorInvalidValue, "null pointer for the device");
  return *device = CurrentDevice(), hipSuccess;
}

hipError_t hipDeviceGetName(char* name, int bytes, hipDevice_t ordinal) {
  EmbeddedDevice* device = Runtime::Get().device(ordinal);
  return device == nullptr ? NoDevice(ordinal) : CopyText(device->model().name, name, bytes);
}

hipError_t hipDeviceGetPCIBusId(char*, int, int ordinal) {
  if (Runtime::Get().device(ordinal) == nullptr) return NoDevice(ordinal);
  return Fail(hipErrorNotSupported, "an embedded device is on no PCI bus");
}

hipError_t hipDeviceGetAttribute(int* value, hipDeviceAttribute_t attribute, int ordinal) {
  if (value == nullptr) return Fail(hipErrorInvalidValue, "null pointer for the attribute");
  EmbeddedDevice* device = Runtime::Get().device(ordinal);
  if (device == nullptr) return NoDevice(ordinal);
  const std::optional<int> known = AttributeOf(device->target(), device->model(), attribute);
  if (!known) return Fail(hipErrorInvalidValue, fmt::format("no device attribute {}", static_cast<int>(attribute)));
  return *value = *known, hipSuccess;
}

hipError_t hipDeviceTotalMem(size_t* bytes, hipDevice_t ordinal) {
  if (bytes == nullptr) return Fail(hipErrorInvalidValue, "null pointer for the size");
  EmbeddedDevice* device = Runtime::Get().device(ordinal);
  if (device == nullptr) return NoDevice(ordinal);
  return *bytes = device->model().memory_bytes, hipSuccess;
}

hipError_t hipGetDevicePropertiesR0600(hipDeviceProp_tR0600* properties, int device) {
  return FillProperties(properties, device);
}
hipError_t hipGetDeviceProperties(hipDeviceProp_tR0000* properties, int device) {
  return FillProperties(properties, device);
}

hipError_t hipDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (least == nullptr || greatest == nullptr) return Fail(hipErrorInvalidValue, "null pointer for a priority");
  return *least = *greatest = 0, hipSuccess;  // HIP's way to say that there are no priorities
}

hipError_t hipDeviceSynchronize() {
  if (WorkQueue::OnWorkerThread()) return Fail(hipErrorIllegalState, "a host function may not wait for the device");
  EmbeddedDevice* device = Runtime::Get().device(CurrentDevice());
  return device == nullptr ? NoDevice(CurrentDevice()) : Report(Runtime::Get().Synchronize(*device));
}

}  // namespace embedded
}  // namespace rocxla::emu
