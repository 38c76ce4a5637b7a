// find_rocm_config: prints the versions of ROCm's components as XLA's script of that name does.
#include <CLI/CLI.hpp>

#include "base/error_ids.h"
#include "base/file.h"
#include "base/status.h"
#include "third_party/gpus/find_rocm_config_command.h"

namespace {

int Main(int argc, char** argv) {
  CLI::App app("Prints the versions of ROCm's components, one \"key: value\" a line.", "find_rocm_config");
  auto run = rocxla::SetUpFindRocmConfigCommand(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help
    rocxla::Status status =
        rocxla::Error(rocxla::ErrorId::kBadUsage, {.what = error.what(), .next = "find_rocm_config --help"});
    return rocxla::FailFindRocmConfig(status);
  }
  return run();
}

}  // namespace

int main(int argc, char** argv) {
  const rocxla::StatusOr<int> exit_code = rocxla::RunAndFlushOutput([&] { return Main(argc, argv); });
  return exit_code.ok() ? *exit_code : rocxla::FailFindRocmConfig(exit_code.status());
}
