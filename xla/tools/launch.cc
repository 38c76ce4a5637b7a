// rocxla launch: runs a kernel of any code object on a device.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>

#include "base/error_ids.h"
#include "base/file.h"
#include "emulator/hip/embedded_hip.h"
#include "emulator/observe/check_list.h"
#include "xla/stream_executor/rocm/device_selection.h"
#include "xla/tools/launch_spec.h"
#include "xla/tools/subcommand.h"
#include "xla/tools/validators.h"

namespace xla::tools {
namespace {

using rocxla::ErrorId;
using rocxla::Status;
using rocxla::StatusOr;

struct Arguments {
  std::string code_object, launch, device = "auto", outputs, trace_wave, checks;
  bool check = false, trace = false, stats = false;
  std::optional<uint64_t> seed;
};

Status Report(const LaunchSpec& spec, const std::vector<rocxla::Tensor>& results) {
  if (spec.outputs.empty())
    return Error(ErrorId::kBadJson, {.what = "--check has nothing to compare",
                                     .found = "no \"outputs\" in launch.json",
                                     .expected = "a list of {\"arg\", \"tensor\", \"rtol\", \"atol\"}"});
  ASSIGN_OR_RETURN(std::vector<Comparison> comparisons, CompareOutputs(spec, results));
  for (size_t i = 0; i < comparisons.size(); ++i) {
    const Comparison& comparison = comparisons[i];
    const std::string& name = spec.arguments[spec.outputs[i].argument].name;
    if (!comparison.equal())
      return Error(ErrorId::kResultMismatch,
                   {.what = fmt::format("buffer '{}' differs in {} of {} elements", name, comparison.mismatches,
                                        comparison.elements),
                    .found = comparison.first_mismatch,
                    .expected = fmt::format("|got - want| <= {} + {} * |want|", spec.outputs[i].tolerance.atol,
                                            spec.outputs[i].tolerance.rtol)});
    fmt::print("buffer '{}' agrees with the recorded one: {} elements, largest error {:.3g}\n", name,
               comparison.elements, comparison.largest_error);
  }
  return rocxla::OkStatus();
}

Status BadOption(std::string_view option, const Status& status) {
  return Error(ErrorId::kBadUsage, {.what = fmt::format("{}: {}", option, status.message())});
}

// Set by the first line of the trace, on whatever thread executes the launch.
std::atomic<bool> traced = false;

// What the embedded device is to tell about the launch.
Status SetUpWatch(const Arguments& arguments) {
  rocxla::emu::LaunchWatch watch;
  watch.count = arguments.stats;
  watch.seed = arguments.seed;
  if (arguments.trace || !arguments.trace_wave.empty()) {
    // No exceptions here, as fmt::print has: main looks at the standard output's state at the end.
    watch.trace = [](std::string_view line) {
      std::fwrite(line.data(), 1, line.size(), stdout);
      std::fputc('\n', stdout);
      traced = true;
    };
  }
  if (!arguments.trace_wave.empty()) {
    auto filter = rocxla::emu::ParseTraceFilter(arguments.trace_wave);
    if (!filter.ok()) return BadOption("--trace-wave", filter.status());
    watch.filter = *filter;
  }
  rocxla::emu::SetLaunchWatch(std::move(watch));
  if (!arguments.checks.empty()) {
    const auto checks = rocxla::emu::ParseChecks(arguments.checks);
    if (!checks.ok()) return BadOption("--checks", checks.status());
    rocxla::emu::SetActiveChecks(*checks);
  }
  return rocxla::OkStatus();
}

// A real GPU can be watched by none of these.
Status CheckWatchable(const Arguments& arguments, const stream_executor::gpu::SelectedDevice& device) {
  const std::pair<const char*, bool> options[] = {{"--trace", arguments.trace},
                                                  {"--trace-wave", !arguments.trace_wave.empty()},
                                                  {"--stats", arguments.stats},
                                                  {"--checks", !arguments.checks.empty()}};
  for (auto [option, given] : options) {
    if (!given || device.is_embedded) continue;
    return Error(ErrorId::kBadUsage, {.what = fmt::format("{} works on the embedded device only", option),
                                      .found = device.description,
                                      .next = "add --device embedded:TARGET"});
  }
  return rocxla::OkStatus();
}

std::string DescribeLaunch(const LaunchSpec& spec, stream_executor::StreamExecutor& device) {
  const auto [x, y, z] = spec.grid;
  const stream_executor::LaunchDimensions dimensions{{{x, y, z}}, BlockOf(spec, device)};
  return fmt::format("kernel '{}', {}", spec.kernel, dimensions.ToString());
}

// After a launch that went well.
Status CheckTraced(const Arguments& arguments, const std::string& launch) {
  if (arguments.trace_wave.empty() || traced) return rocxla::OkStatus();
  return Error(ErrorId::kBadUsage, {.what = "--trace-wave names no wave of the launch",
                                    .where = launch,
                                    .found = arguments.trace_wave,
                                    .expected = "X,Y,Z or X,Y,Z:WAVE, counted from 0"});
}

Status Run(const Arguments& arguments) {
  ASSIGN_OR_RETURN(LaunchSpec spec, ReadLaunchSpec(arguments.launch));
  ASSIGN_OR_RETURN(std::string bytes, rocxla::ReadFile(arguments.code_object));
  ASSIGN_OR_RETURN(uint32_t shared_bytes, SharedBytesOf(arguments.code_object));
  RETURN_IF_ERROR(SetUpWatch(arguments));
  ASSIGN_OR_RETURN(stream_executor::gpu::SelectedDevice device, stream_executor::gpu::SelectDevice(arguments.device));
  RETURN_IF_ERROR(CheckWatchable(arguments, device));
  const std::string launch = DescribeLaunch(spec, *device.executor);
  fmt::print("device: {}\nlaunch: {}\n", device.description, launch);
  std::fflush(stdout);  // a long run should say so
  std::span<const uint8_t> code_object(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  ASSIGN_OR_RETURN(std::vector<rocxla::Tensor> results, RunLaunch(spec, code_object, shared_bytes, *device.executor));
  RETURN_IF_ERROR(CheckTraced(arguments, launch));
  if (arguments.stats) {
    rocxla::emu::LaunchTotals totals = rocxla::emu::TakeLaunchTotals();
    fmt::print("executed: {} waves, {} wave instructions\n{}", totals.waves, totals.instructions,
               totals.counters.ToString());
  }
  if (!arguments.outputs.empty()) {
    rocxla::TensorMap tensors;
    for (size_t i = 0; i < results.size(); ++i) tensors[spec.outputs[i].tensor] = results[i];
    RETURN_IF_ERROR(rocxla::WriteSafetensors(arguments.outputs, tensors));
  }
  return arguments.check ? Report(spec, results) : rocxla::OkStatus();
}

}  // namespace

Action SetUpLaunch(CLI::App& app) {
  auto arguments = std::make_shared<Arguments>();
  app.add_option(
         "code_object", arguments->code_object,
         "code object (HSACO) or bundle; metadata.json beside it, as Triton writes it, gives its dynamic LDS bytes")
      ->required();
  app.add_option(
         "--launch", arguments->launch,
         "what to launch: launch.json (docs/emulator.md has the format); its tensors are in io.safetensors beside it")
      ->required();
  app.add_option("--device", arguments->device, "auto, embedded:gfx942, embedded:0 or hip:0")->capture_default_str();
  app.add_option("--outputs", arguments->outputs, "safetensors file that receives the output buffers")->check(NotEmpty);
  app.add_flag("--check", arguments->check, "compare the output buffers with the recorded ones");
  app.add_flag("--trace", arguments->trace,
               "print every executed instruction and the registers that it changed (embedded device)");
  app.add_option("--trace-wave", arguments->trace_wave,
                 "the same for one workgroup, X,Y,Z, or one wave of it, X,Y,Z:WAVE (embedded device)")
      ->check(NotEmpty);
  app.add_flag("--stats", arguments->stats,
               "print what was executed: instructions by class, lanes, bytes, bank conflicts (embedded device)");
  app.add_option("--seed", arguments->seed,
                 "shuffle the order in which workgroups and waves run (embedded device; docs/emulator.md)");
  app.add_option("--checks", arguments->checks,
                 "also look for: uninitialized, races, barriers, or all (embedded device; slow; docs/emulator.md)")
      ->check(NotEmpty);
  return [arguments](const rocxla::DebugOptions&) {
    Status status = Run(*arguments);
    return status.ok() ? kSuccess : Fail(status);
  };
}

}  // namespace xla::tools
