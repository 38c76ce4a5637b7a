#include "xla/stream_executor/rocm/rocm_status.h"

#include <fmt/format.h>

#include <string>

#include "base/error_ids.h"

namespace stream_executor::gpu {
namespace {

ErrorId IdOf(hipError_t error) {
  switch (error) {
#define HIP_STATUS(hip_name, name) \
  case rocxla::hipError##hip_name: \
    return ErrorId::k##name;
#include "xla/stream_executor/rocm/rocm_status.def"
#undef HIP_STATUS
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
    case ErrorId::kBadDeviceAddress:
      return "an address is not what the call needs";
    case ErrorId::kBadMemoryRequest:
      return "the memory cannot be used in this way";
    case ErrorId::kPeerAccessUnavailable:
      return "the devices cannot access each other's memory";
    case ErrorId::kNotSupportedByRuntime:
      return "the HIP runtime or the device cannot do this";
    case ErrorId::kEmulatorWrongTarget:
      return "the code object is for another GPU";
    case ErrorId::kBadCodeObject:
      return "the runtime does not accept the code object";
    case ErrorId::kCommandBufferMisuse:
      return "work cannot be captured or updated in this way";
    default:
      return "a HIP function returned an error";
  }
}

}  // namespace

Status ToStatus(hipError_t error, const HipApi& api, std::string_view function) {
  if (error == hipSuccess) return OkStatus();
  const ErrorId id = IdOf(error);
  std::string found = fmt::format("{}, {}", rocxla::HipErrorName(error), rocxla::HipErrorText(error));
  const char* detail = api.rocxlaGetLastErrorDetail != nullptr ? api.rocxlaGetLastErrorDetail() : nullptr;
  if (detail != nullptr && *detail != '\0') found += fmt::format("\n{}", detail);
  (void)api.hipGetLastError();
  return Error(id, {.what = std::string(SentenceOf(id)),
                    .where = fmt::format("{} of {}", function, api.origin),
                    .found = std::move(found)});
}

Status FunctionIsMissing(const HipApi& api, std::string_view function, std::string_view needed_for) {
  return Error(ErrorId::kNotSupportedByRuntime, {.what = fmt::format("the HIP runtime has no {}", needed_for),
                                                 .where = api.origin,
                                                 .found = fmt::format("no function {}", function),
                                                 .next = "use a newer ROCm"});
}

}  // namespace stream_executor::gpu
