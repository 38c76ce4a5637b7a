// One encoding of every instruction form that a GPU has, made by LLVM: what coverage lists and tests walk over.
#pragma once
#include <string>
#include <vector>

#include "base/status.h"
#include "base/target/target.h"
#include "emulator/isa/types.h"

namespace rocxla::emu {

struct SampleEncoding {
  std::string opcode;     // LLVM's name of the form: V_ADD_F32_e64_gfx11
  std::vector<u8> bytes;  // not yet known to decode on the target
};

// An encoding of every opcode of LLVM's AMDGPU table, of all generations, as the target's encoder writes it. Registers
// are v8, v16, v24... or s8, s16... in the order of the operands, so that every operand can be told from the others;
// immediates and modifiers are `immediate`, cut to what the opcode accepts. Opcodes of other GPUs encode too: only what
// the target's decoder reads back exists there.
StatusOr<std::vector<SampleEncoding>> SampleEncodings(const GpuTarget& target, i64 immediate);

}  // namespace rocxla::emu
