#include "triton/interpreter/memory.h"

namespace rocxla::triton {
namespace {
// A buffer begins in the middle of its range: addresses before its first byte are in the range, too.
constexpr int kRangeBits = 40;
constexpr uint64_t kMiddle = uint64_t{1} << (kRangeBits - 1);
}  // namespace

Memory::Memory(std::span<InterpretedBuffer> buffers) : buffers_(buffers) {
  for (InterpretedBuffer& buffer : buffers_) buffer.undefined.resize(buffer.bytes.size());
}

uint64_t Memory::AddressOf(size_t buffer) { return ((uint64_t{buffer} + 1) << kRangeBits) + kMiddle; }

std::optional<Memory::Place> Memory::Find(uint64_t address, int bytes) const {
  const uint64_t range = address >> kRangeBits;
  if (range < 1 || range > buffers_.size()) return std::nullopt;
  InterpretedBuffer& buffer = buffers_[range - 1];
  const uint64_t offset = address - AddressOf(range - 1);  // before the first byte: too large
  if (offset > buffer.bytes.size() || buffer.bytes.size() - offset < static_cast<size_t>(bytes)) return std::nullopt;
  return Place{&buffer, offset};
}

Element Memory::Load(uint64_t address, int bytes) const {
  const Place place = *Find(address, bytes);
  Element element;
  for (int i = 0; i < bytes; ++i) {
    element.bits |= uint64_t{place.buffer->bytes[place.offset + i]} << (8 * i);
    element.undefined |= place.buffer->undefined[place.offset + i] != 0;
  }
  return element;
}

void Memory::Store(uint64_t address, int bytes, const Element& element) {
  const Place place = *Find(address, bytes);
  for (int i = 0; i < bytes; ++i) {
    place.buffer->bytes[place.offset + i] = static_cast<uint8_t>(element.bits >> (8 * i));
    place.buffer->undefined[place.offset + i] = element.undefined;
  }
}

}  // namespace rocxla::triton
