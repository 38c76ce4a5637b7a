#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/hip/system_hip.h"

namespace rocxla {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> RenderNodes(const fs::path& dri) {
  std::vector<std::string> nodes;
  std::error_code error;
  for (fs::directory_iterator it(dri, error), end; !error && it != end; it.increment(error)) {
    if (it->path().filename().string().starts_with("renderD")) nodes.push_back(it->path().string());
  }
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

void AddLine(std::string& text, std::string_view line) { text += fmt::format("{}{}", text.empty() ? "" : "\n", line); }

}  // namespace

DeviceFilesDiagnosis DiagnoseDeviceFiles(const std::string& dev_root, int (*access)(const char*, int)) {
  DeviceFilesDiagnosis diagnosis;
  bool denied = false;
  // True when the file is there and may be opened for reading and writing, as the runtime does.
  auto usable = [&](const std::string& path) {
    if (access(path.c_str(), R_OK | W_OK) == 0) return true;
    const int reason = errno;
    denied = denied || reason == EACCES;
    AddLine(diagnosis.found, reason == ENOENT ? fmt::format("{} does not exist", path)
                                              : fmt::format("{}: {}", path, std::strerror(reason)));
    return false;
  };
  const bool has_driver = usable(dev_root + "/kfd");
  const std::vector<std::string> nodes = RenderNodes(dev_root + "/dri");
  if (nodes.empty()) AddLine(diagnosis.found, fmt::format("no render node in {}/dri", dev_root));
  for (const std::string& node : nodes) (void)usable(node);

  std::error_code ignored;
  if (denied) {
    diagnosis.next = "add this user to the groups that own these files (mostly render and video), then log in again";
  } else if (!has_driver && fs::exists(dev_root + "/dxg", ignored)) {
    diagnosis.next = "this is WSL: install ROCm's WSL runtime, which uses /dev/dxg";
  } else if (!has_driver) {
    diagnosis.next = "load the amdgpu kernel driver; in a container, pass --device=/dev/kfd --device=/dev/dri";
  } else {
    diagnosis.next = "check HIP_VISIBLE_DEVICES and ROCR_VISIBLE_DEVICES, and what rocminfo says";
  }
  return diagnosis;
}

}  // namespace rocxla
