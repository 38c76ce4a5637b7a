#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <span>

#include "base/error_ids.h"
#include "triton/compile.h"
#include "xla/pjrt/triton.h"

namespace xla::triton {
namespace {

using rocxla::Status;
using rocxla::StatusOr;

Status CannotWrite(const std::string& path, int error) {
  return Error(rocxla::ErrorId::kFileUnreadable, {.what = "the code object cannot be written",
                                                  .where = path,
                                                  .found = std::strerror(error),
                                                  .next = "Let TMPDIR name a folder with room."});
}

// A new file that nobody else has open, gone again unless Keep is called.
class TemporaryFile {
 public:
  static StatusOr<TemporaryFile> Create() {
    std::error_code error;
    const std::filesystem::path folder = std::filesystem::temp_directory_path(error);
    if (error) return CannotWrite("the directory for temporary files", error.value());
    TemporaryFile file;
    file.path_ = (folder / "xla_triton_XXXXXX.hsaco").string();
    constexpr int kSuffix = 6;  // ".hsaco"
    file.descriptor_ = mkostemps(file.path_.data(), kSuffix, O_CLOEXEC);
    if (file.descriptor_ < 0) return CannotWrite(file.path_, errno);
    return file;
  }
  TemporaryFile(TemporaryFile&& other) noexcept { *this = std::move(other); }
  TemporaryFile& operator=(TemporaryFile&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~TemporaryFile() {
    if (descriptor_ < 0) return;
    close(descriptor_);
    unlink(path_.c_str());
  }

  Status Write(std::span<const uint8_t> bytes) {
    while (!bytes.empty()) {
      const ssize_t written = write(descriptor_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return CannotWrite(path_, errno);
      bytes = bytes.subspan(written);
    }
    return rocxla::OkStatus();
  }
  StatusOr<std::string> Keep() {
    if (close(descriptor_) != 0) {
      const int error = errno;
      unlink(path_.c_str());
      descriptor_ = -1;
      return CannotWrite(path_, error);
    }
    descriptor_ = -1;
    return std::move(path_);
  }

 private:
  TemporaryFile() = default;
  std::string path_;
  int descriptor_ = -1;
};

}  // namespace

StatusOr<CompilationResult> Compile(std::string_view module, std::string_view arch_name, int num_warps, int num_ctas,
                                    int num_stages) {
  rocxla::triton::CompileOptions options;
  ASSIGN_OR_RETURN(options.target, rocxla::FindTarget(arch_name.substr(0, arch_name.find(':'))));
  options.num_warps = num_warps;
  options.num_ctas = num_ctas;
  options.num_stages = num_stages;
  ASSIGN_OR_RETURN(const rocxla::triton::CompiledKernel kernel,
                   rocxla::triton::Compile(module, "Triton module", options));
  ASSIGN_OR_RETURN(TemporaryFile file, TemporaryFile::Create());
  RETURN_IF_ERROR(file.Write(kernel.code_object));
  ASSIGN_OR_RETURN(std::string path, file.Keep());
  return CompilationResult{.compiled = {std::move(path)},
                           .kernel_name = kernel.info.name,
                           .smem_bytes = kernel.info.shared_bytes,
                           .cluster_dims = kernel.info.cluster_dims,
                           .threads_per_block = kernel.info.threads_per_block};
}

}  // namespace xla::triton
