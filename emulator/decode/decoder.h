// From a kernel's code to its program: follows the control flow from the entry and cracks what is reachable.
#pragma once
#include <span>
#include <string>

#include "base/status.h"
#include "emulator/decode/cracker.h"
#include "emulator/decode/program.h"

namespace rocxla::emu {

// Decodes what can be reached from pc `entry`; pcs count from `code.data()`. Where jumps through registers lead is not
// known before they run: see ExtendProgram. Bytes that are no instructions,
// and instructions that the tables lack, become x_fault micro-ops: they are errors only if a wave gets there. Padding
// and data are never decoded. Fails only if LLVM cannot be set up for the target.
StatusOr<Program> DecodeProgram(std::span<const u8> code, u32 entry, const GpuTarget& target,
                                const DecodeContext& context);

// `program` with what can be reached from pc `target_pc`, to which a jump leads, and was not decoded before. What was
// there keeps its place, so that waves may change from one to the other.
StatusOr<Program> ExtendProgram(const Program& program, std::span<const u8> code, u32 target_pc,
                                const GpuTarget& target, const DecodeContext& context);

// The instruction at `pc` as text; "(no instruction)" if there is none.
std::string Disassemble(std::span<const u8> code, u32 pc, const GpuTarget& target, int lanes);

}  // namespace rocxla::emu
