#include "emulator/isa/coverage.h"

#include <map>
#include <set>

#include "emulator/decode/cracker.h"
#include "emulator/decode/machine_code.h"
#include "emulator/isa/encodings.h"

namespace rocxla::emu {
namespace {

// Whether the instruction can be executed; otherwise `reason` says why not.
bool CanExecute(const Instruction& in, const DecodeContext& context, std::string& reason) {
  for (bool tracks_mode : {false, true}) {  // some can only be executed where MODE may change
    Cracker cracker(context);
    if (tracks_mode) cracker.TrackMode();
    cracker.Add(in);
    const std::vector<Problem>& problems = cracker.program().problems;
    if (problems.empty() || problems[0].id == ErrorId::kEmulatorTrap) return true;
    if (!tracks_mode) reason = problems[0].what;
  }
  return false;
}

struct Tally {
  std::set<std::string> forms, covered_forms;  // by LLVM's opcode names
  std::string reason;
};

}  // namespace

StatusOr<std::vector<InstructionSupport>> IsaCoverage(const GpuTarget& target) {
  ASSIGN_OR_RETURN(MachineCode * machine, MachineCode::For(target, target.wave_size));
  DecodeContext context;
  context.generation = target.generation;
  context.lanes = target.wave_size;
  context.float_mode = kUsualFloatMode;
  std::map<std::string, Tally> tallies;
  // Some instructions mean something only with certain constants: hardware registers, barrier numbers.
  constexpr i64 kGetRealTime = 131;
  for (i64 immediate : {i64{0}, i64{1}, i64{-1}, kGetRealTime}) {
    ASSIGN_OR_RETURN(std::vector<SampleEncoding> samples, SampleEncodings(target, immediate));
    std::lock_guard lock(machine->mutex());
    for (const SampleEncoding& sample : samples) {
      auto in = machine->Decode(sample.bytes, 0);
      if (!in || in->bytes != sample.bytes.size() || in->key == "s_code_end") continue;
      Tally& tally = tallies[in->key];
      tally.forms.insert(in->opcode);
      std::string reason;
      if (CanExecute(*in, context, reason)) tally.covered_forms.insert(in->opcode);
      if (tally.reason.empty()) tally.reason = reason;
    }
  }
  std::vector<InstructionSupport> all;
  for (auto& [name, tally] : tallies) {
    InstructionSupport& one = all.emplace_back();
    one.name = name;
    one.forms = static_cast<int>(tally.forms.size());
    one.covered_forms = static_cast<int>(tally.covered_forms.size());
    one.support = one.covered_forms > 0         ? Support::kCovered
                  : RefusalOf(name).has_value() ? Support::kRefused
                                                : Support::kMissing;
    if (one.support != Support::kCovered) one.reason = tally.reason;
  }
  return all;
}

}  // namespace rocxla::emu
