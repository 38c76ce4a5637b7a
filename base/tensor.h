// A tensor as files hold it: what the readers and writers of safetensors and npy files share.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rocxla {

struct Tensor {
  std::string dtype;           // safetensors' name: "F32", "BF16", "I32", "BOOL", "F8_E4M3", "C64", ... (dtypes.def)
  std::vector<int64_t> shape;  // row-major, outermost dimension first; empty for a scalar
  std::vector<uint8_t> bytes;  // little endian, dense; sub-byte types pack two elements a byte

  int64_t elements() const;
  bool operator==(const Tensor&) const = default;
};
using TensorMap = std::map<std::string, Tensor>;

// Bits of one element of a dtype, or 0 when the name is unknown.
int DtypeBits(std::string_view dtype);
// The type code of .npy files without byte order, "f4"; "" when the name is unknown.
std::string_view DtypeNumpyCode(std::string_view dtype);
// Every dtype, in the order of dtypes.def.
std::span<const std::string_view> AllDtypes();
// Bytes that `elements` elements of a dtype take, rounded up.
uint64_t DtypeBytes(std::string_view dtype, uint64_t elements);

// The product of the extents; nothing when one is negative, or the size in bits would not fit into 64 bits.
std::optional<uint64_t> ElementCount(std::span<const int64_t> shape);

// What is wrong with a tensor that is to be written, "" when nothing: an unknown dtype, or bytes that do not fit the
// shape.
std::string TensorFault(const Tensor& tensor);

}  // namespace rocxla
