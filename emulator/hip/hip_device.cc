// The embedded HIP functions about the runtime, its devices and peers.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "emulator/hip/device_attributes.h"
#include "emulator/hip/hip_call.h"
#include "emulator/hip/runtime.h"

namespace rocxla::emu {
namespace {

constexpr int kVersion = 7'00'00000;  // major * 10^7 + minor * 10^5 + patch: HIP 7.0, whose interface this is
constexpr int kLeastPriority = 1, kGreatestPriority = -1;  // as HIP on AMD GPUs

hipError_t CopyText(std::string_view text, char* out, int bytes) {
  if (out == nullptr || bytes <= 0) return Fail(hipErrorInvalidValue, "no room for the text");
  const size_t copied = std::min<size_t>(text.size(), bytes - 1);
  std::memcpy(out, text.data(), copied);
  out[copied] = '\0';
  return hipSuccess;
}

template <class Properties>
hipError_t GetProperties(Properties* properties, int ordinal) {
  if (properties == nullptr) return NullPointer("the properties");
  EmbeddedDevice* device = Runtime::Get().device(ordinal);
  if (device == nullptr) return NoDevice(ordinal);
  return FillProperties(*device, *properties), hipSuccess;
}

// Two different live devices, or what is wrong with the pair.
hipError_t CheckPair(int device, int peer) {
  for (int ordinal : {device, peer}) {
    if (Runtime::Get().device(ordinal) == nullptr) return NoDevice(ordinal);
  }
  if (device == peer) return Fail(hipErrorInvalidDevice, "a device is not its own peer");
  return hipSuccess;
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
  if (version == nullptr) return NullPointer("the version");
  return *version = kVersion, hipSuccess;
}
hipError_t hipDriverGetVersion(int* version) { return hipRuntimeGetVersion(version); }

hipError_t hipGetLastError() { return TakeLastError(); }
hipError_t hipPeekAtLastError() { return LastError(); }
const char* hipGetErrorName(hipError_t error) {
  thread_local std::string name;
  return (name = HipErrorName(error)).c_str();
}
const char* hipGetErrorString(hipError_t error) { return HipErrorText(error).data(); }
const char* rocxlaGetLastErrorDetail() { return LastErrorDetail().c_str(); }

hipError_t hipGetDeviceCount(int* count) {
  if (count == nullptr) return NullPointer("the count");
  *count = Runtime::Get().device_count();
  return *count == 0 ? NoDevice(0) : hipSuccess;
}

hipError_t hipSetDevice(int device) {
  if (Runtime::Get().device(device) == nullptr) return NoDevice(device);
  return SetCurrentDevice(device), hipSuccess;
}

hipError_t hipGetDevice(int* device) {
  if (device == nullptr) return NullPointer("the device");
  return *device = CurrentDevice(), hipSuccess;
}

hipError_t hipDeviceGet(hipDevice_t* device, int ordinal) {
  if (device == nullptr) return NullPointer("the device");
  if (Runtime::Get().device(ordinal) == nullptr) return NoDevice(ordinal);
  return *device = ordinal, hipSuccess;
}

hipError_t hipDeviceGetName(char* name, int bytes, hipDevice_t ordinal) {
  EmbeddedDevice* device = Runtime::Get().device(ordinal);
  return device == nullptr ? NoDevice(ordinal) : CopyText(device->model().name, name, bytes);
}

hipError_t hipDeviceGetUuid(hipUUID* uuid, hipDevice_t ordinal) {
  if (uuid == nullptr) return NullPointer("the UUID");
  EmbeddedDevice* device = Runtime::Get().device(ordinal);
  if (device == nullptr) return NoDevice(ordinal);
  const std::string text = device->uuid();
  std::memcpy(uuid->bytes, text.data() + std::strlen("GPU-"), sizeof(uuid->bytes));
  return hipSuccess;
}

hipError_t hipDeviceGetPCIBusId(char*, int, int ordinal) {
  if (Runtime::Get().device(ordinal) == nullptr) return NoDevice(ordinal);
  return Fail(hipErrorNotSupported, "an embedded device is on no PCI bus");
}

hipError_t hipDeviceGetByPCIBusId(int* ordinal, const char* id) {
  if (ordinal == nullptr || id == nullptr) return NullPointer("the device or its bus id");
  return Fail(hipErrorInvalidValue, fmt::format("no embedded device is on the bus '{}': they are on none", id));
}

hipError_t hipDeviceGetAttribute(int* value, hipDeviceAttribute_t attribute, int ordinal) {
  if (value == nullptr) return NullPointer("the attribute");
  EmbeddedDevice* device = Runtime::Get().device(ordinal);
  if (device == nullptr) return NoDevice(ordinal);
  const std::optional<int> known = AttributeOf(*device, attribute);
  if (!known && (attribute == hipDeviceAttributePciBusId || attribute == hipDeviceAttributePciDeviceId ||
                 attribute == hipDeviceAttributePciDomainId)) {
    return Fail(hipErrorNotSupported, "an embedded device is on no PCI bus");
  }
  if (!known) return Fail(hipErrorInvalidValue, fmt::format("no device attribute {}", static_cast<int>(attribute)));
  return *value = *known, hipSuccess;
}

hipError_t hipDeviceTotalMem(size_t* bytes, hipDevice_t ordinal) {
  if (bytes == nullptr) return NullPointer("the size");
  EmbeddedDevice* device = Runtime::Get().device(ordinal);
  if (device == nullptr) return NoDevice(ordinal);
  return *bytes = device->model().memory_bytes, hipSuccess;
}

hipError_t hipGetDevicePropertiesR0600(hipDeviceProp_tR0600* properties, int device) {
  return GetProperties(properties, device);
}
hipError_t hipGetDeviceProperties(hipDeviceProp_tR0000* properties, int device) {
  return GetProperties(properties, device);
}

hipError_t hipSetDeviceFlags(unsigned flags) {
  constexpr unsigned kKnown =
      hipDeviceScheduleSpin | hipDeviceScheduleYield | hipDeviceScheduleBlockingSync | hipDeviceMapHost;
  if ((flags & ~kKnown) != 0) return Fail(hipErrorInvalidValue, fmt::format("no device flags {:#x}", flags & ~kKnown));
  EmbeddedDevice* device = CurrentEmbeddedDevice();
  if (device == nullptr) return NoDevice(CurrentDevice());
  return device->flags = flags, hipSuccess;
}

hipError_t hipGetDeviceFlags(unsigned* flags) {
  if (flags == nullptr) return NullPointer("the flags");
  EmbeddedDevice* device = CurrentEmbeddedDevice();
  if (device == nullptr) return NoDevice(CurrentDevice());
  return *flags = device->flags, hipSuccess;
}

hipError_t hipDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (least == nullptr || greatest == nullptr) return NullPointer("a priority");
  return *least = kLeastPriority, *greatest = kGreatestPriority, hipSuccess;
}

hipError_t hipDeviceSynchronize() {
  if (hipError_t error = CheckMayWait("hipDeviceSynchronize"); error != hipSuccess) return error;
  EmbeddedDevice* device = CurrentEmbeddedDevice();
  if (device == nullptr) return NoDevice(CurrentDevice());
  WorkResult result = Runtime::Get().Synchronize(*device);
  Runtime::Get().TrimPools();
  return Report(result);
}

hipError_t hipDeviceReset() {
  if (hipError_t error = CheckMayWait("hipDeviceReset"); error != hipSuccess) return error;
  EmbeddedDevice* device = CurrentEmbeddedDevice();
  if (device == nullptr) return NoDevice(CurrentDevice());
  return Runtime::Get().Reset(*device), hipSuccess;
}

hipError_t hipDeviceCanAccessPeer(int* can, int device, int peer) {
  if (can == nullptr) return NullPointer("the answer");
  for (int ordinal : {device, peer}) {
    if (Runtime::Get().device(ordinal) == nullptr) return NoDevice(ordinal);
  }
  return *can = device != peer ? 1 : 0, hipSuccess;  // all share the host's memory
}

hipError_t hipDeviceEnablePeerAccess(int peer, unsigned flags) {
  if (flags != 0) return Fail(hipErrorInvalidValue, "hipDeviceEnablePeerAccess has no flags");
  const int device = CurrentDevice();
  if (hipError_t error = CheckPair(device, peer); error != hipSuccess) return error;
  if (Runtime::Get().memory.SetPeerAccess(device, peer, true)) return hipSuccess;
  return Fail(hipErrorPeerAccessAlreadyEnabled, fmt::format("device {} may access device {} already", device, peer));
}

hipError_t hipDeviceDisablePeerAccess(int peer) {
  const int device = CurrentDevice();
  if (hipError_t error = CheckPair(device, peer); error != hipSuccess) return error;
  if (Runtime::Get().memory.SetPeerAccess(device, peer, false)) return hipSuccess;
  return Fail(hipErrorPeerAccessNotEnabled, fmt::format("device {} may not access device {}", device, peer));
}

hipError_t hipDeviceGetP2PAttribute(int* value, hipDeviceP2PAttr attribute, int source, int destination) {
  if (value == nullptr) return NullPointer("the attribute");
  if (hipError_t error = CheckPair(source, destination); error != hipSuccess) return error;
  switch (attribute) {
    case hipDevP2PAttrAccessSupported:
    case hipDevP2PAttrNativeAtomicSupported:
      return *value = 1, hipSuccess;
    case hipDevP2PAttrPerformanceRank:
    case hipDevP2PAttrHipArrayAccessSupported:
      return *value = 0, hipSuccess;
  }
  return Fail(hipErrorInvalidValue, fmt::format("no attribute {} of two devices", static_cast<int>(attribute)));
}

// What a machine with these GPUs would say: Instinct GPUs of a kind are linked by xGMI, all others through the host.
hipError_t hipExtGetLinkTypeAndHopCount(int device1, int device2, uint32_t* link_type, uint32_t* hops) {
  if (link_type == nullptr || hops == nullptr) return NullPointer("the link's type or hops");
  if (hipError_t error = CheckPair(device1, device2); error != hipSuccess) return error;
  const GpuTarget &a = Runtime::Get().device(device1)->target(), &b = Runtime::Get().device(device2)->target();
  const bool direct = a == b && a.is_cdna();
  *link_type = direct ? kHipLinkTypeXgmi : kHipLinkTypePcie;
  *hops = direct ? 1 : 2;
  return hipSuccess;
}

}  // namespace embedded
}  // namespace rocxla::emu
