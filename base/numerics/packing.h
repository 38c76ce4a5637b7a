// Elements narrower than a byte (int2, uint2, int4, uint4, f4e2m1fn): several in a byte, or one in each.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace rocxla {

// Which end of a byte the first of its elements takes.
enum class PackOrder {
  kHighFirst,  // XLA's packed literals and device buffers
  kLowFirst,   // safetensors' F4
};
// How an element fills the byte that it is unpacked into.
enum class Extension {
  kZero,  // unsigned integers and floating-point codes
  kSign,  // two's complement
};

// Bytes that `elements` packed elements of `bits` take.
constexpr uint64_t PackedBytes(uint64_t elements, int bits) {
  const uint64_t per_byte = 8 / static_cast<uint64_t>(bits);
  return elements / per_byte + (elements % per_byte != 0);
}

// Packs one element per byte; the bits of each above its lowest `bits` are dropped. `bits` is 1, 2 or 4. Unused bits of
// the last byte are 0.
std::vector<uint8_t> PackElements(std::span<const uint8_t> elements, int bits, PackOrder order);

// The first `count` elements of `packed`, one per byte; `packed` holds at least PackedBytes(count, bits) bytes.
std::vector<uint8_t> UnpackElements(std::span<const uint8_t> packed, uint64_t count, int bits, PackOrder order,
                                    Extension extension);

}  // namespace rocxla
