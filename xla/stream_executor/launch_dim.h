// The size of a launch: a grid of blocks (AMD: workgroups), each of threads (AMD: work-items).
#pragma once
#include <cstdint>

namespace stream_executor {

struct Dim3D {
  uint64_t x = 1, y = 1, z = 1;
  bool operator==(const Dim3D&) const = default;
  uint64_t count() const { return x * y * z; }
};
// Blocks in the grid.
struct BlockDim : Dim3D {};
// Threads in a block.
struct ThreadDim : Dim3D {};

struct LaunchDimensions {
  BlockDim blocks;
  ThreadDim threads;
  uint64_t launch_bound() const { return blocks.count() * threads.count(); }  // threads in all
  bool operator==(const LaunchDimensions&) const = default;
};

}  // namespace stream_executor
