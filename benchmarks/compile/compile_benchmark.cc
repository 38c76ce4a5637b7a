// bin/compile_benchmark FOLDER...: every recorded JAX program below the folders, compiled in this process, beside what
// XLA:GPU of jaxlib 0.11.2 made of the same module on an NVIDIA H200 (xla_gpu_h200.tsv), as a Markdown table with a
// summary. Kernels are those of the entry computation (fusions and custom calls; copies of buffers stand beside them).
// Compile times are wall clock, the best of three, from the parsed module to the executable, without any cache.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/target/target.h"
#include "xla/hlo/parser/hlo_parser.h"
#include "xla/service/gpu/amdgpu_compiler.h"

namespace xla::gpu {
namespace {

namespace fs = std::filesystem;
using rocxla::Status;
using rocxla::StatusOr;

struct Figures {
  double milliseconds = 1e9;
  int64_t kernels = 0, copies = 0, temp_bytes = 0;
};

// Columns: name, compile_s, entry_kernels, temp_bytes.
StatusOr<std::map<std::string, Figures>> ReadAnchors(const std::string& path) {
  ASSIGN_OR_RETURN(const std::string text, rocxla::ReadFile(path));
  std::map<std::string, Figures> anchors;
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);  // the titles
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::string name;
    Figures one;
    double seconds = 0;
    if (!(words >> name >> seconds >> one.kernels >> one.temp_bytes)) {
      return rocxla::InvalidArgumentError(fmt::format("{}: not a line of figures: '{}'", path, line));
    }
    one.milliseconds = seconds * 1e3;
    anchors[name] = one;
  }
  return anchors;
}

StatusOr<Figures> Measure(const std::string& text, const std::string& name, const GpuTarget& target) {
  constexpr int kRepeats = 3;
  Figures best;
  for (int i = 0; i < kRepeats; ++i) {
    ASSIGN_OR_RETURN(std::unique_ptr<HloModule> module, ParseAndReturnVerifiedModule(text, name));
    const auto begin = std::chrono::steady_clock::now();
    ASSIGN_OR_RETURN(const auto executable, AMDGPUCompiler::Compile(std::move(module), {.target = target}));
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    best.milliseconds = std::min(best.milliseconds, took.count());
    best.kernels = best.copies = 0;
    for (const HloInstruction* instruction : executable->module().entry_computation()->instructions()) {
      best.kernels += instruction->opcode() == HloOpcode::kFusion || instruction->opcode() == HloOpcode::kCustomCall;
      best.copies += instruction->opcode() == HloOpcode::kCopy;
    }
    best.temp_bytes = executable->buffer_assignment().temp_bytes();
  }
  return best;
}

struct Summary {
  int programs = 0, kernels_fit = 0, temp_fits = 0;
  std::vector<double> milliseconds;
  std::vector<std::string> failed;
};

void PrintRow(const std::string& name, const Figures& ours, const Figures& xlas, Summary& summary) {
  ++summary.programs;
  summary.kernels_fit += ours.kernels <= xlas.kernels;
  summary.temp_fits += ours.temp_bytes <= xlas.temp_bytes;
  summary.milliseconds.push_back(ours.milliseconds);
  std::string misses;
  if (ours.kernels > xlas.kernels) misses = "kernels";
  if (ours.temp_bytes > xlas.temp_bytes) misses += misses.empty() ? "temp bytes" : ", temp bytes";
  fmt::print("| {} | {} / {} | {} | {} / {} | {:.0f} / {:.0f} | {} |\n", name, ours.kernels, xlas.kernels, ours.copies,
             ours.temp_bytes, xlas.temp_bytes, ours.milliseconds, xlas.milliseconds, misses);
  std::fflush(stdout);
}

void Print(Summary summary) {
  if (summary.programs == 0) return;
  std::ranges::sort(summary.milliseconds);
  fmt::print(
      "\n{} programs. Kernels no more than XLA's: {}. Temp bytes no more than XLA's: {}. Compile time: median {:.0f} "
      "ms, longest "
      "{:.0f} ms.\n",
      summary.programs, summary.kernels_fit, summary.temp_fits, summary.milliseconds[summary.milliseconds.size() / 2],
      summary.milliseconds.back());
  for (const std::string& failure : summary.failed) fmt::print("\nNot compiled: {}\n", failure);
}

std::vector<fs::path> Folders(const std::vector<std::string>& roots) {
  std::vector<fs::path> folders;
  for (const std::string& root : roots) {
    std::error_code error;
    if (fs::exists(fs::path(root) / "module.hlo", error)) folders.emplace_back(root);
    for (const auto& entry : fs::recursive_directory_iterator(root, error)) {
      if (entry.is_directory() && fs::exists(entry.path() / "module.hlo", error)) folders.push_back(entry.path());
    }
  }
  std::ranges::sort(folders);
  return folders;
}

int Run(const std::vector<std::string>& roots, const std::string& target_name, const std::string& anchors_path) {
  const auto target = rocxla::FindTarget(target_name);
  const auto anchors = ReadAnchors(anchors_path);
  for (const Status& status : {target.status(), anchors.status()}) {
    if (status.ok()) continue;
    std::fputs((status.ToString() + "\n").c_str(), stderr);
    return 2;
  }
  fmt::print(
      "| program | kernels: ours / XLA's | copies | temp bytes: ours / XLA's | compile ms: ours / XLA's | misses |\n"
      "| --- | --- | --- | --- | --- | --- |\n");
  Summary summary;
  for (const fs::path& folder : Folders(roots)) {
    const std::string name = folder.filename().string();
    const auto anchor = anchors->find(name);
    if (anchor == anchors->end()) continue;  // nothing to hold it against
    const auto text = rocxla::ReadFile(folder / "module.hlo");
    const auto figures = text.ok() ? Measure(*text, name, *target) : StatusOr<Figures>(text.status());
    if (figures.ok()) {
      PrintRow(name, *figures, anchor->second, summary);
    } else {
      summary.failed.push_back(name + ": " + figures.status().ToString());
    }
  }
  const bool all_compiled = summary.failed.empty() && summary.programs > 0;
  Print(std::move(summary));
  return all_compiled ? 0 : 1;
}

}  // namespace
}  // namespace xla::gpu

int main(int argc, char** argv) {
  std::vector<std::string> roots;
  std::string target = "gfx942";
  std::string anchors;
  CLI::App app("Compiles recorded JAX programs and compares with what XLA:GPU made of them.");
  app.add_option("folder", roots, "folders with recorded cases")->required()->check(CLI::ExistingDirectory);
  app.add_option("--target", target, "GPU to compile for")->capture_default_str();
  app.add_option("--anchors", anchors, "XLA's figures")->required()->check(CLI::ExistingFile);
  CLI11_PARSE(app, argc, argv);
  return xla::gpu::Run(roots, target, anchors);
}
