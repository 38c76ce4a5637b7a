// The embedded HIP functions that hand out memory, take it back and tell about it.
#include <fmt/format.h>

#include <optional>

#include "emulator/hip/hip_call.h"
#include "emulator/hip/host_memory.h"
#include "emulator/hip/runtime.h"

namespace rocxla::emu {
namespace {

hipError_t Allocate(void** pointer, size_t bytes, MemoryKind kind, unsigned flags, const char* label) {
  if (pointer == nullptr) return NullPointer("the result");
  if (bytes == 0) return *pointer = nullptr, hipSuccess;
  Runtime& runtime = Runtime::Get();
  if (runtime.device(CurrentDevice()) == nullptr) return NoDevice(CurrentDevice());
  {
    std::lock_guard lock(runtime.graph_mutex);
    if (WorkResult result = runtime.captures.CheckUnsafeCall(label); !result.ok()) return Report(result);
  }
  const StatusOr<void*> allocated = runtime.memory.Allocate(
      {.bytes = bytes, .kind = kind, .device = CurrentDevice(), .flags = flags, .label = label});
  if (!allocated.ok()) return Fail(hipErrorOutOfMemory, allocated.status().ToString());
  return *pointer = *allocated, hipSuccess;
}

hipError_t NotAllocated(const char* function, const void* pointer) {
  return Fail(
      hipErrorInvalidValue,
      fmt::format("{}({}): not the start of a live allocation: never allocated, or freed already", function, pointer));
}

// Ends an allocation of one of the kinds. Real HIP waits for the device, too, before memory goes away.
hipError_t Free(const char* function, void* pointer, std::initializer_list<MemoryKind> kinds) {
  if (pointer == nullptr) return hipSuccess;
  if (hipError_t error = CheckMayWait(function); error != hipSuccess) return error;
  Runtime& runtime = Runtime::Get();
  runtime.SynchronizeAll();
  const std::optional<Block> block = runtime.memory.Find(pointer);
  const bool fits = block && block->pointer() == pointer && !block->freeing &&
                    std::find(kinds.begin(), kinds.end(), block->kind) != kinds.end();
  if (!fits) return NotAllocated(function, pointer);
  if (block->pool != nullptr) return block->pool->Recycle(pointer), hipSuccess;
  return runtime.memory.Remove(pointer) ? hipSuccess : NotAllocated(function, pointer);
}

constexpr int kNoDevice = -2;  // hipInvalidDeviceId

hipMemoryType TypeOf(const Block& block) {
  switch (block.kind) {
    case MemoryKind::kHost:
    case MemoryKind::kRegistered:
      return hipMemoryTypeHost;
    case MemoryKind::kManaged:
      return hipMemoryTypeManaged;
    case MemoryKind::kDevice:
    case MemoryKind::kPool:
    case MemoryKind::kMapped:
    case MemoryKind::kModule:
      return hipMemoryTypeDevice;
  }
  return hipMemoryTypeUnregistered;
}

// Of memory that no block holds (null), HIP tells that it is nothing of its own.
hipError_t WriteAttribute(const Block* block, void* pointer, hipPointer_attribute attribute, void* out) {
  switch (attribute) {
    case HIP_POINTER_ATTRIBUTE_MEMORY_TYPE:
      return *static_cast<hipMemoryType*>(out) = block ? TypeOf(*block) : hipMemoryTypeUnregistered, hipSuccess;
    case HIP_POINTER_ATTRIBUTE_DEVICE_POINTER:
      return *static_cast<void**>(out) = block ? pointer : nullptr, hipSuccess;
    case HIP_POINTER_ATTRIBUTE_HOST_POINTER:
      return *static_cast<void**>(out) = block && block->is_host() ? pointer : nullptr, hipSuccess;
    case HIP_POINTER_ATTRIBUTE_BUFFER_ID:
      return *static_cast<uint64_t*>(out) = block ? block->id : 0, hipSuccess;
    case HIP_POINTER_ATTRIBUTE_IS_MANAGED:
      return *static_cast<unsigned*>(out) = block && block->kind == MemoryKind::kManaged, hipSuccess;
    case HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      return *static_cast<int*>(out) = block ? block->device : kNoDevice, hipSuccess;
    case HIP_POINTER_ATTRIBUTE_RANGE_START_ADDR:
      return *static_cast<void**>(out) = block ? block->pointer() : nullptr, hipSuccess;
    case HIP_POINTER_ATTRIBUTE_RANGE_SIZE:
      return *static_cast<size_t*>(out) = block ? block->bytes : 0, hipSuccess;
    case HIP_POINTER_ATTRIBUTE_MAPPED:
      return *static_cast<unsigned*>(out) = block ? 1 : 0, hipSuccess;
  }
  return Fail(hipErrorInvalidValue, fmt::format("no pointer attribute {}", static_cast<int>(attribute)));
}

// Host memory that the device functions know: hipHostMalloc's or registered.
std::optional<Block> FindHost(const void* pointer) {
  const std::optional<Block> block = Runtime::Get().memory.Find(pointer);
  const bool host = block && (block->kind == MemoryKind::kHost || block->kind == MemoryKind::kRegistered);
  return host ? block : std::nullopt;
}

// A range of managed memory, or what is wrong with it.
hipError_t CheckManaged(const char* function, const void* pointer, size_t bytes, int device) {
  Runtime& runtime = Runtime::Get();
  if (device != hipCpuDeviceId && runtime.device(device) == nullptr) return NoDevice(device);
  const std::optional<Block> block = runtime.memory.Find(pointer);
  if (!block || block->kind != MemoryKind::kManaged || bytes == 0 ||
      bytes > block->end() - reinterpret_cast<uint64_t>(pointer)) {
    return Fail(hipErrorInvalidValue,
                fmt::format("{}: {} bytes at {} are no managed memory", function, bytes, pointer));
  }
  return hipSuccess;
}

}  // namespace

namespace embedded {

hipError_t hipMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
  if (free_bytes == nullptr || total_bytes == nullptr) return NullPointer("a size");
  EmbeddedDevice* device = CurrentEmbeddedDevice();
  if (device == nullptr) return NoDevice(CurrentDevice());
  *free_bytes = device->free_bytes();
  return *total_bytes = device->model().memory_bytes, hipSuccess;
}

hipError_t hipMalloc(void** pointer, size_t bytes) {
  return Allocate(pointer, bytes, MemoryKind::kDevice, hipDeviceMallocDefault, "hipMalloc");
}

// All memory of the embedded device is as coherent as the host's: the kinds do not differ.
hipError_t hipExtMallocWithFlags(void** pointer, size_t bytes, unsigned flags) {
  if (flags > hipDeviceMallocUncached)
    return Fail(hipErrorInvalidValue, fmt::format("no allocation flags {:#x}", flags));
  if (flags == hipMallocSignalMemory && bytes != sizeof(uint64_t)) {
    return Fail(hipErrorInvalidValue, "signal memory has 8 bytes");
  }
  return Allocate(pointer, bytes, MemoryKind::kDevice, flags, "hipExtMallocWithFlags");
}

hipError_t hipFree(void* pointer) {
  return Free("hipFree", pointer, {MemoryKind::kDevice, MemoryKind::kPool, MemoryKind::kManaged, MemoryKind::kHost});
}

hipError_t hipHostMalloc(void** pointer, size_t bytes, unsigned flags) {
  constexpr unsigned kKnown = hipHostMallocPortable | hipHostMallocMapped | hipHostMallocWriteCombined |
                              hipHostMallocNumaUser | hipHostMallocCoherent | hipHostMallocNonCoherent;
  constexpr unsigned kBoth = hipHostMallocCoherent | hipHostMallocNonCoherent;
  if ((flags & ~kKnown) != 0 || (flags & kBoth) == kBoth) {
    return Fail(hipErrorInvalidValue, fmt::format("no host allocation has the flags {:#x}", flags));
  }
  return Allocate(pointer, bytes, MemoryKind::kHost, flags, "hipHostMalloc");
}

hipError_t hipHostFree(void* pointer) { return Free("hipHostFree", pointer, {MemoryKind::kHost}); }

hipError_t hipMallocManaged(void** pointer, size_t bytes, unsigned flags) {
  if (flags != hipMemAttachGlobal && flags != hipMemAttachHost) {
    return Fail(hipErrorInvalidValue, "hipMallocManaged: the flags are hipMemAttachGlobal or hipMemAttachHost");
  }
  return Allocate(pointer, bytes, MemoryKind::kManaged, flags, "hipMallocManaged");
}

hipError_t hipHostRegister(void* pointer, size_t bytes, unsigned flags) {
  if (pointer == nullptr || bytes == 0) return Fail(hipErrorInvalidValue, "hipHostRegister: an empty range");
  if ((flags & ~(hipHostRegisterPortable | hipHostRegisterMapped)) != 0) {
    return Fail(hipErrorInvalidValue, fmt::format("no registration has the flags {:#x}", flags));
  }
  if (CurrentEmbeddedDevice() == nullptr) return NoDevice(CurrentDevice());
  if (const std::optional<uint64_t> missing = FirstMissingAddress(pointer, bytes)) {
    return Fail(hipErrorInvalidValue, fmt::format("hipHostRegister: the process has no memory at {:#x}", *missing));
  }
  const Status status = Runtime::Get().memory.Adopt({.begin = reinterpret_cast<uint64_t>(pointer),
                                                     .bytes = bytes,
                                                     .kind = MemoryKind::kRegistered,
                                                     .device = CurrentDevice(),
                                                     .flags = flags,
                                                     .label = "hipHostRegister"});
  return status.ok() ? hipSuccess : Fail(hipErrorHostMemoryAlreadyRegistered, status.message());
}

hipError_t hipHostUnregister(void* pointer) {
  if (hipError_t error = CheckMayWait("hipHostUnregister"); error != hipSuccess) return error;
  Runtime& runtime = Runtime::Get();
  const std::optional<Block> block = FindHost(pointer);
  if (!block || block->kind != MemoryKind::kRegistered || block->pointer() != pointer) {
    return Fail(hipErrorHostMemoryNotRegistered, fmt::format("{} does not begin registered memory", pointer));
  }
  runtime.SynchronizeAll();
  return runtime.memory.Remove(pointer) ? hipSuccess : NotAllocated("hipHostUnregister", pointer);
}

hipError_t hipHostGetDevicePointer(void** device_pointer, void* pointer, unsigned flags) {
  if (device_pointer == nullptr) return NullPointer("the result");
  if (flags != 0) return Fail(hipErrorInvalidValue, "hipHostGetDevicePointer has no flags");
  if (!FindHost(pointer)) return Fail(hipErrorInvalidValue, fmt::format("{} is no page-locked memory", pointer));
  return *device_pointer = pointer, hipSuccess;
}

hipError_t hipHostGetFlags(unsigned* flags, void* pointer) {
  if (flags == nullptr) return NullPointer("the flags");
  const std::optional<Block> block = FindHost(pointer);
  if (!block) return Fail(hipErrorInvalidValue, fmt::format("{} is no page-locked memory", pointer));
  return *flags = block->flags, hipSuccess;
}

// Managed memory is the host's, wherever it is used: there is nothing to move and nothing to advise.
hipError_t hipMemAdvise(const void* pointer, size_t bytes, hipMemoryAdvise advice, int device) {
  const bool known = (advice >= hipMemAdviseSetReadMostly && advice <= hipMemAdviseUnsetAccessedBy) ||
                     advice == hipMemAdviseSetCoarseGrain || advice == hipMemAdviseUnsetCoarseGrain;
  if (!known) return Fail(hipErrorInvalidValue, fmt::format("no memory advice {}", static_cast<int>(advice)));
  return CheckManaged("hipMemAdvise", pointer, bytes, device);
}

hipError_t hipMemPrefetchAsync(const void* pointer, size_t bytes, int device, hipStream_t stream) {
  if (Runtime::Get().FindStream(stream) == nullptr) return NotLive("stream");
  return CheckManaged("hipMemPrefetchAsync", pointer, bytes, device);
}

// Since HIP 6 memory that the runtime does not know is no failure (the runtime's source; its manual still says so).
hipError_t hipPointerGetAttributes(hipPointerAttribute_t* attributes, const void* pointer) {
  if (attributes == nullptr) return NullPointer("the attributes");
  const std::optional<Block> block = Runtime::Get().memory.Find(pointer);
  *attributes = {.type = hipMemoryTypeUnregistered,
                 .device = kNoDevice,
                 .devicePointer = nullptr,
                 .hostPointer = nullptr,
                 .isManaged = 0,
                 .allocationFlags = 0};
  if (!block) return hipSuccess;
  void* address = const_cast<void*>(pointer);
  *attributes = {.type = TypeOf(*block),
                 .device = block->device,
                 .devicePointer = address,
                 .hostPointer = block->is_host() ? address : nullptr,
                 .isManaged = block->kind == MemoryKind::kManaged,
                 .allocationFlags = block->flags};
  return hipSuccess;
}

hipError_t hipDrvPointerGetAttributes(unsigned count, hipPointer_attribute* attributes, void** data,
                                      hipDeviceptr_t pointer) {
  if (count == 0 || attributes == nullptr || data == nullptr || pointer == nullptr) {
    return NullPointer("the attributes, or for their pointer");
  }
  const std::optional<Block> found = Runtime::Get().memory.Find(pointer);
  const Block* block = found ? &*found : nullptr;
  for (unsigned i = 0; i < count; ++i) {
    if (data[i] == nullptr) return NullPointer("an attribute");
    if (hipError_t error = WriteAttribute(block, pointer, attributes[i], data[i]); error != hipSuccess) return error;
  }
  return hipSuccess;
}

hipError_t hipMemGetAddressRange(hipDeviceptr_t* base, size_t* bytes, hipDeviceptr_t pointer) {
  const std::optional<Block> block = Runtime::Get().memory.Find(pointer);
  if (!block) return Fail(hipErrorInvalidDevicePointer, fmt::format("{} is in no live allocation", pointer));
  if (base != nullptr) *base = block->pointer();
  if (bytes != nullptr) *bytes = block->bytes;
  return hipSuccess;
}

}  // namespace embedded
}  // namespace rocxla::emu
