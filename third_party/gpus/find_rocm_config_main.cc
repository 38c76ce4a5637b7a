// find_rocm_config: prints the versions of ROCm's components as XLA's script of that name does.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "base/status.h"
#include "third_party/gpus/find_rocm_config_command.h"

int main(int argc, char** argv) {
  CLI::App app("Prints the versions of ROCm's components, one \"key: value\" a line.", "find_rocm_config");
  auto run = rocxla::SetUpFindRocmConfigCommand(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help
    rocxla::Status status =
        rocxla::Error(rocxla::ErrorId::kBadUsage, {.what = error.what(), .next = "find_rocm_config --help"});
    fmt::print(stderr, "error: {}\n", status.ToString());
    return 2;
  }
  return run();
}
