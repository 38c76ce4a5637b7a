#include "base/npy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/error_ids.h"
#include "base/file.h"
#include "base/npy_header.h"
#include "base/numerics/packing.h"

namespace rocxla {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr size_t kVersionBytes = 2;
constexpr size_t kAlignment = 64;  // of the data in the file

Status Bad(std::string_view origin, std::string what, std::string found, std::string expected = "") {
  return Error(ErrorId::kBadNpy, {.what = std::move(what),
                                  .where = std::string(origin),
                                  .found = std::move(found),
                                  .expected = std::move(expected)});
}

bool IsPlainBytes(std::string_view code) { return code.starts_with('V'); }

// Bytes of one element in the file: the number at the end of the type code.
uint64_t ItemBytes(std::string_view code) {
  uint64_t bytes = 0;
  std::from_chars(code.data() + 1, code.data() + code.size(), bytes);
  return bytes;
}

// Bytes that change places between byte orders: a complex number is two, plain bytes are taken as one number.
uint64_t SwapBytes(std::string_view code) { return ItemBytes(code) / (code.starts_with('c') ? 2 : 1); }

StatusOr<std::string> DtypeOf(std::string_view code, std::string_view plain_bytes_as, std::string_view origin) {
  if (IsPlainBytes(code)) {
    if (!plain_bytes_as.empty() && DtypeNumpyCode(plain_bytes_as) == code) return std::string(plain_bytes_as);
    std::vector<std::string_view> candidates;
    for (std::string_view dtype : AllDtypes())
      if (DtypeNumpyCode(dtype) == code) candidates.push_back(dtype);
    return Bad(origin, "the file holds plain bytes of no named type",
               plain_bytes_as.empty() ? fmt::format("'{}'", code)
                                      : fmt::format("'{}', to be read as {}", code, plain_bytes_as),
               candidates.empty() ? "" : fmt::format("to be told which: {}", fmt::join(candidates, ", ")));
  }
  for (std::string_view dtype : AllDtypes())
    if (DtypeNumpyCode(dtype) == code) return std::string(dtype);
  std::vector<std::string_view> codes;
  for (std::string_view dtype : AllDtypes())
    if (!IsPlainBytes(DtypeNumpyCode(dtype))) codes.push_back(DtypeNumpyCode(dtype));
  return Bad(origin, "the element type has no counterpart", fmt::format("'{}'", code),
             fmt::format("one of {}", fmt::join(codes, ", ")));
}

// The header's text; `data` gets what follows it.
StatusOr<std::string_view> SplitHeader(std::span<const uint8_t> file, std::string_view origin,
                                       std::span<const uint8_t>& data) {
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  if (!text.starts_with(kMagic) || file.size() < kMagic.size() + kVersionBytes)
    return Bad(origin, "the file does not begin as npy files do", fmt::format("{} bytes", file.size()),
               "the byte 0x93, 'NUMPY', and a version");
  const int version = file[kMagic.size()], minor = file[kMagic.size() + 1];
  if (version < 1 || version > 3 || minor != 0)
    return Bad(origin, "unknown version", fmt::format("{}.{}", version, minor), "1.0, 2.0 or 3.0");
  const size_t length_at = kMagic.size() + kVersionBytes, length_bytes = version == 1 ? 2 : 4;
  const size_t header_at = length_at + length_bytes;
  if (file.size() < header_at)
    return Bad(origin, "the file ends within the header's length", fmt::format("{} bytes", file.size()));
  uint64_t length = 0;
  for (size_t i = 0; i < length_bytes; ++i) length |= uint64_t{file[length_at + i]} << (8 * i);
  if (length > file.size() - header_at)
    return Bad(origin, "the header does not fit into the file", fmt::format("{} bytes in all", file.size()),
               fmt::format("{} and {} of header", header_at, length));
  data = file.subspan(header_at + length);
  return text.substr(header_at, length);
}

void SwapEach(std::span<uint8_t> bytes, uint64_t width) {
  for (uint64_t at = 0; at + width <= bytes.size(); at += width) std::ranges::reverse(bytes.subspan(at, width));
}

// Rewrites a dense tensor with its dimensions in the opposite order: from the layout where the first of `shape` is
// dense to the one where the last is.
std::vector<uint8_t> Transpose(std::span<const uint8_t> bytes, std::span<const int64_t> shape, uint64_t item_bytes) {
  std::vector<uint8_t> result(bytes.size());
  std::vector<uint64_t> stride(shape.size()), index(shape.size());
  for (size_t d = 0, step = item_bytes; d < shape.size(); step *= static_cast<uint64_t>(shape[d++])) stride[d] = step;
  uint64_t from = 0;
  for (uint64_t to = 0; to < result.size(); to += item_bytes) {
    std::copy_n(bytes.begin() + static_cast<int64_t>(from), item_bytes, result.begin() + static_cast<int64_t>(to));
    for (size_t d = shape.size(); d-- > 0;) {
      from += stride[d];
      if (++index[d] < static_cast<uint64_t>(shape[d])) break;
      from -= stride[d] * std::exchange(index[d], 0);
    }
  }
  return result;
}

// Elements that are narrower than a byte have a whole one in the file.
Status PackNarrow(Tensor& tensor, std::string_view origin) {
  const int bits = DtypeBits(tensor.dtype);
  if (bits >= 8) return OkStatus();
  auto too_wide = std::ranges::find_if(tensor.bytes, [&](uint8_t byte) { return byte >> bits != 0; });
  if (too_wide != tensor.bytes.end())
    return Bad(origin, fmt::format("an element is no {}", tensor.dtype),
               fmt::format("{:#04x} at index {}", *too_wide, too_wide - tensor.bytes.begin()),
               fmt::format("{} bits", bits));
  tensor.bytes = PackElements(tensor.bytes, bits, PackOrder::kLowFirst);
  return OkStatus();
}

}  // namespace

StatusOr<Tensor> ParseNpy(std::span<const uint8_t> file, std::string_view origin, std::string_view plain_bytes_as) {
  std::span<const uint8_t> data;
  ASSIGN_OR_RETURN(std::string_view text, SplitHeader(file, origin, data));
  ASSIGN_OR_RETURN(NpyHeader header, ParseNpyHeader(text, origin));
  const char order = header.descr.empty() ? 0 : header.descr[0];
  if (std::string_view("<>|=").find(order) == std::string_view::npos)
    return Bad(origin, "the element type has no byte order", fmt::format("'{}'", header.descr), "one of < > | = first");
  const std::string_view code = std::string_view(header.descr).substr(1);
  Tensor tensor;
  ASSIGN_OR_RETURN(tensor.dtype, DtypeOf(code, plain_bytes_as, origin));
  tensor.shape = std::move(header.shape);
  const std::optional<uint64_t> count = ElementCount(tensor.shape);
  if (!count) return Bad(origin, "the shape is not usable", fmt::format("({})", fmt::join(tensor.shape, ", ")));
  const uint64_t item_bytes = ItemBytes(code), bytes = *count * item_bytes;
  if (bytes != data.size())
    return Bad(origin, "the data does not fit the shape", fmt::format("{} bytes", data.size()),
               fmt::format("{} bytes for ({}) of '{}'", bytes, fmt::join(tensor.shape, ", "), header.descr));
  tensor.bytes =
      header.fortran_order ? Transpose(data, tensor.shape, item_bytes) : std::vector<uint8_t>(data.begin(), data.end());
  if (order == '>') SwapEach(tensor.bytes, SwapBytes(code));
  RETURN_IF_ERROR(PackNarrow(tensor, origin));
  return tensor;
}

StatusOr<Tensor> ReadNpy(const std::filesystem::path& path, std::string_view plain_bytes_as) {
  ASSIGN_OR_RETURN(std::string bytes, ReadFile(path));
  return ParseNpy({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}, path.string(), plain_bytes_as);
}

StatusOr<std::string> SerializeNpy(const Tensor& tensor, const NpyLayout& layout) {
  std::string fault = TensorFault(tensor);
  if (fault.empty() && tensor.shape.size() > kMostNpyDimensions)
    fault = fmt::format("{} dimensions; {} are the most", tensor.shape.size(), kMostNpyDimensions);
  if (layout.version < 1 || layout.version > 3) fault = fmt::format("version {}", layout.version);
  if (!fault.empty()) return Bad("a tensor to be written", "the tensor cannot be written", fault);
  const std::string_view code = DtypeNumpyCode(tensor.dtype);
  const bool has_order = SwapBytes(code) > 1;
  const char order = !has_order ? '|' : layout.byte_order == ByteOrder::kLittle ? '<' : '>';
  const NpyHeader header = {.descr = fmt::format("{}{}", order, code),
                            .fortran_order = layout.memory_order == MemoryOrder::kFortran,
                            .shape = tensor.shape};
  std::string text = NpyHeaderText(header);
  const size_t length_bytes = layout.version == 1 ? 2 : 4;
  const size_t begin = kMagic.size() + kVersionBytes + length_bytes;
  const size_t end = (begin + text.size() + 1 + kAlignment - 1) / kAlignment * kAlignment;
  text.resize(end - begin - 1, ' ');
  text += '\n';

  std::string file = fmt::format("{}{}{}", kMagic, static_cast<char>(layout.version), '\0');
  for (size_t i = 0; i < length_bytes; ++i) file += static_cast<char>(text.size() >> (8 * i));
  file += text;
  const int bits = DtypeBits(tensor.dtype);
  std::vector<uint8_t> data = tensor.bytes;
  if (bits < 8)
    data = UnpackElements(tensor.bytes, static_cast<uint64_t>(tensor.elements()), bits, PackOrder::kLowFirst,
                          Extension::kZero);
  if (order == '>') SwapEach(data, SwapBytes(code));
  if (header.fortran_order) {
    // The C order of the transposed tensor is the Fortran order of this one.
    std::vector<int64_t> reversed(tensor.shape.rbegin(), tensor.shape.rend());
    data = Transpose(data, reversed, ItemBytes(code));
  }
  return file.append(reinterpret_cast<const char*>(data.data()), data.size());
}

Status WriteNpy(const std::filesystem::path& path, const Tensor& tensor) {
  ASSIGN_OR_RETURN(std::string file, SerializeNpy(tensor));
  return WriteFile(path, file);
}

}  // namespace rocxla
