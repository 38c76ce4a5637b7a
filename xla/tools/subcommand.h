// What the files of the subcommands share with main.
//
// Exit codes: 0 success, 1 a failed check, compile or run, 2 bad usage. Messages go to standard error, results to
// standard output.
#pragma once
#include <functional>
#include <string_view>

#include "base/flags.h"
#include "base/status.h"

namespace CLI {
class App;
}

namespace xla::tools {

inline constexpr int kSuccess = 0, kFailure = 1, kBadUsage = 2;

// What a subcommand does once its arguments are parsed; the result is the exit code.
using Action = std::function<int(const rocxla::DebugOptions&)>;

// Declares the options of one subcommand on `app` and returns what to do with them.
#define SUBCOMMAND(name, function, summary) Action function(CLI::App& app);
#include "xla/tools/subcommands.def"
#undef SUBCOMMAND

// Prints "error: ..." to standard error; returns the exit code that fits (2 for bad usage).
int Fail(const rocxla::Status& status);

}  // namespace xla::tools
