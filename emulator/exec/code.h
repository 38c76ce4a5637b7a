// Threaded code: what the interpreter runs. Each handler ends in a tail call to the next; EXEC travels in a register.
#pragma once
#include "emulator/decode/program.h"
#include "emulator/exec/wave.h"

namespace rocxla::emu {

struct Code;
using Handler = void(__attribute__((preserve_none)) *)(const Code*, Wave*, u64 exec);

struct alignas(64) Code {
  Handler run = nullptr;
  u32 dst[2] = {}, src[4] = {};  // byte offsets into Wave; 0: absent
  i32 imm[2] = {};
  const Code* target = nullptr;
  u32 weight = 0;   // instructions retired since the last count
  u32 micro = 0;    // index in Program::code
  u32 scalars = 0;  // bit i: source i is a scalar
};
static_assert(sizeof(Code) == 64);

// The handler of an operation of one table, chosen by operand kinds. One translation unit per table.
#define TABLE(name) Handler PickFrom_##name(const Micro& micro, int lanes);
#include "emulator/isa/tables.def"
#undef TABLE

// Handlers that are no operations.
Handler CountHandler();  // adds `weight` where control falls into a block
Handler StepHandler();   // stops before an instruction; for tracing

}  // namespace rocxla::emu
