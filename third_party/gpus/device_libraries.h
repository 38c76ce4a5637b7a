// The ROCm device libraries (bitcode) of an installation.
#pragma once
#include <string>
#include <vector>

namespace rocxla {

struct DeviceLibraries {
  std::string folder;  // absolute or below the root as given; empty: none found
  std::string
      compiler_version;  // "15.0.5" of the clang that made ocml.bc, the nearest thing to a version; may be empty
  std::vector<int> abi_versions;          // of code objects, ascending: 400, 500, 600
  std::vector<std::string> isa_versions;  // "942", "90a", ..., sorted
};

// Looks in the places where ROCm itself and distributions put them, below `root`.
DeviceLibraries FindDeviceLibraries(const std::string& root);

}  // namespace rocxla
