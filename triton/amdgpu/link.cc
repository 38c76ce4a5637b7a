// LLD in process. It cannot read from or write to memory, hence the temporary files.
#include <fmt/format.h>

#include <mutex>

#include "base/error_ids.h"
#include "lld/Common/Driver.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "triton/amdgpu/llvm_session.h"
#include "triton/amdgpu/merge_metadata.h"
#include "triton/compile.h"

LLD_HAS_DRIVER(elf)

using namespace llvm;
namespace rocxla::triton {
namespace {

Status FileError(std::string what, std::error_code code) {
  return rocxla::Error(ErrorId::kTritonCodegen,
                       {.what = std::move(what),
                        .found = code.message(),
                        .next = "check that the folder for temporary files (TMPDIR) is writable"});
}

// A file that vanishes with its scope.
class TemporaryFile {
 public:
  TemporaryFile() = default;
  TemporaryFile(TemporaryFile&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  ~TemporaryFile() {
    if (!path_.empty()) sys::fs::remove(path_);
  }
  Status Create(std::span<const uint8_t> contents) {
    int descriptor = -1;
    SmallString<128> path;
    if (auto code = sys::fs::createTemporaryFile("rocxla", "o", descriptor, path))
      return FileError("no temporary file for the linker", code);
    path_ = path.str().str();
    raw_fd_ostream os(descriptor, /*shouldClose=*/true);
    os.write(reinterpret_cast<const char*>(contents.data()), contents.size());
    os.flush();
    if (std::error_code code = os.error()) {
      os.clear_error();
      return FileError("cannot write an object for the linker", code);
    }
    return OkStatus();
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace

StatusOr<std::vector<uint8_t>> LinkCodeObject(std::span<const std::span<const uint8_t>> objects) {
  std::vector<TemporaryFile> inputs(objects.size() + 1);
  TemporaryFile output;
  ASSIGN_OR_RETURN(std::vector<uint8_t> metadata, MergedMetadataObject(objects));
  RETURN_IF_ERROR(inputs[0].Create(metadata));
  for (size_t i = 0; i < objects.size(); ++i) {
    ASSIGN_OR_RETURN(std::vector<uint8_t> object, WithoutNotes(objects[i]));
    RETURN_IF_ERROR(inputs[i + 1].Create(object));
  }
  RETURN_IF_ERROR(output.Create({}));
  std::vector<const char*> args{"ld.lld", "-shared", "--threads=1", "--no-undefined", "-o", output.path().c_str()};
  for (const TemporaryFile& input : inputs) args.push_back(input.path().c_str());

  std::string log;
  raw_string_ostream os(log);
  {
    std::unique_lock alone(LlvmOptionsMutex());
    lld::Result result = lld::lldMain(args, os, os, {{lld::Gnu, &lld::elf::link}});
    if (result.retCode)
      return rocxla::Error(ErrorId::kTritonCodegen,
                           {.what = fmt::format("linking {} kernels failed", objects.size()), .found = log});
  }
  auto file = MemoryBuffer::getFile(output.path(), /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file) return FileError("cannot read what the linker wrote", file.getError());
  StringRef bytes = (*file)->getBuffer();
  return std::vector<uint8_t>(bytes.bytes_begin(), bytes.bytes_end());
}

}  // namespace rocxla::triton
