#include "base/hip/system_hip.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "base/environment.h"

namespace rocxla {
namespace {

// Newest first; each major version has its own binary interface, and hip_types.h covers these three.
constexpr const char* kLibraryNames[] = {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5"};

enum Need { kRequired, kOptional, kSince6 };

// Resolves every function. Returns the required ones that are missing, separated by commas.
std::string Resolve(void* library, HipApi& api) {
  std::string missing;
  auto resolve = [&](auto& pointer, const char* name, Need need) {
    pointer = reinterpret_cast<std::remove_reference_t<decltype(pointer)>>(dlsym(library, name));
    if (pointer == nullptr && need == kRequired) missing += fmt::format("{}{}", missing.empty() ? "" : ", ", name);
  };
#define HIP_FN(result, name, params, need) resolve(api.name, #name, need);
#include "base/hip/hip_api.def"
#undef HIP_FN
  return missing;
}

// The file that the functions really come from.
std::string PathOf(const HipApi& api, const std::string& asked) {
  Dl_info info;
  if (dladdr(reinterpret_cast<void*>(api.hipInit), &info) == 0 || info.dli_fname == nullptr) return asked;
  return info.dli_fname;
}

// Tries one file. Appends one line to `attempts` when it is not usable.
std::optional<HipApi> TryLibrary(const std::string& folder, const char* name, std::string& attempts) {
  const std::string path = folder.empty() ? name : fmt::format("{}/{}", folder, name);
  const std::string shown = folder.empty() ? fmt::format("{} on the linker's path", name) : path;
  auto note = [&](std::string_view what) {
    attempts += fmt::format("{}{}: {}", attempts.empty() ? "" : "\n", shown, what);
  };
  std::error_code ignored;
  if (!folder.empty() && !std::filesystem::exists(path, ignored)) {
    note("no such file");
    return std::nullopt;
  }
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* reason = dlerror();
    note(reason != nullptr ? reason : "dlopen failed");
    return std::nullopt;
  }
  HipApi api;
  const std::string missing = Resolve(library, api);
  if (!missing.empty()) {
    note(fmt::format("lacks {}", missing));
    dlclose(library);
    return std::nullopt;
  }
  api.origin = PathOf(api, path);
  return api;
}

}  // namespace

HipLibrarySearch DefaultHipSearch() {
  HipLibrarySearch search;
  if (const char* rocm_path = NonEmptyEnvironment(EnvironmentVariable::kROCM_PATH)) {
    search.folders.push_back(fmt::format("{}/lib", rocm_path));
  }
  search.folders.push_back("");
  search.folders.push_back("/opt/rocm/lib");
  return search;
}

StatusOr<HipApi> LoadHipFrom(const HipLibrarySearch& search) {
  std::string attempts;
  for (const std::string& folder : search.folders) {
    for (const char* name : kLibraryNames) {
      if (std::optional<HipApi> api = TryLibrary(folder, name, attempts)) return *std::move(api);
    }
  }
  return Error(
      ErrorId::kHipLibraryUnavailable,
      {.what = "no usable ROCm runtime library",
       .where = attempts,
       .expected = "libamdhip64 of ROCm 5, 6 or 7",
       .next = "install ROCm, or set ROCM_PATH to its folder; without one, --device=embedded:gfx942 runs on the "
               "embedded device"});
}

StatusOr<const HipApi*> LoadSystemHip() {
  static const StatusOr<HipApi> loaded = LoadHipFrom(DefaultHipSearch());
  if (!loaded.ok()) return loaded.status();
  return &loaded.value();
}

}  // namespace rocxla
