#include "base/file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>

namespace rocxla {
namespace {

namespace fs = std::filesystem;

Status Unreadable(std::string_view what, const fs::path& path, std::string reason) {
  return Error(ErrorId::kFileUnreadable,
               {.what = std::string(what), .where = path.string(), .found = std::move(reason)});
}

Status WriteBytes(const fs::path& path, std::string_view bytes) {
  errno = 0;
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();
  return out ? OkStatus() : Unreadable("cannot write a file", path, std::strerror(errno));
}

}  // namespace

StatusOr<std::string> ReadFile(const fs::path& path) {
  if (path == "-") return std::string(std::istreambuf_iterator<char>(std::cin), {});
  std::error_code error;
  if (fs::is_directory(path, error)) return Unreadable("cannot read a file", path, "a folder");
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) return Unreadable("cannot open a file", path, std::strerror(errno));
  std::string bytes(std::istreambuf_iterator<char>(in), {});
  if (in.bad()) return Unreadable("cannot read a file", path, std::strerror(errno));
  return bytes;
}

Status WriteFile(const fs::path& path, std::string_view bytes) {
  std::error_code error;
  fs::file_status there = fs::status(path, error);
  // Devices and pipes are written to, not replaced.
  if (fs::exists(there) && !fs::is_regular_file(there)) return WriteBytes(path, bytes);
  fs::path temporary = path;
  temporary += fmt::format(".{}.tmp", getpid());
  Status written = WriteBytes(temporary, bytes);
  if (written.ok()) fs::rename(temporary, path, error);
  if (written.ok() && !error) return OkStatus();
  std::error_code ignored;
  fs::remove(temporary, ignored);
  return written.ok() ? Unreadable("cannot write a file", path, error.message()) : written;
}

Status WriteFile(const fs::path& path, std::span<const uint8_t> bytes) {
  return WriteFile(path, std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

}  // namespace rocxla
