// rocxla isa-coverage: what of a GPU's instruction set the embedded device executes, and what it lacks.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "base/json.h"
#include "base/target/target.h"
#include "emulator/isa/coverage.h"
#include "xla/tools/subcommand.h"

namespace xla::tools {
namespace {

using rocxla::GpuTarget;
using rocxla::Json;
using rocxla::emu::InstructionSupport;
using rocxla::emu::Support;
using Coverage = std::vector<InstructionSupport>;

std::string_view NameOf(Support support) {
  switch (support) {
    case Support::kCovered:
      return "covered";
    case Support::kRefused:
      return "refused";
    case Support::kMissing:
      return "missing";
  }
  return "";
}

void PrintText(std::string_view target, const Coverage& coverage, bool all) {
  int counts[3] = {}, forms = 0, covered_forms = 0, refused_forms = 0;
  for (const InstructionSupport& one : coverage) {
    counts[static_cast<int>(one.support)]++;
    if (one.support == Support::kRefused) continue;
    forms += one.forms;
    covered_forms += one.covered_forms;
    refused_forms += one.refused_forms;
  }
  fmt::print(
      "{}: {} instructions: {} covered, {} refused, {} missing; {} of {} encodings of those not refused, {} more are "
      "refused\n",
      target, coverage.size(), counts[0], counts[1], counts[2], covered_forms, forms, refused_forms);
  for (const InstructionSupport& one : coverage) {
    bool partial = one.support == Support::kCovered && one.covered_forms < one.forms;
    if (!all && one.support != Support::kMissing) continue;
    fmt::print("  {:<8} {:<36} {}\n", partial ? "partly" : NameOf(one.support), one.name, one.reason);
  }
}

Json AsJson(std::string_view target, const Coverage& coverage) {
  Json instructions = Json::array();
  for (const InstructionSupport& one : coverage) {
    Json entry = {{"name", one.name},
                  {"support", NameOf(one.support)},
                  {"encodings", one.forms},
                  {"covered_encodings", one.covered_forms},
                  {"refused_encodings", one.refused_forms}};
    if (!one.reason.empty()) entry["reason"] = one.reason;
    instructions.push_back(std::move(entry));
  }
  return {{"target", target}, {"instructions", std::move(instructions)}};
}

}  // namespace

Action SetUpIsaCoverage(CLI::App& app) {
  struct Options {
    std::vector<std::string> targets;
    bool all = false, json = false;
  };
  auto options = std::make_shared<Options>();
  app.add_option("target", options->targets,
                 "GPUs, such as gfx942; without one, every GPU that the embedded device has");
  app.add_flag("--all", options->all, "list covered and refused instructions too");
  app.add_flag("--json", options->json, "print JSON");
  return [options](const rocxla::DebugOptions&) {
    std::vector<std::string> names = options->targets;
    for (const GpuTarget& target : rocxla::AllTargets()) {
      bool executed = target.support == rocxla::TargetSupport::kFirstClass;
      if (options->targets.empty() && executed) names.emplace_back(target.name);
    }
    Json list = Json::array();
    for (const std::string& name : names) {
      auto target = rocxla::FindTarget(name);
      if (!target.ok()) return Fail(target.status());
      auto coverage = rocxla::emu::IsaCoverage(*target);
      if (!coverage.ok()) return Fail(coverage.status());
      if (options->json)
        list.push_back(AsJson(name, *coverage));
      else
        PrintText(name, *coverage, options->all);
    }
    if (options->json) fmt::print("{}\n", rocxla::JsonText(list));
    return kSuccess;
  };
}

}  // namespace xla::tools
