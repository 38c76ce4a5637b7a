#include "emulator/decode/decoder.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <vector>

namespace rocxla::emu {
namespace {

constexpr std::string_view kSetPc = "s_setpc_b64";

// What follows an instruction.
struct Flow {
  bool falls_through = true;
  std::optional<u32> target;
};

class Decoder {
 public:
  Decoder(std::span<const u8> code, MachineCode& machine, const DecodeContext& context)
      : code_(code), machine_(machine), context_(context), cracker_(context) {}

  Program Run(u32 entry) {
    Discover(entry);
    Crack(entry);
    ResolveBranches();
    return std::move(cracker_.program());
  }

 private:
  void Discover(u32 entry) {
    std::vector<u32> pending = {entry};
    while (!pending.empty()) {
      u32 pc = pending.back();
      pending.pop_back();
      while (!found_.contains(pc)) {
        std::optional<Instruction> in;
        if (pc < code_.size() && pc % 4 == 0) in = machine_.Decode(code_.subspan(pc), pc);
        Flow flow = FlowOf(in);
        u32 next = in ? pc + in->bytes : pc;
        found_.emplace(pc, std::move(in));
        if (flow.target) pending.push_back(*flow.target);
        if (!flow.falls_through) break;
        pc = next;
      }
    }
  }

  static Flow FlowOf(const std::optional<Instruction>& in) {
    if (!in || in->key == "s_code_end") return {false, std::nullopt};
    if (in->Is("s_endpgm") || in->key == kSetPc) return {false, std::nullopt};
    bool branches = in->key == "s_branch" || in->Is("s_cbranch_");
    if (!branches || in->immediates.empty()) return {};
    u32 target = in->pc + 4 + 4 * static_cast<i16>(in->immediates.back().second);
    return {in->key != "s_branch", target};
  }

  // In ascending order of addresses; where the next instruction in memory is not the successor, a jump is put in.
  void Crack(u32 entry) {
    for (const auto& [pc, in] : found_) {
      if (in && ChangesFloatMode(*in, context_)) cracker_.TrackMode();
    }
    if (found_.begin()->first != entry) cracker_.AddJump(entry, entry);
    for (auto it = found_.begin(); it != found_.end(); ++it) {
      auto& [pc, in] = *it;
      micro_at_[pc] = static_cast<u32>(cracker_.size());
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
    for (auto [micro, pc] : cracker_.branches()) cracker_.program().code[micro].target = micro_at_.at(pc);
  }

  std::span<const u8> code_;
  MachineCode& machine_;
  DecodeContext context_;
  Cracker cracker_;
  std::map<u32, std::optional<Instruction>> found_;  // by pc; none: no instruction there
  std::map<u32, u32> micro_at_;                      // pc -> index of first micro-op
};

}  // namespace

StatusOr<Program> DecodeProgram(std::span<const u8> code, u32 entry_offset, const GpuTarget& target,
                                const DecodeContext& context) {
  ASSIGN_OR_RETURN(MachineCode * machine, MachineCode::For(target, context.lanes));
  std::lock_guard lock(machine->mutex());
  return Decoder(code, *machine, context).Run(entry_offset);
}

std::string Disassemble(std::span<const u8> code, u32 pc, const GpuTarget& target, int lanes) {
  auto machine = MachineCode::For(target, lanes);
  if (!machine.ok() || pc >= code.size()) return "(no instruction)";
  std::lock_guard lock((*machine)->mutex());
  auto in = (*machine)->Decode(code.subspan(pc), pc);
  return in ? in->text : "(no instruction)";
}

}  // namespace rocxla::emu
