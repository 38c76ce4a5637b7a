// Buffer assignment: where every array of a module lives while it runs.
//
// The module is a schedule: the entry's instructions in post order, the bodies of loops and branches in place.
// Parameters, results and array constants have allocations of their own; every other array is a slice of one temporary
// allocation, at 256-byte steps, and two arrays share bytes only if one dies before the other is born. Bitcasts, tuples
// and tuple elements are views: they have their operand's arrays.
#pragma once
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "xla/backends/gpu/codegen/status.h"
#include "xla/hlo/ir/hlo_module.h"

namespace xla::gpu {

enum class AllocationKind : uint8_t { kParameter, kOutput, kConstant, kTemp };

// A range of bytes of an allocation. `number`: of the parameter leaf, output leaf or constant; 0 for kTemp.
struct BufferSlice {
  AllocationKind kind = AllocationKind::kTemp;
  int64_t number = 0;
  uint64_t offset = 0;
  uint64_t size = 0;
  std::string ToString() const;  // "temp[256:512]", "parameter 1 [0:8580]"
  bool operator==(const BufferSlice&) const = default;
};

// One array of the schedule.
struct BufferValue {
  const HloInstruction* instruction = nullptr;  // that writes it
  int64_t leaf = 0;                             // of the instruction's shape
  Shape shape;
  int64_t born = 0, dies = 0;  // steps of the schedule, inclusive
  BufferSlice slice;
};

class BufferAssignment {
 public:
  // Requires a module after GpuFusion, OutputCopies and FlattenCallGraph.
  // CompilerUnsupportedOpcode for an instruction that has no place in a schedule.
  static StatusOr<BufferAssignment> Create(const HloModule& module);

  // The arrays of an instruction's result: one per leaf of its shape, in order.
  std::vector<BufferSlice> SlicesOf(const HloInstruction& instruction) const;
  const std::vector<BufferValue>& values() const { return values_; }
  const std::vector<Shape>& parameter_shapes() const { return parameter_shapes_; }  // leaves of the entry's parameters
  const std::vector<Shape>& output_shapes() const { return output_shapes_; }        // leaves of the entry's result
  const std::vector<const HloInstruction*>& constants() const { return constants_; }
  uint64_t temp_bytes() const { return temp_bytes_; }
  // One line per array.
  std::string ToString() const;

 private:
  friend class BufferAssigner;
  std::vector<BufferValue> values_;
  std::unordered_map<const HloInstruction*, std::vector<int64_t>> values_of_;
  std::vector<Shape> parameter_shapes_, output_shapes_;
  std::vector<const HloInstruction*> constants_;
  uint64_t temp_bytes_ = 0;
};

// The arrays of a shape, tuples opened, in order.
std::vector<Shape> LeavesOf(const Shape& shape);

}  // namespace xla::gpu
