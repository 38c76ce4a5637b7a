// Test data: a library with HIP's functions. hipInit and hipGetDeviceCount answer what FAKE_HIP_INIT and
// FAKE_HIP_COUNT_ERROR (HIP error numbers, default 0) and FAKE_HIP_COUNT (default 0) say; the version
// is 6.0.0, and the rest does nothing.
#include <cstdlib>

#define hipInit unused_hipInit
#define hipGetDeviceCount unused_hipGetDeviceCount
#define hipRuntimeGetVersion unused_hipRuntimeGetVersion
#include "base/hip/hip_types.h"
namespace rocxla {
#define HIP_FN(result, name, params, need) \
  extern "C" result name params { return {}; }
#include "base/hip/hip_api.def"
#undef HIP_FN
}  // namespace rocxla
#undef hipInit
#undef hipGetDeviceCount
#undef hipRuntimeGetVersion

namespace {
int Number(const char* variable) {
  const char* text = std::getenv(variable);
  return text != nullptr ? std::atoi(text) : 0;
}
}  // namespace

extern "C" int hipInit(unsigned) { return Number("FAKE_HIP_INIT"); }
extern "C" int hipGetDeviceCount(int* count) {
  *count = Number("FAKE_HIP_COUNT");
  return Number("FAKE_HIP_COUNT_ERROR");
}
extern "C" int hipRuntimeGetVersion(int* version) {
  *version = 60000000;  // 6.0.0
  return 0;
}
