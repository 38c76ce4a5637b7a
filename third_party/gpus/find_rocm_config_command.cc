#include "third_party/gpus/find_rocm_config_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "base/error_ids.h"
#include "third_party/gpus/find_rocm_config.h"

namespace rocxla {
namespace {

struct Options {
  std::string root;
  std::optional<std::string> minimum;
  bool json = false;
};

int Run(const Options& options) {
  std::optional<int64_t> minimum;
  if (options.minimum) {
    StatusOr<int64_t> parsed = ParseRocmRelease(*options.minimum);
    if (!parsed.ok()) return FailFindRocmConfig(parsed.status());
    minimum = *parsed;
  }
  StatusOr<RocmReport> report = ScanRocm(options.root.empty() ? RocmRootFromEnvironment() : options.root);
  if (!report.ok()) return FailFindRocmConfig(report.status());
  Status checked = CheckRocm(*report, minimum);
  if (options.json) fmt::print("{}\n", JsonText(RocmReportJson(*report)));
  if (!checked.ok()) return FailFindRocmConfig(checked);
  if (!options.json) fmt::print("{}", KeyValueLines(*report));
  return 0;
}

}  // namespace

int FailFindRocmConfig(const Status& status) {
  std::fputs(fmt::format("error: {}\n", status.ToString()).c_str(), stderr);
  return status.id() == ErrorId::kBadUsage ? 2 : 1;
}

std::function<int()> SetUpFindRocmConfigCommand(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("--rocm-path", options->root, "the ROCm folder (default: ROCM_PATH, else /opt/rocm)");
  app.add_option("--minimum-version", options->minimum,
                 "fail when ROCm is older, such as 7.1 (what upstream asks for)");
  app.add_flag("--json", options->json, "print everything that is known, as JSON, also when something is missing");
  return [options] { return Run(*options); };
}

}  // namespace rocxla
