// The safetensors format: named tensors in one file (8-byte little-endian header length, JSON header, raw data).
#pragma once
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "base/status.h"
#include "base/tensor.h"

namespace rocxla {

// BadSafetensors or BadJson names the tensor or header place at fault; hostile headers (lengths, offsets, overlaps,
// gaps, duplicate names, shapes whose product overflows) are errors, never more memory than a small multiple of the
// file's size. As the format demands, the tensors cover the data without overlap or gap.
StatusOr<TensorMap> ParseSafetensors(std::span<const uint8_t> file, std::string_view origin);
StatusOr<TensorMap> ReadSafetensors(const std::filesystem::path& path);

// Tensors are written in name order, data aligned as the format asks. BadSafetensors when a name is no UTF-8 or taken
// by the format, or a tensor's bytes do not fit its shape.
StatusOr<std::string> SerializeSafetensors(const TensorMap& tensors);
Status WriteSafetensors(const std::filesystem::path& path, const TensorMap& tensors);

}  // namespace rocxla
