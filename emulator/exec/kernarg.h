// The kernarg segment and the registers that a wave finds at its start.
//
// Source: LLVM's "User Guide for AMDGPU Backend", "Initial Kernel Execution State" and "Code Object V5 Metadata".
#pragma once
#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "base/status.h"
#include "emulator/exec/executable.h"
#include "emulator/exec/host_services.h"
#include "emulator/exec/launch.h"

namespace rocxla::emu {

// The kernarg segment: explicit arguments as given, hidden ones from the launch and the host's services. Error
// EmulatorBadLaunch if the sizes disagree or the kernel wants a hidden argument that the embedded device cannot
// provide.
StatusOr<std::vector<std::byte>> BuildKernarg(const Kernel& kernel, const LaunchConfig& config,
                                              std::span<const std::byte> explicit_args, const HostServices& services);

// The 64 bytes of the AQL dispatch packet that some kernels read.
std::array<std::byte, 64> BuildDispatchPacket(const Kernel& kernel, const LaunchConfig& config, uint64_t kernarg);

// What v0 holds at the start, for each thread of a block: its x, y and z in 10 bits each.
std::vector<u32> WorkItemIds(const LaunchConfig& config);

struct StartState {
  const Kernel* kernel = nullptr;
  std::shared_ptr<const Executable> executable;
  const LaunchConfig* config = nullptr;
  const u32* kernarg = nullptr;  // in device memory
  u64 dispatch_packet = 0;       // device address
  std::vector<u32> work_items;   // WorkItemIds
};
// Bytes of scratch memory per lane: what the descriptor says, and a stack where the compiler could not know its depth.
u32 ScratchBytes(const Kernel& kernel);
// Puts the program's constants where its micro-ops look for them.
void CopyLiterals(Wave& wave, const Program& program);
// Sets registers of wave `index` of a workgroup as hardware does; everything else is zero. The wave has its scratch
// memory already.
void StartWave(Wave& wave, const StartState& state, std::array<u32, 3> block, u32 index);

}  // namespace rocxla::emu
