// The embedded HIP functions about stream-ordered memory.
#include <fmt/format.h>

#include "emulator/hip/hip_call.h"
#include "emulator/hip/runtime.h"

namespace rocxla::emu {
namespace {

hipError_t BadPool() { return NotLive("memory pool"); }

}  // namespace

namespace embedded {

hipError_t hipMallocFromPoolAsync(void** pointer, size_t bytes, hipMemPool_t handle, hipStream_t stream_handle) {
  if (pointer == nullptr) return NullPointer("the result");
  Runtime& runtime = Runtime::Get();
  const std::shared_ptr<MemoryPool> pool = runtime.pools.Find(handle);
  if (pool == nullptr) return BadPool();
  const std::shared_ptr<Stream> stream = runtime.FindStream(stream_handle);
  if (stream == nullptr) return NotLive("stream");
  {
    std::lock_guard lock(runtime.graph_mutex);
    WorkResult result = Captures::CheckNotCapturing(*stream, "hipMallocAsync");
    if (!result.ok()) return Report(result);
  }
  if (bytes == 0) return *pointer = nullptr, hipSuccess;
  const StatusOr<void*> allocated = pool->Allocate(bytes);
  if (!allocated.ok()) return Fail(hipErrorOutOfMemory, allocated.status().ToString());
  return *pointer = *allocated, hipSuccess;
}

hipError_t hipMallocAsync(void** pointer, size_t bytes, hipStream_t handle) {
  Runtime& runtime = Runtime::Get();
  const std::shared_ptr<Stream> stream = runtime.FindStream(handle);
  if (stream == nullptr) return runtime.device_count() == 0 ? NoDevice(0) : NotLive("stream");
  return hipMallocFromPoolAsync(pointer, bytes, runtime.CurrentPool(stream->device->ordinal()), handle);
}

// The memory goes away when the stream comes to it; from this call on it may not be named again.
hipError_t hipFreeAsync(void* pointer, hipStream_t handle) {
  Runtime& runtime = Runtime::Get();
  const std::shared_ptr<Stream> stream = runtime.FindStream(handle);
  if (stream == nullptr) return NotLive("stream");
  if (pointer == nullptr) return hipSuccess;
  const std::optional<Block> block = runtime.memory.Find(pointer);
  const bool fits =
      block && block->pointer() == pointer && (block->kind == MemoryKind::kPool || block->kind == MemoryKind::kDevice);
  if (!fits || !runtime.memory.BeginFreeing(pointer)) {
    return Fail(hipErrorInvalidValue,
                fmt::format("hipFreeAsync({}): not the start of a live allocation: never allocated, or freed already",
                            pointer));
  }
  const WorkResult queued = runtime.SubmitUncapturable(stream, "hipFreeAsync", [&runtime, pointer, pool = block->pool] {
    if (pool != nullptr) {
      pool->Recycle(pointer);
    } else {
      (void)runtime.memory.Remove(pointer);
    }
    return WorkResult{};
  });
  if (!queued.ok()) runtime.memory.CancelFreeing(pointer);
  return Report(queued);
}

hipError_t hipDeviceGetDefaultMemPool(hipMemPool_t* pool, int device) {
  if (pool == nullptr) return NullPointer("the memory pool");
  if (Runtime::Get().device(device) == nullptr) return NoDevice(device);
  return *pool = Runtime::Get().DefaultPool(device), hipSuccess;
}

hipError_t hipDeviceGetMemPool(hipMemPool_t* pool, int device) {
  if (pool == nullptr) return NullPointer("the memory pool");
  if (Runtime::Get().device(device) == nullptr) return NoDevice(device);
  return *pool = Runtime::Get().CurrentPool(device), hipSuccess;
}

hipError_t hipDeviceSetMemPool(int device, hipMemPool_t handle) {
  if (Runtime::Get().device(device) == nullptr) return NoDevice(device);
  const std::shared_ptr<MemoryPool> pool = Runtime::Get().pools.Find(handle);
  if (pool == nullptr) return BadPool();
  if (pool->device() != device) return Fail(hipErrorInvalidValue, "the memory pool belongs to another device");
  return Runtime::Get().SetCurrentPool(device, handle), hipSuccess;
}

hipError_t hipMemPoolCreate(hipMemPool_t* pool, const hipMemPoolProps* properties) {
  if (pool == nullptr || properties == nullptr) return NullPointer("the memory pool or its properties");
  if (properties->allocType != hipMemAllocationTypePinned) {
    return Fail(hipErrorInvalidValue, "a memory pool holds pinned memory (hipMemAllocationTypePinned)");
  }
  if (properties->handleTypes != hipMemHandleTypeNone) {
    return Fail(hipErrorNotSupported, "memory of the embedded device cannot be shared with other processes");
  }
  if (hipError_t error = CheckDeviceLocation(properties->location); error != hipSuccess) return error;
  Runtime& runtime = Runtime::Get();
  auto made = std::make_shared<MemoryPool>(runtime.memory, properties->location.id, properties->maxSize);
  return *pool = runtime.pools.Add(std::move(made)), hipSuccess;
}

hipError_t hipMemPoolDestroy(hipMemPool_t handle) {
  Runtime& runtime = Runtime::Get();
  const std::shared_ptr<MemoryPool> pool = runtime.pools.Find(handle);
  if (pool == nullptr) return BadPool();
  if (runtime.DefaultPool(pool->device()) == handle) {
    return Fail(hipErrorInvalidValue, "a device's default memory pool cannot be destroyed");
  }
  (void)runtime.pools.Remove(handle);
  return pool->Close(), hipSuccess;
}

hipError_t hipMemPoolTrimTo(hipMemPool_t handle, size_t bytes_to_keep) {
  const std::shared_ptr<MemoryPool> pool = Runtime::Get().pools.Find(handle);
  if (pool == nullptr) return BadPool();
  return pool->TrimTo(bytes_to_keep), hipSuccess;
}

hipError_t hipMemPoolSetAttribute(hipMemPool_t handle, hipMemPoolAttr attribute, void* value) {
  const std::shared_ptr<MemoryPool> pool = Runtime::Get().pools.Find(handle);
  if (pool == nullptr) return BadPool();
  if (value == nullptr) return NullPointer("the attribute");
  const Status status = pool->Set(attribute, value);
  return status.ok() ? hipSuccess : Fail(hipErrorInvalidValue, status.message());
}

hipError_t hipMemPoolGetAttribute(hipMemPool_t handle, hipMemPoolAttr attribute, void* value) {
  const std::shared_ptr<MemoryPool> pool = Runtime::Get().pools.Find(handle);
  if (pool == nullptr) return BadPool();
  if (value == nullptr) return NullPointer("the attribute");
  const Status status = pool->Get(attribute, value);
  return status.ok() ? hipSuccess : Fail(hipErrorInvalidValue, status.message());
}

hipError_t hipMemPoolSetAccess(hipMemPool_t handle, const hipMemAccessDesc* access, size_t count) {
  const std::shared_ptr<MemoryPool> pool = Runtime::Get().pools.Find(handle);
  if (pool == nullptr) return BadPool();
  if (access == nullptr && count != 0) return NullPointer("the access descriptions");
  for (size_t i = 0; i < count; ++i) {
    if (hipError_t error = CheckDeviceLocation(access[i].location); error != hipSuccess) return error;
    if (access[i].flags == hipMemAccessFlagsProtRead) {
      return Fail(hipErrorNotSupported,
                  "the embedded device cannot keep kernels from writing to memory that they may read");
    }
    if (access[i].location.id == pool->device() && access[i].flags != hipMemAccessFlagsProtReadWrite) {
      return Fail(hipErrorInvalidValue, "a device cannot lose access to its own memory pool");
    }
  }
  for (size_t i = 0; i < count; ++i) pool->SetAccess(access[i].location.id, access[i].flags);
  return hipSuccess;
}

hipError_t hipMemPoolGetAccess(hipMemAccessFlags* flags, hipMemPool_t handle, hipMemLocation* location) {
  if (flags == nullptr || location == nullptr) return NullPointer("the flags or the location");
  const std::shared_ptr<MemoryPool> pool = Runtime::Get().pools.Find(handle);
  if (pool == nullptr) return BadPool();
  if (hipError_t error = CheckDeviceLocation(*location); error != hipSuccess) return error;
  return *flags = pool->GetAccess(location->id), hipSuccess;
}

}  // namespace embedded
}  // namespace rocxla::emu
