#include "emulator/observe/divergent_barriers.h"

#include <fmt/format.h>

#include <bit>

#include "base/error_ids.h"

namespace rocxla::emu {

void DivergentBarriers::BeginWorkgroup(const FaultPlace& place, const std::vector<Wave>& waves) {
  std::vector<u64>& first_exec = first_exec_.Begin(place);
  for (const Wave& wave : waves) first_exec.push_back(wave.Mask(kExec));
}

Status DivergentBarriers::EndWorkgroup(const FaultPlace& place) {
  first_exec_.End(place);
  return OkStatus();
}

Status DivergentBarriers::BeforeMicro(const FaultPlace& place, const Wave& wave) {
  const Op op = MicroAt(place, wave).op;
  if (op != Op::s_barrier && op != Op::s_barrier_signal && op != Op::s_barrier_signal_isfirst) return OkStatus();
  const u64 now = wave.Mask(kExec), all = first_exec_.Of(place)[place.wave_index];
  if (now == all) return OkStatus();
  return Error(ErrorId::kEmulatorDivergentBarrier,
               {.what = "a barrier is reached by some lanes of a wave only",
                .where = Describe(place, wave),
                .found = fmt::format("{} of {} lanes (EXEC is {:#x})", std::popcount(now), std::popcount(all), now),
                .expected = "all lanes that the wave began with",
                .next = "Move the barrier out of the condition, or end the threads that are not needed behind it."});
}

}  // namespace rocxla::emu
