#include "emulator/testing/instruction_harness.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "llvm/ADT/SmallVector.h"
#include "llvm/MC/MCAsmBackend.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCObjectFileInfo.h"
#include "llvm/MC/MCObjectWriter.h"
#include "llvm/MC/MCParser/MCAsmParser.h"
#include "llvm/MC/MCParser/MCTargetAsmParser.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Triple.h"

extern "C" void LLVMInitializeAMDGPUTargetInfo();
extern "C" void LLVMInitializeAMDGPUTargetMC();
extern "C" void LLVMInitializeAMDGPUAsmParser();

namespace rocxla::emu {
namespace {

constexpr u32 kLdsBytes = 65536, kScratchBytes = 256;

StatusOr<std::vector<u8>> TextSection(llvm::StringRef object_bytes) {
  auto object = llvm::object::ObjectFile::createELFObjectFile(llvm::MemoryBufferRef(object_bytes, "assembled"));
  if (!object) return InternalError(llvm::toString(object.takeError()));
  for (const llvm::object::SectionRef& section : (*object)->sections()) {
    llvm::Expected<llvm::StringRef> name = section.getName(), contents = section.getContents();
    if (!name || !contents) return InternalError("unreadable section");
    if (*name == ".text") return std::vector<u8>(contents->bytes_begin(), contents->bytes_end());
  }
  return InternalError("no .text section");
}

}  // namespace

StatusOr<std::vector<u8>> Assemble(const GpuTarget& gpu, const std::string& text, int lanes) {
  LLVMInitializeAMDGPUTargetInfo();
  LLVMInitializeAMDGPUTargetMC();
  LLVMInitializeAMDGPUAsmParser();
  llvm::Triple triple("amdgcn-amd-amdhsa");
  std::string error;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, error);
  llvm::MCTargetOptions options;
  std::unique_ptr<llvm::MCRegisterInfo> registers(target->createMCRegInfo(triple));
  std::unique_ptr<llvm::MCAsmInfo> info(target->createMCAsmInfo(*registers, triple, options));
  std::unique_ptr<llvm::MCInstrInfo> instructions(target->createMCInstrInfo());
  const char* features = lanes == 0 || gpu.is_cdna() ? "" : lanes == 64 ? "+wavefrontsize64" : "+wavefrontsize32";
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget(
      target->createMCSubtargetInfo(triple, llvm::StringRef(gpu.name.data(), gpu.name.size()), features));
  std::string messages;
  llvm::SourceMgr sources;
  sources.setDiagHandler(
      [](const llvm::SMDiagnostic& d, void* out) { *static_cast<std::string*>(out) += d.getMessage().str() + "; "; },
      &messages);
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text), llvm::SMLoc());
  llvm::MCContext context(triple, info.get(), registers.get(), subtarget.get(), &sources, &options);
  std::unique_ptr<llvm::MCObjectFileInfo> file_info(target->createMCObjectFileInfo(context, /*PIC=*/true));
  context.setObjectFileInfo(file_info.get());
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  std::unique_ptr<llvm::MCAsmBackend> backend(target->createMCAsmBackend(*subtarget, *registers, options));
  std::unique_ptr<llvm::MCObjectWriter> writer = backend->createObjectWriter(stream);
  std::unique_ptr<llvm::MCCodeEmitter> emitter(target->createMCCodeEmitter(*instructions, context));
  std::unique_ptr<llvm::MCStreamer> streamer(target->createMCObjectStreamer(
      triple, context, std::move(backend), std::move(writer), std::move(emitter), *subtarget));
  std::unique_ptr<llvm::MCAsmParser> parser(llvm::createMCAsmParser(sources, context, *streamer, *info));
  std::unique_ptr<llvm::MCTargetAsmParser> target_parser(
      target->createMCAsmParser(*subtarget, *parser, *instructions, options));
  parser->setTargetParser(*target_parser);
  if (parser->Run(/*NoInitialTextSection=*/false)) return InvalidArgumentError(text + ": " + messages);
  return TextSection(llvm::StringRef(bytes.data(), bytes.size()));
}

InstructionHarness::InstructionHarness(std::string_view target_name, int lanes)
    : target_(*FindTarget(target_name)),
      float_mode_(UsualFloatMode(target_.generation)),
      wave_(std::make_unique<Wave>()),
      lds_(kLdsBytes),
      scratch_(kScratchBytes * 64) {
  Wave& w = *wave_;
  std::memset(w.scalar, 0, sizeof w.scalar);
  std::memset(w.row, 0, sizeof w.row);
  w.lanes = lanes != 0 ? lanes : target_.wave_size;
  w.gfx9 = target_.is_cdna();
  w.lds = lds_.data();
  w.lds_bytes = kLdsBytes;
  w.scratch = scratch_.data();
  w.scratch_bytes = kScratchBytes;
  w.memory = &memory_;
  w.scalar[kSharedBase + 1] = kSharedAperture >> 32;
  w.scalar[kPrivateBase + 1] = kPrivateAperture >> 32;
  set_pair(kExec, FullExec(w.lanes));
}

std::set<Op>& InstructionHarness::Witnessed() {
  static std::set<Op> ops;
  return ops;
}

void InstructionHarness::RunProgram(const Program& program, const DecodeContext& context, u64 instruction_limit) {
  for (const Micro& m : program.code) Witnessed().insert(m.op);
  std::copy(program.literals.begin(), program.literals.end(), wave_->scalar + kLiteral);
  wave_->pause_at = instruction_limit;
  ThreadedCode threaded(program, context.code_begin, Tracing::kOff);
  do {
    threaded.Run(*wave_);
  } while (GoesOn(wave_->stop));  // the wave is all of its workgroup
}

Status InstructionHarness::Run(const std::string& text) {
  ASSIGN_OR_RETURN(std::vector<u8> code, Assemble(target_, text + "\ns_endpgm\n", wave_->lanes));
  Status status = RunCode(code, ~u64{0});
  return status.ok() ? status : InternalError(fmt::format("'{}': {}", text, status.message()));
}

Status InstructionHarness::RunCode(std::span<const u8> code, u64 instruction_limit) {
  DecodeContext context;
  context.generation = target_.generation;
  context.lanes = wave_->lanes;
  context.float_mode = float_mode_;
  context.code_begin = reinterpret_cast<u64>(code.data());
  wave_->scalar[kMode] = float_mode_;
  ASSIGN_OR_RETURN(Program program, DecodeProgram(code, 0, target_, context));
  wave_->pc = 0;
  wave_->executed = 0;
  RunProgram(program, context, instruction_limit);
  while (wave_->stop == Stop::kUnknownCode && wave_->jump_address - context.code_begin < code.size()) {
    u32 pc = static_cast<u32>(wave_->jump_address - context.code_begin);
    ASSIGN_OR_RETURN(program, ExtendProgram(program, code, pc, target_, context));
    wave_->pc = program.micro_at.at(pc);
    RunProgram(program, context, instruction_limit);
  }
  if (wave_->stop == Stop::kEnd) return OkStatus();
  std::string problem;
  for (const Problem& p : program.problems) problem += p.what + "; ";
  return InternalError(fmt::format("stopped with fault {} at lane {}: {}", static_cast<int>(wave_->fault.kind),
                                   wave_->fault.lane, problem));
}

}  // namespace rocxla::emu
