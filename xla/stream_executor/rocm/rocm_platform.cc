#include "xla/stream_executor/rocm/rocm_platform.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/error_ids.h"
#include "base/hip/hip_providers.h"
#include "base/hip/system_hip.h"
#include "xla/stream_executor/platform_manager.h"
#include "xla/stream_executor/rocm/rocm_device_description.h"
#include "xla/stream_executor/rocm/rocm_executor.h"

namespace stream_executor {
namespace rocm {
namespace {
constexpr char kIdObject = 0;  // only its address matters
}
const Platform::Id kROCmPlatformId = &kIdObject;
}  // namespace rocm

namespace gpu {
namespace {

constexpr std::string_view kRealProvider = "hip";

// Of a real runtime: why it has no GPU, with what the kernel driver's files say.
Status StartFailure(hipError_t error, const HipApi& api, std::string_view function, std::string_view provider) {
  if (error == hipSuccess) return OkStatus();
  const Status reason = provider == kRealProvider ? rocxla::StartHip(api).status() : OkStatus();
  const Status plain = ToStatus(error, api, function);  // takes the error from the thread, too
  return reason.ok() ? plain : reason;
}

// At least one device, or why there is none. A runtime may also list none and call that success.
StatusOr<int> CountDevices(const HipApi& api, std::string_view provider) {
  int count = 0;
  hipError_t error = api.hipGetDeviceCount(&count);
  if (error == hipSuccess && count <= 0) error = rocxla::hipErrorNoDevice;
  RETURN_IF_ERROR(StartFailure(error, api, "hipGetDeviceCount", provider));
  return count;
}

StatusOr<const HipApi*> Initialise(const std::string& provider) {
  ASSIGN_OR_RETURN(const HipApi* api, rocxla::OpenHip(provider));
  RETURN_IF_ERROR(StartFailure(api->hipInit(0), *api, "hipInit", provider));
  return api;
}

}  // namespace

ROCmPlatform::ROCmPlatform(std::string provider)
    : provider_(std::move(provider)),
      name_(provider_ == kRealProvider ? "ROCM" : fmt::format("ROCM:{}", provider_)),
      hip_(rocxla::InternalError("not initialised")),
      executor_cache_(name_) {}

std::string ROCmPlatform::sysfs_root() const { return provider_ == kRealProvider ? "/sys" : "/nonexistent"; }

Platform::Id ROCmPlatform::id() const { return provider_ == kRealProvider ? rocm::kROCmPlatformId : this; }

StatusOr<const HipApi*> ROCmPlatform::hip() const {
  std::call_once(init_once_, [this] { hip_ = Initialise(provider_); });
  return hip_;
}

int ROCmPlatform::VisibleDeviceCount() const {
  const StatusOr<const HipApi*> api = hip();
  if (!api.ok()) return -1;
  int count = 0;
  if ((*api)->hipGetDeviceCount(&count) == hipSuccess) return std::max(count, 0);
  (void)(*api)->hipGetLastError();  // since ROCm 7 it would stick to the thread
  return 0;
}

Status ROCmPlatform::InitStatus() const {
  ASSIGN_OR_RETURN(const HipApi* api, hip());
  return CountDevices(*api, provider_).status();
}

Status ROCmPlatform::CheckOrdinal(const HipApi& api, int ordinal) const {
  ASSIGN_OR_RETURN(const int count, CountDevices(api, provider_));
  if (ordinal >= 0 && ordinal < count) return OkStatus();
  return Error(ErrorId::kDeviceNotFound, {.what = "there is no such device",
                                          .where = fmt::format("platform {}", name_),
                                          .found = fmt::format("device {}", ordinal),
                                          .expected = fmt::format("0 to {}", count - 1)});
}

StatusOr<std::unique_ptr<DeviceDescription>> ROCmPlatform::DescriptionForDevice(int ordinal) const {
  ASSIGN_OR_RETURN(const HipApi* api, hip());
  RETURN_IF_ERROR(CheckOrdinal(*api, ordinal));
  return CreateRocmDeviceDescription(*api, ordinal, sysfs_root());
}

StatusOr<std::unique_ptr<StreamExecutor>> ROCmPlatform::GetUncachedExecutor(int ordinal) const {
  ASSIGN_OR_RETURN(const HipApi* api, hip());
  RETURN_IF_ERROR(CheckOrdinal(*api, ordinal));
  ASSIGN_OR_RETURN(std::unique_ptr<StreamExecutor> executor, RocmExecutor::Create(*this, *api, ordinal, sysfs_root()));
  return executor;
}

StatusOr<StreamExecutor*> ROCmPlatform::ExecutorForDevice(int ordinal) {
  return executor_cache_.GetOrCreate(ordinal, [&] { return GetUncachedExecutor(ordinal); });
}

StatusOr<StreamExecutor*> ROCmPlatform::FindExisting(int ordinal) { return executor_cache_.Get(ordinal); }

StatusOr<ROCmPlatform*> RocmPlatformOf(std::string_view provider) {
  static auto* mutex = new std::mutex;
  static auto* platforms = new std::map<std::string, ROCmPlatform*, std::less<>>;
  std::lock_guard lock(*mutex);
  if (const auto it = platforms->find(provider); it != platforms->end()) return it->second;
  const std::vector<std::string> names = rocxla::HipProviderNames();
  if (std::ranges::find(names, provider) == names.end()) {
    std::string known;
    for (const std::string& name : names) known += fmt::format("{}{}", known.empty() ? "" : ", ", name);
    return Error(ErrorId::kPlatformNotFound, {.what = "this program has no such HIP runtime",
                                              .found = fmt::format("'{}'", provider),
                                              .expected = fmt::format("one of: {}", known)});
  }
  auto platform = std::make_unique<ROCmPlatform>(std::string(provider));
  ROCmPlatform* registered = platform.get();
  RETURN_IF_ERROR(PlatformManager::RegisterPlatform(std::move(platform)));
  return (*platforms)[std::string(provider)] = registered;
}

}  // namespace gpu
}  // namespace stream_executor
