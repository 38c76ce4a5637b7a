// The HIP runtimes that this program has: "hip" (the real library, always first) and whatever registers itself, such as
// "embedded" (emulator/hip/register.cc). Thread-safe.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/hip/hip_api.h"
#include "base/status.h"

namespace rocxla {

struct HipProvider {
  std::string name;  // as in `--device name:0`
  // Gives the table, which lives as long as the process. Called once; the answer, good or bad, is remembered.
  std::function<StatusOr<const HipApi*>()> open;
  // Makes a further device of that target and returns its ordinal. Empty for runtimes whose devices are hardware.
  std::function<StatusOr<int>(std::string_view target)> add_device;
};

// AlreadyExists when the name is taken.
Status RegisterHipProvider(HipProvider provider);
// In the order of registration, "hip" first.
std::vector<std::string> HipProviderNames();
// NotFound lists the names. With ROCXLA_HIP_TRACE=FILE in the environment ("-": stderr), the table writes its calls
// there.
StatusOr<const HipApi*> OpenHip(std::string_view provider);
// Unimplemented when the provider cannot add devices.
StatusOr<int> AddHipDevice(std::string_view provider, std::string_view target);

}  // namespace rocxla
