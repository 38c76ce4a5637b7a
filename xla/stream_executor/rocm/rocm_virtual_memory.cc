#include "xla/stream_executor/rocm/rocm_virtual_memory.h"

#include <fmt/format.h>

#include <iterator>

#include "base/error_ids.h"
#include "xla/stream_executor/rocm/scoped_device.h"

namespace stream_executor::gpu {
namespace {

constexpr const char* kFeature = "virtual memory";

rocxla::hipMemAllocationProp PropertiesOf(int ordinal) {
  rocxla::hipMemAllocationProp properties{};
  properties.type = rocxla::hipMemAllocationTypePinned;
  properties.requestedHandleType = rocxla::hipMemHandleTypeNone;
  properties.location = {rocxla::hipMemLocationTypeDevice, ordinal};
  return properties;
}

Status BadPlace(uint64_t offset_bytes, std::string found, std::string expected) {
  return Error(ErrorId::kBadMemoryRequest, {.what = "memory cannot be mapped or unmapped there",
                                            .where = fmt::format("offset {} of a reservation", offset_bytes),
                                            .found = std::move(found),
                                            .expected = std::move(expected)});
}

// BadMemoryRequest for 0 bytes and for what cannot be rounded up.
StatusOr<uint64_t> RoundedUp(uint64_t size_bytes, uint64_t granularity) {
  if (size_bytes == 0 || size_bytes > UINT64_MAX / 2) {
    return Error(ErrorId::kBadMemoryRequest, {.what = "virtual memory of this size is not possible",
                                              .found = fmt::format("{} bytes", size_bytes),
                                              .expected = fmt::format("a multiple of {} bytes", granularity)});
  }
  return (size_bytes + granularity - 1) / granularity * granularity;
}

}  // namespace

StatusOr<uint64_t> VirtualMemoryGranularity(const HipApi& api, int ordinal) {
  const rocxla::hipMemAllocationProp properties = PropertiesOf(ordinal);
  size_t bytes = 0;
  RETURN_IF_OPTIONAL_HIP_ERROR(kFeature, api, hipMemGetAllocationGranularity, &bytes, &properties,
                               rocxla::hipMemAllocationGranularityRecommended);
  if (bytes == 0) return rocxla::InternalError("the runtime says that virtual memory has a granularity of 0 bytes");
  return bytes;
}

StatusOr<std::shared_ptr<RocmRawMemory>> RocmRawMemory::Create(const HipApi& api, int ordinal, uint64_t size_bytes) {
  ASSIGN_OR_RETURN(const uint64_t granularity, VirtualMemoryGranularity(api, ordinal));
  ASSIGN_OR_RETURN(const uint64_t rounded, RoundedUp(size_bytes, granularity));
  const rocxla::hipMemAllocationProp properties = PropertiesOf(ordinal);
  rocxla::hipMemGenericAllocationHandle_t handle = nullptr;
  RETURN_IF_OPTIONAL_HIP_ERROR(kFeature, api, hipMemCreate, &handle, rounded, &properties, 0);
  return std::shared_ptr<RocmRawMemory>(new RocmRawMemory(api, ordinal, rounded, handle));
}

RocmRawMemory::~RocmRawMemory() { (void)api_.hipMemRelease(handle_); }

StatusOr<std::unique_ptr<RocmMemoryReservation>> RocmMemoryReservation::Create(const HipApi& api, int ordinal,
                                                                               uint64_t size_bytes,
                                                                               Devices devices_with_access) {
  ASSIGN_OR_RETURN(const uint64_t granularity, VirtualMemoryGranularity(api, ordinal));
  ASSIGN_OR_RETURN(const uint64_t rounded, RoundedUp(size_bytes, granularity));
  void* pointer = nullptr;
  RETURN_IF_OPTIONAL_HIP_ERROR(kFeature, api, hipMemAddressReserve, &pointer, rounded, granularity, nullptr, 0);
  return std::unique_ptr<RocmMemoryReservation>(new RocmMemoryReservation(
      api, ordinal, granularity, DeviceAddressBase(pointer, rounded), std::move(devices_with_access)));
}

RocmMemoryReservation::~RocmMemoryReservation() {
  while (!mapped_.empty()) {
    const uint64_t offset = mapped_.begin()->first;
    if (!Unmap(offset).ok()) mapped_.erase(offset);
  }
  (void)api_.hipMemAddressFree(address_.opaque(), address_.size());
}

Status RocmMemoryReservation::CheckPlace(uint64_t offset_bytes, uint64_t size_bytes) const {
  if (offset_bytes % granularity_ != 0) {
    return BadPlace(offset_bytes, "a place between pages", fmt::format("a multiple of {} bytes", granularity_));
  }
  if (offset_bytes > address_.size() || size_bytes > address_.size() - offset_bytes) {
    return BadPlace(offset_bytes, fmt::format("{} bytes of memory", size_bytes),
                    fmt::format("an end within {} bytes", address_.size()));
  }
  const auto next = mapped_.lower_bound(offset_bytes);
  const bool hits_next = next != mapped_.end() && next->first < offset_bytes + size_bytes;
  const bool hits_previous =
      next != mapped_.begin() && std::prev(next)->first + std::prev(next)->second->size() > offset_bytes;
  if (hits_next || hits_previous) return BadPlace(offset_bytes, "other memory, already mapped", "a free place");
  return OkStatus();
}

// The device itself comes last: a release of ROCm 7 only keeps the access that is set last.
Status RocmMemoryReservation::SetAccess(void* pointer, uint64_t size_bytes) const {
  std::vector<int> devices = devices_();
  std::erase(devices, ordinal_);
  devices.push_back(ordinal_);
  for (const int device : devices) {
    const rocxla::hipMemAccessDesc access{{rocxla::hipMemLocationTypeDevice, device},
                                          rocxla::hipMemAccessFlagsProtReadWrite};
    RETURN_IF_OPTIONAL_HIP_ERROR(kFeature, api_, hipMemSetAccess, pointer, size_bytes, &access, 1);
  }
  return OkStatus();
}

Status RocmMemoryReservation::Map(uint64_t offset_bytes, const std::shared_ptr<RawMemoryAllocation>& memory) {
  const auto raw = std::dynamic_pointer_cast<RocmRawMemory>(memory);
  if (raw == nullptr || &raw->api() != &api_ || raw->ordinal() != ordinal_) {
    return Error(ErrorId::kWrongDevice, {.what = "the memory belongs to another device than the addresses",
                                         .found = raw == nullptr ? "memory of another kind of device"
                                                                 : fmt::format("memory of device {}", raw->ordinal()),
                                         .expected = fmt::format("memory of device {}", ordinal_)});
  }
  RETURN_IF_ERROR(CheckPlace(offset_bytes, raw->size()));
  void* pointer = address_.GetByteSlice(offset_bytes, raw->size()).opaque();
  RETURN_IF_OPTIONAL_HIP_ERROR(kFeature, api_, hipMemMap, pointer, raw->size(), 0, raw->handle(), 0);
  if (Status status = SetAccess(pointer, raw->size()); !status.ok()) {
    (void)api_.hipMemUnmap(pointer, raw->size());
    return status;
  }
  mapped_[offset_bytes] = raw;
  return OkStatus();
}

Status RocmMemoryReservation::Unmap(uint64_t offset_bytes) {
  const auto mapping = mapped_.find(offset_bytes);
  if (mapping == mapped_.end()) return BadPlace(offset_bytes, "nothing that begins there", "the offset of a mapping");
  const uint64_t size_bytes = mapping->second->size();
  void* pointer = address_.GetByteSlice(offset_bytes, size_bytes).opaque();
  RETURN_IF_OPTIONAL_HIP_ERROR(kFeature, api_, hipMemUnmap, pointer, size_bytes);
  mapped_.erase(mapping);
  return OkStatus();
}

}  // namespace stream_executor::gpu
