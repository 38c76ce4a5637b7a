// The text of errors that a running wave causes.
#pragma once
#include <array>

#include "base/status.h"
#include "emulator/exec/executable.h"

namespace rocxla::emu {

struct FaultPlace {
  const Kernel* kernel = nullptr;
  const Executable* executable = nullptr;
  std::array<u32, 3> block{};
  u32 wave_index = 0;
};
// "kernel 'k', workgroup 0,0,0, wave 1, pc 0x40: v_add_f32 ...", and the source line where it is known.
std::string Describe(const FaultPlace& place, const Wave& wave);

// EmulatorMemoryFault, EmulatorUnsupportedInstruction or EmulatorUndecodableInstruction for a wave that stopped with
// kFault.
Status FaultStatus(const FaultPlace& place, const Wave& wave);
Status TimeoutStatus(const FaultPlace& place, const Wave& wave, u64 limit);

}  // namespace rocxla::emu
