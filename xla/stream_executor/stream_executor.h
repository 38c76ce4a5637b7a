// StreamExecutor: one opened device. Everything that runs on it goes through here. Owned by its Platform; thread-safe.
#pragma once
#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "xla/stream_executor/command_buffer.h"
#include "xla/stream_executor/device_address.h"
#include "xla/stream_executor/device_description.h"
#include "xla/stream_executor/event.h"
#include "xla/stream_executor/kernel.h"
#include "xla/stream_executor/memory_allocator.h"
#include "xla/stream_executor/memory_space.h"
#include "xla/stream_executor/status.h"
#include "xla/stream_executor/stream.h"
#include "xla/stream_executor/virtual_memory.h"

namespace stream_executor {

class Platform;

// Priorities as the runtime counts them: the smaller number is the more urgent.
struct StreamPriorityRange {
  int lowest;
  int highest;
};

struct DeviceMemoryUsage {
  uint64_t free_bytes;
  uint64_t total_bytes;
};

class StreamExecutor {
 public:
  virtual ~StreamExecutor() = default;

  virtual const Platform& GetPlatform() const = 0;
  virtual int device_ordinal() const = 0;
  virtual const DeviceDescription& GetDeviceDescription() const = 0;

  // --- Memory.

  // Uninitialised memory, aligned to 256 bytes at least. 0 bytes give the null address. DeviceOutOfMemory (or, for
  // kHost and kUnified, OutOfHostMemory) when it is full, and the executor stays usable. RocmLibraryUnavailable for
  // kCollective where there is no library of collectives. The caller frees it with Deallocate (or holds it through a
  // DeviceAddressAllocator or MemoryAllocator).
  virtual StatusOr<DeviceAddressBase> Allocate(uint64_t size_bytes, MemorySpace space = MemorySpace::kDevice) = 0;
  // Takes back what Allocate gave, of any kind; the null address is fine. BadDeviceAddress for any other address.
  virtual Status Deallocate(const DeviceAddressBase& address) = 0;
  virtual StatusOr<DeviceMemoryUsage> GetDeviceMemoryUsage() const = 0;
  std::unique_ptr<MemoryAllocator> CreateMemoryAllocator(MemorySpace space) {
    return stream_executor::CreateMemoryAllocator(*this, space);
  }
  // Page-locked memory of the host, with an owner.
  StatusOr<std::unique_ptr<MemoryAllocation>> HostMemoryAllocate(uint64_t size_bytes) {
    return CreateMemoryAllocator(MemorySpace::kHost)->Allocate(size_bytes);
  }

  // Page-locks memory that the host allocated itself. BadMemoryRequest when part of it is locked already.
  virtual Status HostMemoryRegister(void* pointer, uint64_t size_bytes) = 0;
  // Undoes HostMemoryRegister of exactly that pointer; BadDeviceAddress for any other.
  virtual Status HostMemoryUnregister(void* pointer) = 0;
  // True when the whole range is page-locked, by whomever. An empty range never is.
  virtual StatusOr<bool> IsHostMemoryPinned(const void* pointer, uint64_t size_bytes) const = 0;
  // kDevice, kHost or kUnified. BadDeviceAddress for memory that the runtime does not know.
  virtual StatusOr<MemorySpace> GetPointerMemorySpace(const void* pointer) const = 0;
  // The whole allocation that holds the address. BadDeviceAddress when none does.
  virtual StatusOr<DeviceAddressBase> GetMemoryRange(const DeviceAddressBase& address) const = 0;

  // Virtual memory. NotSupportedByRuntime where the runtime or the device has none. Sizes and offsets are multiples of
  // the granularity (bytes); reservations and allocations round up to it.
  virtual StatusOr<uint64_t> GetVirtualMemoryGranularity() const = 0;
  virtual StatusOr<std::unique_ptr<MemoryReservation>> CreateMemoryReservation(uint64_t size_bytes) = 0;
  virtual StatusOr<std::shared_ptr<RawMemoryAllocation>> CreateRawMemoryAllocation(uint64_t size_bytes) = 0;

  // Blocking copies. They wait for no stream: what a stream still writes must be waited for first.
  virtual Status SynchronousMemcpy(const DeviceAddressBase& device_dst, const void* host_src, uint64_t size_bytes) = 0;
  virtual Status SynchronousMemcpy(void* host_dst, const DeviceAddressBase& device_src, uint64_t size_bytes) = 0;
  // Waits for everything on every stream of the device; the first error that they met.
  virtual Status SynchronizeAllActivity() = 0;

  // Device memory that holds these bytes; every call with the same bytes shares one copy, which is freed with its last
  // owner. The copy is made through `stream` and waited for. For reading only.
  virtual StatusOr<std::shared_ptr<const DeviceAddressBase>> CreateOrShareConstant(
      Stream& stream, std::span<const uint8_t> content) = 0;

  // --- Other devices.

  // Whether kernels and copies of this device can reach the other's memory directly. DeviceNotFound for an ordinal that
  // the platform does not have.
  virtual StatusOr<bool> CanEnablePeerAccessTo(int other_ordinal) const = 0;
  // Lets them. OK when they already may. PeerAccessUnavailable when they cannot; WrongDevice for another platform's.
  virtual Status EnablePeerAccessTo(StreamExecutor& other) = 0;

  // --- Work.

  virtual StatusOr<StreamPriorityRange> GetStreamPriorityRange() const = 0;
  // A number beyond the range counts as the nearer end of it.
  virtual StatusOr<std::unique_ptr<Stream>> CreateStream(AnyStreamPriority priority = StreamPriority::kDefault) = 0;
  virtual StatusOr<std::unique_ptr<Event>> CreateEvent(EventTiming timing = EventTiming::kDisabled) = 0;
  // Device time between two completed events that were created with timing. The embedded device has no clock and says
  // so in its error (NotSupportedByRuntime): time is never made up. ROCXLA_EMBEDDED_CLOCK=host asks for the host's.
  virtual StatusOr<std::chrono::duration<float, std::milli>> ElapsedTime(const Event& start, const Event& stop) = 0;
  virtual StatusOr<std::unique_ptr<CommandBuffer>> CreateCommandBuffer() = 0;

  // Loads a code object (HSACO) for this device. The bytes are copied. While a module of the same bytes is loaded, the
  // same one is returned: the content is its identity, not the address. Errors: BadCodeObject, EmulatorWrongTarget.
  virtual StatusOr<std::shared_ptr<Module>> LoadModule(std::span<const uint8_t> code_object) = 0;
  // The global variable of that name in any loaded module; the oldest one when several have it. SymbolNotFound.
  virtual StatusOr<DeviceAddressBase> GetSymbol(std::string_view name) = 0;
};

}  // namespace stream_executor
