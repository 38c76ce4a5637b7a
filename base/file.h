// Whole files in and out.
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace rocxla {

// The bytes of a file; "-" is standard input. FileUnreadable says which path and why. Regular files and pipes (until
// their writers are gone) can be read; folders, devices, sockets, pipes that nobody writes to, and more than
// `limit_bytes` (0: the machine's memory) are errors. Waits only for somebody who holds the writing end of a pipe.
StatusOr<std::string> ReadFile(const std::filesystem::path& path, uint64_t limit_bytes = 0);

// Writes (replaces) a file through a temporary one beside it, so that a reader never sees half of it. Devices and pipes
// are written to, not replaced.
Status WriteFile(const std::filesystem::path& path, std::string_view bytes);
Status WriteFile(const std::filesystem::path& path, std::span<const uint8_t> bytes);

// Does a program's work, which returns its exit code, and sees to it that what it printed has arrived: FileUnreadable
// when standard output is closed or full, whether fmt::print threw or nobody noticed.
StatusOr<int> RunAndFlushOutput(const std::function<int()>& work);

}  // namespace rocxla
