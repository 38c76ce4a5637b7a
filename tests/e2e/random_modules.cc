// random_modules --seed N --count N [--target T ...]: random HLO modules against the evaluator, as in
// random_modules_test.cc but as many as asked for. Ends with 1 if one differs; prints the smallest part of such a
// module that is wrong.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>

#include "base/target/target.h"
#include "tests/e2e/random_module_runner.h"

namespace xla::testing {
namespace {

struct Arguments {
  uint64_t seed = 0, count = 100;
  std::vector<std::string> targets;
  bool print = false;
  RandomModuleOptions options;
};

struct Totals {
  int agree = 0, differ = 0;
};

void Print(const std::map<std::string, Totals>& totals) {
  for (const auto& [target, total] : totals) fmt::print("{}: {} agree, {} differ\n", target, total.agree, total.differ);
  std::fflush(stdout);
}

int Run(const Arguments& arguments) {
  constexpr uint64_t kBetweenReports = 100;
  std::map<std::string, Totals> totals;
  bool all_agree = true;
  for (uint64_t seed = arguments.seed; seed < arguments.seed + arguments.count; ++seed) {
    const RandomModule module = MakeRandomModule(seed, arguments.options);
    if (arguments.print) fmt::print("{}\n", module.text());
    const auto evaluated = EvaluateModule(module, seed);
    if (!evaluated.ok()) {
      fmt::print("seed {} is not evaluated: {}\n{}\n", seed, evaluated.status().ToString(), module.text());
      all_agree = false;
      continue;
    }
    for (const std::string& target : arguments.targets) {
      const std::string difference = CompareOnDevice(*evaluated, target);
      ++(difference.empty() ? totals[target].agree : totals[target].differ);
      if (difference.empty()) continue;
      all_agree = false;
      fmt::print("seed {} on {}: {}\n{}\n", seed, target, difference, Reduced(module, target, seed));
      std::fflush(stdout);
    }
    if ((seed - arguments.seed + 1) % kBetweenReports == 0) Print(totals);
  }
  Print(totals);
  return all_agree ? 0 : 1;
}

}  // namespace
}  // namespace xla::testing

int main(int argc, char** argv) {
  xla::testing::Arguments arguments;
  for (const rocxla::GpuTarget& target : rocxla::AllTargets())
    if (target.support == rocxla::TargetSupport::kFirstClass) arguments.targets.emplace_back(target.name);
  CLI::App app("Random HLO modules, compiled and run on the embedded GPU, against the evaluator.");
  app.add_option("--seed", arguments.seed, "of the first module")->capture_default_str();
  app.add_option("--count", arguments.count, "modules, of as many seeds")->capture_default_str();
  app.add_option("--target", arguments.targets, "GPUs to compile for and to run on")->capture_default_str();
  app.add_option("--steps", arguments.options.most_steps, "pieces of a module, at most")
      ->check(CLI::Range(3, 1000))
      ->capture_default_str();
  app.add_option("--elements", arguments.options.most_elements, "of an array, at most")
      ->check(CLI::Range(1, 1 << 20))
      ->capture_default_str();
  app.add_flag("--print", arguments.print, "print every module");
  CLI11_PARSE(app, argc, argv);
  return xla::testing::Run(arguments);
}
