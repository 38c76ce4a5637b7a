// The embedded HIP functions about virtual memory.
#include <fmt/format.h>

#include <map>

#include "emulator/hip/hip_call.h"
#include "emulator/hip/runtime.h"

namespace rocxla::emu {
namespace {

hipError_t BadHandle() { return NotLive("memory handle"); }

hipError_t CheckProperties(const hipMemAllocationProp* properties) {
  if (properties == nullptr) return NullPointer("the properties");
  if (properties->type != hipMemAllocationTypePinned) {
    return Fail(hipErrorInvalidValue, "memory must be pinned (hipMemAllocationTypePinned)");
  }
  if (properties->requestedHandleType != hipMemHandleTypeNone) {
    return Fail(hipErrorNotSupported, "memory of the embedded device cannot be shared with other processes");
  }
  return CheckDeviceLocation(properties->location);
}

hipError_t NoFlags(unsigned long long flags, const char* function) {
  return flags == 0 ? hipSuccess : Fail(hipErrorInvalidValue, fmt::format("{} has no flags", function));
}

}  // namespace

namespace embedded {

hipError_t hipMemGetAllocationGranularity(size_t* bytes, const hipMemAllocationProp* properties,
                                          hipMemAllocationGranularity_flags which) {
  if (bytes == nullptr) return NullPointer("the granularity");
  if (hipError_t error = CheckProperties(properties); error != hipSuccess) return error;
  switch (which) {
    case hipMemAllocationGranularityMinimum:
      return *bytes = VirtualMemory::kGranularity, hipSuccess;
    case hipMemAllocationGranularityRecommended:
      return *bytes = VirtualMemory::kRecommendedGranularity, hipSuccess;
  }
  return Fail(hipErrorInvalidValue, fmt::format("no granularity {}", static_cast<int>(which)));
}

hipError_t hipMemAddressReserve(void** pointer, size_t bytes, size_t alignment, void* hint, unsigned long long flags) {
  if (pointer == nullptr) return NullPointer("the result");
  if (hipError_t error = NoFlags(flags, "hipMemAddressReserve"); error != hipSuccess) return error;
  return Report(Runtime::Get().virtual_memory.Reserve(pointer, bytes, alignment, hint));
}

hipError_t hipMemAddressFree(void* pointer, size_t bytes) {
  return Report(Runtime::Get().virtual_memory.FreeAddress(pointer, bytes));
}

hipError_t hipMemCreate(hipMemGenericAllocationHandle_t* handle, size_t bytes, const hipMemAllocationProp* properties,
                        unsigned long long flags) {
  if (handle == nullptr) return NullPointer("the handle");
  if (hipError_t error = NoFlags(flags, "hipMemCreate"); error != hipSuccess) return error;
  if (hipError_t error = CheckProperties(properties); error != hipSuccess) return error;
  Runtime& runtime = Runtime::Get();
  std::shared_ptr<PhysicalMemory> made;
  const WorkResult result = VirtualMemory::Create(made, runtime.device(properties->location.id), bytes, *properties);
  if (!result.ok()) return Report(result);
  return *handle = runtime.physical.Add(std::move(made)), hipSuccess;
}

hipError_t hipMemRelease(hipMemGenericAllocationHandle_t handle) {
  return Runtime::Get().physical.Remove(handle) == nullptr ? BadHandle() : hipSuccess;
}

hipError_t hipMemMap(void* pointer, size_t bytes, size_t offset, hipMemGenericAllocationHandle_t handle,
                     unsigned long long flags) {
  if (hipError_t error = NoFlags(flags, "hipMemMap"); error != hipSuccess) return error;
  std::shared_ptr<PhysicalMemory> physical = Runtime::Get().physical.Find(handle);
  if (physical == nullptr) return BadHandle();
  return Report(Runtime::Get().virtual_memory.Map(pointer, bytes, offset, std::move(physical)));
}

hipError_t hipMemUnmap(void* pointer, size_t bytes) {
  if (hipError_t error = CheckMayWait("hipMemUnmap"); error != hipSuccess) return error;
  Runtime::Get().SynchronizeAll();
  return Report(Runtime::Get().virtual_memory.Unmap(pointer, bytes));
}

hipError_t hipMemSetAccess(void* pointer, size_t bytes, const hipMemAccessDesc* access, size_t count) {
  if (access == nullptr || count == 0) return NullPointer("the access descriptions");
  std::map<int, hipMemAccessFlags> by_device;
  for (size_t i = 0; i < count; ++i) {
    const auto [location, flags] = access[i];
    if (hipError_t error = CheckDeviceLocation(location); error != hipSuccess) return error;
    if (flags != hipMemAccessFlagsProtNone && flags != hipMemAccessFlagsProtRead &&
        flags != hipMemAccessFlagsProtReadWrite) {
      return Fail(hipErrorInvalidValue, fmt::format("no access flags {}", static_cast<int>(flags)));
    }
    by_device[location.id] = flags;
  }
  return Report(Runtime::Get().virtual_memory.SetAccess(pointer, bytes, by_device));
}

hipError_t hipMemGetAccess(unsigned long long* flags, const hipMemLocation* location, void* pointer) {
  if (flags == nullptr || location == nullptr) return NullPointer("the flags or the location");
  Runtime& runtime = Runtime::Get();
  if (hipError_t error = CheckDeviceLocation(*location); error != hipSuccess) return error;
  if (runtime.virtual_memory.PhysicalAt(pointer) == nullptr) {
    return Fail(hipErrorInvalidValue, fmt::format("nothing is mapped at {}", pointer));
  }
  return *flags = static_cast<unsigned long long>(runtime.virtual_memory.GetAccess(pointer, location->id)), hipSuccess;
}

hipError_t hipMemRetainAllocationHandle(hipMemGenericAllocationHandle_t* handle, void* pointer) {
  if (handle == nullptr) return NullPointer("the handle");
  std::shared_ptr<PhysicalMemory> physical = Runtime::Get().virtual_memory.PhysicalAt(pointer);
  if (physical == nullptr) return Fail(hipErrorInvalidValue, fmt::format("nothing is mapped at {}", pointer));
  return *handle = Runtime::Get().physical.Add(std::move(physical)), hipSuccess;
}

hipError_t hipMemGetAllocationPropertiesFromHandle(hipMemAllocationProp* properties,
                                                   hipMemGenericAllocationHandle_t handle) {
  if (properties == nullptr) return NullPointer("the properties");
  const std::shared_ptr<PhysicalMemory> physical = Runtime::Get().physical.Find(handle);
  if (physical == nullptr) return BadHandle();
  return *properties = physical->properties, hipSuccess;
}

}  // namespace embedded
}  // namespace rocxla::emu
