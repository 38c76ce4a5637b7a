#include "base/safetensors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "base/error_ids.h"
#include "base/file.h"
#include "base/json.h"

namespace rocxla {
namespace {

constexpr uint64_t kLengthBytes = 8;
constexpr std::string_view kMetadata = "__metadata__";

Status Bad(std::string_view origin, std::string what, std::string found, std::string expected = "") {
  return Error(ErrorId::kBadSafetensors, {.what = std::move(what),
                                          .where = std::string(origin),
                                          .found = std::move(found),
                                          .expected = std::move(expected)});
}

StatusOr<std::vector<int64_t>> IntegerList(const Json& entry, std::string_view field, std::string_view origin) {
  auto it = entry.find(field);
  std::vector<int64_t> list;
  bool usable = it != entry.end() && it->is_array();
  if (usable) {
    for (const Json& item : *it) {
      const std::optional<int64_t> number = WholeNumber(item);
      usable = usable && number;
      list.push_back(number.value_or(0));
    }
  }
  if (!usable) return Bad(origin, fmt::format("\"{}\" is not usable", field), "", "a list of whole numbers");
  return list;
}

// A tensor's place in the file's data.
struct Extent {
  int64_t begin, end;
  std::string name;
};

StatusOr<Tensor> ParseTensor(const Json& entry, std::span<const uint8_t> data, std::string_view origin,
                             Extent& extent) {
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
  extent.begin = offsets[0], extent.end = offsets[1];
  return tensor;
}

// The tensors follow each other without gap or overlap, and fill the data.
Status CheckCover(std::vector<Extent> extents, uint64_t size, std::string_view origin) {
  std::ranges::sort(extents, {}, [](const Extent& e) { return std::pair(e.begin, e.end); });
  int64_t end = 0;
  for (const Extent& extent : extents) {
    if (extent.begin < end)
      return Bad(origin, "tensors overlap", fmt::format("'{}'", extent.name), "separate data for each");
    if (extent.begin > end)
      return Bad(origin, "bytes that belong to no tensor",
                 fmt::format("bytes {} to {} of the data", end, extent.begin));
    end = extent.end;
  }
  if (static_cast<uint64_t>(end) == size) return OkStatus();
  return Bad(origin, "bytes that belong to no tensor", fmt::format("bytes {} to {} of the data", end, size));
}

// What is no UTF-8 does not survive as JSON.
bool IsUtf8(const std::string& text) {
  StatusOr<Json> back = ParseJson(JsonText(Json(text)), "");
  return back.ok() && *back == text;
}

// "__metadata__" is an object of strings; nobody here reads them.
Status CheckMetadata(const Json& metadata, std::string_view origin) {
  const bool usable =
      metadata.is_object() && std::ranges::all_of(metadata, [](const Json& v) { return v.is_string(); });
  return usable ? OkStatus() : Bad(origin, "\"__metadata__\" is not usable", "", "an object of strings");
}

}  // namespace

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
  std::vector<Extent> extents;
  for (const auto& [name, entry] : parsed->items()) {
    if (name == kMetadata) {
      RETURN_IF_ERROR(CheckMetadata(entry, origin));
      continue;
    }
    Extent extent = {.name = name};
    ASSIGN_OR_RETURN(tensors[name], ParseTensor(entry, data, fmt::format("tensor '{}' of {}", name, origin), extent));
    extents.push_back(std::move(extent));
  }
  RETURN_IF_ERROR(CheckCover(extents, data.size(), origin));
  // Only now: tensors that share data could ask for far more memory than the file has.
  for (const Extent& extent : extents)
    tensors[extent.name].bytes.assign(data.begin() + extent.begin, data.begin() + extent.end);
  return tensors;
}

StatusOr<TensorMap> ReadSafetensors(const std::filesystem::path& path) {
  ASSIGN_OR_RETURN(std::string bytes, ReadFile(path));
  return ParseSafetensors({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}, path.string());
}

StatusOr<std::string> SerializeSafetensors(const TensorMap& tensors) {
  Json header = Json::object();
  uint64_t offset = 0;
  for (const auto& [name, tensor] : tensors) {
    std::string fault = name == kMetadata ? "the name is taken by the format" : TensorFault(tensor);
    if (fault.empty() && !IsUtf8(name)) fault = "the name is no UTF-8";
    if (!fault.empty()) return Bad(fmt::format("tensor '{}'", name), "the tensor cannot be written", fault);
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
  ASSIGN_OR_RETURN(std::string file, SerializeSafetensors(tensors));
  return WriteFile(path, file);
}

}  // namespace rocxla
