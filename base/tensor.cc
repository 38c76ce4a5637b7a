#include "base/tensor.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace rocxla {

int64_t Tensor::elements() const {
  int64_t count = 1;
  for (int64_t extent : shape) count *= extent;
  return count;
}

int DtypeBits(std::string_view dtype) {
#define DTYPE(name, bits, numpy) \
  if (dtype == #name) return bits;
#include "base/dtypes.def"
#undef DTYPE
  return 0;
}

std::string_view DtypeNumpyCode(std::string_view dtype) {
#define DTYPE(name, bits, numpy) \
  if (dtype == #name) return numpy;
#include "base/dtypes.def"
#undef DTYPE
  return "";
}

std::span<const std::string_view> AllDtypes() {
  static constexpr std::string_view kNames[] = {
#define DTYPE(name, bits, numpy) #name,
#include "base/dtypes.def"
#undef DTYPE
  };
  return kNames;
}

uint64_t DtypeBytes(std::string_view dtype, uint64_t elements) { return (elements * DtypeBits(dtype) + 7) / 8; }

std::optional<uint64_t> ElementCount(std::span<const int64_t> shape) {
  if (std::ranges::any_of(shape, [](int64_t extent) { return extent < 0; })) return std::nullopt;
  // An extent of 0 makes the product 0, however large the others are.
  if (std::ranges::find(shape, 0) != shape.end()) return 0;
  constexpr int kWidestElementBits = 128;
  uint64_t count = 1;
  for (int64_t extent : shape)
    if (__builtin_mul_overflow(count, static_cast<uint64_t>(extent), &count)) return std::nullopt;
  if (count > (UINT64_MAX - 7) / kWidestElementBits) return std::nullopt;
  return count;
}

std::string TensorFault(const Tensor& tensor) {
  if (!DtypeBits(tensor.dtype)) return fmt::format("unknown dtype '{}'", tensor.dtype);
  const std::optional<uint64_t> count = ElementCount(tensor.shape);
  if (!count) return fmt::format("unusable shape [{}]", fmt::join(tensor.shape, ","));
  const uint64_t bytes = DtypeBytes(tensor.dtype, *count);
  if (bytes == tensor.bytes.size()) return "";
  return fmt::format("{} bytes of data, but {}[{}] has {}", tensor.bytes.size(), tensor.dtype,
                     fmt::join(tensor.shape, ","), bytes);
}

}  // namespace rocxla
