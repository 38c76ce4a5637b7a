// The memory of an interpreted kernel: its buffers, each alone in an address range of its own.
#pragma once
#include <optional>
#include <span>

#include "triton/interpreter/interpreter.h"
#include "triton/interpreter/values.h"

namespace rocxla::triton {

class Memory {
 public:
  // The buffers must outlive this.
  explicit Memory(std::span<InterpretedBuffer> buffers);

  // Of the buffer's first byte. The ranges are so far apart that no sensible index leads from one buffer to another.
  static uint64_t AddressOf(size_t buffer);

  // Whether `bytes` bytes at `address` lie within one buffer.
  bool Holds(uint64_t address, int bytes) const { return Find(address, bytes).has_value(); }
  // Little endian. The bytes must lie within a buffer.
  Element Load(uint64_t address, int bytes) const;
  void Store(uint64_t address, int bytes, const Element& element);

 private:
  struct Place {
    InterpretedBuffer* buffer;
    size_t offset;
  };
  std::optional<Place> Find(uint64_t address, int bytes) const;

  std::span<InterpretedBuffer> buffers_;
};

}  // namespace rocxla::triton
