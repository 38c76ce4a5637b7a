// The embedded HIP functions about memory.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "emulator/hip/hip_call.h"
#include "emulator/hip/runtime.h"

namespace rocxla::emu {
namespace {

hipError_t NoDevice() { return Fail(hipErrorNoDevice, "there is no embedded device"); }

hipError_t Allocated(StatusOr<void*> allocated, void** pointer) {
  if (!allocated.ok()) return Fail(hipErrorOutOfMemory, allocated.status().ToString());
  return *pointer = *allocated, hipSuccess;
}

hipError_t AllocateHost(void** pointer, size_t bytes, const char* label) {
  if (pointer == nullptr) return Fail(hipErrorInvalidValue, "null pointer for the result");
  if (bytes == 0) return *pointer = nullptr, hipSuccess;
  return Allocated(Runtime::Get().AllocateHost(bytes, label), pointer);
}

// Real HIP waits for the device, too, before memory goes away.
hipError_t WaitForAllDevices() {
  if (WorkQueue::OnWorkerThread()) return Fail(hipErrorIllegalState, "a host function may not free memory");
  Runtime& runtime = Runtime::Get();
  for (int i = 0; i < runtime.device_count(); ++i) (void)runtime.Synchronize(*runtime.device(i));
  return hipSuccess;
}

hipError_t NotAllocated(const char* function, const void* pointer) {
  return Fail(
      hipErrorInvalidValue,
      fmt::format("{}({}): not the start of a live allocation: never allocated, or freed already", function, pointer));
}

// What the devices know about an address: nothing (memory of the host alone), or the live range that holds it.
std::optional<Range> FindRange(const void* pointer) {
  Runtime& runtime = Runtime::Get();
  for (int i = 0; i < runtime.device_count(); ++i) {
    if (auto range = runtime.device(i)->memory().Find(pointer)) return range;
  }
  return std::nullopt;
}

// Checks one side of a copy or fill: device memory must be live to the last byte, host memory must not be device
// memory.
enum class Side { kDevice, kHost, kEither };
hipError_t CheckSide(const char* what, Side side, const void* pointer, size_t bytes) {
  const uint64_t begin = reinterpret_cast<uint64_t>(pointer);
  if (pointer == nullptr) return Fail(hipErrorInvalidValue, fmt::format("{}: null pointer", what));
  const std::optional<Range> range = FindRange(pointer);
  if (!range) {
    if (side != Side::kDevice) return hipSuccess;
    return Fail(hipErrorInvalidDevicePointer, fmt::format("{}: {} is in no live device allocation", what, pointer));
  }
  if (side == Side::kHost && !Runtime::Get().IsHostBlock(range->begin)) {
    return Fail(hipErrorInvalidMemcpyDirection, fmt::format("{}: {} is device memory", what, pointer));
  }
  if (bytes > range->end() - begin) {
    return Fail(hipErrorInvalidValue,
                fmt::format("{}: {} bytes at {} reach beyond their allocation of {} bytes at {:#x}", what, bytes,
                            pointer, range->size, range->begin));
  }
  return hipSuccess;
}

hipError_t CheckCopy(const void* dst, const void* src, size_t bytes, hipMemcpyKind kind) {
  struct Sides {
    Side dst, src;
  };
  constexpr Sides kSides[] = {{Side::kHost, Side::kHost},
                              {Side::kDevice, Side::kHost},
                              {Side::kHost, Side::kDevice},
                              {Side::kDevice, Side::kDevice},
                              {Side::kEither, Side::kEither}};
  if (kind < hipMemcpyHostToHost || kind > hipMemcpyDefault) {
    return Fail(hipErrorInvalidMemcpyDirection, fmt::format("no copy has kind {}", static_cast<int>(kind)));
  }
  if (hipError_t error = CheckSide("destination", kSides[kind].dst, dst, bytes); error != hipSuccess) return error;
  return CheckSide("source", kSides[kind].src, src, bytes);
}

hipError_t EnqueueOn(hipStream_t handle, WorkQueue::Work work) {
  Runtime& runtime = Runtime::Get();
  const std::shared_ptr<Stream> stream = runtime.FindStream(handle);
  if (stream == nullptr) return Fail(hipErrorInvalidHandle, "not a live stream");
  (void)runtime.Enqueue(*stream, std::move(work));
  return hipSuccess;
}

}  // namespace

namespace embedded {

hipError_t hipMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
  if (free_bytes == nullptr || total_bytes == nullptr) return Fail(hipErrorInvalidValue, "null pointer for a size");
  EmbeddedDevice* device = Runtime::Get().device(CurrentDevice());
  if (device == nullptr) return NoDevice();
  *free_bytes = device->free_bytes();
  return *total_bytes = device->model().memory_bytes, hipSuccess;
}

hipError_t hipMalloc(void** pointer, size_t bytes) {
  if (pointer == nullptr) return Fail(hipErrorInvalidValue, "null pointer for the result");
  if (bytes == 0) return *pointer = nullptr, hipSuccess;
  EmbeddedDevice* device = Runtime::Get().device(CurrentDevice());
  return device == nullptr ? NoDevice() : Allocated(device->Allocate(bytes), pointer);
}

hipError_t hipFree(void* pointer) {
  if (pointer == nullptr) return hipSuccess;
  if (hipError_t error = WaitForAllDevices(); error != hipSuccess) return error;
  Runtime& runtime = Runtime::Get();
  for (int i = 0; i < runtime.device_count(); ++i) {
    if (runtime.device(i)->Free(pointer)) return hipSuccess;
  }
  return runtime.FreeHost(pointer) ? hipSuccess : NotAllocated("hipFree", pointer);
}

hipError_t hipHostMalloc(void** pointer, size_t bytes, unsigned) {
  return AllocateHost(pointer, bytes, "hipHostMalloc");
}

hipError_t hipHostFree(void* pointer) {
  if (pointer == nullptr) return hipSuccess;
  if (hipError_t error = WaitForAllDevices(); error != hipSuccess) return error;
  return Runtime::Get().FreeHost(pointer) ? hipSuccess : NotAllocated("hipHostFree", pointer);
}

hipError_t hipMallocManaged(void** pointer, size_t bytes, unsigned flags) {
  if (flags != hipMemAttachGlobal) return Fail(hipErrorInvalidValue, "hipMallocManaged: only hipMemAttachGlobal");
  return AllocateHost(pointer, bytes, "hipMallocManaged");
}

hipError_t hipMemcpyAsync(void* dst, const void* src, size_t bytes, hipMemcpyKind kind, hipStream_t stream) {
  if (bytes == 0) return hipSuccess;
  if (hipError_t error = CheckCopy(dst, src, bytes, kind); error != hipSuccess) return error;
  return EnqueueOn(stream, [=] { return std::memmove(dst, src, bytes), WorkResult{}; });
}

hipError_t hipMemcpy(void* dst, const void* src, size_t bytes, hipMemcpyKind kind) {
  if (hipError_t error = hipMemcpyAsync(dst, src, bytes, kind, nullptr); error != hipSuccess) return error;
  return hipStreamSynchronize(nullptr);
}

hipError_t hipMemsetAsync(void* dst, int value, size_t bytes, hipStream_t stream) {
  if (bytes == 0) return hipSuccess;
  if (hipError_t error = CheckSide("destination", Side::kDevice, dst, bytes); error != hipSuccess) return error;
  return EnqueueOn(stream, [=] { return std::memset(dst, value, bytes), WorkResult{}; });
}

hipError_t hipMemsetD32Async(hipDeviceptr_t dst, int value, size_t count, hipStream_t stream) {
  if (count == 0) return hipSuccess;
  if (count > SIZE_MAX / sizeof(int)) return Fail(hipErrorInvalidValue, "hipMemsetD32Async: count is too large");
  if (reinterpret_cast<uintptr_t>(dst) % sizeof(int) != 0) {
    return Fail(hipErrorInvalidValue, fmt::format("hipMemsetD32Async: {} is not a multiple of 4", dst));
  }
  if (hipError_t error = CheckSide("destination", Side::kDevice, dst, count * sizeof(int)); error != hipSuccess) {
    return error;
  }
  return EnqueueOn(stream, [=] { return std::fill_n(static_cast<int*>(dst), count, value), WorkResult{}; });
}

}  // namespace embedded
}  // namespace rocxla::emu
