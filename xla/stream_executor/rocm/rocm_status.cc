#include "xla/stream_executor/rocm/rocm_status.h"

#include <fmt/format.h>

#include <string>

namespace stream_executor::gpu {
namespace {

ErrorId IdOf(hipError_t error) {
  switch (error) {
    case rocxla::hipErrorOutOfMemory:
      return ErrorId::kDeviceOutOfMemory;
    case rocxla::hipErrorNoDevice:
    case rocxla::hipErrorInvalidDevice:
      return ErrorId::kDeviceNotFound;
    case rocxla::hipErrorInvalidConfiguration:
    case rocxla::hipErrorIllegalAddress:
    case rocxla::hipErrorLaunchOutOfResources:
    case rocxla::hipErrorLaunchTimeOut:
    case rocxla::hipErrorAssert:
    case rocxla::hipErrorLaunchFailure:
      return ErrorId::kKernelFailed;
    default:
      return ErrorId::kHipCallFailed;
  }
}

std::string_view SentenceOf(ErrorId id) {
  switch (id) {
    case ErrorId::kDeviceOutOfMemory:
      return "the device has not enough free memory";
    case ErrorId::kDeviceNotFound:
      return "the device does not exist";
    case ErrorId::kKernelFailed:
      return "a kernel stopped with an error on the device";
    default:
      return "a HIP function returned an error";
  }
}

}  // namespace

Status ToStatus(hipError_t error, const HipApi& api, std::string_view function) {
  if (error == hipSuccess) return OkStatus();
  const ErrorId id = IdOf(error);
  std::string found = fmt::format("{}, {}", rocxla::HipErrorName(error), rocxla::HipErrorText(error));
  const char* detail = api.rocxlaGetLastErrorDetail != nullptr ? api.rocxlaGetLastErrorDetail() : "";
  if (*detail != '\0') found += fmt::format("\n{}", detail);
  return Error(id, {.what = std::string(SentenceOf(id)),
                    .where = fmt::format("{} of {}", function, api.origin),
                    .found = std::move(found)});
}

}  // namespace stream_executor::gpu
