// DeviceAddressBase: a range of device memory, as an address and a size. A value: it owns nothing.
#pragma once
#include <cstddef>
#include <cstdint>

namespace stream_executor {

class DeviceAddressBase {
 public:
  DeviceAddressBase() = default;
  // `opaque` is an address of the device, not to be dereferenced by the host.
  explicit DeviceAddressBase(void* opaque, uint64_t size_bytes = 0) : opaque_(opaque), size_bytes_(size_bytes) {}

  bool is_null() const { return opaque_ == nullptr; }
  void* opaque() const { return opaque_; }
  uint64_t size() const { return size_bytes_; }  // bytes

  // The range that starts `offset_bytes` into this one. The caller guarantees that it lies inside.
  DeviceAddressBase GetByteSlice(uint64_t offset_bytes, uint64_t size_bytes) const {
    return DeviceAddressBase(static_cast<std::byte*>(opaque_) + offset_bytes, size_bytes);
  }
  bool operator==(const DeviceAddressBase&) const = default;

 private:
  void* opaque_ = nullptr;
  uint64_t size_bytes_ = 0;
};

// The same, seen as an array of T.
template <class T>
class DeviceAddress : public DeviceAddressBase {
 public:
  DeviceAddress() = default;
  explicit DeviceAddress(const DeviceAddressBase& other) : DeviceAddressBase(other) {}
  uint64_t ElementCount() const { return size() / sizeof(T); }
};

// Upstream's older names.
using DeviceMemoryBase = DeviceAddressBase;
template <class T>
using DeviceMemory = DeviceAddress<T>;

}  // namespace stream_executor
