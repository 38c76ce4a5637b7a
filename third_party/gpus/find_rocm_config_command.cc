#include "third_party/gpus/find_rocm_config_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>

#include "third_party/gpus/find_rocm_config.h"

namespace rocxla {
namespace {

struct Options {
  std::string root;
  std::string minimum;
  bool json = false;
};

int Fail(const Status& status) {
  fmt::print(stderr, "error: {}\n", status.ToString());
  return status.id() == ErrorId::kBadUsage ? 2 : 1;
}

int Run(const Options& options) {
  std::optional<int64_t> minimum;
  if (!options.minimum.empty()) {
    StatusOr<int64_t> parsed = ParseRocmRelease(options.minimum);
    if (!parsed.ok()) return Fail(parsed.status());
    minimum = *parsed;
  }
  StatusOr<RocmReport> report = ScanRocm(options.root.empty() ? RocmRootFromEnvironment() : options.root);
  if (!report.ok()) return Fail(report.status());
  Status checked = CheckRocm(*report, minimum);
  if (options.json) fmt::print("{}\n", JsonText(RocmReportJson(*report)));
  if (!checked.ok()) return Fail(checked);
  if (!options.json) fmt::print("{}", KeyValueLines(*report));
  return 0;
}

}  // namespace

std::function<int()> SetUpFindRocmConfigCommand(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("--rocm-path", options->root, "the ROCm folder (default: ROCM_PATH, else /opt/rocm)");
  app.add_option("--minimum-version", options->minimum,
                 "fail when ROCm is older, such as 7.1 (what upstream asks for)");
  app.add_flag("--json", options->json, "print everything that is known, as JSON, also when something is missing");
  return [options] { return Run(*options); };
}

}  // namespace rocxla
