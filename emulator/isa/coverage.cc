#include "emulator/isa/coverage.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/error_ids.h"
#include "emulator/decode/cracker.h"
#include "emulator/decode/machine_code.h"
#include "emulator/isa/encodings.h"

namespace rocxla::emu {
namespace {

// Whether the instruction can be executed; otherwise `reason` says why not.
bool CanExecute(const Instruction& in, const DecodeContext& context, std::string& reason) {
  for (u32 tracked : {0u, KeptModeBits(context.generation)}) {  // some can only be executed where MODE may change
    Cracker cracker(context);
    cracker.TrackMode(tracked);
    cracker.Add(in);
    const std::vector<Problem>& problems = cracker.program().problems;
    if (problems.empty() || problems[0].id == ErrorId::kEmulatorTrap) return true;
    if (tracked == 0) reason = problems[0].what;
  }
  return false;
}

struct Tally {
  // By LLVM's opcode names.
  std::set<std::string> forms, covered_forms, refused_forms;
  std::map<std::string, std::string> reasons;  // of forms that were not executed, whatever their constants
};

// Some instructions mean something only with certain constants: hardware registers, barrier numbers.
constexpr i64 kGetRealTime = 131;
constexpr i64 kImmediates[] = {0, 1, -1, kGetRealTime};

void CountForm(const Instruction& in, const DecodeContext& context, Tally& tally) {
  if (RefusalOfForm(in) && !RefusalOf(in.key)) {
    tally.refused_forms.insert(in.opcode);
    return;
  }
  tally.forms.insert(in.opcode);
  std::string reason;
  if (CanExecute(in, context, reason))
    tally.covered_forms.insert(in.opcode);
  else
    tally.reasons.emplace(in.opcode, reason);
}

// Why the first form that is not covered is not; empty if all are.
std::string ReasonOf(const Tally& tally) {
  for (const auto& [form, reason] : tally.reasons) {
    if (!tally.covered_forms.contains(form)) return reason;
  }
  return "";
}

// Adds what the target has in one wave size.
Status CountForms(const GpuTarget& target, int lanes, const std::vector<SampleEncoding>& samples,
                  std::map<std::string, Tally>& tallies) {
  ASSIGN_OR_RETURN(MachineCode * machine, MachineCode::For(target, lanes));
  DecodeContext context;
  context.generation = target.generation;
  context.lanes = lanes;
  context.float_mode = UsualFloatMode(target.generation);
  std::lock_guard lock(machine->mutex());
  for (const SampleEncoding& sample : samples) {
    auto in = machine->Decode(sample.bytes, 0);
    if (!in || in->bytes != sample.bytes.size() || in->key == "s_code_end") continue;
    CountForm(*in, context, tallies[in->key]);
  }
  return OkStatus();
}

}  // namespace

StatusOr<std::vector<InstructionSupport>> IsaCoverage(const GpuTarget& target) {
  std::map<std::string, Tally> tallies;
  for (i64 immediate : kImmediates) {
    ASSIGN_OR_RETURN(std::vector<SampleEncoding> samples, SampleEncodings(target, immediate));
    RETURN_IF_ERROR(CountForms(target, target.wave_size, samples, tallies));
    constexpr int kWide = 64;
    if (target.wave_size != kWide) RETURN_IF_ERROR(CountForms(target, kWide, samples, tallies));
  }
  std::vector<InstructionSupport> all;
  for (auto& [name, tally] : tallies) {
    InstructionSupport& one = all.emplace_back();
    one.name = name;
    one.forms = static_cast<int>(tally.forms.size());
    one.covered_forms = static_cast<int>(tally.covered_forms.size());
    // With other constants a form may be one that is not refused.
    one.refused_forms =
        static_cast<int>(std::count_if(tally.refused_forms.begin(), tally.refused_forms.end(),
                                       [&tally](const std::string& form) { return !tally.forms.contains(form); }));
    one.support = one.covered_forms > 0         ? Support::kCovered
                  : RefusalOf(name).has_value() ? Support::kRefused
                                                : Support::kMissing;
    one.reason = ReasonOf(tally);
  }
  return all;
}

}  // namespace rocxla::emu
