#include "build_tools/docs/compatibility_tables.h"

#include <fmt/format.h>

#include <map>
#include <sstream>

#include "base/error_ids.h"
#include "base/file.h"
#include "base/target/target.h"

namespace rocxla {
namespace {

struct ProgramSet {
  const char* file;
  const char* name;
};
constexpr ProgramSet kSets[] = {
    {"tests/e2e/jax.txt", "JAX programs (`module.hlo`)"},
    {"tests/e2e/triton.txt", "Triton kernels (`kernel.ttir`)"},
    {"tests/e2e/triton_objects.txt", "code objects that Triton compiled"},
};
constexpr std::string_view kBegin = "<!-- generated -->\n", kEnd = "<!-- end of generated -->\n";

// Of one set: target -> outcome ("pass", "E1003") -> number of programs.
using Outcomes = std::map<std::string, std::map<std::string, int>, std::less<>>;

StatusOr<Outcomes> ReadOutcomes(const std::filesystem::path& path) {
  ASSIGN_OR_RETURN(std::string text, ReadFile(path));
  Outcomes outcomes;
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    std::string name, target, outcome, rest;
    if (!(words >> name >> target >> outcome) || words >> rest) {
      return Error(ErrorId::kBadUsage, {.what = "a recorded outcome cannot be read",
                                        .where = fmt::format("{}:{}", path.string(), number),
                                        .found = line,
                                        .expected = "NAME TARGET OUTCOME"});
    }
    ++outcomes[target][outcome];
  }
  return outcomes;
}

std::string_view GenerationText(Generation generation) {
  constexpr std::string_view kNames[] = {"CDNA 1", "CDNA 2", "CDNA 3", "CDNA 4", "RDNA 2", "RDNA 3", "RDNA 4"};
  return kNames[static_cast<int>(generation)];
}

std::string_view MatrixText(MatrixUnit matrix) {
  constexpr std::string_view kNames[] = {"none", "MFMA", "WMMA (gfx11)", "WMMA (gfx12)"};
  return kNames[static_cast<int>(matrix)];
}

std::string TargetTable() {
  std::string table =
      "| target | generation | embedded device | wave | LDS bytes a workgroup | matrix instructions | support |\n"
      "|---|---|---|---|---|---|---|\n";
  for (const GpuTarget& target : AllTargets()) {
    const std::vector<GpuModel> models = ModelsOf(target);
    table += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", target.name, GenerationText(target.generation),
                         models.empty() ? "none" : models[0].name, target.wave_size, target.lds_bytes,
                         MatrixText(target.matrix),
                         target.support == TargetSupport::kFirstClass ? "compiles, runs, tested" : "compiles");
  }
  return table;
}

// "145 of 196", and what the others end with.
void AddCell(const std::map<std::string, int>& outcomes, std::string& counts, std::map<std::string, int>& errors) {
  int passed = 0, all = 0;
  for (const auto& [outcome, count] : outcomes) {
    all += count;
    if (outcome == "pass") {
      passed += count;
    } else {
      errors[outcome] = std::max(errors[outcome], count);
    }
  }
  counts += fmt::format(" {} of {} |", passed, all);
}

std::string ErrorsText(const std::map<std::string, int>& errors) {
  std::string text;
  for (const auto& [outcome, count] : errors) {
    const bool numbered = outcome.size() == 5 && outcome[0] == 'E';
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ",
                        numbered ? fmt::format("[{0}](errors/{0}.md)", outcome) : outcome, count);
  }
  return text.empty() ? "none" : text;
}

}  // namespace

StatusOr<std::string> CompatibilityTables(const std::filesystem::path& root) {
  std::string table = "| recorded programs |", rule = "|---|";
  std::vector<std::string_view> targets;
  for (const GpuTarget& target : AllTargets()) {
    if (target.support != TargetSupport::kFirstClass) continue;
    targets.push_back(target.name);
    table += fmt::format(" {} |", target.name);
    rule += "---|";
  }
  table += " the others end with (most on any target) |\n" + rule + "---|\n";
  for (const ProgramSet& set : kSets) {
    ASSIGN_OR_RETURN(Outcomes outcomes, ReadOutcomes(root / set.file));
    table += fmt::format("| {} |", set.name);
    std::map<std::string, int> errors;
    for (std::string_view target : targets) AddCell(outcomes[std::string(target)], table, errors);
    table += fmt::format(" {} |\n", ErrorsText(errors));
  }
  return TargetTable() + "\n" + table;
}

StatusOr<std::string> WithTables(std::string_view page, std::string_view tables) {
  const size_t begin = page.find(kBegin), end = page.find(kEnd);
  if (begin == page.npos || end == page.npos || end < begin) {
    return Error(ErrorId::kBadUsage, {.what = "the page has no place for its tables",
                                      .expected = fmt::format("the lines {} and {}", kBegin, kEnd)});
  }
  return fmt::format("{}{}{}", page.substr(0, begin + kBegin.size()), tables, page.substr(end));
}

}  // namespace rocxla
