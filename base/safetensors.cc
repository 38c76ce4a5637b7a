#include "base/safetensors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>

#include "base/file.h"
#include "base/json.h"

namespace rocxla {
namespace {

constexpr uint64_t kLengthBytes = 8;

Status Bad(std::string_view origin, std::string what, std::string found, std::string expected = "") {
  return Error(ErrorId::kBadSafetensors, {.what = std::move(what),
                                          .where = std::string(origin),
                                          .found = std::move(found),
                                          .expected = std::move(expected)});
}

// The product of the extents; nothing when one is negative or it overflows.
std::optional<uint64_t> ElementCount(const std::vector<int64_t>& shape) {
  uint64_t count = 1;
  for (int64_t extent : shape)
    if (extent < 0 || __builtin_mul_overflow(count, static_cast<uint64_t>(extent), &count)) return std::nullopt;
  if (count > UINT64_MAX / 128) return std::nullopt;  // the bit count must fit too
  return count;
}

StatusOr<std::vector<int64_t>> IntegerList(const Json& entry, std::string_view field, std::string_view origin) {
  auto it = entry.find(field);
  std::vector<int64_t> list;
  bool usable = it != entry.end() && it->is_array();
  if (usable) {
    for (const Json& item : *it) {
      usable = usable && item.is_number_integer();
      list.push_back(usable ? item.get<int64_t>() : 0);
    }
  }
  if (!usable) return Bad(origin, fmt::format("\"{}\" is not usable", field), "", "a list of whole numbers");
  return list;
}

StatusOr<Tensor> ParseTensor(const Json& entry, std::span<const uint8_t> data, std::string_view origin) {
  if (!entry.is_object()) return Bad(origin, "the entry is no object", entry.type_name());
  Tensor tensor;
  ASSIGN_OR_RETURN(tensor.dtype, JsonString(entry, "dtype", origin));
  if (!DtypeBits(tensor.dtype)) return Bad(origin, "unknown dtype", tensor.dtype);
  ASSIGN_OR_RETURN(tensor.shape, IntegerList(entry, "shape", origin));
  ASSIGN_OR_RETURN(std::vector<int64_t> offsets, IntegerList(entry, "data_offsets", origin));
  std::optional<uint64_t> count = ElementCount(tensor.shape);
  if (!count) return Bad(origin, "the shape is not usable", fmt::format("[{}]", fmt::join(tensor.shape, ",")));
  uint64_t size = data.size();
  bool inside = offsets.size() == 2 && offsets[0] >= 0 && offsets[0] <= offsets[1] && uint64_t(offsets[1]) <= size;
  if (!inside)
    return Bad(origin, "data_offsets lie outside the file's data", fmt::format("[{}]", fmt::join(offsets, ",")),
               fmt::format("begin <= end <= {}", size));
  uint64_t expected = DtypeBytes(tensor.dtype, *count), found = uint64_t(offsets[1] - offsets[0]);
  if (expected != found)
    return Bad(origin, "the data does not fit the shape", fmt::format("{} bytes", found),
               fmt::format("{} bytes for {}[{}]", expected, tensor.dtype, fmt::join(tensor.shape, ",")));
  tensor.bytes.assign(data.begin() + offsets[0], data.begin() + offsets[1]);
  return tensor;
}

}  // namespace

int64_t Tensor::elements() const {
  int64_t count = 1;
  for (int64_t extent : shape) count *= extent;
  return count;
}

int DtypeBits(std::string_view dtype) {
#define DTYPE(name, bits) \
  if (dtype == #name) return bits;
#include "base/dtypes.def"
#undef DTYPE
  return 0;
}

uint64_t DtypeBytes(std::string_view dtype, uint64_t elements) { return (elements * DtypeBits(dtype) + 7) / 8; }

StatusOr<TensorMap> ParseSafetensors(std::span<const uint8_t> file, std::string_view origin) {
  uint64_t length = 0;
  if (file.size() >= kLengthBytes) std::memcpy(&length, file.data(), kLengthBytes);
  if (file.size() < kLengthBytes || length > file.size() - kLengthBytes)
    return Bad(origin, "the header does not fit into the file", fmt::format("{} bytes in all", file.size()),
               fmt::format("{} bytes of length and {} of header", kLengthBytes, length));
  std::string_view header(reinterpret_cast<const char*>(file.data()) + kLengthBytes, length);
  StatusOr<Json> parsed = ParseJson(header, fmt::format("the header of {}", origin));
  if (!parsed.ok()) return parsed.status();
  if (!parsed->is_object()) return Bad(origin, "the header is no object", parsed->type_name());
  std::span<const uint8_t> data = file.subspan(kLengthBytes + length);
  TensorMap tensors;
  uint64_t total = 0;
  for (const auto& [name, entry] : parsed->items()) {
    if (name == "__metadata__") continue;
    ASSIGN_OR_RETURN(Tensor tensor, ParseTensor(entry, data, fmt::format("tensor '{}' of {}", name, origin)));
    total += tensor.bytes.size();
    // Entries that share data could ask for far more memory than the file has.
    if (total > data.size()) return Bad(origin, "tensors overlap", fmt::format("'{}'", name), "separate data for each");
    tensors.emplace(name, std::move(tensor));
  }
  return tensors;
}

StatusOr<TensorMap> ReadSafetensors(const std::filesystem::path& path) {
  ASSIGN_OR_RETURN(std::string bytes, ReadFile(path));
  return ParseSafetensors({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}, path.string());
}

std::string SerializeSafetensors(const TensorMap& tensors) {
  Json header = Json::object();
  uint64_t offset = 0;
  for (const auto& [name, tensor] : tensors) {
    uint64_t end = offset + tensor.bytes.size();
    header[name] = {{"dtype", tensor.dtype}, {"shape", tensor.shape}, {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');  // so that the data starts aligned
  std::string file(kLengthBytes, '\0');
  uint64_t length = text.size();
  std::memcpy(file.data(), &length, kLengthBytes);
  file += text;
  for (const auto& [name, tensor] : tensors)
    file.append(reinterpret_cast<const char*>(tensor.bytes.data()), tensor.bytes.size());
  return file;
}

Status WriteSafetensors(const std::filesystem::path& path, const TensorMap& tensors) {
  return WriteFile(path, SerializeSafetensors(tensors));
}

}  // namespace rocxla
