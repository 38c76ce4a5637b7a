// rocxla_docs DIR: writes DIR/flags.md, DIR/environment.md and DIR/errors/*.md from
// base/{flags,environment,error_codes}.def, and the tables of DIR/compatibility.md from base/target/targets.def and
// tests/e2e/*.txt.
//
// rocxla_docs DIR --check: instead, fails when a file there differs from what it would write.
#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <string>

#include "base/environment.h"
#include "base/error_ids.h"
#include "base/file.h"
#include "base/flags.h"
#include "base/status.h"
#include "build_tools/docs/compatibility_tables.h"

namespace {

using rocxla::Status;
using Files = std::map<std::filesystem::path, std::string>;

std::string FlagsPage() {
  std::string page =
      "# Debug options\n\n"
      "Set in `XLA_FLAGS` or given to any `rocxla` subcommand. An unknown name is an error that shows the nearest "
      "spelling.\n"
      "This page is generated from `base/flags.def` by `./dev docs`.\n\n"
      "| option | type | default | in cache keys | what it does |\n|---|---|---|---|---|\n";
  for (const rocxla::FlagInfo& flag : rocxla::AllFlags()) {
    page += fmt::format("| `--{}` | {} | `{}` | {} | {} |\n", flag.name, flag.type,
                        flag.default_value.empty() ? "\"\"" : flag.default_value,
                        flag.effect == rocxla::FlagEffect::kCodegen ? "yes" : "no", flag.help);
  }
  return page;
}

std::string EnvironmentPage() {
  std::string page =
      "# Environment variables\n\n"
      "Every variable that rocXLA and its scripts read. An empty value means the same as an unset variable, except "
      "where the\ntable says otherwise. This page is generated from `base/environment.def` by `./dev docs`.\n\n"
      "| variable | type | unset means | read by | meaning |\n|---|---|---|---|---|\n";
  for (const rocxla::EnvironmentVariableInfo& variable : rocxla::AllEnvironmentVariables()) {
    page += fmt::format("| `{}` | {} | {} | {} | {} |\n", variable.name, variable.type, variable.unset, variable.reader,
                        variable.meaning);
  }
  return page;
}

void AddErrorPages(Files& files) {
  std::string index =
      "# Errors\n\n"
      "Every message has a number, a name, and answers to: where, found, expected, next (as far as they apply).\n"
      "These pages are generated from `base/error_codes.def` by `./dev docs`.\n\n"
      "| error | status code | meaning |\n|---|---|---|\n";
  auto add = [&](const rocxla::ErrorInfo& info) {
    std::string code(rocxla::StatusCodeName(info.code));
    int number = static_cast<int>(info.id);
    index += fmt::format("| [E{0} {1}](E{0}.md) | {2} | {3} |\n", number, info.name, code, info.summary);
    files[fmt::format("errors/E{}.md", number)] =
        fmt::format("# E{} {}\n\n{}\n\nStatus code: `{}`.\n", number, info.name, info.summary, code);
  };
#define ERROR_CODE(number, name, code, summary) add(rocxla::InfoOf(rocxla::ErrorId::k##name));
#include "base/error_codes.def"
#undef ERROR_CODE
  files["errors/README.md"] = index;
}

// The generated tables stand in a page whose other words are written by hand.
Status AddCompatibilityPage(const std::filesystem::path& folder, Files& files) {
  ASSIGN_OR_RETURN(std::string page, rocxla::ReadFile(folder / "compatibility.md"));
  ASSIGN_OR_RETURN(std::string tables, rocxla::CompatibilityTables(folder / ".."));
  ASSIGN_OR_RETURN(files["compatibility.md"], rocxla::WithTables(page, tables));
  return rocxla::OkStatus();
}

Status Write(const std::filesystem::path& folder, const Files& files) {
  std::error_code error;
  std::filesystem::remove_all(folder / "errors", error);
  std::filesystem::create_directories(folder / "errors", error);
  for (const auto& [path, text] : files) RETURN_IF_ERROR(rocxla::WriteFile(folder / path, text));
  return rocxla::OkStatus();
}

int Check(const std::filesystem::path& folder, const Files& files) {
  int failed = 0;
  for (const auto& [path, text] : files) {
    auto there = rocxla::ReadFile(folder / path);
    if (there.ok() && *there == text) continue;
    ++failed;
    fmt::print("{} does not fit its table; run ./dev docs\n", (folder / path).string());
  }
  for (const auto& entry : std::filesystem::directory_iterator(folder / "errors")) {
    if (files.contains(std::filesystem::path("errors") / entry.path().filename())) continue;
    ++failed;
    fmt::print("{} has no row in base/error_codes.def; run ./dev docs\n", entry.path().string());
  }
  fmt::print("{} passed, {} failed\n", files.size() - std::min<size_t>(failed, files.size()), failed);
  return failed != 0;
}

}  // namespace

int main(int argc, char** argv) {
  bool check = argc == 3 && std::string_view(argv[2]) == "--check";
  if (argc != 2 && !check) {
    fmt::print(stderr, "usage: rocxla_docs DIR [--check]\n");
    return 2;
  }
  Files files;
  files["flags.md"] = FlagsPage();
  files["environment.md"] = EnvironmentPage();
  AddErrorPages(files);
  if (Status added = AddCompatibilityPage(argv[1], files); !added.ok()) {
    fmt::print(stderr, "{}\n", added.ToString());
    return 1;
  }
  if (check) return Check(argv[1], files);
  Status status = Write(argv[1], files);
  if (!status.ok()) fmt::print(stderr, "{}\n", status.ToString());
  return !status.ok();
}
