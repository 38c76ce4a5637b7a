#include "emulator/decode/machine_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>

#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Triple.h"

extern "C" void LLVMInitializeAMDGPUTargetInfo();
extern "C" void LLVMInitializeAMDGPUTargetMC();
extern "C" void LLVMInitializeAMDGPUDisassembler();

namespace rocxla::emu {
namespace {

const llvm::Triple& GpuTriple() {
  static const llvm::Triple triple("amdgcn-amd-amdhsa");
  return triple;
}

// The number in a register name after `prefix`: VGPR12_LO16 -> 12.
std::optional<int> NumberAfter(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix)) return std::nullopt;
  int number;
  auto [end, error] = std::from_chars(name.data() + prefix.size(), name.data() + name.size(), number);
  if (error != std::errc()) return std::nullopt;
  return number;
}

// Registers with names of their own and the scalar that holds them.
struct NamedRegister {
  std::string_view prefix;
  int scalar;
};
constexpr NamedRegister kNamedRegisters[] = {
    {"VCC_HI", kVcc + 1},
    {"VCC", kVcc},
    {"EXEC_HI", kExec + 1},
    {"EXEC", kExec},
    {"M0", kM0},
    {"SGPR_NULL", kNull},
    {"SRC_SHARED_BASE", kSharedBase},
    {"SRC_PRIVATE_BASE", kPrivateBase},
    {"FLAT_SCR_HI", kFlatScratch + 1},
    {"FLAT_SCR", kFlatScratch},
    {"SRC_SCC", kScc},
};

// The operand that a register name stands for; tuples are named after their first register.
std::optional<Operand> RegisterNamed(std::string_view name) {
  if (auto n = NumberAfter(name, "VGPR")) return RowAt(*n);
  if (auto n = NumberAfter(name, "AGPR")) return RowAt(kAccRow + *n);
  for (const NamedRegister& r : kNamedRegisters) {
    if (name.starts_with(r.prefix)) return ScalarAt(r.scalar);
  }
  if (auto n = NumberAfter(name, "SGPR")) return ScalarAt(*n);
  if (auto n = NumberAfter(name, "TTMP")) return ScalarAt(kTtmp + *n);
  return std::nullopt;
}

Form FormOf(llvm::StringRef opcode) {
  if (opcode.contains("_sdwa")) return Form::kSdwa;
  if (opcode.contains("_dpp8")) return Form::kDpp8;
  if (opcode.contains("_dpp")) return Form::kDpp;
  return opcode.contains("_e64") ? Form::kVop3 : Form::kPlain;
}
void DropSuffixes(std::string& name) {
  for (bool again = true; again;) {
    again = false;
    for (std::string_view tail : {"_e32", "_e64", "_sdwa", "_dpp8", "_dpp"}) {
      if (!name.ends_with(tail)) continue;
      name.resize(name.size() - tail.size());
      again = true;
    }
  }
}

// Operand types of LLVM's target-independent part; sources and modifiers have types of the target.
bool IsPlainType(unsigned type) {
  return type == llvm::MCOI::OPERAND_IMMEDIATE || type == llvm::MCOI::OPERAND_UNKNOWN ||
         type == llvm::MCOI::OPERAND_PCREL;
}

std::vector<std::string> Words(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  for (char c : text + " ") {
    if (c != ' ' && c != ',' && c != '\t') {
      word += c;
    } else if (!word.empty()) {
      words.push_back(std::move(word));
      word.clear();
    }
  }
  return words;
}
Immediate ImmediateForWord(std::string_view word) {
  static const std::map<std::string_view, Immediate> names = {
#define IMMEDIATE(enumerator, word) {word, Immediate::enumerator},
#include "emulator/decode/immediates.def"
#undef IMMEDIATE
  };
  std::string_view name = word.substr(0, word.find(':'));
  if (auto it = names.find(name); it != names.end()) return it->second;
  bool number = !word.empty() && (std::isdigit(static_cast<unsigned char>(word[0])) || word[0] == '-');
  return number ? Immediate::kValue : Immediate::kUnknown;
}

}  // namespace

i64 Instruction::Get(Immediate name) const {
  for (auto [n, value] : immediates) {
    if (n == name) return value;
  }
  return 0;
}
bool Instruction::Has(Immediate name) const {
  return std::any_of(immediates.begin(), immediates.end(), [&](auto& i) { return i.first == name; });
}

i64 Instruction::TrailingConstant() const {
  if (Has(Immediate::kValue)) return Get(Immediate::kValue);
  if (!immediates.empty()) return immediates.back().second;
  return sources.empty() ? 0 : sources.back().literal;
}

MachineCode::~MachineCode() = default;

StatusOr<MachineCode*> MachineCode::For(const GpuTarget& target, int lanes) {
  static std::mutex mutex;
  static auto* made = new std::map<std::pair<std::string, int>, std::unique_ptr<MachineCode>>;
  std::lock_guard lock(mutex);
  auto& entry = (*made)[{std::string(target.name), lanes}];
  if (entry == nullptr) {
    std::unique_ptr<MachineCode> code(new MachineCode);
    RETURN_IF_ERROR(code->Init(target, lanes));
    entry = std::move(code);
  }
  return entry.get();
}

Status MachineCode::Init(const GpuTarget& target, int lanes) {
  LLVMInitializeAMDGPUTargetInfo();
  LLVMInitializeAMDGPUTargetMC();
  LLVMInitializeAMDGPUDisassembler();
  std::string error;
  const llvm::Target* llvm_target = llvm::TargetRegistry::lookupTarget(GpuTriple(), error);
  if (llvm_target == nullptr) return InternalError("LLVM has no AMDGPU target: " + error);
  llvm::MCTargetOptions options;
  std::string features = target.is_cdna() ? "" : lanes == 64 ? "+wavefrontsize64" : "+wavefrontsize32";
  register_info_.reset(llvm_target->createMCRegInfo(GpuTriple()));
  asm_info_.reset(llvm_target->createMCAsmInfo(*register_info_, GpuTriple(), options));
  instruction_info_.reset(llvm_target->createMCInstrInfo());
  subtarget_.reset(llvm_target->createMCSubtargetInfo(
      GpuTriple(), llvm::StringRef(target.name.data(), target.name.size()), features));
  context_ = std::make_unique<llvm::MCContext>(GpuTriple(), asm_info_.get(), register_info_.get(), subtarget_.get());
  disassembler_.reset(llvm_target->createMCDisassembler(*subtarget_, *context_));
  printer_.reset(llvm_target->createMCInstPrinter(GpuTriple(), 0, *asm_info_, *instruction_info_, *register_info_));
  if (disassembler_ == nullptr || printer_ == nullptr) {
    return InternalError(fmt::format("LLVM cannot disassemble for {}", target.name));
  }
  LearnRegisters();
  LearnModifierType();
  return OkStatus();
}

void MachineCode::LearnRegisters() {
  registers_.resize(register_info_->getNumRegs());
  for (unsigned i = 1; i < register_info_->getNumRegs(); i++) {
    std::string_view name = register_info_->getName(i);
    auto at = RegisterNamed(name);
    if (!at) continue;
    bool vector = at->kind == Operand::kRow;
    bool high = vector && name.find("_HI16") != name.npos, low = vector && name.find("_LO16") != name.npos;
    registers_[i] = {*at, high ? RegisterHalf::kHigh : low ? RegisterHalf::kLow : RegisterHalf::kNone, true};
  }
}

// Operand 1 of v_fma_f32 is known to hold source modifiers; all of its type do.
void MachineCode::LearnModifierType() {
  for (unsigned i = 0; i < instruction_info_->getNumOpcodes(); i++) {
    if (instruction_info_->getName(i) != "V_FMA_F32_e64_gfx11") continue;
    modifier_type_ = instruction_info_->get(i).operands()[1].OperandType;
  }
}

std::string MachineCode::Print(const llvm::MCInst& inst, u32 pc) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  printer_->printInst(&inst, pc, "", *subtarget_, stream);
  size_t begin = text.find_first_not_of(" \t"), end = text.find_last_not_of(" \t");
  if (begin == text.npos) return "";
  text = text.substr(begin, end + 1 - begin);
  std::replace(text.begin(), text.end(), '\t', ' ');
  return text;
}

Immediate MachineCode::NameOf(const llvm::MCInst& inst, unsigned operand) {
  u64 key = u64{inst.getOpcode()} << 8 | operand;
  auto it = names_.find(key);
  if (it == names_.end()) it = names_.emplace(key, Probe(inst, operand)).first;
  return it->second;
}

Immediate MachineCode::Probe(const llvm::MCInst& inst, unsigned operand) {
  llvm::MCInst zero = inst, changed = inst;
  zero.getOperand(operand).setImm(0);
  std::vector<std::string> before = Words(Print(zero, 0));
  std::vector<i64> values = {1, 2, 16};
  // 64-bit operations know only one kind of lane movement; for all others the printer gives up.
  constexpr i64 kFirstBroadcast = 0x150;
  if (instruction_info_->getName(inst.getOpcode()).contains("_dpp")) values.push_back(kFirstBroadcast);
  for (i64 value : values) {
    changed.getOperand(operand).setImm(value);
    std::vector<std::string> after = Words(Print(changed, 0));
    for (const std::string& word : after) {
      if (std::find(before.begin(), before.end(), word) == before.end()) return ImmediateForWord(word);
    }
    for (const std::string& word : before) {
      if (std::find(after.begin(), after.end(), word) == after.end()) return ImmediateForWord(word);
    }
  }
  return Immediate::kIgnored;
}

Source MachineCode::ReadOperand(const llvm::MCOperand& operand) const {
  Source source;
  if (operand.isReg()) {
    const Register& r = registers_[operand.getReg()];
    source.at = r.at;
    source.half = r.half;
    source.unknown = !r.known;
  } else if (operand.isImm()) {
    source.literal = operand.getImm();
  } else if (operand.isExpr()) {
    source.unknown = !operand.getExpr()->evaluateAsAbsolute(source.literal);
  } else {
    source.unknown = true;
  }
  return source;
}

void MachineCode::ReadOperands(const llvm::MCInst& inst, Instruction& out) {
  const llvm::MCInstrDesc& desc = instruction_info_->get(inst.getOpcode());
  // Sources tied to a destination repeat it, except where they are operands in their own right.
  bool keeps_tied = out.Is("v_dual_") || out.Is("v_mfma_") || out.Is("v_smfmac_") || out.Is("v_wmma_");
  u32 modifiers = 0;
  for (unsigned i = 0; i < inst.getNumOperands(); i++) {
    const llvm::MCOperand& operand = inst.getOperand(i);
    bool described = i < desc.getNumOperands();
    unsigned type = described ? desc.operands()[i].OperandType : unsigned{llvm::MCOI::OPERAND_IMMEDIATE};
    if (i < desc.getNumDefs()) {
      out.defs.push_back(ReadOperand(operand));
    } else if (described && desc.getOperandConstraint(i, llvm::MCOI::TIED_TO) >= 0 && !keeps_tied) {
      out.tied_modifiers |= std::exchange(modifiers, 0);
    } else if (type == modifier_type_ && operand.isImm()) {
      modifiers = static_cast<u32>(operand.getImm());
      if (out.form == Form::kPlain) out.form = Form::kVop3;  // opcodes that only exist as VOP3 carry no "_e64"
    } else if (operand.isReg() && !operand.getReg().isValid()) {
      continue;  // the old destination of DPP forms that accumulate: it is an operand already
    } else if (!operand.isImm() || !IsPlainType(type)) {
      out.sources.push_back(ReadOperand(operand));
      out.sources.back().modifiers = std::exchange(modifiers, 0);
    } else {
      Immediate name = described ? NameOf(inst, i) : Immediate::kIgnored;
      out.immediates.emplace_back(name, operand.getImm());
    }
  }
}

// LLVM 22's decoder and printer crash on some malformed words (a dangling Twine in an error message, operands that the
// printer does not expect); such bytes are no instruction.
std::optional<Instruction> MachineCode::Decode(std::span<const u8> bytes, u32 pc) {
  std::optional<Instruction> result;
  llvm::CrashRecoveryContext::Enable();
  llvm::CrashRecoveryContext guard;
  bool survived = guard.RunSafely([&] { result = DecodeUnguarded(bytes, pc); });
  return survived ? std::move(result) : std::nullopt;
}

std::optional<Instruction> MachineCode::DecodeUnguarded(std::span<const u8> bytes, u32 pc) {
  llvm::MCInst inst;
  u64 size = 0;
  llvm::ArrayRef<u8> view(bytes.data(), bytes.size());
  if (disassembler_->getInstruction(inst, size, view, pc, llvm::nulls()) != llvm::MCDisassembler::Success) {
    return std::nullopt;
  }
  Instruction out;
  out.pc = pc;
  out.bytes = static_cast<u32>(size);
  out.key = printer_->getMnemonic(inst).first;
  out.key = out.key.substr(0, out.key.find_first_of(" \t"));  // some printers' mnemonics reach into the operands
  DropSuffixes(out.key);
  out.opcode = instruction_info_->getName(inst.getOpcode()).str();
  out.form = FormOf(out.opcode);
  out.text = Print(inst, pc);
  ReadOperands(inst, out);
  return out;
}

}  // namespace rocxla::emu
