// DeviceAddressAllocator: where programs get device memory from; and an owner for what it gave.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "xla/stream_executor/device_address.h"
#include "xla/stream_executor/memory_space.h"
#include "xla/stream_executor/status.h"
#include "xla/stream_executor/stream.h"
#include "xla/stream_executor/stream_executor.h"

namespace stream_executor {

class ScopedDeviceAddress;

class DeviceAddressAllocator {
 public:
  virtual ~DeviceAddressAllocator() = default;
  // As StreamExecutor::Allocate, on the device of that ordinal. The allocator outlives what it gives.
  virtual StatusOr<ScopedDeviceAddress> Allocate(int device_ordinal, uint64_t size_bytes,
                                                 MemorySpace space = MemorySpace::kDevice) = 0;
  virtual Status Deallocate(int device_ordinal, const DeviceAddressBase& address) = 0;
};

// Frees its address when it goes out of scope. Movable.
class [[nodiscard]] ScopedDeviceAddress {
 public:
  ScopedDeviceAddress() = default;
  ScopedDeviceAddress(DeviceAddressBase address, int device_ordinal, DeviceAddressAllocator* allocator)
      : address_(address), device_ordinal_(device_ordinal), allocator_(allocator) {}
  ScopedDeviceAddress(ScopedDeviceAddress&& other) noexcept { *this = std::move(other); }
  ScopedDeviceAddress& operator=(ScopedDeviceAddress&& other) noexcept;
  ~ScopedDeviceAddress();

  const DeviceAddressBase& operator*() const { return address_; }
  const DeviceAddressBase* operator->() const { return &address_; }
  const DeviceAddressBase& cref() const { return address_; }
  int device_ordinal() const { return device_ordinal_; }
  bool is_null() const { return address_.is_null(); }
  // Gives up ownership.
  DeviceAddressBase Release() { return std::exchange(address_, {}); }
  // Frees now, and tells whether that worked (the destructor cannot).
  Status Free();

 private:
  DeviceAddressBase address_;
  int device_ordinal_ = -1;
  DeviceAddressAllocator* allocator_ = nullptr;
};

// DeviceNotFound, for allocators that are asked about a device they do not have.
Status NoDeviceOfAllocator(int device_ordinal);
// BadMemoryRequest, for allocators that have nothing but device memory and are asked for another kind.
Status CheckDeviceMemory(MemorySpace space);

// Asks the executor for each allocation. The executors outlive the allocator.
class StreamExecutorAddressAllocator : public DeviceAddressAllocator {
 public:
  explicit StreamExecutorAddressAllocator(StreamExecutor* executor) : executors_{executor} {}
  explicit StreamExecutorAddressAllocator(std::vector<StreamExecutor*> executors) : executors_(std::move(executors)) {}

  StatusOr<ScopedDeviceAddress> Allocate(int device_ordinal, uint64_t size_bytes,
                                         MemorySpace space = MemorySpace::kDevice) override;
  Status Deallocate(int device_ordinal, const DeviceAddressBase& address) override;

 private:
  StatusOr<StreamExecutor*> ExecutorFor(int device_ordinal) const;
  std::vector<StreamExecutor*> executors_;
};

// Memory in the order of one stream's work (Stream::AllocateOrdered), of its device and of kind kDevice. What it gave
// must go back before the stream goes.
class StreamOrderedAddressAllocator : public DeviceAddressAllocator {
 public:
  explicit StreamOrderedAddressAllocator(Stream& stream) : stream_(stream) {}

  StatusOr<ScopedDeviceAddress> Allocate(int device_ordinal, uint64_t size_bytes,
                                         MemorySpace space = MemorySpace::kDevice) override;
  Status Deallocate(int device_ordinal, const DeviceAddressBase& address) override;

 private:
  Status CheckDevice(int device_ordinal) const;
  Stream& stream_;
};

}  // namespace stream_executor
