// random_kernels --seed N --count N [--target T ...]: random kernels against the interpreter, as in
// random_kernels_test.cc but as many as asked for. Ends with 1 if one differs; prints such a kernel without what the
// difference does not need.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <map>

#include "base/target/target.h"
#include "tests/e2e/random_kernel_runner.h"

namespace rocxla::triton {
namespace {

struct Arguments {
  uint64_t seed = 0, count = 100;
  std::vector<std::string> targets;
  bool print = false, reduce = true;
  RandomKernelOptions options;
};

struct Totals {
  int agree = 0, unsupported = 0, differ = 0;
};

void Report(const InterpretedKernel& kernel, const std::string& target, uint64_t seed, const Outcome& outcome,
            bool reduce) {
  const RandomKernel& program = kernel.kernel;
  fmt::print("seed {} on {}, {} warps, grid {}x{}: {}\n", seed, target, program.num_warps, program.grid[0],
             program.grid[1], outcome.text);
  if (!reduce) return;
  const InterpretedKernel small = Reduced(kernel, target, seed);
  fmt::print("{}{}\n", small.kernel.ttir, CompareOnDevice(small, target, seed).text);
  std::fflush(stdout);
}

// What has been run so far.
struct Sums {
  std::map<std::string, Totals> totals;
  int kernels = 0, not_interpreted = 0;
  double defined = 0;

  void Print() const {
    for (const auto& [target, total] : totals)
      fmt::print("{}: {} agree, {} unsupported, {} differ\n", target, total.agree, total.unsupported, total.differ);
    fmt::print("{} kernels not interpreted; {:.1f} % of the output of the other {} is defined\n", not_interpreted,
               100 * defined / std::max(1, kernels), kernels);
    std::fflush(stdout);
  }
  bool AllAgree() const {
    return not_interpreted == 0 && std::ranges::all_of(totals, [](const auto& one) { return one.second.differ == 0; });
  }
};

int Run(const Arguments& arguments) {
  constexpr uint64_t kBetweenReports = 50;
  Sums sums;
  for (uint64_t seed = arguments.seed; seed < arguments.seed + arguments.count; ++seed) {
    auto kernel = MakeInterpretedKernel(seed, arguments.options);
    if (!kernel.ok()) {
      fmt::print("seed {} is not interpreted: {}\n", seed, kernel.status().ToString());
      ++sums.not_interpreted;
      continue;
    }
    if (arguments.print) fmt::print("{}\n", kernel->kernel.ttir);
    ++sums.kernels;
    sums.defined += DefinedShare(*kernel);
    for (const std::string& target : arguments.targets) {
      const auto start = std::chrono::steady_clock::now();
      const Outcome outcome = CompareOnDevice(*kernel, target, seed);
      const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      if (seconds > 10) fmt::print("seed {} on {} took {:.0f} s\n", seed, target, seconds);
      Totals& total = sums.totals[target];
      total.agree += outcome.verdict == Verdict::kAgrees;
      total.unsupported += outcome.verdict == Verdict::kUnsupported;
      total.differ += outcome.verdict == Verdict::kDiffers;
      if (outcome.verdict == Verdict::kUnsupported)
        fmt::print("seed {} on {} is not supported: {}\n", seed, target, outcome.text);
      if (outcome.verdict == Verdict::kDiffers) Report(*kernel, target, seed, outcome, arguments.reduce);
    }
    if ((seed - arguments.seed + 1) % kBetweenReports == 0) sums.Print();
  }
  sums.Print();
  return sums.AllAgree() ? 0 : 1;
}

}  // namespace
}  // namespace rocxla::triton

int main(int argc, char** argv) {
  using rocxla::GpuTarget;
  rocxla::triton::Arguments arguments;
  for (const GpuTarget& target : rocxla::AllTargets())
    if (target.support == rocxla::TargetSupport::kFirstClass) arguments.targets.emplace_back(target.name);
  CLI::App app("Random kernels in Triton IR, compiled and run on the embedded GPU, against the interpreter.");
  app.add_option("--seed", arguments.seed, "of the first kernel")->capture_default_str();
  app.add_option("--count", arguments.count, "kernels, of as many seeds")->capture_default_str();
  app.add_option("--target", arguments.targets, "GPUs to compile for and to run on")->capture_default_str();
  app.add_option("--steps", arguments.options.most_steps, "pieces of a kernel, at most")->capture_default_str();
  app.add_option("--elements", arguments.options.most_elements, "of a tensor, at most")->capture_default_str();
  app.add_flag("--print", arguments.print, "print every kernel");
  app.add_flag("--reduce,!--no-reduce", arguments.reduce, "print kernels that differ, reduced");
  CLI11_PARSE(app, argc, argv);
  return rocxla::triton::Run(arguments);
}
