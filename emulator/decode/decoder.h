// From a kernel's code to its program: follows the control flow from the entry and cracks what is reachable.
#pragma once
#include <span>
#include <string>

#include "base/status.h"
#include "emulator/decode/cracker.h"
#include "emulator/decode/program.h"

namespace rocxla::emu {

// Decodes the code that begins at `code[entry_offset]`; pcs count from `code.data()`. Bytes that are no instructions,
// and instructions that the tables lack, become x_fault micro-ops: they are errors only if a wave gets there. Padding
// and data are never decoded. Fails only if LLVM cannot be set up for the target.
StatusOr<Program> DecodeProgram(std::span<const u8> code, u32 entry_offset, const GpuTarget& target,
                                const DecodeContext& context);

// The instruction at `pc` as text; "(no instruction)" if there is none.
std::string Disassemble(std::span<const u8> code, u32 pc, const GpuTarget& target, int lanes);

}  // namespace rocxla::emu
