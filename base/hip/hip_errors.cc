#include <fmt/format.h>

#include "base/hip/hip_types.h"

namespace rocxla {

std::string HipErrorName(hipError_t error) {
  switch (error) {
    case hipSuccess:
      return "hipSuccess";
#define HIP_ERROR(number, name, text) \
  case hipError##name:                \
    return "hipError" #name;
#include "base/hip/hip_errors.def"
#undef HIP_ERROR
  }
  return fmt::format("hipError_t({})", static_cast<int>(error));
}

std::string_view HipErrorText(hipError_t error) {
  switch (error) {
    case hipSuccess:
      return "no error";
#define HIP_ERROR(number, name, text) \
  case hipError##name:                \
    return text;
#include "base/hip/hip_errors.def"
#undef HIP_ERROR
  }
  return "an error that this version of rocXLA does not know";
}

}  // namespace rocxla
