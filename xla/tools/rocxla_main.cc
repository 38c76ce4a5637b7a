// rocxla: one binary, subcommands in the manner of git.
#include <fmt/format.h>
#include <malloc.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "base/error_ids.h"
#include "base/file.h"
#include "base/flags.h"
#include "base/logging.h"
#include "xla/tools/subcommand.h"
#include "xla/tools/version.h"

namespace xla::tools {
namespace {

using rocxla::DebugOptions;
using rocxla::ErrorId;
using rocxla::Status;
using rocxla::StatusOr;

constexpr std::string_view kSubcommandNames[] = {
#define SUBCOMMAND(name, function, summary) #name,
#include "xla/tools/subcommands.def"
#undef SUBCOMMAND
};

struct Subcommand {
  CLI::App* app;
  Action action;
};

std::vector<Subcommand> AddSubcommands(CLI::App& app) {
  std::vector<Subcommand> subcommands;
#define SUBCOMMAND(name, function, summary)             \
  {                                                     \
    CLI::App* sub = app.add_subcommand(#name, summary); \
    subcommands.push_back({sub, function(*sub)});       \
  }
#include "xla/tools/subcommands.def"
#undef SUBCOMMAND
  return subcommands;
}

// Errors in what the command line itself says.
bool IsBadUsage(ErrorId id) {
  return id == ErrorId::kBadUsage || id == ErrorId::kTritonBadOption || id == ErrorId::kTritonUnknownTarget;
}

// LLVM's code generator allocates and frees large tables per function: kept in the heap, they cost half as much.
void TuneAllocator() {
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  mallopt(M_TOP_PAD, 64 << 20);
}

int PrintFlags() {
  for (const rocxla::FlagInfo& flag : rocxla::AllFlags()) {
    fmt::print("--{}  ({}, default {})\n    {}\n", flag.name, flag.type,
               flag.default_value.empty() ? "\"\"" : flag.default_value, flag.help);
  }
  return kSuccess;
}

int UnknownSubcommand(std::string_view word) {
  std::string nearest = rocxla::NearestSpelling(word, kSubcommandNames);
  std::string all = fmt::format("{}", fmt::join(kSubcommandNames, ", "));
  return Fail(rocxla::Error(ErrorId::kBadUsage, {.what = "unknown subcommand",
                                                 .found = fmt::format("'{}'", word),
                                                 .expected = nearest.empty() ? "one of " + all : nearest,
                                                 .next = "rocxla --help"}));
}

StatusOr<DebugOptions> TakeDebugOptions(std::vector<std::string_view>& arguments) {
  ASSIGN_OR_RETURN(DebugOptions options, rocxla::DebugOptionsFromEnvironment());
  RETURN_IF_ERROR(rocxla::TakeFlags(arguments, options));
  return options;
}

int Main(std::span<char*> argv) {
  std::vector<std::string_view> arguments(argv.begin() + 1, argv.end());
  if (Status logging = rocxla::ConfigureLogging(); !logging.ok()) return Fail(logging), kBadUsage;
  StatusOr<DebugOptions> options = TakeDebugOptions(arguments);
  if (!options.ok()) return Fail(options.status()), kBadUsage;

  CLI::App app("Compiles and runs XLA and Triton programs on AMD GPUs, and on machines that have none.", "rocxla");
  app.set_version_flag("--version", VersionText());
  app.require_subcommand(0, 1);
  bool help_flags = false;
  app.add_flag("--help-flags", help_flags, "list the debug options (XLA_FLAGS, --xla_...)");
  std::vector<Subcommand> subcommands = AddSubcommands(app);
  bool names_subcommand = !arguments.empty() && !arguments[0].starts_with("-");
  if (names_subcommand && std::ranges::find(kSubcommandNames, arguments[0]) == std::end(kSubcommandNames))
    return UnknownSubcommand(arguments[0]);
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    std::string command = app.get_subcommands().empty() ? "" : " " + app.get_subcommands()[0]->get_name();
    return Fail(
        rocxla::Error(ErrorId::kBadUsage, {.what = error.what(), .next = fmt::format("rocxla{} --help", command)}));
  }
  if (help_flags) return PrintFlags();
  for (const Subcommand& subcommand : subcommands)
    if (subcommand.app->parsed()) return subcommand.action(*options);
  fmt::print("{}", app.help());
  return kBadUsage;
}

}  // namespace

int Fail(const Status& status) {
  std::fflush(stdout);  // what was printed before the error must appear before it
  std::fputs(fmt::format("error: {}\n", status.ToString()).c_str(), stderr);  // fmt::print would throw if it is full
  return IsBadUsage(status.id()) ? kBadUsage : kFailure;
}

}  // namespace xla::tools

int main(int argc, char** argv) {
  xla::tools::TuneAllocator();
  try {
    const auto work = [&] { return xla::tools::Main({argv, static_cast<size_t>(argc)}); };
    const rocxla::StatusOr<int> exit_code = rocxla::RunAndFlushOutput(work);
    return exit_code.ok() ? *exit_code : xla::tools::Fail(exit_code.status());
  } catch (const std::bad_alloc&) {
    return xla::tools::Fail(rocxla::Error(rocxla::ErrorId::kOutOfHostMemory,
                                          {.what = "the host has not enough free memory for this",
                                           .next = "Use smaller arrays, or a machine with more memory."}));
  }
}
