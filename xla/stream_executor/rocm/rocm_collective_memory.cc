#include "xla/stream_executor/rocm/rocm_collective_memory.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include "base/error_ids.h"
#include "base/hip/system_hip.h"

namespace stream_executor::gpu {
namespace {

constexpr const char* kLibrary = "librccl.so.1";

template <class Function>
bool Resolve(void* library, const char* name, Function& function, std::string& problem) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr) problem = fmt::format("has no function {}", name);
  return function != nullptr;
}

StatusOr<CollectiveLibrary> OpenFile(const std::string& path, std::string& problem) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    problem = dlerror();
    return rocxla::UnavailableError(problem);
  }
  CollectiveLibrary functions{};
  functions.path = path;
  if (Resolve(library, "ncclMemAlloc", functions.allocate, problem) &&
      Resolve(library, "ncclMemFree", functions.free, problem) &&
      Resolve(library, "ncclGetErrorString", functions.error_text, problem)) {
    return functions;
  }
  dlclose(library);
  return rocxla::UnavailableError(problem);
}

}  // namespace

StatusOr<CollectiveLibrary> OpenCollectiveLibrary(const std::vector<std::string>& folders) {
  std::string tried;
  for (const std::string& folder : folders) {
    const std::string path = folder.empty() ? kLibrary : folder + "/" + kLibrary;
    std::string problem;
    StatusOr<CollectiveLibrary> library = OpenFile(path, problem);
    if (library.ok()) return library;
    tried += fmt::format("{}{}: {}", tried.empty() ? "" : "\n", path, problem);
  }
  return Error(ErrorId::kRocmLibraryUnavailable,
               {.what = "collective memory needs RCCL, which could not be opened",
                .found = std::move(tried),
                .expected = fmt::format("{} with ncclMemAlloc (RCCL 2.19 or later)", kLibrary),
                .next = "install RCCL, or set ROCM_PATH to the ROCm that has it"});
}

StatusOr<CollectiveLibrary> CollectiveLibraryOf(const rocxla::HipApi& api) {
  const bool embedded = api.rocxlaGetLastErrorDetail != nullptr;  // nothing else has that function
  if (!embedded) return OpenCollectiveLibrary(rocxla::DefaultHipSearch().folders);
  return Error(ErrorId::kRocmLibraryUnavailable,
               {.what = "there is no collective memory on this device",
                .where = api.origin,
                .found = "a device that RCCL does not know",
                .expected = "an AMD GPU, and RCCL",
                .next = "allocate device memory: collectives accept it, with a copy"});
}

}  // namespace stream_executor::gpu
