#include "emulator/hip/operation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <shared_mutex>

#include "emulator/hip/host_memory.h"
#include "emulator/hip/runtime.h"

namespace rocxla::emu {
namespace {

enum class Side { kDevice, kHost, kEither };

// Bytes from the first to the last that rows of a pitch span; nothing when that is no number.
std::optional<size_t> Span(size_t width, size_t height, size_t pitch) {
  size_t rows = 0, bytes = 0;
  if (height == 0 || width == 0) return 0;
  if (__builtin_mul_overflow(pitch, height - 1, &rows) || __builtin_add_overflow(rows, width, &bytes))
    return std::nullopt;
  return bytes;
}

// Memory of the host alone: the process must have all of it, or the copy would end the process.
WorkResult CheckHostMemory(const char* what, const void* pointer, size_t bytes) {
  const std::optional<uint64_t> missing = FirstMissingAddress(pointer, bytes);
  if (!missing) return {};
  return {hipErrorInvalidValue,
          fmt::format("{}: {:#x} is neither live device memory nor memory of the process", what, *missing)};
}

WorkResult CheckSide(Runtime& runtime, const char* what, Side side, const void* pointer, size_t bytes) {
  if (pointer == nullptr) return {hipErrorInvalidValue, fmt::format("{}: null pointer", what)};
  const std::optional<Block> block = runtime.memory.Find(pointer);
  if (!block) {
    if (runtime.virtual_memory.IsReserved(pointer) || runtime.memory.IsAside(pointer)) {
      return {hipErrorInvalidDevicePointer, fmt::format("{}: nothing is mapped at {}, or it is freed", what, pointer)};
    }
    if (side != Side::kDevice) return CheckHostMemory(what, pointer, bytes);
    return {hipErrorInvalidDevicePointer, fmt::format("{}: {} is in no live device allocation", what, pointer)};
  }
  if (side == Side::kHost && !block->is_host()) {
    return {hipErrorInvalidMemcpyDirection, fmt::format("{}: {} is device memory", what, pointer)};
  }
  if (block->freeing) {
    return {hipErrorInvalidDevicePointer, fmt::format("{}: {} is in memory that hipFreeAsync frees", what, pointer)};
  }
  return CheckLive(runtime, what, pointer, bytes);
}

struct Sides {
  Side dst, src;
};
constexpr Sides kSides[] = {{Side::kHost, Side::kHost},
                            {Side::kDevice, Side::kHost},
                            {Side::kHost, Side::kDevice},
                            {Side::kDevice, Side::kDevice},
                            {Side::kEither, Side::kEither}};

// A range that belonged to a block when the operation was submitted must still do so.
WorkResult StillLive(Runtime& runtime, const char* what, const void* pointer, size_t bytes) {
  WorkResult result = CheckLive(runtime, what, pointer, bytes);
  if (!result.ok()) result.code = hipErrorIllegalAddress;
  return result;
}

WorkResult Run(Runtime& runtime, const KernelOperation& kernel, int priority) {
  return runtime.Launch(*kernel.function, kernel.config, kernel.arguments, priority);
}

WorkResult Run(Runtime& runtime, const CopyOperation& copy, int) {
  const size_t dst_bytes = Span(copy.width, copy.height, copy.dst_pitch).value_or(0);
  const size_t src_bytes = Span(copy.width, copy.height, copy.src_pitch).value_or(0);
  std::shared_lock running(runtime.memory.in_use());
  if (copy.dst_is_block) {
    if (WorkResult live = StillLive(runtime, "destination", copy.dst, dst_bytes); !live.ok()) return live;
  }
  if (copy.src_is_block) {
    if (WorkResult live = StillLive(runtime, "source", copy.src, src_bytes); !live.ok()) return live;
  }
  for (size_t row = 0; row < copy.height; ++row) {
    std::memmove(static_cast<char*>(copy.dst) + row * copy.dst_pitch,
                 static_cast<const char*>(copy.src) + row * copy.src_pitch, copy.width);
  }
  return {};
}

WorkResult Run(Runtime& runtime, const FillOperation& fill, int) {
  const size_t row_bytes = fill.width * fill.element_bytes;
  std::shared_lock running(runtime.memory.in_use());
  WorkResult live = StillLive(runtime, "destination", fill.dst, Span(row_bytes, fill.height, fill.pitch).value_or(0));
  if (!live.ok()) return live;
  for (size_t row = 0; row < fill.height; ++row) {
    char* begin = static_cast<char*>(fill.dst) + row * fill.pitch;
    if (fill.element_bytes == 1) {
      std::memset(begin, static_cast<int>(fill.value), fill.width);
      continue;
    }
    for (size_t i = 0; i < fill.width; ++i)
      std::memcpy(begin + i * fill.element_bytes, &fill.value, fill.element_bytes);
  }
  return {};
}

WorkResult Run(Runtime&, const HostOperation& host, int) { return host.function(host.user_data), WorkResult{}; }

// The others are made of queues and fences, not of work: see Runtime::Enqueue.
template <class Other>
WorkResult Run(Runtime&, const Other&, int) {
  return {};
}

}  // namespace

WorkResult CheckLive(Runtime& runtime, const char* what, const void* pointer, size_t bytes) {
  const auto begin = reinterpret_cast<uint64_t>(pointer);
  for (size_t done = 0; done < bytes;) {
    const std::optional<Block> block = runtime.memory.Find(reinterpret_cast<const void*>(begin + done));
    if (!block) {
      return {done == 0 ? hipErrorInvalidDevicePointer : hipErrorInvalidValue,
              fmt::format("{}: {:#x} is in no live device allocation", what, begin + done)};
    }
    if (block->kind == MemoryKind::kMapped && block->granted.empty()) {
      return {hipErrorInvalidDevicePointer,
              fmt::format("{}: {} is mapped, but no device has access to it", what, pointer)};
    }
    const size_t here = block->end() - (begin + done);
    if (here >= bytes - done) return {};
    if (block->kind != MemoryKind::kMapped) {  // mappings may be neighbours on purpose
      return {hipErrorInvalidValue, fmt::format("{}: {} bytes at {} reach beyond their allocation of {} bytes at {:#x}",
                                                what, bytes, pointer, block->bytes, block->begin)};
    }
    done += here;
  }
  return {};
}

WorkResult CheckCopy(Runtime& runtime, CopyOperation& copy, hipMemcpyKind kind) {
  if (kind < hipMemcpyHostToHost || kind > hipMemcpyDefault) {
    return {hipErrorInvalidMemcpyDirection, fmt::format("no copy has kind {}", static_cast<int>(kind))};
  }
  if (copy.height > 1 && (copy.width > copy.dst_pitch || copy.width > copy.src_pitch)) {
    return {hipErrorInvalidPitchValue, fmt::format("rows of {} bytes are wider than a pitch ({} and {})", copy.width,
                                                   copy.dst_pitch, copy.src_pitch)};
  }
  const std::optional<size_t> dst_bytes = Span(copy.width, copy.height, copy.dst_pitch);
  const std::optional<size_t> src_bytes = Span(copy.width, copy.height, copy.src_pitch);
  if (!dst_bytes || !src_bytes) return {hipErrorInvalidValue, "the size of the copy overflows"};
  WorkResult result = CheckSide(runtime, "destination", kSides[kind].dst, copy.dst, *dst_bytes);
  if (!result.ok()) return result;
  copy.dst_is_block = runtime.memory.Find(copy.dst).has_value();
  copy.src_is_block = runtime.memory.Find(copy.src).has_value();
  return CheckSide(runtime, "source", kSides[kind].src, copy.src, *src_bytes);
}

WorkResult CheckFill(Runtime& runtime, const FillOperation& fill) {
  if (fill.element_bytes != 1 && fill.element_bytes != 2 && fill.element_bytes != 4) {
    return {hipErrorInvalidValue, fmt::format("no fill has elements of {} bytes", fill.element_bytes)};
  }
  size_t row_bytes = 0;
  if (__builtin_mul_overflow(fill.width, size_t{fill.element_bytes}, &row_bytes)) {
    return {hipErrorInvalidValue, "the size of the fill overflows"};
  }
  if (reinterpret_cast<uintptr_t>(fill.dst) % fill.element_bytes != 0) {
    return {hipErrorInvalidValue, fmt::format("destination: {} is not a multiple of {}", fill.dst, fill.element_bytes)};
  }
  if (fill.height > 1 && row_bytes > fill.pitch) {
    return {hipErrorInvalidPitchValue,
            fmt::format("rows of {} bytes are wider than the pitch of {}", row_bytes, fill.pitch)};
  }
  const std::optional<size_t> bytes = Span(row_bytes, fill.height, fill.pitch);
  if (!bytes) return {hipErrorInvalidValue, "the size of the fill overflows"};
  return CheckSide(runtime, "destination", Side::kDevice, fill.dst, *bytes);
}

WorkResult RunOperation(Runtime& runtime, const Operation& operation, int priority) {
  return std::visit([&](const auto& some) { return Run(runtime, some, priority); }, operation);
}

}  // namespace rocxla::emu
