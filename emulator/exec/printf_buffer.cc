#include "emulator/exec/printf_buffer.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>

#include "emulator/exec/printf_text.h"

namespace rocxla::emu {
namespace {

constexpr u32 kBufferBytes = 1 << 20, kHeaderBytes = 8;

// The word before each message: its size in bytes, itself included, and where it goes.
struct Control {
  u32 bytes;
  bool to_error, has_known_format;
};
Control Unpack(u32 word) { return {word >> 2, (word & 1) != 0, (word & 2) != 0}; }

std::string_view TextAt(std::span<const std::byte> bytes) {
  auto end = std::find(bytes.begin(), bytes.end(), std::byte{0});
  return {reinterpret_cast<const char*>(bytes.data()), static_cast<size_t>(end - bytes.begin())};
}

// Formats that the compiler knew lie in the metadata, and the message names theirs; others lie in the message. Nothing
// if it makes no sense.
std::optional<std::string> MessageText(std::span<const std::byte> message, bool has_known_format,
                                       const CodeObject& object) {
  if (!has_known_format) {
    std::string_view format = TextAt(message);
    size_t padded = (format.size() + 8) / 8 * 8;
    if (padded > message.size()) return std::nullopt;
    return FormatPrintf(format, message.subspan(padded));
  }
  u64 id = 0;
  if (message.size() < sizeof id) return std::nullopt;
  std::memcpy(&id, message.data(), sizeof id);
  std::optional<std::string_view> format = object.FindPrintfFormat(id);
  if (!format) return std::nullopt;
  return FormatPrintf(*format, message.subspan(sizeof id));
}

}  // namespace

StatusOr<u64> PrintfBuffer::Create(AddressSpace& memory) {
  ASSIGN_OR_RETURN(void* buffer, memory.Allocate(kBufferBytes, 64, "printf buffer"));
  const u32 header[2] = {0, kBufferBytes};
  std::memcpy(buffer, header, sizeof header);
  return reinterpret_cast<u64>(buffer);
}

void PrintfBuffer::Print(u64 address, const CodeObject& object, const PrintSink& print) {
  const auto* begin = reinterpret_cast<const std::byte*>(address);
  u32 written = 0;
  std::memcpy(&written, begin, sizeof written);
  std::span<const std::byte> rest(begin + kHeaderBytes, std::min(written, kBufferBytes - kHeaderBytes));
  while (rest.size() >= sizeof(u32)) {
    u32 word = 0;
    std::memcpy(&word, rest.data(), sizeof word);
    Control control = Unpack(word);
    bool fits = control.bytes >= sizeof word && control.bytes <= rest.size();
    std::optional<std::string> text;
    if (fits) text = MessageText(rest.first(control.bytes).subspan(sizeof word), control.has_known_format, object);
    if (!text) return print(PrintStream::kError, "(the kernel's printf buffer cannot be read)\n");
    print(control.to_error ? PrintStream::kError : PrintStream::kOut, *text);
    rest = rest.subspan(control.bytes);
  }
}

}  // namespace rocxla::emu
