#include "third_party/gpus/find_rocm_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>

#include "base/environment.h"
#include "base/error_ids.h"
#include "third_party/gpus/version_header.h"

namespace rocxla {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDefaultRoot = "/opt/rocm";

bool IsFolder(const std::string& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

std::string Resolved(const std::string& path) {
  std::error_code error;
  fs::path resolved = fs::canonical(path, error);
  return error ? path : resolved.string();
}

// "Beside": /opt/rocm-6.2.0 when the root is /opt/rocm.
std::vector<std::string> OtherInstallations(const std::string& root) {
  std::vector<std::string> others;
  const fs::path parent = fs::path(root).lexically_normal().parent_path();
  std::error_code error;
  for (fs::directory_iterator it(parent, error), end; !error && it != end; it.increment(error)) {
    const std::string path = it->path().string();
    if (path == root || !it->path().filename().string().starts_with("rocm")) continue;
    if (IsFolder(path + "/include")) others.push_back(path);
  }
  if (root != "/usr" && CheckPath("/usr/include/hip/hip_version.h").state == PathState::kPresent)
    others.push_back("/usr");
  std::sort(others.begin(), others.end());
  return others;
}

Status NoRocm(const std::string& root) {
  const PathCheck check = CheckPath(root);
  std::string found = "no such folder";
  if (check.state == PathState::kPresent) found = "not a folder";
  if (check.state == PathState::kUnknown) found = check.reason;
  const std::vector<std::string> others = OtherInstallations(root);
  return Error(ErrorId::kRocmNotFound,
               {.what = "the ROCm folder cannot be used",
                .where = root,
                .found = std::move(found),
                .expected = "a folder with ROCm's include/",
                .next = others.empty() ? "install ROCm, or set ROCM_PATH to its folder"
                                       : fmt::format("set ROCM_PATH to what there is: {}", fmt::join(others, ", "))});
}

// The first candidate that exists. One that cannot be looked at is a problem, not an absence.
std::string FindHeader(const std::string& root, const RocmComponent& component, std::vector<std::string>& problems) {
  for (std::string_view candidate : component.headers) {
    PathCheck check = CheckPath(fmt::format("{}/{}", root, candidate));
    if (check.state == PathState::kPresent) return std::string(candidate);
    if (check.state == PathState::kUnknown) {
      problems.push_back(fmt::format("{}: {}", candidate, check.reason));
      return "";
    }
  }
  problems.push_back(fmt::format("no version header; looked for {}", fmt::join(component.headers, ", ")));
  return "";
}

RocmComponentReport ScanComponent(const std::string& root, const RocmComponent& component) {
  RocmComponentReport report{.component = &component};
  const std::string header = FindHeader(root, component, report.problems);
  if (header.empty()) return report;
  report.header = fmt::format("{}/{}", root, header);
  StatusOr<std::string> text = ReadHeader(report.header);
  if (!text.ok()) {
    report.problems.push_back(fmt::format("{}: {}", header, text.status().message()));
    return report;
  }
  for (std::string_view macro : component.macros) {
    StatusOr<int64_t> value = ReadVersionMacro(*text, macro);
    if (value.ok()) {
      report.values.push_back(*value);
    } else {
      report.problems.push_back(fmt::format("{}: {}", header, value.status().message()));
    }
  }
  return report;
}

// 70100 -> "7.1.0".
std::string ReleaseText(int64_t number) {
  return fmt::format("{}.{}.{}", number / 10000, number / 100 % 100, number % 100);
}

const RocmComponentReport& RocmItself(const RocmReport& report) { return report.components.front(); }

Json ComponentJson(const RocmComponentReport& report) {
  Json json = {{"name", report.component->name}, {"required", report.component->printed == RocmComponent::kScript}};
  if (!report.header.empty()) json["header"] = report.header;
  if (!report.found()) {
    json["problems"] = report.problems;
    return json;
  }
  json["version"] = report.version();
  json["number"] = report.number();
  for (size_t i = 0; i < report.values.size(); ++i)
    json["macros"][std::string(report.component->macros[i])] = report.values[i];
  if (auto warnings = report.warnings(); !warnings.empty()) json["warnings"] = warnings;
  return json;
}

Json DeviceLibrariesJson(const DeviceLibraries& libraries) {
  if (libraries.folder.empty()) return {{"problems", {"no folder amdgcn/bitcode with ocml.bc"}}};
  return {{"folder", libraries.folder},
          {"compiler_version", libraries.compiler_version},
          {"abi_versions", libraries.abi_versions},
          {"isa_versions", libraries.isa_versions}};
}

}  // namespace

const std::vector<RocmComponent>& AllRocmComponents() {
  static const std::vector<RocmComponent> all = {
#define LIST(...) {__VA_ARGS__}
#define ROCM_COMPONENT(id, name, key, printed, number, headers, macros) \
  {#id, name, key, RocmComponent::printed, RocmComponent::number, headers, macros},
#include "third_party/gpus/rocm_components.def"
#undef ROCM_COMPONENT
#undef LIST
  };
  return all;
}

int64_t RocmComponentReport::number() const {
  auto value = [&](size_t i) { return i < values.size() ? values[i] : 0; };
  switch (component->number) {
    case RocmComponent::kComposite:
      return 10000 * value(0) + 100 * value(1) + value(2);
    case RocmComponent::kHundreds:
      return 100 * value(0) + value(1);
    case RocmComponent::kPlain:
      return value(0);
  }
  return 0;
}

std::string RocmComponentReport::version() const { return fmt::format("{}", fmt::join(values, ".")); }

std::vector<std::string> RocmComponentReport::warnings() const {
  std::vector<std::string> warnings;
  for (size_t i = 1; i < values.size(); ++i) {
    if (values[i] < 100) continue;
    warnings.push_back(fmt::format("{} is {}: with 100 or more, the number {} stands for other versions too",
                                   component->macros[i], values[i], number()));
  }
  return warnings;
}

std::string RocmRootFromEnvironment() {
  const char* path = NonEmptyEnvironment(EnvironmentVariable::kROCM_PATH);
  return path != nullptr ? path : kDefaultRoot;
}

StatusOr<RocmReport> ScanRocm(const std::string& root) {
  if (!IsFolder(root)) return NoRocm(root);
  if (root.find('\n') != root.npos) {
    return Error(ErrorId::kRocmNotFound, {.what = "the ROCm folder cannot be used",
                                          .where = root,
                                          .found = "a line break in its name",
                                          .next = "give it another name: the output has one line a value"});
  }
  RocmReport report{.root = root, .resolved_root = Resolved(root)};
  // ROCm's own packages bring rocm-core; distributions have the runtime's headers among everybody else's.
  const bool own = CheckPath(root + "/include/rocm-core").state == PathState::kPresent;
  const bool shared = CheckPath(root + "/include/stdio.h").state == PathState::kPresent ||
                      report.resolved_root == "/usr" || report.resolved_root == "/usr/local";
  report.layout = shared && !own ? RocmLayout::kDistribution : RocmLayout::kRocm;
  for (const RocmComponent& component : AllRocmComponents())
    report.components.push_back(ScanComponent(root, component));
  report.device_libraries = FindDeviceLibraries(root);
  return report;
}

StatusOr<int64_t> ParseRocmRelease(std::string_view text) {
  int64_t parts[3] = {};
  const char* at = text.data();
  const char* end = at + text.size();
  for (int i = 0; i < 3; ++i) {
    auto [next, error] = std::from_chars(at, end, parts[i]);
    if (error != std::errc() || parts[i] < 0 || parts[i] > 99) break;
    if (next == end && i > 0) return 10000 * parts[0] + 100 * parts[1] + parts[2];
    if (next == end || *next != '.') break;
    at = next + 1;
  }
  return Error(ErrorId::kBadUsage, {.what = "the minimum version is no ROCm version",
                                    .where = "--minimum-version",
                                    .found = fmt::format("'{}'", text),
                                    .expected = "MAJOR.MINOR or MAJOR.MINOR.PATCH, such as 7.1"});
}

Status CheckRocm(const RocmReport& report, std::optional<int64_t> minimum) {
  std::vector<std::string> lines;
  for (const RocmComponentReport& component : report.components) {
    if (component.component->printed != RocmComponent::kScript) continue;
    for (const std::string& problem : component.problems)
      lines.push_back(fmt::format("{}: {}", component.component->name, problem));
  }
  const RocmComponentReport& rocm = RocmItself(report);
  const bool too_old = minimum && rocm.found() && rocm.number() < *minimum;
  if (lines.empty() && !too_old) return OkStatus();
  if (lines.empty()) {
    return Error(ErrorId::kRocmTooOld, {.what = fmt::format("XLA requires ROCm {} or higher", ReleaseText(*minimum)),
                                        .where = rocm.header,
                                        .found = fmt::format("ROCm {}", rocm.version()),
                                        .expected = fmt::format("ROCm {} or higher", ReleaseText(*minimum)),
                                        .next = "install a newer ROCm, or set ROCM_PATH to one"});
  }
  if (too_old) lines.push_back(fmt::format("ROCm: {} is older than {}", rocm.version(), ReleaseText(*minimum)));
  return Error(ErrorId::kRocmIncomplete,
               {.what = "the ROCm installation lacks what XLA's build asks for",
                .where = report.root,
                .found = fmt::format("{}", fmt::join(lines, "\n")),
                .next = report.layout == RocmLayout::kDistribution
                            ? "install the distribution's -dev packages of these components, or ROCm itself; "
                              "find_rocm_config --json shows what there is"
                            : "install ROCm's development packages; find_rocm_config --json shows what there is"});
}

std::string KeyValueLines(const RocmReport& report) {
  std::map<std::string, std::string> lines = {{"rocm_toolkit_path", report.root}};
  for (const RocmComponentReport& component : report.components) {
    if (component.component->printed == RocmComponent::kScript)
      lines[std::string(component.component->key)] = fmt::format("{}", component.number());
  }
  std::string text;
  for (const auto& [key, value] : lines) text += fmt::format("{}: {}\n", key, value);
  return text;
}

Json RocmReportJson(const RocmReport& report) {
  Json json = {{"rocm_toolkit_path", report.root},
               {"resolved_path", report.resolved_root},
               {"layout", report.layout == RocmLayout::kDistribution ? "distribution" : "rocm"},
               {"device_libraries", DeviceLibrariesJson(report.device_libraries)}};
  Json missing = Json::array();
  for (const RocmComponentReport& component : report.components) {
    const std::string id(component.component->id);
    json["components"][id] = ComponentJson(component);
    if (component.found()) json[std::string(component.component->key)] = component.number();
    if (!component.found()) missing.push_back(id);
  }
  json["missing"] = std::move(missing);
  return json;
}

}  // namespace rocxla
