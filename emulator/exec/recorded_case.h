// Runs one recorded Triton case (tests/cases/README.md) on the embedded GPU. For tests.
#pragma once
#include <filesystem>
#include <string>

#include "base/status.h"
#include "emulator/exec/launch.h"

namespace rocxla::emu {

struct RecordedResult {
  LaunchStats stats;
  // The largest |got - want| / (atol + rtol * |want|) over all outputs: at most 1 if they agree.
  double worst = 0;
  std::string worst_place;  // "o[17]: got 1.5, want 2"
};

// Executes folder/triton-TARGET/kernel.hsaco as folder/launch.json says and compares with the recorded outputs.
StatusOr<RecordedResult> RunRecordedCase(const std::filesystem::path& folder, const std::string& target,
                                         const LaunchOptions& options = {});

}  // namespace rocxla::emu
