// The kernarg segment and the registers that a wave finds at its start.
//
// Source: LLVM's "User Guide for AMDGPU Backend", "Initial Kernel Execution State" and "Code Object V5 Metadata".
#pragma once
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "base/status.h"
#include "emulator/exec/executable.h"
#include "emulator/exec/launch.h"

namespace rocxla::emu {

// The kernarg segment: explicit arguments as given, hidden ones from the launch. Error EmulatorBadLaunch if the sizes
// disagree or the kernel wants a hidden argument that the embedded device cannot provide.
StatusOr<std::vector<std::byte>> BuildKernarg(const Kernel& kernel, const LaunchConfig& config,
                                              std::span<const std::byte> explicit_args);

// The 64 bytes of the AQL dispatch packet that some kernels read.
std::array<std::byte, 64> BuildDispatchPacket(const Kernel& kernel, const LaunchConfig& config, uint64_t kernarg);

// What v0 holds at the start, for each thread of a block: its x, y and z in 10 bits each.
std::vector<u32> WorkItemIds(const LaunchConfig& config);

struct StartState {
  const Kernel* kernel = nullptr;
  const Executable* executable = nullptr;
  const LaunchConfig* config = nullptr;
  const u32* kernarg = nullptr;  // in device memory
  u64 dispatch_packet = 0;       // device address
  std::vector<u32> work_items;   // WorkItemIds
};
// Sets registers of wave `index` of a workgroup as hardware does; everything else is zero.
void StartWave(Wave& wave, const StartState& state, std::array<u32, 3> block, u32 index);

}  // namespace rocxla::emu
