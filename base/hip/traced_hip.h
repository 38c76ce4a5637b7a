// A HIP table that writes every call, its arguments and its result, and passes it on.
#pragma once
#include <string_view>

#include "base/hip/hip_api.h"
#include "base/status.h"

namespace rocxla {

// Gets one line per call, without its line end: "embedded: hipMalloc(0x7ffe..., 4096) = hipSuccess". Called from any
// thread, one call at a time.
using HipTraceSink = void (*)(std::string_view line);

// A tracing table in front of `inner`, which must outlive the process. At most kMaxTracedTables of them: C functions
// have no room for a context, so each table needs code of its own. ResourceExhausted beyond that.
constexpr int kMaxTracedTables = 4;
StatusOr<const HipApi*> TracedHip(std::string_view name, const HipApi* inner, HipTraceSink sink);

// TracedHip into the file that ROCXLA_HIP_TRACE names ("-": stderr); `inner` itself when the variable is not set.
StatusOr<const HipApi*> TracedIfAsked(std::string_view name, const HipApi* inner);

}  // namespace rocxla
