#include "xla/hlo/stablehlo/vhlo/byte_cursor.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/error_ids.h"

namespace xla::vhlo {

std::string ByteCursor::Where() const { return fmt::format("{}: byte {}", file_name_, bytes_.data() - whole_); }

Status ByteCursor::Error(ErrorText text) const {
  text.where = Where();
  if (text.next.empty()) text.next = "Serialize the program again; the file may be cut off or damaged.";
  return rocxla::Error(ErrorId::kVhloBadArtifact, std::move(text));
}

StatusOr<std::span<const uint8_t>> ByteCursor::Bytes(uint64_t count) {
  if (count > bytes_.size()) {
    return Error({.what = "the artifact ends too early, or in the middle of something",
                  .found = fmt::format("{} bytes", bytes_.size()),
                  .expected = fmt::format("{}", count)});
  }
  const auto part = bytes_.first(count);
  bytes_ = bytes_.subspan(count);
  return part;
}

StatusOr<uint8_t> ByteCursor::Byte() {
  ASSIGN_OR_RETURN(const auto one, Bytes(1));
  return one[0];
}

StatusOr<uint64_t> ByteCursor::VarInt() {
  ASSIGN_OR_RETURN(const uint8_t first, Byte());
  if (first & 1) return uint64_t{first} >> 1;
  const int more = first == 0 ? 8 : std::countr_zero(first);
  ASSIGN_OR_RETURN(const auto bytes, Bytes(more));
  uint64_t value = 0;
  std::memcpy(&value, bytes.data(), more);
  if (first == 0) return value;
  return (value << 8 | first) >> (more + 1);
}

StatusOr<int64_t> ByteCursor::SignedVarInt() {
  ASSIGN_OR_RETURN(const uint64_t value, VarInt());
  return static_cast<int64_t>(value >> 1) ^ -static_cast<int64_t>(value & 1);
}

StatusOr<size_t> ByteCursor::Index(size_t limit, std::string_view whats) {
  const ByteCursor before = *this;
  ASSIGN_OR_RETURN(const uint64_t value, VarInt());
  if (value < limit) return value;
  return before.Error({.what = fmt::format("there is no such one of the {}", whats),
                       .found = fmt::format("number {}", value),
                       .expected = fmt::format("less than {}", limit)});
}

StatusOr<size_t> ByteCursor::Count(std::string_view whats) {
  const ByteCursor before = *this;
  ASSIGN_OR_RETURN(const uint64_t value, VarInt());
  if (value <= left()) return value;
  return before.Error({.what = fmt::format("the artifact has not so many {}", whats),
                       .found = fmt::format("{} in {} bytes", value, left())});
}

StatusOr<std::string_view> ByteCursor::CString() {
  const auto end = std::find(bytes_.begin(), bytes_.end(), 0);
  if (end == bytes_.end()) return Error({.what = "a string is not closed", .expected = "a zero byte"});
  ASSIGN_OR_RETURN(const auto text, Bytes(end - bytes_.begin()));
  RETURN_IF_ERROR(Byte().status());
  return std::string_view(reinterpret_cast<const char*>(text.data()), text.size());
}

Status ByteCursor::AlignTo(uint64_t alignment) {
  if (!std::has_single_bit(alignment))
    return Error({.what = "an alignment is a power of two", .found = fmt::format("{}", alignment)});
  const auto offset = static_cast<uint64_t>(bytes_.data() - whole_);
  return Bytes(-offset & (alignment - 1)).status();
}

}  // namespace xla::vhlo
