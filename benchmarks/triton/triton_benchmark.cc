// bin/triton_benchmark FOLDER...: every recorded Triton kernel below the folders, compiled by this compiler and beside
// it what Triton itself made of it (triton-gfxNNN/kernel.hsaco), as one Markdown table per target and a summary.
// Compile times are of this process, warm: the median of three.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/target/target.h"
#include "benchmarks/triton/kernel_figures.h"
#include "triton/compile.h"
#include "xla/tools/launch_spec.h"

namespace rocxla::bench {
namespace {

namespace fs = std::filesystem;

struct Row {
  std::string kernel;
  KernelFigures ours, tritons;
  double compile_ms = 0;
};

// A figure that is compared, and by what factor ours may exceed Triton's.
struct Column {
  const char* title;
  int64_t (*value)(const KernelFigures&);
};
constexpr Column kColumns[] = {
    {"VGPRs", [](const KernelFigures& f) -> int64_t { return f.vgprs; }},
    {"static instructions", [](const KernelFigures& f) { return f.static_instructions; }},
    {"executed instructions", [](const KernelFigures& f) { return f.executed_instructions; }},
};
constexpr double kMark = 1.1;

double Ratio(int64_t ours, int64_t tritons) { return static_cast<double>(ours) / static_cast<double>(tritons); }
double Ratio(const Column& column, const Row& row) { return Ratio(column.value(row.ours), column.value(row.tritons)); }

StatusOr<triton::CompiledKernel> CompileTimed(const std::string& text, const std::string& path,
                                              const xla::tools::LaunchSpec& spec, const GpuTarget& target,
                                              double& median_ms) {
  triton::CompileOptions options;
  options.target = target;
  options.num_warps = spec.num_warps;
  options.num_ctas = spec.num_ctas;
  options.num_stages = spec.num_stages;
  std::vector<double> times;
  ASSIGN_OR_RETURN(triton::CompiledKernel kernel, triton::Compile(text, path, options));
  for (int i = 0; i < 3; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    ASSIGN_OR_RETURN(kernel, triton::Compile(text, path, options));
    times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
  }
  std::sort(times.begin(), times.end());
  median_ms = times[times.size() / 2];
  return kernel;
}

StatusOr<Row> MeasureCase(const fs::path& folder, const GpuTarget& target) {
  ASSIGN_OR_RETURN(const xla::tools::LaunchSpec spec, xla::tools::ReadLaunchSpec(folder / "launch.json"));
  const fs::path ttir = folder / "kernel.ttir";
  ASSIGN_OR_RETURN(const std::string text, ReadFile(ttir));
  Row row{.kernel = folder.filename().string()};
  ASSIGN_OR_RETURN(triton::CompiledKernel kernel, CompileTimed(text, ttir.string(), spec, target, row.compile_ms));
  ASSIGN_OR_RETURN(row.ours,
                   MeasureKernel(spec, kernel.code_object, static_cast<uint32_t>(kernel.info.shared_bytes), target));
  const fs::path recorded = folder / fmt::format("triton-{}", target.name) / "kernel.hsaco";
  ASSIGN_OR_RETURN(const std::string bytes, ReadFile(recorded));
  ASSIGN_OR_RETURN(const uint32_t shared, xla::tools::SharedBytesOf(recorded));
  const std::span<const uint8_t> code_object(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  ASSIGN_OR_RETURN(row.tritons, MeasureKernel(spec, code_object, shared, target));
  return row;
}

// What a row misses of the marks, in words; empty for none.
std::string Missed(const Row& row) {
  std::string missed;
  const auto add = [&](const std::string& text) { missed += (missed.empty() ? "" : ", ") + text; };
  for (const Column& column : kColumns)
    if (Ratio(column, row) > kMark) add(column.title);
  if (row.ours.spills > row.tritons.spills) add("spills");
  if (row.ours.occupancy < row.tritons.occupancy) add("occupancy");
  if (row.ours.matrix_instructions != 0 && row.ours.lds_conflicts > row.tritons.lds_conflicts) add("bank conflicts");
  return missed;
}

std::string Pair(int64_t ours, int64_t tritons) {
  return ours == tritons ? fmt::format("{}", ours) : fmt::format("{} / {}", ours, tritons);
}

void PrintTable(const GpuTarget& target, const std::vector<Row>& rows) {
  fmt::print(
      "\n### {}\n\n| kernel | VGPRs | spills | LDS bytes | waves per multiprocessor | static instructions | executed "
      "instructions | "
      "ratio | bank conflicts | compile ms | misses |\n|---|---|---|---|---|---|---|---|---|---|---|\n",
      target.name);
  for (const Row& row : rows) {
    const KernelFigures &a = row.ours, &b = row.tritons;
    fmt::print("| {} | {} | {} | {} | {} | {} | {} | {:.2f} | {} | {:.0f} | {} |\n", row.kernel, Pair(a.vgprs, b.vgprs),
               Pair(a.spills, b.spills), Pair(a.lds_bytes, b.lds_bytes), Pair(a.occupancy, b.occupancy),
               Pair(a.static_instructions, b.static_instructions),
               Pair(a.executed_instructions, b.executed_instructions),
               Ratio(a.executed_instructions, b.executed_instructions), Pair(a.lds_conflicts, b.lds_conflicts),
               row.compile_ms, Missed(row));
  }
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void PrintSummary(const GpuTarget& target, const std::vector<Row>& rows) {
  fmt::print("\n{}: {} kernels.", target.name, rows.size());
  for (const Column& column : kColumns) {
    std::vector<double> ratios;
    for (const Row& row : rows) ratios.push_back(Ratio(column, row));
    const auto above = std::count_if(ratios.begin(), ratios.end(), [](double ratio) { return ratio > kMark; });
    fmt::print(" {}: median {:.2f}, {} above {}.", column.title, Median(ratios), above, kMark);
  }
  std::vector<double> times;
  for (const Row& row : rows) times.push_back(row.compile_ms);
  const auto clean = std::count_if(rows.begin(), rows.end(), [](const Row& row) { return Missed(row).empty(); });
  fmt::print(" Nothing missed: {}. Compile time: median {:.0f} ms, longest {:.0f} ms.\n", clean, Median(times),
             *std::max_element(times.begin(), times.end()));
}

std::vector<fs::path> FoldersBelow(const std::vector<std::string>& roots) {
  std::vector<fs::path> folders;
  for (const std::string& root : roots)
    for (const auto& entry : fs::recursive_directory_iterator(root))
      if (entry.path().filename() == "launch.json") folders.push_back(entry.path().parent_path());
  std::sort(folders.begin(), folders.end());
  return folders;
}

int Run(const std::vector<std::string>& roots) {
  int failed = 0;
  for (const GpuTarget& target : AllTargets()) {
    std::vector<Row> rows;
    for (const fs::path& folder : FoldersBelow(roots)) {
      if (!fs::exists(folder / fmt::format("triton-{}", target.name))) continue;
      StatusOr<Row> row = MeasureCase(folder, target);
      if (row.ok()) {
        rows.push_back(std::move(*row));
        continue;
      }
      fmt::print(stderr, "{} on {}: {}\n", folder.string(), target.name, row.status().ToString());
      ++failed;
    }
    if (rows.empty()) continue;
    PrintTable(target, rows);
    PrintSummary(target, rows);
    std::fflush(stdout);
  }
  return failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace rocxla::bench

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: triton_benchmark FOLDER...\n");
    return 2;
  }
  return rocxla::bench::Run({argv + 1, argv + argc});
}
