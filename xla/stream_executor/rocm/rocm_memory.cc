#include "xla/stream_executor/rocm/rocm_memory.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "base/error_ids.h"
#include "xla/stream_executor/rocm/scoped_device.h"

namespace stream_executor::gpu {
namespace {

uintptr_t Bits(const void* pointer) { return reinterpret_cast<uintptr_t>(pointer); }

bool IsOfTheHost(MemorySpace space) { return space == MemorySpace::kHost || space == MemorySpace::kUnified; }

Status CollectiveFailure(const CollectiveLibrary& library, int result, std::string_view function) {
  return Error(ErrorId::kDeviceOutOfMemory, {.what = "RCCL gave no memory",
                                             .where = fmt::format("{} of {}", function, library.path),
                                             .found = library.error_text(result)});
}

}  // namespace

Status RocmMemory::AllocateIn(MemorySpace space, void** pointer, uint64_t size_bytes) const {
  switch (space) {
    case MemorySpace::kDevice:
      RETURN_IF_HIP_ERROR(api_, hipMalloc, pointer, size_bytes);
      return OkStatus();
    case MemorySpace::kUnified:
      RETURN_IF_HIP_ERROR(api_, hipMallocManaged, pointer, size_bytes, rocxla::hipMemAttachGlobal);
      return OkStatus();
    case MemorySpace::kHost:
      RETURN_IF_HIP_ERROR(api_, hipHostMalloc, pointer, size_bytes, rocxla::hipHostMallocPortable);
      return OkStatus();
    case MemorySpace::kCollective: {
      const CollectiveLibrary& library = **collective_;
      const int result = library.allocate(pointer, size_bytes);
      return result == 0 ? OkStatus() : CollectiveFailure(library, result, "ncclMemAlloc");
    }
  }
  return Error(ErrorId::kBadMemoryRequest, {.what = "there is no such kind of memory",
                                            .found = fmt::format("{}", static_cast<int>(space)),
                                            .expected = "0 (device), 1 (unified), 2 (collective) or 5 (host)"});
}

Status RocmMemory::FreeIn(MemorySpace space, void* pointer) const {
  if (space == MemorySpace::kHost) {
    RETURN_IF_HIP_ERROR(api_, hipHostFree, pointer);
  } else if (space == MemorySpace::kCollective) {
    const int result = (*collective_)->free(pointer);
    if (result != 0) return CollectiveFailure(**collective_, result, "ncclMemFree");
  } else {
    RETURN_IF_HIP_ERROR(api_, hipFree, pointer);
  }
  return OkStatus();
}

Status RocmMemory::OutOfMemory(uint64_t size_bytes, MemorySpace space, const Status& cause) const {
  const bool says_all = space == MemorySpace::kCollective;  // what RCCL refuses, memory that HIP has may not explain
  if (cause.id() != ErrorId::kDeviceOutOfMemory || says_all) return cause;
  const StatusOr<DeviceMemoryUsage> usage = Usage();
  const std::string free = usage.ok() ? fmt::format("{} of {} bytes are free", usage->free_bytes, usage->total_bytes)
                                      : "unknown free memory";
  if (!IsOfTheHost(space)) {
    return Error(ErrorId::kDeviceOutOfMemory, {.what = "the device has not enough free memory",
                                               .where = where_,
                                               .found = free,
                                               .expected = fmt::format("{} bytes", size_bytes)});
  }
  return Error(ErrorId::kOutOfHostMemory, {.what = fmt::format("the host gives no {}", MemorySpaceText(space)),
                                           .where = where_,
                                           .found = cause.message(),
                                           .expected = fmt::format("{} bytes", size_bytes)});
}

StatusOr<DeviceAddressBase> RocmMemory::Allocate(uint64_t size_bytes, MemorySpace space) {
  if (size_bytes == 0) return DeviceAddressBase();
  ASSIGN_OR_RETURN(const ScopedDevice device, ScopedDevice::Activate(api_, ordinal_));
  if (space == MemorySpace::kCollective) {
    std::lock_guard lock(mutex_);
    if (!collective_) collective_ = CollectiveLibraryOf(api_);
    RETURN_IF_ERROR(collective_->status());
  }
  void* pointer = nullptr;
  if (Status status = AllocateIn(space, &pointer, size_bytes); !status.ok()) {
    return OutOfMemory(size_bytes, space, status);
  }
  Add(pointer, {size_bytes, space, Origin::kAllocated});
  return DeviceAddressBase(pointer, size_bytes);
}

StatusOr<DeviceAddressBase> RocmMemory::AllocateOrdered(uint64_t size_bytes, rocxla::hipStream_t stream) {
  constexpr const char* kFeature = "memory in the order of a stream";
  if (size_bytes == 0) return DeviceAddressBase();
  if (api_.hipMallocAsync == nullptr) return FunctionIsMissing(api_, "hipMallocAsync", kFeature);
  if (api_.hipFreeAsync == nullptr) return FunctionIsMissing(api_, "hipFreeAsync", kFeature);
  ASSIGN_OR_RETURN(const ScopedDevice device, ScopedDevice::Activate(api_, ordinal_));
  void* pointer = nullptr;
  const Status status = ToStatus(api_.hipMallocAsync(&pointer, size_bytes, stream), api_, "hipMallocAsync");
  if (!status.ok()) return OutOfMemory(size_bytes, MemorySpace::kDevice, status);
  Add(pointer, {size_bytes, MemorySpace::kDevice, Origin::kOrdered});
  return DeviceAddressBase(pointer, size_bytes);
}

Status RocmMemory::DeallocateOrdered(const DeviceAddressBase& address, rocxla::hipStream_t stream) {
  if (address.is_null()) return OkStatus();
  const std::optional<Block> block = Take(address.opaque(), Origin::kOrdered);
  if (!block) {
    return Unknown(address.opaque(), "the address is no allocation of a stream, or was freed already",
                   "an address that AllocateOrdered gave");
  }
  return KeepUnlessOk(ToStatus(api_.hipFreeAsync(address.opaque(), stream), api_, "hipFreeAsync"), address.opaque(),
                      *block);
}

Status RocmMemory::Unknown(const void* pointer, std::string_view what, std::string_view expected) const {
  return Error(ErrorId::kBadDeviceAddress, {.what = std::string(what),
                                            .where = where_,
                                            .found = fmt::format("{}", pointer),
                                            .expected = std::string(expected)});
}

void RocmMemory::Add(const void* pointer, Block block) {
  std::lock_guard lock(mutex_);
  blocks_[Bits(pointer)] = block;
}

std::optional<RocmMemory::Block> RocmMemory::Take(const void* pointer, Origin origin) {
  std::lock_guard lock(mutex_);
  const auto block = blocks_.find(Bits(pointer));
  if (block == blocks_.end() || block->second.origin != origin) return std::nullopt;
  return blocks_.extract(block).mapped();
}

Status RocmMemory::KeepUnlessOk(Status status, const void* pointer, const Block& block) {
  if (!status.ok()) Add(pointer, block);
  return status;
}

Status RocmMemory::Deallocate(const DeviceAddressBase& address) {
  if (address.is_null()) return OkStatus();
  const std::optional<Block> block = Take(address.opaque(), Origin::kAllocated);
  if (!block) {
    return Unknown(address.opaque(), "the address is no allocation, or was freed already",
                   "an address that Allocate of this executor gave");
  }
  const StatusOr<ScopedDevice> device = ScopedDevice::Activate(api_, ordinal_);
  const Status freed = device.ok() ? FreeIn(block->space, address.opaque()) : device.status();
  return KeepUnlessOk(freed, address.opaque(), *block);
}

StatusOr<DeviceMemoryUsage> RocmMemory::Usage() const {
  ASSIGN_OR_RETURN(const ScopedDevice device, ScopedDevice::Activate(api_, ordinal_));
  size_t free_bytes = 0, total_bytes = 0;
  RETURN_IF_HIP_ERROR(api_, hipMemGetInfo, &free_bytes, &total_bytes);
  return DeviceMemoryUsage{free_bytes, total_bytes};
}

Status RocmMemory::HostRegister(void* pointer, uint64_t size_bytes) {
  if (pointer == nullptr || size_bytes == 0) {
    return Error(ErrorId::kBadMemoryRequest, {.what = "there is no memory to page-lock",
                                              .where = where_,
                                              .found = fmt::format("{} bytes at {}", size_bytes, pointer)});
  }
  ASSIGN_OR_RETURN(const ScopedDevice device, ScopedDevice::Activate(api_, ordinal_));
  RETURN_IF_HIP_ERROR(api_, hipHostRegister, pointer, size_bytes, rocxla::hipHostRegisterPortable);
  Add(pointer, {size_bytes, MemorySpace::kHost, Origin::kRegistered});
  return OkStatus();
}

Status RocmMemory::HostUnregister(void* pointer) {
  const std::optional<Block> block = Take(pointer, Origin::kRegistered);
  if (!block) {
    return Unknown(pointer, "the memory is not page-locked, or not from there on",
                   "an address that HostMemoryRegister of this executor was given");
  }
  const StatusOr<ScopedDevice> device = ScopedDevice::Activate(api_, ordinal_);
  const Status ended =
      device.ok() ? ToStatus(api_.hipHostUnregister(pointer), api_, "hipHostUnregister") : device.status();
  return KeepUnlessOk(ended, pointer, *block);
}

std::optional<RocmMemory::Blocks::value_type> RocmMemory::Find(const void* pointer) const {
  std::lock_guard lock(mutex_);
  const auto after = blocks_.upper_bound(Bits(pointer));
  if (after == blocks_.begin()) return std::nullopt;
  const auto block = std::prev(after);
  if (Bits(pointer) - block->first >= block->second.size_bytes) return std::nullopt;
  return *block;
}

StatusOr<bool> RocmMemory::IsHostMemoryPinned(const void* pointer, uint64_t size_bytes) const {
  if (pointer == nullptr || size_bytes == 0) return false;
  if (const auto block = Find(pointer)) {
    const uint64_t offset = Bits(pointer) - block->first;
    return block->second.space == MemorySpace::kHost && size_bytes <= block->second.size_bytes - offset;
  }
  if (api_.hipDrvPointerGetAttributes == nullptr) return false;
  rocxla::hipMemoryType type{};
  void* start = nullptr;
  size_t bytes = 0;
  rocxla::hipPointer_attribute keys[] = {rocxla::HIP_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                         rocxla::HIP_POINTER_ATTRIBUTE_RANGE_START_ADDR,
                                         rocxla::HIP_POINTER_ATTRIBUTE_RANGE_SIZE};
  void* values[] = {&type, &start, &bytes};
  // For memory that is not HIP's some releases fail, and others tell a type and a size of 0. Some write the lower half
  // of the size only: more than 4 GiB then count as not page-locked, which costs time and no more.
  const hipError_t error = api_.hipDrvPointerGetAttributes(3, keys, values, const_cast<void*>(pointer));
  if (error != hipSuccess) return (void)api_.hipGetLastError(), false;  // memory that the runtime does not know
  const uint64_t offset = Bits(pointer) - Bits(start);
  return type == rocxla::hipMemoryTypeHost && offset < bytes && size_bytes <= bytes - offset;
}

StatusOr<MemorySpace> RocmMemory::SpaceOf(const void* pointer) const {
  if (const auto block = Find(pointer)) {
    const MemorySpace space = block->second.space;
    return space == MemorySpace::kCollective ? MemorySpace::kDevice : space;
  }
  rocxla::hipPointerAttribute_t attributes{};
  const bool known =
      api_.hipPointerGetAttributes != nullptr && api_.hipPointerGetAttributes(&attributes, pointer) == hipSuccess;
  if (known && attributes.isManaged != 0) return MemorySpace::kUnified;
  if (known && attributes.type == rocxla::hipMemoryTypeDevice) return MemorySpace::kDevice;
  if (known && attributes.type == rocxla::hipMemoryTypeHost) return MemorySpace::kHost;
  (void)api_.hipGetLastError();
  return Unknown(pointer, "the runtime does not know this memory",
                 "memory of a device, or of the host and page-locked");
}

StatusOr<DeviceAddressBase> RocmMemory::RangeOf(const DeviceAddressBase& address) const {
  if (const auto block = Find(address.opaque())) {
    return DeviceAddressBase(reinterpret_cast<void*>(block->first), block->second.size_bytes);
  }
  ASSIGN_OR_RETURN(const ScopedDevice device, ScopedDevice::Activate(api_, ordinal_));
  void* start = nullptr;
  size_t bytes = 0;
  if (!address.is_null() && api_.hipMemGetAddressRange(&start, &bytes, address.opaque()) == hipSuccess) {
    return DeviceAddressBase(start, bytes);
  }
  (void)api_.hipGetLastError();
  return Unknown(address.opaque(), "no allocation holds this address", "an address inside a live allocation");
}

}  // namespace stream_executor::gpu
