// LLVM's MC layer as the only reader of encodings: bytes become an Instruction whose operands have roles.
//
// Only installed headers are used, so roles are learnt rather than looked up: register files from register names,
// source modifiers by their operand type, and the other immediates by printing the instruction with the operand changed
// and seeing which word appears.
#pragma once
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/status.h"
#include "base/target/target.h"
#include "emulator/decode/program.h"

namespace llvm {
class MCAsmInfo;
class MCContext;
class MCDisassembler;
class MCInst;
class MCInstPrinter;
class MCInstrInfo;
class MCOperand;
class MCRegisterInfo;
class MCSubtargetInfo;
}  // namespace llvm

namespace rocxla::emu {

// How an instruction is encoded, as far as it matters to its meaning.
enum class Form { kPlain, kVop3, kSdwa, kDpp, kDpp8 };

enum class Immediate {
  kUnknown,
  kValue,    // printed without a word: offsets of scalar loads, branch distances, constants of SOPK
  kIgnored,  // not printed at all
  kClamp,
  kOmod,
  kOffset,
  kOffset0,
  kOffset1,
  kOffen,
  kIdxen,
  kCachePolicy,
  kDppControl,
  kRowMask,
  kBankMask,
  kBoundControl,
  kFetchInactive,
  kDpp8,
  kDstSelect,
  kDstUnused,
  kSrc0Select,
  kSrc1Select,
  kOpSel,
  kOpSelHi,
  kNegLo,
  kNegHi,
  kCbsz,
  kAbid,
  kBlgp,
  kBitop3,
  kByteSelect,
  kIndexKey,
};

enum class RegisterHalf { kNone, kLow, kHigh };  // true16: v0.l, v0.h

// Bits of Source::modifiers.
inline constexpr u32 kModNeg = 1, kModAbs = 2, kModNegHi = 2, kModOpSel = 4, kModOpSelHi = 8, kModSignExtend = 16;

struct Source {
  Operand at;  // kNone: the literal
  i64 literal = 0;
  u32 modifiers = 0;
  RegisterHalf half = RegisterHalf::kNone;
  bool unknown = false;  // a register that the emulator does not have
};

struct Instruction {
  std::string key;     // mnemonic without suffixes of the encoding
  std::string opcode;  // LLVM's name of the encoding's form
  Form form = Form::kPlain;
  std::vector<Source> defs, sources;
  std::vector<std::pair<Immediate, i64>> immediates;
  u32 tied_modifiers = 0;  // of a source that repeats a destination: op_sel bits that say where results go
  std::string text;        // as LLVM prints it, without leading blanks
  u32 pc = 0;
  u32 bytes = 0;

  // The immediate of that name, or 0.
  i64 Get(Immediate name) const;
  bool Has(Immediate name) const;
  // The constant of SOPK and SOPP; LLVM types some of them like sources.
  i64 TrailingConstant() const;
  bool Is(std::string_view prefix) const { return std::string_view(key).starts_with(prefix); }
};

// The tools for one GPU and wave size. Not thread-safe; hold mutex() meanwhile.
class MachineCode {
 public:
  // Shared by all users, made once per (target, lanes). Calls into it need `mutex()`.
  static StatusOr<MachineCode*> For(const GpuTarget& target, int lanes);
  ~MachineCode();

  // The instruction at the start of `bytes`; `pc` is its distance from the kernel's entry. Nothing if the bytes are
  // none.
  std::optional<Instruction> Decode(std::span<const u8> bytes, u32 pc);

  std::mutex& mutex() { return mutex_; }

 private:
  MachineCode() = default;
  Status Init(const GpuTarget& target, int lanes);
  std::optional<Instruction> DecodeUnguarded(std::span<const u8> bytes, u32 pc);
  void LearnRegisters();
  void LearnModifierType();
  std::string Print(const llvm::MCInst& inst, u32 pc);
  Immediate NameOf(const llvm::MCInst& inst, unsigned operand);
  Immediate Probe(const llvm::MCInst& inst, unsigned operand);
  Source ReadOperand(const llvm::MCOperand& operand) const;
  void ReadOperands(const llvm::MCInst& inst, Instruction& out);

  struct Register {
    Operand at;
    RegisterHalf half = RegisterHalf::kNone;
    bool known = false;
  };
  std::mutex mutex_;
  std::unique_ptr<llvm::MCRegisterInfo> register_info_;
  std::unique_ptr<llvm::MCInstrInfo> instruction_info_;
  std::unique_ptr<llvm::MCAsmInfo> asm_info_;
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget_;
  std::unique_ptr<llvm::MCContext> context_;
  std::unique_ptr<llvm::MCDisassembler> disassembler_;
  std::unique_ptr<llvm::MCInstPrinter> printer_;
  std::vector<Register> registers_;
  unsigned modifier_type_ = ~0u;
  std::unordered_map<u64, Immediate> names_;  // by opcode and operand
};

}  // namespace rocxla::emu
