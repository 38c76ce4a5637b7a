#include "base/numerics/packing.h"

#include "base/logging.h"

namespace rocxla {
namespace {

// The position of element `i`'s lowest bit in its byte.
int Shift(uint64_t i, int bits, PackOrder order) {
  const int per_byte = 8 / bits, place = static_cast<int>(i % per_byte);
  return bits * (order == PackOrder::kLowFirst ? place : per_byte - 1 - place);
}

uint8_t Mask(int bits) { return static_cast<uint8_t>((1 << bits) - 1); }

}  // namespace

std::vector<uint8_t> PackElements(std::span<const uint8_t> elements, int bits, PackOrder order) {
  CHECK(bits == 1 || bits == 2 || bits == 4);
  std::vector<uint8_t> packed(PackedBytes(elements.size(), bits));
  for (uint64_t i = 0; i < elements.size(); ++i)
    packed[i / (8 / bits)] |= static_cast<uint8_t>((elements[i] & Mask(bits)) << Shift(i, bits, order));
  return packed;
}

std::vector<uint8_t> UnpackElements(std::span<const uint8_t> packed, uint64_t count, int bits, PackOrder order,
                                    Extension extension) {
  CHECK(bits == 1 || bits == 2 || bits == 4);
  CHECK(packed.size() >= PackedBytes(count, bits));
  std::vector<uint8_t> elements(count);
  for (uint64_t i = 0; i < count; ++i) {
    const auto code = static_cast<uint8_t>(packed[i / (8 / bits)] >> Shift(i, bits, order) & Mask(bits));
    const bool negative = extension == Extension::kSign && (code >> (bits - 1)) != 0;
    elements[i] = negative ? static_cast<uint8_t>(code | ~Mask(bits)) : code;
  }
  return elements;
}

}  // namespace rocxla
