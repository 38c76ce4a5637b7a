// A position in bytes that somebody else wrote: nothing is read beyond them, and errors say where.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "xla/hlo/ir/status.h"

namespace xla::vhlo {

// Does not own the bytes.
class ByteCursor {
 public:
  ByteCursor(std::span<const uint8_t> bytes, std::string_view file_name)
      : whole_(bytes.data()), bytes_(bytes), file_name_(file_name) {}
  // The same file, another part of it.
  ByteCursor At(std::span<const uint8_t> part) const {
    ByteCursor cursor = *this;
    cursor.bytes_ = part;
    return cursor;
  }

  size_t left() const { return bytes_.size(); }
  bool AtEnd() const { return bytes_.empty(); }

  StatusOr<uint8_t> Byte();
  // Seven bits in a byte, 14 in two, ...: the number of trailing zeros of the first byte tells how many follow. Source:
  // MLIR's "Bytecode Format".
  StatusOr<uint64_t> VarInt();
  StatusOr<int64_t> SignedVarInt();  // zigzag
  // A number below `limit`: the place of one of several `whats`.
  StatusOr<size_t> Index(size_t limit, std::string_view whats);
  // How many follow: each takes a byte at least, so that memory is bounded by the file.
  StatusOr<size_t> Count(std::string_view whats);
  StatusOr<std::span<const uint8_t>> Bytes(uint64_t count);
  StatusOr<std::string_view> CString();
  // Skips padding up to a multiple of `alignment` bytes from the file's beginning.
  Status AlignTo(uint64_t alignment);

  // "file: byte 17".
  std::string Where() const;
  // VhloBadArtifact at the position.
  Status Error(ErrorText text) const;

 private:
  const uint8_t* whole_;
  std::span<const uint8_t> bytes_;
  std::string_view file_name_;
};

}  // namespace xla::vhlo
