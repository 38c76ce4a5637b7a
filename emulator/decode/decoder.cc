#include "emulator/decode/decoder.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <vector>

#include "base/error_ids.h"

namespace rocxla::emu {
namespace {

constexpr std::string_view kSetPc = "s_setpc_b64", kSwapPc = "s_swappc_b64", kCall = "s_call_b64";

// What follows an instruction.
struct Flow {
  bool falls_through = true;
  std::optional<u32> target;
};

Flow FlowOf(const std::optional<Instruction>& in) {
  if (!in || in->key == "s_code_end") return {false, std::nullopt};
  if (in->Is("s_endpgm") || in->key == kSetPc) return {false, std::nullopt};
  bool branches = in->key == "s_branch" || in->key == kCall || in->Is("s_cbranch_");
  if (!branches || in->immediates.empty()) return {};
  u32 target = in->pc + 4 + 4 * static_cast<i16>(in->immediates.back().second);
  return {in->key != "s_branch", target};
}

class Decoder {
 public:
  Decoder(std::span<const u8> code, MachineCode& machine, const DecodeContext& context)
      : code_(code), machine_(machine), context_(context), cracker_(context) {}
  Decoder(std::span<const u8> code, MachineCode& machine, const DecodeContext& context, Program program)
      : code_(code), machine_(machine), context_(context), cracker_(context, std::move(program)) {}

  Program Run(u32 entry) {
    Discover(entry);
    Crack(entry);
    ResolveBranches();
    return std::move(program());
  }

 private:
  Program& program() { return cracker_.program(); }
  bool IsKnown(u32 pc) { return found_.contains(pc) || program().micro_at.contains(pc); }

  void Discover(u32 entry) {
    std::vector<u32> pending = {entry};
    while (!pending.empty()) {
      u32 pc = pending.back();
      pending.pop_back();
      while (!IsKnown(pc)) {
        std::optional<Instruction> in;
        if (pc < code_.size() && pc % 4 == 0) in = machine_.Decode(code_.subspan(pc), pc);
        Flow flow = FlowOf(in);
        u32 next = in ? pc + in->bytes : pc;
        if (in && (in->key == kSwapPc || in->key == kCall)) program().jump_targets.insert(next);
        found_.emplace(pc, std::move(in));
        if (flow.target) pending.push_back(*flow.target);
        if (!flow.falls_through) break;
        pc = next;
      }
    }
  }

  // In ascending order of addresses; where the next instruction in memory is not the successor, a jump is put in.
  void Crack(u32 entry) {
    for (const auto& [pc, in] : found_) {
      if (in) cracker_.TrackMode(ChangedFloatMode(*in, context_));
    }
    bool begins_program = cracker_.size() == 0;
    if (begins_program && found_.begin()->first != entry) cracker_.AddJump(entry, entry);
    for (auto it = found_.begin(); it != found_.end(); ++it) {
      auto& [pc, in] = *it;
      program().micro_at[pc] = static_cast<u32>(cracker_.size());
      if (!in || in->key == "s_code_end") {
        cracker_.AddProblem(ErrorId::kEmulatorUndecodableInstruction, Undecodable(pc), pc);
        continue;
      }
      cracker_.Add(*in);
      auto next = std::next(it);
      bool follows = next != found_.end() && next->first == pc + in->bytes;
      if (FlowOf(in).falls_through && !follows) cracker_.AddJump(pc, pc + in->bytes);
    }
  }

  std::string Undecodable(u32 pc) const {
    if (pc >= code_.size()) return "the wave left the kernel's code";
    if (pc % 4 != 0) return "the wave jumped to an address that is no multiple of 4";
    return "the bytes are no instruction of the device";
  }

  void ResolveBranches() {
    for (auto [micro, pc] : cracker_.branches()) program().code[micro].target = program().micro_at.at(pc);
  }

  std::span<const u8> code_;
  MachineCode& machine_;
  DecodeContext context_;
  Cracker cracker_;
  std::map<u32, std::optional<Instruction>> found_;  // by pc; none: no instruction there
};

}  // namespace

StatusOr<Program> DecodeProgram(std::span<const u8> code, u32 entry, const GpuTarget& target,
                                const DecodeContext& context) {
  ASSIGN_OR_RETURN(MachineCode * machine, MachineCode::For(target, context.lanes));
  std::lock_guard lock(machine->mutex());
  return Decoder(code, *machine, context).Run(entry);
}

StatusOr<Program> ExtendProgram(const Program& program, std::span<const u8> code, u32 target_pc,
                                const GpuTarget& target, const DecodeContext& context) {
  Program extended = program;
  extended.jump_targets.insert(target_pc);
  if (program.micro_at.contains(target_pc)) return extended;
  ASSIGN_OR_RETURN(MachineCode * machine, MachineCode::For(target, context.lanes));
  std::lock_guard lock(machine->mutex());
  return Decoder(code, *machine, context, std::move(extended)).Run(target_pc);
}

std::string Disassemble(std::span<const u8> code, u32 pc, const GpuTarget& target, int lanes) {
  auto machine = MachineCode::For(target, lanes);
  if (!machine.ok() || pc >= code.size()) return "(no instruction)";
  std::lock_guard lock((*machine)->mutex());
  auto in = (*machine)->Decode(code.subspan(pc), pc);
  return in ? in->text : "(no instruction)";
}

}  // namespace rocxla::emu
