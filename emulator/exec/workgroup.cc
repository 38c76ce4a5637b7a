#include "emulator/exec/workgroup.h"

#include <algorithm>
#include <numeric>

namespace rocxla::emu {
namespace {

bool Waits(const Wave& wave) { return wave.stop == Stop::kBarrier || wave.stop == Stop::kWait; }

}  // namespace

void Workgroup::Start(LaunchState& launch, std::array<u32, 3> block) {
  const StartState& state = launch.start;
  const LaunchConfig& config = *state.config;
  u32 threads = config.block_threads[0] * config.block_threads[1] * config.block_threads[2];
  u32 lanes = state.executable->program.lanes;
  waves_.resize((threads + lanes - 1) / lanes);
  lds_.assign(state.kernel->descriptor.group_segment_fixed_size + config.dynamic_lds_bytes, 0);
  u32 private_bytes = ScratchBytes(*state.kernel);
  scratch_.assign(u64{private_bytes} * lanes * waves_.size(), 0);
  const AddressSpace& memory = *launch.memory;
  bool stale = memory_ != &memory || generation_ != memory.generation() || kernel_ != state.kernel;
  memory_ = &memory;
  generation_ = memory.generation();
  kernel_ = state.kernel;
  launch_ = &launch;
  if (executables_.size() != 1 || executables_[0] != state.executable) executables_ = {state.executable};
  block_ = block;
  ended_ = 0;
  phase_ = 1;
  signalled_in_.assign(waves_.size(), 0);
  order_.clear();
  if (launch.seed) {
    order_.resize(waves_.size());
    std::iota(order_.begin(), order_.end(), 0u);
    random_ = RandomNumbers(*launch.seed ^ Mix(block[0] ^ Mix(block[1] ^ Mix(block[2]))));
  }
  for (u32 i = 0; i < waves_.size(); i++) {
    Wave& w = waves_[i];
    w.lds = lds_.data();
    w.lds_bytes = static_cast<u32>(lds_.size());
    w.scratch = scratch_.data() + u64{private_bytes} * lanes * i;
    w.scratch_bytes = private_bytes;
    w.memory = &memory;
    w.observer = launch.observer;
    w.index = i;
    if (stale) std::fill(std::begin(w.hit), std::end(w.hit), Hit{});
    StartWave(w, state, block, i);
  }
  if (launch.observer != nullptr) launch.observer->BeginWorkgroup(PlaceOf(0), waves_);
}

// Runs the wave until it ends, waits at a barrier, or has used up its slice.
Status Workgroup::RunWave(Wave& wave, u32 index) {
  u64 before = wave.executed;
  u64 slice = std::min(launch_->slice, launch_->instruction_limit);
  constexpr u64 kShortest = 16;  // halvings of a turn
  if (launch_->seed) slice = std::max<u64>(1, slice >> random_.Next() % kShortest);
  wave.pause_at = before + slice;
  do {
    RETURN_IF_ERROR(RunUntilStop(wave, index));
    ServeSplitBarrier(wave, index);
  } while (wave.stop == Stop::kRunning);
  if (wave.stop == Stop::kEnd) ended_++;
  if (Count(wave.executed - before)) return OkStatus();
  std::vector<WaitingWave> waiting = WaitingWaves();
  bool others_wait = !waiting.empty() && wave.stop == Stop::kPreempted;
  return others_wait ? DeadlockStatus(PlaceOf(index), waiting, &wave)
                     : TimeoutStatus(PlaceOf(index), wave, launch_->instruction_limit);
}

bool Workgroup::Count(u64 instructions) {
  constexpr u64 kReport = 1 << 16;
  unreported_ += instructions;
  if (unreported_ >= kReport) {
    launch_->instructions.fetch_add(unreported_, std::memory_order_relaxed);
    unreported_ = 0;
  }
  return launch_->instructions.load(std::memory_order_relaxed) + unreported_ <= launch_->instruction_limit;
}

void Workgroup::Finish() {
  if (launch_ == nullptr) return;
  launch_->instructions.fetch_add(unreported_, std::memory_order_relaxed);
  unreported_ = 0;
  executables_.clear();
  launch_ = nullptr;
}

Status Workgroup::RunUntilStop(Wave& wave, u32 index) {
  Observer* observer = launch_->observer;
  Tracing tracing = observer != nullptr ? Tracing::kEveryMicro : Tracing::kOff;
  do {
    // A run begins behind the step mark of its first micro-op.
    if (observer != nullptr) RETURN_IF_ERROR(observer->BeforeMicro(PlaceOf(index), wave));
    executables_.back()->code(tracing).Run(wave);
    if (wave.stop == Stop::kUnknownCode) RETURN_IF_ERROR(FollowJump(wave, index));
  } while (wave.stop == Stop::kStep || wave.stop == Stop::kUnknownCode);
  return wave.stop == Stop::kFault ? FaultStatus(PlaceOf(index), wave) : OkStatus();
}

Status Workgroup::FollowJump(Wave& wave, u32 index) {
  ASSIGN_OR_RETURN(std::shared_ptr<const Executable> extended,
                   ExtendExecutable(*launch_->start.kernel, wave.jump_address));
  if (extended == nullptr) return WildJumpStatus(PlaceOf(index), wave);
  const Program& program = extended->program;
  for (Wave& w : waves_) CopyLiterals(w, program);
  wave.pc = program.micro_at.at(static_cast<u32>(wave.jump_address - extended->context.code_begin));
  if (extended != executables_.back()) executables_.push_back(std::move(extended));
  return OkStatus();
}

// A workgroup of one wave has no barrier: its state is zero, and signals do nothing, to SCC neither. Source: "RDNA4
// ISA", "Wave Control Instructions" and S_GET_BARRIER_STATE; LLVM sets SCC before it asks for the first signal.
void Workgroup::ServeSplitBarrier(Wave& wave, u32 index) {
  const bool has_barrier = waves_.size() > 1;
  switch (wave.stop) {
    case Stop::kSignalFirst:
      if (has_barrier) wave.scalar[kScc] = Signals() == 0;
      [[fallthrough]];
    case Stop::kSignal:
      signalled_in_[index] = phase_;
      CompleteSplitBarrier();
      break;
    case Stop::kReadBarrier: {
      constexpr u32 kValid = 1;
      constexpr int kMembers = 4, kSignals = 16;
      const u32 members = static_cast<u32>(waves_.size() - ended_);
      wave.scalar[kBarrierState] = has_barrier ? kValid | members << kMembers | Signals() << kSignals : 0;
      break;
    }
    case Stop::kWait:
      if (signalled_in_[index] == 0 || signalled_in_[index] == phase_) return;
      signalled_in_[index] = 0;  // the barrier was completed before the wave came to wait
      break;
    default:
      return;
  }
  wave.stop = Stop::kRunning;
}

u32 Workgroup::Signals() const {
  u32 signals = 0;
  for (u32 i = 0; i < waves_.size(); i++) signals += waves_[i].stop != Stop::kEnd && signalled_in_[i] == phase_;
  return signals;
}

std::vector<WaitingWave> Workgroup::WaitingWaves() const {
  std::vector<WaitingWave> waiting;
  for (u32 i = 0; i < waves_.size(); i++) {
    if (Waits(waves_[i])) waiting.push_back({i, &waves_[i]});
  }
  return waiting;
}

bool Workgroup::CompleteSplitBarrier() {
  if (Signals() != waves_.size() - ended_) return false;
  for (u32 i = 0; i < waves_.size(); i++) {
    if (waves_[i].stop != Stop::kWait) continue;
    signalled_in_[i] = 0;
    waves_[i].stop = Stop::kRunning;
  }
  phase_++;
  if (launch_->observer != nullptr) launch_->observer->OnBarrier(PlaceOf(0));
  return true;
}

// Waves that have ended do not count.
bool Workgroup::ReleaseBarriers() {
  if (has_ended()) return false;
  size_t at_barrier = 0;
  for (const Wave& wave : waves_) at_barrier += wave.stop == Stop::kBarrier;
  if (at_barrier != waves_.size() - ended_) return CompleteSplitBarrier();
  for (Wave& wave : waves_) {
    if (wave.stop == Stop::kBarrier) wave.stop = Stop::kRunning;
  }
  if (launch_->observer != nullptr) launch_->observer->OnBarrier(PlaceOf(0));
  return true;
}

Status Workgroup::RunTurn(Wave& wave, u32 index, bool& any_ran) {
  if (wave.stop == Stop::kEnd || Waits(wave)) return OkStatus();
  any_ran = true;
  RETURN_IF_ERROR(RunWave(wave, index));
  if (wave.stop == Stop::kPreempted) launch_->services->Serve();  // it may wait for an answer
  return OkStatus();
}

Status Workgroup::RunRound() {
  bool any_ran = false;
  if (order_.empty()) {
    for (u32 i = 0; i < waves_.size(); i++) RETURN_IF_ERROR(RunTurn(waves_[i], i, any_ran));
  } else {
    random_.Shuffle(order_);
    for (u32 i : order_) RETURN_IF_ERROR(RunTurn(waves_[i], i, any_ran));
  }
  bool released = ReleaseBarriers();
  if (!any_ran && !released) return DeadlockStatus(PlaceOf(0), WaitingWaves(), nullptr);
  return has_ended() && launch_->observer != nullptr ? launch_->observer->EndWorkgroup(PlaceOf(0)) : OkStatus();
}

Status Workgroup::Run(LaunchState& launch, std::array<u32, 3> block) {
  Start(launch, block);
  while (!has_ended()) RETURN_IF_ERROR(RunRound());
  return OkStatus();
}

}  // namespace rocxla::emu
