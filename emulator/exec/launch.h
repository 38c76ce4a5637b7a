// Runs a kernel of a loaded code object over a grid, to its end.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "base/status.h"
#include "emulator/exec/address_space.h"
#include "emulator/exec/printf_buffer.h"
#include "emulator/loader/code_object.h"
#include "emulator/observe/check_list.h"

namespace rocxla::emu {

// Which workgroups run at the same time. kWholeGrid: all, as in a cooperative launch, so that they may wait for each
// other; whether they would fit a device is for the caller to know.
enum class Residency { kInTurn, kWholeGrid };

struct LaunchConfig {
  std::array<uint32_t, 3> grid_blocks = {1, 1, 1};
  std::array<uint32_t, 3> block_threads = {1, 1, 1};
  uint32_t dynamic_lds_bytes = 0;
  Residency residency = Residency::kInTurn;
};

class Observer;

inline constexpr uint64_t kDefaultInstructionLimit = uint64_t{1} << 33;

struct LaunchOptions {
  int threads = 0;  // host threads; 0: one per core
  // Wave instructions per launch; beyond it the launch ends with EmulatorTimeout, or EmulatorDeadlock if waves of the
  // workgroup wait for the one that does not end. 0: the environment's ROCXLA_EMULATOR_MAX_INSTRUCTIONS, else
  // kDefaultInstructionLimit.
  uint64_t instruction_limit = 0;
  // Watches the launch (emulator/observe), which then runs on one thread. Not owned; null: nobody.
  Observer* observer = nullptr;
  // What to look for besides faults; unset: ActiveChecks().
  std::optional<Checks> checks;
  // Shuffles the order in which workgroups and waves run, and how long their turns are; the launch then runs on one
  // host thread, and the same seed gives the same order. Unset: the environment's ROCXLA_EMULATOR_SEED, else none: the
  // waves of a workgroup run in ascending order, in each round.
  std::optional<uint64_t> seed;
  // If set, takes what the kernel prints: while it runs (host calls) or when it has ended, well or not (buffered).
  PrintSink print;
};

struct LaunchStats {
  uint64_t instructions = 0;  // executed by waves
  uint64_t waves = 0;
};

// Whether the kernel can run with this grid, this block and so much LDS: EmulatorBadLaunch if not. Launch checks it
// too.
Status CheckLaunch(const Kernel& kernel, const LaunchConfig& config);

// Executes `kernel` and returns when all its workgroups have ended. `explicit_args` are the bytes of the kernarg
// segment up to the end of the last explicit argument (padding after it is allowed); the hidden arguments are filled in
// here. Results do not depend on the number of threads, except through floating-point atomics. Errors:
// EmulatorBadLaunch before anything ran; EmulatorUndecodableInstruction, EmulatorUnsupportedInstruction,
// EmulatorMemoryFault, EmulatorTimeout, EmulatorDeadlock from running, and EmulatorUninitializedValue,
// EmulatorDataRace, EmulatorDivergentBarrier from checks: memory then holds what was written until then.
StatusOr<LaunchStats> Launch(const Kernel& kernel, const LaunchConfig& config, std::span<const std::byte> explicit_args,
                             AddressSpace& memory, const LaunchOptions& options = {});

}  // namespace rocxla::emu
