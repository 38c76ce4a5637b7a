// KernelArgs: the explicit arguments of one launch, packed as the kernel's argument segment has them.
//
// Layout: arguments in order, each at the next multiple of its own alignment; little endian. That is what LLVM's AMDGPU
// backend gives a kernel whose parameters are pointers and scalars ("User Guide for AMDGPU Backend", kernel argument
// segment).
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "xla/stream_executor/device_address.h"

namespace stream_executor {

class KernelArgs {
 public:
  struct Slot {
    uint32_t offset;  // bytes from the start of packed()
    uint32_t size;    // bytes
    bool operator==(const Slot&) const = default;
  };

  // Dynamically sized LDS of the launch, in bytes.
  explicit KernelArgs(uint32_t shared_memory_bytes = 0) : shared_memory_bytes_(shared_memory_bytes) {}

  // Appends a device pointer (8 bytes).
  KernelArgs& Add(const DeviceAddressBase& address) {
    const uint64_t bits = reinterpret_cast<uintptr_t>(address.opaque());
    return AddBytes(std::as_bytes(std::span(&bits, 1)), sizeof(bits));
  }
  // Appends a scalar.
  template <class T>
    requires(std::is_arithmetic_v<T> || std::is_enum_v<T>)
  KernelArgs& Add(T scalar) {
    return AddBytes(std::as_bytes(std::span(&scalar, 1)), alignof(T));
  }
  // Appends the bytes of an argument of another type. `alignment`: a power of two, in bytes.
  KernelArgs& AddBytes(std::span<const std::byte> bytes, uint32_t alignment) {
    const size_t offset = (packed_.size() + alignment - 1) / alignment * alignment;
    packed_.resize(offset + bytes.size());
    if (!bytes.empty()) std::memcpy(packed_.data() + offset, bytes.data(), bytes.size());
    slots_.push_back({static_cast<uint32_t>(offset), static_cast<uint32_t>(bytes.size())});
    return *this;
  }

  size_t number_of_arguments() const { return slots_.size(); }
  std::span<const Slot> slots() const { return slots_; }
  std::span<const std::byte> packed() const { return packed_; }
  uint32_t number_of_shared_bytes() const { return shared_memory_bytes_; }

 private:
  uint32_t shared_memory_bytes_;
  std::vector<Slot> slots_;
  std::vector<std::byte> packed_;
};

}  // namespace stream_executor
