// The waves of one workgroup, which take turns on one host thread.
#pragma once
#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "base/status.h"
#include "emulator/exec/executable.h"
#include "emulator/exec/fault.h"
#include "emulator/exec/kernarg.h"
#include "emulator/exec/shuffle.h"
#include "emulator/observe/observer.h"

namespace rocxla::emu {

// What the workgroups of a launch share.
struct LaunchState {
  StartState start;
  const AddressSpace* memory = nullptr;
  HostServices* services = nullptr;
  Observer* observer = nullptr;  // null: nobody watches
  u64 slice = 0;                 // instructions after which a wave that loops gives others a turn
  std::optional<u64> seed;       // shuffles the order of waves, and shortens their turns
  u64 instruction_limit = 0;
  // What the workgroups have reported so far. On a cache line of its own: the rest is read by all threads all the time.
  alignas(64) std::atomic<u64> instructions{0};
};

// Waves, LDS and scratch of one workgroup; reused for the next. Used by one thread at a time.
class Workgroup {
 public:
  // Runs a workgroup to its end. `launch` must live until then.
  Status Run(LaunchState& launch, std::array<u32, 3> block);

  // The same in steps, for workgroups that wait for each other: after Start, a round gives every wave that can run a
  // turn.
  void Start(LaunchState& launch, std::array<u32, 3> block);
  bool has_ended() const { return ended_ == waves_.size(); }
  Status RunRound();

  // Adds the instructions that it has not reported yet to the launch's, and lets go of the code. Nothing of the launch
  // is needed afterwards.
  void Finish();

 private:
  Status RunWave(Wave& wave, u32 index);
  // A turn of the wave, if it can run.
  Status RunTurn(Wave& wave, u32 index, bool& any_ran);
  Status RunUntilStop(Wave& wave, u32 index);
  // Counts them against the launch's limit; false if that is exceeded.
  bool Count(u64 instructions);
  // Continues a wave whose jump leads to code that is new to this workgroup.
  Status FollowJump(Wave& wave, u32 index);
  // Serves a wave that has stopped at a part of the split barrier, unless it has to wait there.
  void ServeSplitBarrier(Wave& wave, u32 index);
  // How many waves have signalled since the split barrier was last completed; waves that have ended do not count.
  u32 Signals() const;
  // Completes the split barrier if all waves have signalled, and wakes those that wait for it.
  bool CompleteSplitBarrier();
  // Completes the barriers at which every wave has arrived. False if there is none.
  bool ReleaseBarriers();
  std::vector<WaitingWave> WaitingWaves() const;
  FaultPlace PlaceOf(u32 index) const {
    return {launch_->start.kernel, executables_.back().get(), block_, index, launch_->start.kernarg};
  }

  std::vector<Wave> waves_;
  std::vector<u8> lds_, scratch_;
  u64 generation_ = 0;  // of the address space that cached hits belong to
  const AddressSpace* memory_ = nullptr;
  const Kernel* kernel_ = nullptr;  // whose accesses those were

  // Of the current run.
  LaunchState* launch_ = nullptr;
  // What the waves needed, the newest last. It can do what the others can; they stay for observers that remember them.
  std::vector<std::shared_ptr<const Executable>> executables_;
  u64 unreported_ = 0;  // instructions; threads that added every wave's at once would wait for each other
  std::array<u32, 3> block_{};
  size_t ended_ = 0;
  // With a seed: in which order the waves get their turns; empty: in their own.
  std::vector<u32> order_;
  RandomNumbers random_;
  // Split barriers: how often one was completed, and for each wave at which count it has signalled without having
  // waited since; 0: it has not.
  u64 phase_ = 1;
  std::vector<u64> signalled_in_;
};

}  // namespace rocxla::emu
