// Runs one workgroup after another on one host thread.
#pragma once
#include <atomic>
#include <memory>
#include <vector>

#include "base/status.h"
#include "emulator/exec/executable.h"
#include "emulator/exec/fault.h"
#include "emulator/exec/kernarg.h"
#include "emulator/observe/observer.h"

namespace rocxla::emu {

// What the host threads of a launch share.
struct LaunchProgress {
  u64 instruction_limit = 0;
  std::atomic<u64> instructions{0};
};

// Waves, LDS and scratch of one workgroup; reused for the next. Used by one thread at a time.
class Workgroup {
 public:
  // `code`: what to run, state.executable's or a tracing variant; the latter with an observer, which may be null.
  Status Run(const StartState& state, const ThreadedCode& code, std::array<u32, 3> block, const AddressSpace& memory,
             Observer* observer, LaunchProgress& progress);

 private:
  void Prepare(const StartState& state, std::array<u32, 3> block, const AddressSpace& memory);
  Status RunWave(Wave& wave, u32 index);
  Status RunUntilStop(Wave& wave, u32 index);
  // Completes the barriers at which every wave has arrived. False if there is none.
  bool ReleaseBarriers();
  std::vector<WaitingWave> WaitingWaves() const;

  std::vector<Wave> waves_;
  std::vector<u8> lds_, scratch_;
  u64 generation_ = 0;  // of the address space that cached hits belong to
  const AddressSpace* memory_ = nullptr;

  // Of the current run.
  const StartState* state_ = nullptr;
  const ThreadedCode* code_ = nullptr;
  Observer* observer_ = nullptr;
  LaunchProgress* progress_ = nullptr;
  std::array<u32, 3> block_{};
  size_t ended_ = 0;
  // Split barriers: how often one was completed, and for each wave at which count it has signalled without having
  // waited since; 0: it has not.
  u64 phase_ = 1;
  std::vector<u64> signalled_in_;
};

}  // namespace rocxla::emu
