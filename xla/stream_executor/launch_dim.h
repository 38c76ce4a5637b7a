// The size of a launch: a grid of blocks (AMD: workgroups), each of threads (AMD: work-items).
#pragma once
#include <fmt/format.h>

#include <cstdint>
#include <string>

namespace stream_executor {

struct Dim3D {
  uint64_t x = 1, y = 1, z = 1;
  bool operator==(const Dim3D&) const = default;
  // No more than the largest 64-bit number, however large the factors.
  uint64_t count() const {
    uint64_t product = 0;
    const bool overflows = __builtin_mul_overflow(x, y, &product) || __builtin_mul_overflow(product, z, &product);
    return overflows && x != 0 && y != 0 && z != 0 ? UINT64_MAX : x * y * z;
  }
  std::string ToString() const { return fmt::format("{} x {} x {}", x, y, z); }
};
// Blocks in the grid.
struct BlockDim : Dim3D {};
// Threads in a block.
struct ThreadDim : Dim3D {};

struct LaunchDimensions {
  BlockDim blocks;
  ThreadDim threads;
  uint64_t launch_bound() const { return Dim3D{blocks.count(), threads.count()}.count(); }  // threads in all
  bool operator==(const LaunchDimensions&) const = default;
  std::string ToString() const { return fmt::format("{} blocks of {} threads", blocks.ToString(), threads.ToString()); }
};

}  // namespace stream_executor
