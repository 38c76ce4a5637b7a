// Memory that is the process's own, not the device's: is it there at all?
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>

namespace rocxla::emu {

// The first address in [pointer, pointer + bytes) that the process has no memory at; nothing when it has all of them.
// At least one byte is looked at. Whether the memory may be written, the host alone knows.
std::optional<uint64_t> FirstMissingAddress(const void* pointer, size_t bytes);

}  // namespace rocxla::emu
