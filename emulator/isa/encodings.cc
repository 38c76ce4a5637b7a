#include "emulator/isa/encodings.h"

#include <fmt/format.h>

#include <charconv>
#include <map>
#include <memory>
#include <optional>
#include <string_view>

#include "llvm/ADT/SmallVector.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCFixup.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/TargetParser/Triple.h"

extern "C" void LLVMInitializeAMDGPUTargetInfo();
extern "C" void LLVMInitializeAMDGPUTargetMC();

namespace rocxla::emu {
namespace {

// The number of a vector, accumulator or scalar register, of the first one of a tuple; -1 for special registers.
int NumberOf(std::string_view name) {
  for (std::string_view prefix : {"VGPR", "AGPR", "SGPR"}) {
    int number = -1;
    if (!name.starts_with(prefix)) continue;
    std::from_chars(name.data() + prefix.size(), name.data() + name.size(), number);
    return number;
  }
  return -1;
}

class Encoder {
 public:
  Status Init(const GpuTarget& target) {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTargetMC();
    llvm::Triple triple("amdgcn-amd-amdhsa");
    std::string error;
    const llvm::Target* llvm_target = llvm::TargetRegistry::lookupTarget(triple, error);
    if (llvm_target == nullptr) return InternalError("LLVM has no AMDGPU target: " + error);
    registers_.reset(llvm_target->createMCRegInfo(triple));
    info_.reset(llvm_target->createMCAsmInfo(*registers_, triple, options_));
    instructions_.reset(llvm_target->createMCInstrInfo());
    subtarget_.reset(
        llvm_target->createMCSubtargetInfo(triple, llvm::StringRef(target.name.data(), target.name.size()), ""));
    context_ = std::make_unique<llvm::MCContext>(triple, info_.get(), registers_.get(), subtarget_.get());
    emitter_.reset(llvm_target->createMCCodeEmitter(*instructions_, *context_));
    return OkStatus();
  }

  std::vector<SampleEncoding> All(i64 immediate) {
    std::vector<SampleEncoding> samples;
    for (unsigned opcode = 0; opcode < instructions_->getNumOpcodes(); opcode++) {
      const llvm::MCInstrDesc& desc = instructions_->get(opcode);
      if (desc.isPseudo() || desc.isPreISelOpcode() || desc.getSize() == 0) continue;
      llvm::MCInst inst = Sample(opcode, desc, immediate);
      std::optional<std::vector<u8>> bytes = Encode(inst);
      if (bytes) samples.push_back({instructions_->getName(opcode).str(), std::move(*bytes)});
    }
    return samples;
  }

 private:
  llvm::MCInst Sample(unsigned opcode, const llvm::MCInstrDesc& desc, i64 immediate) {
    llvm::MCInst inst;
    inst.setOpcode(opcode);
    for (unsigned i = 0; i < desc.getNumOperands(); i++) {
      int tied = desc.getOperandConstraint(i, llvm::MCOI::TIED_TO);
      int register_class = instructions_->getOpRegClassID(desc.operands()[i],
                                                          subtarget_->getHwMode(llvm::MCSubtargetInfo::HwMode_RegInfo));
      if (tied >= 0) {
        inst.addOperand(inst.getOperand(tied));
      } else if (register_class >= 0) {
        inst.addOperand(llvm::MCOperand::createReg(RegisterFor(register_class, 8 * (static_cast<int>(i) + 1))));
      } else {
        inst.addOperand(llvm::MCOperand::createImm(immediate));
      }
    }
    return inst;
  }

  unsigned RegisterFor(int register_class, int number) {
    auto [it, is_new] = chosen_.try_emplace({register_class, number}, 0);
    if (!is_new) return it->second;
    const llvm::MCRegisterClass& all = registers_->getRegClass(register_class);
    unsigned first = 0;
    for (unsigned i = 0; i < all.getNumRegs(); i++) {
      unsigned candidate = all.getRegister(i);
      int n = NumberOf(registers_->getName(candidate));
      if (n >= 0 && first == 0) first = candidate;
      if (n == number) return it->second = candidate;
    }
    return it->second = first != 0 ? first : all.getRegister(0).id();
  }

  // Some opcodes that are no machine instructions are not marked as such; the emitter gives up on them.
  std::optional<std::vector<u8>> Encode(const llvm::MCInst& inst) {
    llvm::SmallVector<char, 32> bytes;
    llvm::SmallVector<llvm::MCFixup, 4> fixups;
    llvm::CrashRecoveryContext::Enable();
    llvm::CrashRecoveryContext guard;
    bool survived = guard.RunSafely([&] { emitter_->encodeInstruction(inst, bytes, fixups, *subtarget_); });
    if (!survived || bytes.empty()) return std::nullopt;
    return std::vector<u8>(bytes.begin(), bytes.end());
  }

  llvm::MCTargetOptions options_;
  std::unique_ptr<llvm::MCRegisterInfo> registers_;
  std::unique_ptr<llvm::MCAsmInfo> info_;
  std::unique_ptr<llvm::MCInstrInfo> instructions_;
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget_;
  std::unique_ptr<llvm::MCContext> context_;
  std::unique_ptr<llvm::MCCodeEmitter> emitter_;
  std::map<std::pair<int, int>, unsigned> chosen_;
};

}  // namespace

StatusOr<std::vector<SampleEncoding>> SampleEncodings(const GpuTarget& target, i64 immediate) {
  Encoder encoder;
  RETURN_IF_ERROR(encoder.Init(target));
  return encoder.All(immediate);
}

}  // namespace rocxla::emu
