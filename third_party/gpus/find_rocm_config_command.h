// The command line of find_rocm_config, the same for the program of its own and for `rocxla find-rocm-config`.
#pragma once
#include <functional>

#include "base/status.h"

namespace CLI {
class App;
}

namespace rocxla {

// Declares the options on `app`; the result runs the command and gives its exit code: 0, 1 (on standard error: why) or
// 2 for bad usage.
std::function<int()> SetUpFindRocmConfigCommand(CLI::App& app);

// Prints "error: ..." to standard error; returns the exit code, 1 or 2 for bad usage.
int FailFindRocmConfig(const Status& status);

}  // namespace rocxla
