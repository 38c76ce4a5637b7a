#include "base/hip/system_hip.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>

#include "base/environment.h"
#include "base/error_ids.h"

namespace rocxla {
namespace {

// Newest first; each major version has its own binary interface, and hip_types.h covers these three.
constexpr const char* kLibraryNames[] = {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5"};

enum Need { kRequired, kOptional, kSince6 };
constexpr int kOldestVersion = 5'02'00000;  // HIP 5.2: major * 10^7 + minor * 10^5 + patch

// Resolves every function. Returns the required ones that are missing, separated by commas.
std::string Resolve(void* library, int major, HipApi& api) {
  std::string missing;
  auto resolve = [&](auto& pointer, const char* name, Need need) {
    if (need == kSince6 && major < 6) return;  // what is there has the name, but not the structures
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

// hipLaunchHostFunc for libraries that lack it, by way of hipStreamAddCallback, whose functions get two arguments more.
// A C function has no room for a context: the pointer is the process's only real library's.
decltype(HipApi::hipStreamAddCallback) add_callback = nullptr;
struct HostCall {
  hipHostFn_t function;
  void* user_data;
};
void CallHostFunction(hipStream_t, hipError_t, void* data) {
  const std::unique_ptr<HostCall> call(static_cast<HostCall*>(data));
  call->function(call->user_data);
}
hipError_t LaunchHostFunction(hipStream_t stream, hipHostFn_t function, void* user_data) {
  if (function == nullptr) return hipErrorInvalidValue;
  auto call = std::make_unique<HostCall>(function, user_data);
  const hipError_t error = add_callback(stream, CallHostFunction, call.get(), 0);
  if (error == hipSuccess) (void)call.release();  // now CallHostFunction's
  return error;
}

std::string VersionText(int packed) {
  return fmt::format("{}.{}.{}", packed / 10'000'000, packed / 100'000 % 100, packed % 100'000);
}

// "" when the library's version is one that we know how to call, or when it does not say before there is a GPU.
std::string TooOld(const HipApi& api) {
  int version = 0;
  if (api.hipRuntimeGetVersion(&version) != hipSuccess || version >= kOldestVersion) return "";
  return fmt::format("version {} is too old: HIP {} or later is needed", VersionText(version),
                     VersionText(kOldestVersion));
}

// Why the file cannot be opened, "" when it may be tried. To open a pipe would wait for a writer.
std::string FileProblem(const std::string& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found) return "no such file";
  if (status.type() == std::filesystem::file_type::none) return error.message();
  return std::filesystem::is_regular_file(status) ? "" : "not a regular file";
}

// Tries one file. Appends one line to `attempts` when it is not usable.
std::optional<HipApi> TryLibrary(const std::string& folder, const char* name, std::string& attempts) {
  const std::string path = folder.empty() ? name : fmt::format("{}/{}", folder, name);
  const std::string shown = folder.empty() ? fmt::format("{} on the linker's path", name) : path;
  auto note = [&](std::string_view what) {
    attempts += fmt::format("{}{}: {}", attempts.empty() ? "" : "\n", shown, what);
  };
  if (const std::string problem = folder.empty() ? "" : FileProblem(path); !problem.empty()) {
    note(problem);
    return std::nullopt;
  }
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* reason = dlerror();
    note(reason != nullptr ? reason : "dlopen failed");
    return std::nullopt;
  }
  HipApi api;
  const int major = name[std::string_view(name).size() - 1] - '0';
  const std::string missing = Resolve(library, major, api);
  const std::string problem = missing.empty() ? TooOld(api) : fmt::format("lacks {}", missing);
  if (!problem.empty()) {
    note(problem);
    dlclose(library);
    return std::nullopt;
  }
  if (api.hipLaunchHostFunc == nullptr) {
    add_callback = api.hipStreamAddCallback;
    api.hipLaunchHostFunc = LaunchHostFunction;
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
       .expected = "libamdhip64 of ROCm 5.2 or later, 6 or 7",
       .next = "install ROCm, or set ROCM_PATH to its folder; without one, --device=embedded:gfx942 runs on the "
               "embedded device"});
}

StatusOr<int> StartHip(const HipApi& api, const DeviceFilesDiagnosis& files) {
  const auto fail = [&](hipError_t error, const char* function) -> Status {
    std::string found = fmt::format("{}, {}", HipErrorName(error), HipErrorText(error));
    if (!files.found.empty()) found += fmt::format("\n{}", files.found);
    return Error(
        ErrorId::kDeviceNotFound,
        {.what = error == hipErrorInsufficientDriver ? "the amdgpu kernel driver is older than the ROCm runtime needs"
                                                     : "the ROCm runtime finds no usable GPU",
         .where = fmt::format("{} of {}", function, api.origin),
         .found = std::move(found),
         .next =
             error == hipErrorInsufficientDriver ? "update the amdgpu driver, or install an older ROCm" : files.next});
  };
  const hipError_t started = api.hipInit(0);
  int count = 0;
  const hipError_t counted = api.hipGetDeviceCount(&count);
  // Without a GPU some versions let hipInit fail with hipErrorInvalidDevice; the count has the better reason.
  if (started != hipSuccess && counted != hipErrorNoDevice) return fail(started, "hipInit");
  if (counted != hipSuccess) return fail(counted, "hipGetDeviceCount");
  if (count <= 0) return fail(hipErrorNoDevice, "hipGetDeviceCount");
  return count;
}

StatusOr<const HipApi*> LoadSystemHip() {
  static const StatusOr<HipApi> loaded = LoadHipFrom(DefaultHipSearch());
  if (!loaded.ok()) return loaded.status();
  return &loaded.value();
}

}  // namespace rocxla
