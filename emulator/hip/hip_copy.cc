// The embedded HIP functions that copy and fill.
#include <fmt/format.h>

#include "emulator/hip/hip_call.h"
#include "emulator/hip/runtime.h"

namespace rocxla::emu {
namespace {

hipError_t SubmitTo(hipStream_t handle, Operation operation) {
  Runtime& runtime = Runtime::Get();
  const std::shared_ptr<Stream> stream = runtime.FindStream(handle);
  if (stream == nullptr) return runtime.device_count() == 0 ? NoDevice(0) : NotLive("stream");
  return Report(runtime.Submit(stream, std::move(operation)));
}

hipError_t Copy(CopyOperation copy, hipMemcpyKind kind, hipStream_t stream) {
  if (copy.width == 0 || copy.height == 0) return hipSuccess;
  if (WorkResult result = CheckCopy(Runtime::Get(), copy, kind); !result.ok()) return Report(result);
  return SubmitTo(stream, copy);
}

hipError_t Fill(const FillOperation& fill, hipStream_t stream) {
  if (fill.width == 0 || fill.height == 0) return hipSuccess;
  if (WorkResult result = CheckFill(Runtime::Get(), fill); !result.ok()) return Report(result);
  return SubmitTo(stream, fill);
}

// The forms without a stream go through the null stream and wait for it.
template <class Asynchronous>
hipError_t AndWait(const char* function, Asynchronous asynchronous) {
  if (hipError_t error = CheckMayWait(function); error != hipSuccess) return error;
  if (hipError_t error = asynchronous(); error != hipSuccess) return error;
  return embedded::hipStreamSynchronize(nullptr);
}

// An address that is said to be of a device must be in its memory, or in the host's.
hipError_t CheckOwner(const char* what, const void* pointer, int device) {
  if (Runtime::Get().device(device) == nullptr) return NoDevice(device);
  const std::optional<Block> block = Runtime::Get().memory.Find(pointer);
  if (!block || block->is_host() || block->device == device) return hipSuccess;
  return Fail(hipErrorInvalidValue,
              fmt::format("{}: {} is memory of device {}, not of {}", what, pointer, block->device, device));
}

}  // namespace

namespace embedded {

hipError_t hipMemcpyAsync(void* dst, const void* src, size_t bytes, hipMemcpyKind kind, hipStream_t stream) {
  return Copy({.dst = dst, .src = src, .width = bytes}, kind, stream);
}
hipError_t hipMemcpy(void* dst, const void* src, size_t bytes, hipMemcpyKind kind) {
  return AndWait("hipMemcpy", [&] { return hipMemcpyAsync(dst, src, bytes, kind, nullptr); });
}

hipError_t hipMemcpyHtoDAsync(hipDeviceptr_t dst, void* src, size_t bytes, hipStream_t stream) {
  return hipMemcpyAsync(dst, src, bytes, hipMemcpyHostToDevice, stream);
}
hipError_t hipMemcpyDtoHAsync(void* dst, hipDeviceptr_t src, size_t bytes, hipStream_t stream) {
  return hipMemcpyAsync(dst, src, bytes, hipMemcpyDeviceToHost, stream);
}
hipError_t hipMemcpyDtoDAsync(hipDeviceptr_t dst, hipDeviceptr_t src, size_t bytes, hipStream_t stream) {
  return hipMemcpyAsync(dst, src, bytes, hipMemcpyDeviceToDevice, stream);
}
hipError_t hipMemcpyHtoD(hipDeviceptr_t dst, void* src, size_t bytes) {
  return hipMemcpy(dst, src, bytes, hipMemcpyHostToDevice);
}
hipError_t hipMemcpyDtoH(void* dst, hipDeviceptr_t src, size_t bytes) {
  return hipMemcpy(dst, src, bytes, hipMemcpyDeviceToHost);
}
hipError_t hipMemcpyDtoD(hipDeviceptr_t dst, hipDeviceptr_t src, size_t bytes) {
  return hipMemcpy(dst, src, bytes, hipMemcpyDeviceToDevice);
}

hipError_t hipMemcpyPeerAsync(void* dst, int dst_device, const void* src, int src_device, size_t bytes,
                              hipStream_t stream) {
  if (hipError_t error = CheckOwner("destination", dst, dst_device); error != hipSuccess) return error;
  if (hipError_t error = CheckOwner("source", src, src_device); error != hipSuccess) return error;
  return hipMemcpyAsync(dst, src, bytes, hipMemcpyDeviceToDevice, stream);
}
hipError_t hipMemcpyPeer(void* dst, int dst_device, const void* src, int src_device, size_t bytes) {
  return AndWait("hipMemcpyPeer", [&] { return hipMemcpyPeerAsync(dst, dst_device, src, src_device, bytes, nullptr); });
}

hipError_t hipMemcpy2DAsync(void* dst, size_t dst_pitch, const void* src, size_t src_pitch, size_t width, size_t height,
                            hipMemcpyKind kind, hipStream_t stream) {
  if (width > dst_pitch || width > src_pitch) {
    return Fail(hipErrorInvalidPitchValue,
                fmt::format("rows of {} bytes are wider than a pitch ({} and {})", width, dst_pitch, src_pitch));
  }
  return Copy(
      {.dst = dst, .src = src, .width = width, .height = height, .dst_pitch = dst_pitch, .src_pitch = src_pitch}, kind,
      stream);
}
hipError_t hipMemcpy2D(void* dst, size_t dst_pitch, const void* src, size_t src_pitch, size_t width, size_t height,
                       hipMemcpyKind kind) {
  return AndWait("hipMemcpy2D",
                 [&] { return hipMemcpy2DAsync(dst, dst_pitch, src, src_pitch, width, height, kind, nullptr); });
}

hipError_t hipMemsetD8Async(hipDeviceptr_t dst, unsigned char value, size_t count, hipStream_t stream) {
  return Fill({.dst = dst, .value = value, .element_bytes = 1, .width = count}, stream);
}
hipError_t hipMemsetD16Async(hipDeviceptr_t dst, unsigned short value, size_t count, hipStream_t stream) {
  return Fill({.dst = dst, .value = value, .element_bytes = 2, .width = count}, stream);
}
hipError_t hipMemsetD32Async(hipDeviceptr_t dst, int value, size_t count, hipStream_t stream) {
  return Fill({.dst = dst, .value = static_cast<uint32_t>(value), .element_bytes = 4, .width = count}, stream);
}
hipError_t hipMemsetAsync(void* dst, int value, size_t bytes, hipStream_t stream) {
  return hipMemsetD8Async(dst, static_cast<unsigned char>(value), bytes, stream);
}
hipError_t hipMemset2DAsync(void* dst, size_t pitch, int value, size_t width, size_t height, hipStream_t stream) {
  if (width > pitch) {
    return Fail(hipErrorInvalidPitchValue,
                fmt::format("rows of {} bytes are wider than the pitch of {}", width, pitch));
  }
  return Fill({.dst = dst,
               .value = static_cast<unsigned char>(value),
               .element_bytes = 1,
               .width = width,
               .height = height,
               .pitch = pitch},
              stream);
}

hipError_t hipMemset(void* dst, int value, size_t bytes) {
  return AndWait("hipMemset", [&] { return hipMemsetAsync(dst, value, bytes, nullptr); });
}
hipError_t hipMemsetD8(hipDeviceptr_t dst, unsigned char value, size_t count) {
  return AndWait("hipMemsetD8", [&] { return hipMemsetD8Async(dst, value, count, nullptr); });
}
hipError_t hipMemsetD16(hipDeviceptr_t dst, unsigned short value, size_t count) {
  return AndWait("hipMemsetD16", [&] { return hipMemsetD16Async(dst, value, count, nullptr); });
}
hipError_t hipMemsetD32(hipDeviceptr_t dst, int value, size_t count) {
  return AndWait("hipMemsetD32", [&] { return hipMemsetD32Async(dst, value, count, nullptr); });
}
hipError_t hipMemset2D(void* dst, size_t pitch, int value, size_t width, size_t height) {
  return AndWait("hipMemset2D", [&] { return hipMemset2DAsync(dst, pitch, value, width, height, nullptr); });
}

}  // namespace embedded
}  // namespace rocxla::emu
