// Test data: a library with HIP's functions, none of which does anything. Built as it is, and without hipMalloc.
#include "base/hip/hip_types.h"

namespace rocxla {
#define HIP_FN(result, name, params, need) \
  extern "C" result name params { return {}; }
#include "base/hip/hip_api.def"
#undef HIP_FN
}  // namespace rocxla
