// numpy's .npy files: one tensor with a header that is a Python dictionary. Versions 1.0, 2.0 and 3.0.
#pragma once
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "base/status.h"
#include "base/tensor.h"

namespace rocxla {

enum class ByteOrder { kLittle, kBig };
enum class MemoryOrder { kC, kFortran };  // the last, or the first dimension is dense

// How a file is laid out. The reader takes every layout and returns tensors as Tensor has them.
struct NpyLayout {
  int version = 1;  // 1, 2 or 3
  ByteOrder byte_order = ByteOrder::kLittle;
  MemoryOrder memory_order = MemoryOrder::kC;
};

// numpy has no name for types of extensions (bf16, fp8, fp4): its files hold them as plain bytes, "V1" or "V2". Such a
// file is read as `plain_bytes_as`, a dtype of that size, and is an error without it.
//
// BadNpy names the place at fault: lengths that do not fit the file, headers that are no such dictionary, structured,
// object and text types, shapes whose product overflows, bytes missing or left over. No more memory is taken than a
// small multiple of the file's size.
StatusOr<Tensor> ParseNpy(std::span<const uint8_t> file, std::string_view origin, std::string_view plain_bytes_as = "");
StatusOr<Tensor> ReadNpy(const std::filesystem::path& path, std::string_view plain_bytes_as = "");

// BadNpy when the tensor's bytes do not fit its shape.
StatusOr<std::string> SerializeNpy(const Tensor& tensor, const NpyLayout& layout = {});
Status WriteNpy(const std::filesystem::path& path, const Tensor& tensor);

}  // namespace rocxla
