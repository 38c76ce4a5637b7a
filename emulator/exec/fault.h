// The text of errors that a running wave causes.
#pragma once
#include <array>
#include <vector>

#include "base/status.h"
#include "emulator/exec/executable.h"

namespace rocxla::emu {

struct FaultPlace {
  const Kernel* kernel = nullptr;
  const Executable* executable = nullptr;
  std::array<u32, 3> block{};
  u32 wave_index = 0;
  const u32* kernarg = nullptr;  // the launch's argument segment; null: unknown
};
// "kernel 'k', workgroup 0,0,0, wave 1, pc 0x40: v_add_f32 ...", and the source line where it is known.
std::string Describe(const FaultPlace& place, const Wave& wave);

// "pc 0x40: v_add_f32 ...": the instruction of a micro-op.
std::string DescribeInstruction(const FaultPlace& place, u32 micro);

// EmulatorMemoryFault, EmulatorUnsupportedInstruction, EmulatorUndecodableInstruction or EmulatorTrap for a wave that
// stopped with kFault.
Status FaultStatus(const FaultPlace& place, const Wave& wave);
// For a wave that stopped with kUnknownCode where no code can be: EmulatorUndecodableInstruction.
Status WildJumpStatus(const FaultPlace& place, const Wave& wave);
// The wave ran into the launch's limit; names the loop that it is in.
Status TimeoutStatus(const FaultPlace& place, const Wave& wave, u64 limit);

// A wave that waits; its pc is behind the instruction at which it does.
struct WaitingWave {
  u32 index = 0;
  const Wave* wave = nullptr;
};
// EmulatorDeadlock: these waves of the workgroup wait (one at least), and no other can help them. `looping`: the wave
// of `place`, which runs without an end meanwhile, or null.
Status DeadlockStatus(FaultPlace place, const std::vector<WaitingWave>& waiting, const Wave* looping);

}  // namespace rocxla::emu
