// The safetensors format: named tensors in one file (8-byte little-endian header length, JSON header, raw data).
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace rocxla {

struct Tensor {
  std::string dtype;           // the format's name: "F32", "BF16", "I32", "BOOL", "F8_E4M3", "C64", ...
  std::vector<int64_t> shape;  // row-major, outermost dimension first; empty for a scalar
  std::vector<uint8_t> bytes;  // little endian, dense; sub-byte types pack two elements a byte

  int64_t elements() const;
};
using TensorMap = std::map<std::string, Tensor>;

// Bits of one element of a dtype, or 0 when the name is unknown.
int DtypeBits(std::string_view dtype);
// Bytes that `elements` elements of a dtype take, rounded up.
uint64_t DtypeBytes(std::string_view dtype, uint64_t elements);

// BadSafetensors names the tensor or header place at fault; hostile headers (lengths, offsets, overlaps, shapes whose
// product overflows) are errors, never more memory than the file's size.
StatusOr<TensorMap> ParseSafetensors(std::span<const uint8_t> file, std::string_view origin);
StatusOr<TensorMap> ReadSafetensors(const std::filesystem::path& path);
// Tensors are written in name order, data aligned as the format asks.
Status WriteSafetensors(const std::filesystem::path& path, const TensorMap& tensors);
std::string SerializeSafetensors(const TensorMap& tensors);

}  // namespace rocxla
