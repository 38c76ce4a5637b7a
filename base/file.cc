#include "base/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <new>
#include <optional>
#include <system_error>

#include "base/error_ids.h"

namespace rocxla {
namespace {

namespace fs = std::filesystem;

// A path as errors show it: there, and not of any length.
std::string Shown(const fs::path& path) {
  constexpr size_t kLongest = 1000;
  if (path.empty()) return "(an empty path)";
  const std::string& text = path.native();
  return text.size() <= kLongest ? text : text.substr(0, kLongest) + "...";
}

Status Unreadable(std::string_view what, const fs::path& path, std::string reason, std::string expected = "") {
  return Error(
      ErrorId::kFileUnreadable,
      {.what = std::string(what), .where = Shown(path), .found = std::move(reason), .expected = std::move(expected)});
}

// Closes a file descriptor.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ > STDERR_FILENO) close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

uint64_t MemoryBytes() {
  const int64_t pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGE_SIZE);
  return pages > 0 && page_bytes > 0 ? static_cast<uint64_t>(pages) * static_cast<uint64_t>(page_bytes) : UINT64_MAX;
}

// What a path is that cannot be read, "" when it can.
std::string_view UnreadableKind(mode_t mode, int fd) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISBLK(mode)) return "a block device";
  if (S_ISSOCK(mode)) return "a socket";
  // A terminal ends when its user says so; /dev/zero and its like never do.
  if (S_ISCHR(mode) && !isatty(fd)) return "a character device";
  return "";
}

// The bytes until the end, at most `limit`: nothing when there are more. -1 and errno in `error` when reading fails.
std::optional<std::string> ReadAll(int fd, uint64_t expected_bytes, uint64_t limit, int& error) {
  constexpr size_t kStep = 1 << 16;
  std::string bytes;
  bytes.reserve(std::min(expected_bytes, limit) + 1);  // one more, so that the end is seen without growing
  for (;;) {
    const size_t size = bytes.size();
    bytes.resize(std::max(bytes.capacity(), size + kStep));
    const ssize_t count = read(fd, bytes.data() + size, bytes.size() - size);
    bytes.resize(size + static_cast<size_t>(std::max<ssize_t>(count, 0)));
    if (count == 0) return bytes;
    if (count < 0 && errno == EAGAIN) {
      pollfd ready = {fd, POLLIN, 0};
      poll(&ready, 1, -1);
    } else if (count < 0 && errno != EINTR) {
      error = errno;
      return bytes;
    }
    if (bytes.size() > limit) return std::nullopt;
  }
}

// `named`: what the error speaks of, where `path` is a file that shall take its place.
Status WriteBytes(const fs::path& path, std::string_view bytes, const fs::path& named) {
  errno = 0;
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();
  return out ? OkStatus() : Unreadable("cannot write a file", named, std::strerror(errno));
}

}  // namespace

StatusOr<std::string> ReadFile(const fs::path& path, uint64_t limit_bytes) {
  const bool standard_input = path == "-";
  // Without O_NONBLOCK, opening a pipe waits until somebody opens it for writing, which may be never.
  const Descriptor file(standard_input ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (file.get() < 0) return Unreadable("cannot open a file", path, std::strerror(errno));
  struct stat there = {};
  if (fstat(file.get(), &there) != 0) return Unreadable("cannot read a file", path, std::strerror(errno));
  if (std::string_view kind = UnreadableKind(there.st_mode, file.get()); !kind.empty())
    return Unreadable("cannot read a file", path, std::string(kind), "a regular file or a pipe");
  const uint64_t limit = limit_bytes ? limit_bytes : MemoryBytes();
  const uint64_t size = S_ISREG(there.st_mode) ? static_cast<uint64_t>(there.st_size) : 0;
  const std::string at_most = fmt::format("at most {} bytes", limit);
  if (size > limit) return Unreadable("the file is too large", path, fmt::format("{} bytes", size), at_most);
  try {
    int error = 0;
    std::optional<std::string> bytes = ReadAll(file.get(), size, limit, error);
    if (error) return Unreadable("cannot read a file", path, std::strerror(error));
    if (!bytes) return Unreadable("the file is too large", path, fmt::format("more than {} bytes", limit), at_most);
    if (bytes->empty() && S_ISFIFO(there.st_mode) && !standard_input)
      return Unreadable("cannot read a file", path, "a pipe that is empty and that nobody writes to");
    return std::move(*bytes);
  } catch (const std::bad_alloc&) {
    return Unreadable("the file is too large", path, fmt::format("{} bytes", size), "as much free memory");
  }
}

Status WriteFile(const fs::path& path, std::string_view bytes) {
  std::error_code error;
  fs::file_status there = fs::status(path, error);
  if (fs::is_directory(there)) return Unreadable("cannot write a file", path, "a folder");
  // Devices and pipes are written to, not replaced.
  if (fs::exists(there) && !fs::is_regular_file(there)) return WriteBytes(path, bytes, path);
  fs::path temporary = path;
  temporary += fmt::format(".{}.tmp", getpid());
  Status written = WriteBytes(temporary, bytes, path);
  if (written.ok()) fs::rename(temporary, path, error);
  if (written.ok() && !error) return OkStatus();
  std::error_code ignored;
  fs::remove(temporary, ignored);
  return written.ok() ? Unreadable("cannot write a file", path, error.message()) : written;
}

Status WriteFile(const fs::path& path, std::span<const uint8_t> bytes) {
  return WriteFile(path, std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

StatusOr<int> RunAndFlushOutput(const std::function<int()>& work) {
  constexpr const char* kWhat = "what the program printed is lost";
  constexpr const char* kWhere = "standard output";
  try {
    const int exit_code = work();
    errno = 0;
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return exit_code;
    return Unreadable(kWhat, kWhere, errno != 0 ? std::strerror(errno) : "an earlier write failed");
  } catch (const std::system_error& error) {
    return Unreadable(kWhat, kWhere, error.code().message());
  }
}

}  // namespace rocxla
