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
  return shape == Shape::kBranch || shape == Shape::kControl;
}

}  // namespace

// Instructions are counted where a block ends: by its branch, or by a code of its own where control falls into the next
// block.
ThreadedCode::ThreadedCode(const Program& program, Tracing tracing) {
  std::vector<bool> leader(program.code.size() + 1, false);
  for (const Micro& m : program.code) {
    if (Info(m.op).shape == Shape::kBranch) leader[m.target] = true;
  }
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
}

void ThreadedCode::Run(Wave& wave) const {
  const Code* ip = &code_[entry_[wave.pc]];
  wave.stop = Stop::kRunning;
  ip->run(ip, &wave, wave.Mask(kExec));
}

StatusOr<std::shared_ptr<const Executable>> GetExecutable(const Kernel& kernel) {
  namespace hsa = llvm::amdhsa;
  Status status;
  std::call_once(kernel.decode_once, [&] {
    auto executable = std::make_shared<Executable>();
    const GpuTarget& target = kernel.object->target();
    DecodeContext& context = executable->context;
    context.generation = target.generation;
    bool wave32 = (kernel.descriptor.code_properties & hsa::KERNEL_CODE_PROPERTY_ENABLE_WAVEFRONT_SIZE32) != 0;
    context.lanes = wave32 && !target.is_cdna() ? 32 : 64;
    context.entry = kernel.entry;
    context.float_mode = kernel.descriptor.rsrc1 >> hsa::COMPUTE_PGM_RSRC1_FLOAT_ROUND_MODE_32_SHIFT & 255;
    bool dx10 = (kernel.descriptor.rsrc1 & hsa::COMPUTE_PGM_RSRC1_GFX6_GFX11_ENABLE_DX10_CLAMP) != 0;
    context.dx10_clamp = dx10 || context.gfx12();
    executable->code_begin = kernel.entry;
    std::span<const u8> code(reinterpret_cast<const u8*>(kernel.entry), kernel.code_end - kernel.entry);
    // Code with preloaded arguments begins after 256 bytes that load them for older firmware.
    constexpr u32 kPreloadPrologue = 256;
    bool preload = (kernel.descriptor.kernarg_preload & hsa::KERNARG_PRELOAD_SPEC_LENGTH) != 0;
    auto program = DecodeProgram(code, preload ? kPreloadPrologue : 0, target, context);
    if (!program.ok()) {
      status = program.status();
      return;
    }
    executable->program = std::move(program).value();
    executable->code = std::make_unique<ThreadedCode>(executable->program, Tracing::kOff);
    kernel.executable = std::move(executable);
  });
  RETURN_IF_ERROR(status);
  if (kernel.executable == nullptr) return InternalError(fmt::format("kernel '{}' could not be decoded", kernel.name));
  return kernel.executable;
}

}  // namespace rocxla::emu
