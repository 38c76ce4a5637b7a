// rocxla check: runs every recorded case below some folders and compares the results.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "base/json.h"
#include "xla/tools/case_runner.h"
#include "xla/tools/subcommand.h"
#include "xla/tools/terminal.h"

namespace xla::tools {
namespace {

using rocxla::StatusOr;

struct Arguments {
  std::vector<std::string> folders;
  FindOptions find;
  int jobs = 0;
  bool json = false;
};

// Takes finished cases in any order and prints them in the order of the list.
class Report {
 public:
  Report(const std::vector<Case>& cases, bool json) : cases_(cases), json_(json), results_(cases.size()) {}

  void Finish(size_t index, CaseResult result) {
    std::lock_guard lock(mutex_);
    results_[index] = std::move(result);
    while (printed_ < cases_.size() && results_[printed_]) Print(printed_++);
    progress_.Show(fmt::format("{} of {}", printed_, cases_.size()));
  }

  // The closing line, and the exit code.
  int Close() {
    progress_.Clear();
    if (json_)
      fmt::print("{}\n", rocxla::JsonText(list_));
    else
      fmt::print("{} passed, {} failed\n", cases_.size() - failed_, failed_);
    return failed_ ? kFailure : kSuccess;
  }

 private:
  void Print(size_t index) {
    const Case& one = cases_[index];
    const CaseResult& result = *results_[index];
    bool passed = result.status.ok();
    failed_ += !passed;
    if (json_) {
      list_.push_back({{"case", one.folder.string()},
                       {"form", one.form},
                       {"device", one.device},
                       {"passed", passed},
                       {"largest_error", result.largest_error},
                       {"error", passed ? "" : result.status.ToString()}});
      return;
    }
    progress_.Clear();
    if (passed) {
      std::string compiled = result.compiled.empty() ? "" : ", " + result.compiled;
      fmt::print("PASS {} (largest error {:.3g}{})\n", one.Label(), result.largest_error, compiled);
    } else {
      fmt::print("FAIL {}: {}\n", one.Label(), result.status.ToString());
    }
    std::fflush(stdout);
  }

  const std::vector<Case>& cases_;
  bool json_;
  std::mutex mutex_;
  std::vector<std::optional<CaseResult>> results_;
  size_t printed_ = 0, failed_ = 0;
  rocxla::Json list_ = rocxla::Json::array();
  ProgressLine progress_;
};

int Run(const Arguments& arguments, const rocxla::DebugOptions& options) {
  std::vector<std::filesystem::path> folders(arguments.folders.begin(), arguments.folders.end());
  StatusOr<std::vector<Case>> cases = FindCases(folders, arguments.find);
  if (!cases.ok()) return Fail(cases.status());
  Report report(*cases, arguments.json);
  std::atomic<size_t> next = 0;
  auto work = [&] {
    for (size_t i; (i = next++) < cases->size();) report.Finish(i, RunCase((*cases)[i], options));
  };
  int jobs = arguments.jobs > 0 ? arguments.jobs : std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::thread> threads;
  for (int i = 1; i < jobs; ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  return report.Close();
}

}  // namespace

Action SetUpCheck(CLI::App& app) {
  auto arguments = std::make_shared<Arguments>();
  app.add_option("folders", arguments->folders, "case folders, or folders of them")->required();
  app.add_option(
      "--device", arguments->find.device,
      "auto, embedded:gfx942, embedded:0 or hip:0; default: auto for HLO cases, every embedded target for Triton's");
  app.add_flag("--objects", arguments->find.objects,
               "Triton cases: run the recorded objects instead of compiling kernel.ttir");
  app.add_flag("--evaluator", arguments->find.evaluator,
               "JAX cases: evaluate every form of the module on the host instead of compiling it")
      ->excludes("--objects");
  app.add_option("--jobs", arguments->jobs, "cases at a time (default: one per core)")->check(CLI::Range(1, 1024));
  app.add_flag("--json", arguments->json, "print JSON instead of lines");
  return [arguments](const rocxla::DebugOptions& options) { return Run(*arguments, options); };
}

}  // namespace xla::tools
