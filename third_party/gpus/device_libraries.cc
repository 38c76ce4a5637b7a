#include "third_party/gpus/device_libraries.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "third_party/gpus/version_header.h"

namespace rocxla {
namespace {

namespace fs = std::filesystem;

// Below the root; "*" is one folder, the last in the order of version numbers.
constexpr std::string_view kFolders[] = {
    "amdgcn/bitcode",                           // ROCm
    "lib/llvm/lib/clang/*/lib/amdgcn/bitcode",  // ROCm since 6
    "llvm/lib/clang/*/lib/amdgcn/bitcode",      // ROCm 5
    "lib/x86_64-linux-gnu/amdgcn/bitcode",      // Debian, Ubuntu
    "lib/amdgcn/bitcode",
    "lib64/amdgcn/bitcode",
    "lib/clang/*/amdgcn/bitcode",  // Fedora
    "lib64/clang/*/amdgcn/bitcode",
};

std::vector<std::string> NamesIn(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    names.push_back(it->path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

int LeadingNumber(std::string_view text) {
  int number = -1;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// The existing folder that a row of kFolders means, or "".
std::string Expand(const std::string& root, std::string_view row) {
  const size_t star = row.find('*');
  if (star == row.npos) {
    std::string folder = root + "/" + std::string(row);
    return CheckPath(folder + "/ocml.bc").state == PathState::kPresent ? folder : "";
  }
  const std::string parent = root + "/" + std::string(row.substr(0, star));
  std::string best;
  int best_version = -1;
  for (const std::string& name : NamesIn(parent)) {
    std::string folder = parent + name + std::string(row.substr(star + 1));
    if (LeadingNumber(name) <= best_version) continue;
    if (CheckPath(folder + "/ocml.bc").state != PathState::kPresent) continue;
    best = std::move(folder);
    best_version = LeadingNumber(name);
  }
  return best;
}

// "oclc_abi_version_500.bc" without prefix and ".bc"; empty when the name is another.
std::string_view Between(std::string_view name, std::string_view prefix) {
  constexpr std::string_view kSuffix = ".bc";
  if (!name.starts_with(prefix) || !name.ends_with(kSuffix)) return "";
  name.remove_prefix(prefix.size());
  name.remove_suffix(kSuffix.size());
  return name;
}

// Bitcode keeps metadata strings as plain bytes, among them clang's "... clang version 15.0.5 ...".
std::string CompilerVersion(const std::string& bitcode_path) {
  StatusOr<std::string> bytes = ReadHeader(bitcode_path);
  if (!bytes.ok()) return "";
  constexpr std::string_view kMark = "clang version ";
  const size_t at = bytes->find(kMark);
  if (at == bytes->npos) return "";
  std::string_view rest = std::string_view(*bytes).substr(at + kMark.size());
  std::string version(rest.substr(0, std::min(rest.find_first_not_of("0123456789."), rest.size())));
  while (version.ends_with('.')) version.pop_back();
  return version;
}

}  // namespace

DeviceLibraries FindDeviceLibraries(const std::string& root) {
  DeviceLibraries found;
  for (std::string_view row : kFolders) {
    found.folder = Expand(root, row);
    if (!found.folder.empty()) break;
  }
  if (found.folder.empty()) return found;
  for (const std::string& name : NamesIn(found.folder)) {
    if (int abi = LeadingNumber(Between(name, "oclc_abi_version_")); abi >= 0) found.abi_versions.push_back(abi);
    if (std::string_view isa = Between(name, "oclc_isa_version_"); !isa.empty()) found.isa_versions.emplace_back(isa);
  }
  std::sort(found.abi_versions.begin(), found.abi_versions.end());
  found.compiler_version = CompilerVersion(found.folder + "/ocml.bc");
  return found;
}

}  // namespace rocxla
