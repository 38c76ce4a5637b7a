// HipApi: the HIP functions that rocXLA calls, as one table. Whoever fills it in is a HIP runtime: the real library
// (system_hip.h) or the embedded device (emulator/hip). Meaning, threads and errors are HIP's, except where noted.
#pragma once
#include <string>

#include "base/hip/hip_types.h"

namespace rocxla {

struct HipApi {
#define HIP_FN(result, name, params, need) result(*name) params = nullptr;
#include "base/hip/hip_api.def"
#undef HIP_FN
  // Where the functions come from: the library's path, or "embedded device".
  std::string origin;
};

}  // namespace rocxla
