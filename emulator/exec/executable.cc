#include "emulator/exec/executable.h"

#include <fmt/format.h>

#include <span>

#include "emulator/exec/variants.h"
#include "llvm/Support/AMDHSAKernelDescriptor.h"

namespace rocxla::emu {
namespace {

u32 OffsetOf(Operand operand) {
  if (operand.kind == Operand::kNone) return 0;
  return operand.kind == Operand::kRow ? RowOffset(operand.index) : ScalarOffset(operand.index);
}

Code Resolve(const Program& program, u32 micro) {
  const Micro& m = program.code[micro];
  Code c;
  c.run = Handlers().pick(m, program.lanes);
  c.micro = micro;
  for (int i = 0; i < 2; i++) {
    c.dst[i] = OffsetOf(m.dst[i]);
    c.imm[i] = m.imm[i];
  }
  for (int i = 0; i < 4; i++) {
    c.src[i] = OffsetOf(m.src[i]);
    c.scalars |= u32{m.src[i].kind == Operand::kScalar} << i;
  }
  return c;
}

bool EndsBlock(const Micro& m) {
  Shape shape = Info(m.op).shape;
  return shape == Shape::kBranch || shape == Shape::kJump || shape == Shape::kControl;
}

}  // namespace

// Instructions are counted where a block ends: by its branch, or by a code of its own where control falls into the next
// block.
ThreadedCode::ThreadedCode(const Program& program, u64 code_begin, Tracing tracing) {
  std::vector<bool> leader(program.code.size() + 1, false);
  for (const Micro& m : program.code) {
    if (Info(m.op).shape == Shape::kBranch) leader[m.target] = true;
  }
  for (u32 pc : program.jump_targets) leader[program.micro_at.at(pc)] = true;
  std::vector<u32> jump_to(program.code.size());  // where branches go: before the tracing stop
  u32 pending = 0;
  auto add = [&](Handler run, u32 micro, u32 weight) {
    Code c;
    c.run = run;
    c.micro = micro;
    c.weight = weight;
    code_.push_back(c);
  };
  for (u32 i = 0; i < program.code.size(); i++) {
    const Micro& m = program.code[i];
    if (leader[i] && pending != 0) add(Handlers().count, i, std::exchange(pending, 0));
    jump_to[i] = static_cast<u32>(code_.size());
    if (tracing == Tracing::kEveryMicro) add(Handlers().step, i, 0);
    entry_.push_back(static_cast<u32>(code_.size()));
    code_.push_back(Resolve(program, i));
    pending += m.weight;
    if (EndsBlock(m)) code_.back().weight = std::exchange(pending, 0);
  }
  for (Code& c : code_) {
    const Micro& m = program.code[c.micro];
    if (Info(m.op).shape == Shape::kBranch) c.target = &code_[jump_to[m.target]];
  }
  for (u32 pc : program.jump_targets) jumps_.Add(code_begin + pc, &code_[jump_to[program.micro_at.at(pc)]]);
  jumps_.Sort();
}

// The handlers are compiled in namespaces of their own (variants.h), where the types of their arguments, of one layout,
// have other names: what the function sanitizer takes for a wrong type.
[[clang::no_sanitize("function")]] void ThreadedCode::Run(Wave& wave) const {
  const Code* ip = &code_[entry_[wave.pc]];
  wave.stop = Stop::kRunning;
  wave.jumps = &jumps_;
  ip->run(ip, &wave, wave.Mask(kExec));
}

Executable::Executable(const DecodeContext& context, u32 entry, Program program)
    : context(context),
      entry(entry),
      program(std::move(program)),
      code_(this->program, context.code_begin, Tracing::kOff) {}

const ThreadedCode& Executable::code(Tracing tracing) const {
  if (tracing == Tracing::kOff) return code_;
  std::call_once(traced_once_, [this] {
    traced_ = std::make_unique<const ThreadedCode>(program, context.code_begin, Tracing::kEveryMicro);
  });
  return *traced_;
}

namespace {

DecodeContext ContextOf(const Kernel& kernel) {
  namespace hsa = llvm::amdhsa;
  const GpuTarget& target = kernel.object->target();
  DecodeContext context;
  context.generation = target.generation;
  bool wave32 = (kernel.descriptor.code_properties & hsa::KERNEL_CODE_PROPERTY_ENABLE_WAVEFRONT_SIZE32) != 0;
  context.lanes = wave32 && !target.is_cdna() ? 32 : 64;
  context.code_begin = kernel.code_begin;
  const u32 rsrc1 = kernel.descriptor.rsrc1;
  u32 mode = rsrc1 >> hsa::COMPUTE_PGM_RSRC1_FLOAT_ROUND_MODE_32_SHIFT & (kRoundBits | kDenormalBits);
  if ((rsrc1 & hsa::COMPUTE_PGM_RSRC1_GFX6_GFX11_ENABLE_DX10_CLAMP) != 0) mode |= kDx10ClampBit;
  if ((rsrc1 & hsa::COMPUTE_PGM_RSRC1_GFX6_GFX11_ENABLE_IEEE_MODE) != 0) mode |= kIeeeBit;
  if ((rsrc1 & hsa::COMPUTE_PGM_RSRC1_GFX9_PLUS_FP16_OVFL) != 0) mode |= kFp16OverflowBit;
  context.float_mode = mode & KeptModeBits(target.generation);  // gfx12 has other things in the places of two
  return context;
}

StatusOr<std::shared_ptr<const Executable>> Decode(const Kernel& kernel) {
  DecodeContext context = ContextOf(kernel);
  // Code with preloaded arguments begins after 256 bytes that load them for older firmware.
  constexpr u32 kPreloadPrologue = 256;
  bool preload = (kernel.descriptor.kernarg_preload & llvm::amdhsa::KERNARG_PRELOAD_SPEC_LENGTH) != 0;
  u32 entry = static_cast<u32>(kernel.entry - kernel.code_begin);
  u32 start = entry + (preload ? kPreloadPrologue : 0);
  ASSIGN_OR_RETURN(Program program, DecodeProgram(CodeOf(kernel), start, kernel.object->target(), context));
  return std::make_shared<const Executable>(context, entry, std::move(program));
}

}  // namespace

std::span<const u8> CodeOf(const Kernel& kernel) {
  return {reinterpret_cast<const u8*>(kernel.code_begin), kernel.code_end - kernel.code_begin};
}

StatusOr<std::shared_ptr<const Executable>> GetExecutable(const Kernel& kernel) {
  std::lock_guard lock(kernel.decode_mutex);
  if (kernel.executable == nullptr) {
    ASSIGN_OR_RETURN(kernel.executable, Decode(kernel));
  }
  return kernel.executable;
}

StatusOr<std::shared_ptr<const Executable>> ExtendExecutable(const Kernel& kernel, u64 target) {
  if (target < kernel.code_begin || target >= kernel.code_end || target % 4 != 0) {
    return std::shared_ptr<const Executable>();
  }
  std::lock_guard lock(kernel.decode_mutex);
  const Executable& known = *kernel.executable;
  u32 pc = static_cast<u32>(target - kernel.code_begin);
  if (known.program.jump_targets.contains(pc)) return kernel.executable;  // another wave was faster
  ASSIGN_OR_RETURN(Program program,
                   ExtendProgram(known.program, CodeOf(kernel), pc, kernel.object->target(), known.context));
  kernel.executable = std::make_shared<const Executable>(known.context, known.entry, std::move(program));
  return kernel.executable;
}

}  // namespace rocxla::emu
