#include "emulator/exec/workgroup.h"

#include <algorithm>

namespace rocxla::emu {
namespace {

// A wave that loops gives others a turn after this many instructions: they may be what it waits for.
constexpr u64 kSlice = 1 << 16;

bool Waits(const Wave& wave) { return wave.stop == Stop::kBarrier || wave.stop == Stop::kWait; }

}  // namespace

void Workgroup::Prepare(const StartState& state, std::array<u32, 3> block, const AddressSpace& memory) {
  const LaunchConfig& config = *state.config;
  u32 threads = config.block_threads[0] * config.block_threads[1] * config.block_threads[2];
  u32 lanes = state.executable->program.lanes;
  waves_.resize((threads + lanes - 1) / lanes);
  lds_.assign(state.kernel->descriptor.group_segment_fixed_size + config.dynamic_lds_bytes, 0);
  u32 private_bytes = state.kernel->descriptor.private_segment_fixed_size;
  scratch_.assign(u64{private_bytes} * lanes * waves_.size(), 0);
  bool stale = memory_ != &memory || generation_ != memory.generation() || state_ != &state;
  memory_ = &memory;
  generation_ = memory.generation();
  state_ = &state;
  block_ = block;
  ended_ = 0;
  phase_ = 1;
  signalled_in_.assign(waves_.size(), 0);
  for (u32 i = 0; i < waves_.size(); i++) {
    Wave& w = waves_[i];
    StartWave(w, state, block, i);
    w.lds = lds_.data();
    w.lds_bytes = static_cast<u32>(lds_.size());
    w.scratch = scratch_.data() + u64{private_bytes} * lanes * i;
    w.scratch_bytes = private_bytes;
    w.memory = &memory;
    w.observer = observer_;
    w.index = i;
    if (stale) std::fill(std::begin(w.hit), std::end(w.hit), Hit{});
  }
}

// Runs the wave until it ends, waits at a barrier, or has used up its slice.
Status Workgroup::RunWave(Wave& wave, u32 index) {
  u64 before = wave.executed;
  wave.pause_at = before + std::min(kSlice, progress_->instruction_limit);
  do {
    RETURN_IF_ERROR(RunUntilStop(wave, index));
    if (wave.stop == Stop::kSignal) signalled_in_[index] = phase_;
    if (wave.stop == Stop::kWait && signalled_in_[index] != 0 && signalled_in_[index] < phase_) {
      signalled_in_[index] = 0;  // the barrier was completed before the wave came to wait
      wave.stop = Stop::kRunning;
    }
  } while (wave.stop == Stop::kSignal || wave.stop == Stop::kRunning);
  if (wave.stop == Stop::kEnd) ended_++;
  u64 executed = wave.executed - before;
  u64 total = progress_->instructions.fetch_add(executed, std::memory_order_relaxed) + executed;
  if (total <= progress_->instruction_limit) return OkStatus();
  FaultPlace place{state_->kernel, state_->executable, block_, index};
  std::vector<WaitingWave> waiting = WaitingWaves();
  bool others_wait = !waiting.empty() && wave.stop == Stop::kPreempted;
  return others_wait ? DeadlockStatus(place, waiting, &wave) : TimeoutStatus(place, wave, progress_->instruction_limit);
}

Status Workgroup::RunUntilStop(Wave& wave, u32 index) {
  FaultPlace place{state_->kernel, state_->executable, block_, index};
  do {
    // A run begins behind the step mark of its first micro-op.
    if (observer_ != nullptr) RETURN_IF_ERROR(observer_->BeforeMicro(place, wave));
    code_->Run(wave);
  } while (wave.stop == Stop::kStep);
  return wave.stop == Stop::kFault ? FaultStatus(place, wave) : OkStatus();
}

std::vector<WaitingWave> Workgroup::WaitingWaves() const {
  std::vector<WaitingWave> waiting;
  for (u32 i = 0; i < waves_.size(); i++) {
    if (Waits(waves_[i])) waiting.push_back({i, &waves_[i]});
  }
  return waiting;
}

// Waves that have ended do not count.
bool Workgroup::ReleaseBarriers() {
  size_t alive = waves_.size() - ended_, at_barrier = 0, signalled = 0;
  for (u32 i = 0; i < waves_.size(); i++) {
    at_barrier += waves_[i].stop == Stop::kBarrier;
    signalled += waves_[i].stop != Stop::kEnd && signalled_in_[i] == phase_;
  }
  bool whole = at_barrier == alive, split = signalled == alive;
  for (u32 i = 0; i < waves_.size(); i++) {
    Wave& wave = waves_[i];
    bool waits_on = whole ? wave.stop == Stop::kBarrier : split && wave.stop == Stop::kWait;
    if (!waits_on) continue;
    if (wave.stop == Stop::kWait) signalled_in_[i] = 0;
    wave.stop = Stop::kRunning;
  }
  phase_ += split;
  if ((whole || split) && ended_ < waves_.size() && observer_ != nullptr) observer_->OnBarrier();
  return whole || split;
}

Status Workgroup::Run(const StartState& state, const ThreadedCode& code, std::array<u32, 3> block,
                      const AddressSpace& memory, Observer* observer, LaunchProgress& progress) {
  observer_ = observer;
  Prepare(state, block, memory);
  code_ = &code;
  progress_ = &progress;
  FaultPlace place{state_->kernel, state_->executable, block_, 0};
  if (observer_ != nullptr) observer_->BeginWorkgroup(place, waves_);
  while (ended_ < waves_.size()) {
    bool any_ran = false;
    for (u32 i = 0; i < waves_.size(); i++) {
      Wave& wave = waves_[i];
      if (wave.stop == Stop::kEnd || Waits(wave)) continue;
      any_ran = true;
      RETURN_IF_ERROR(RunWave(wave, i));
    }
    bool released = ReleaseBarriers();
    if (any_ran || released) continue;
    return DeadlockStatus(place, WaitingWaves(), nullptr);
  }
  return observer_ == nullptr ? OkStatus() : observer_->EndWorkgroup();
}

}  // namespace rocxla::emu
