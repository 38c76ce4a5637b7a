// The real HIP runtime, opened at run time: one binary serves machines with and without ROCm.
#pragma once
#include <unistd.h>

#include <string>
#include <vector>

#include "base/hip/hip_api.h"
#include "base/status.h"

namespace rocxla {

// Where to look. The first library that opens and has every required function is taken.
struct HipLibrarySearch {
  std::vector<std::string> folders;  // in order; "" is the dynamic linker's own path
};
// $ROCM_PATH/lib when the variable is set, the linker's path, /opt/rocm/lib.
HipLibrarySearch DefaultHipSearch();

// Opens libamdhip64.so.7, .6 or .5. HipLibraryUnavailable tells, file by file, where it looked and what was wrong: no
// such file, what the linker says, the functions that are missing, a version that is too old. The library stays open
// for the life of the process.
StatusOr<HipApi> LoadHipFrom(const HipLibrarySearch& search);
// DefaultHipSearch, once per process; the first answer is remembered.
StatusOr<const HipApi*> LoadSystemHip();

// Why the runtime finds no GPU: looks at the kernel driver's device files. `dev_root` and `access` (access(2)) are
// others in tests only.
struct DeviceFilesDiagnosis {
  std::string found;  // "/dev/kfd does not exist", one fact a line
  std::string next;   // what the reader can do
};
DeviceFilesDiagnosis DiagnoseDeviceFiles(const std::string& dev_root = "/dev",
                                         int (*access)(const char* path, int mode) = ::access);

// Starts a runtime and counts its GPUs. DeviceNotFound with HIP's error and the diagnosis when there is none.
StatusOr<int> StartHip(const HipApi& api, const DeviceFilesDiagnosis& files = DiagnoseDeviceFiles());

}  // namespace rocxla
