// What the interpreter asks of the rest of the program. C functions, because the interpreter is compiled once for each
// instruction set of the host, in a namespace of its own (see variants.h).
#pragma once
#include "emulator/isa/signature.h"

namespace rocxla::emu {

// One memory access of an instruction, after its bounds were checked and before it happens. What an instruction does in
// several steps (ds_read2, the elements of a buffer) comes in several, in order.
struct MemoryAccess {
  u32 micro = 0;  // index in Program::code
  Space space{};
  bool store = false;
  bool atomic = false;
  u32 bytes = 0;                   // of each lane
  u64 lanes = 0;                   // those that take part; scalar accesses: lane 0
  const u64* addresses = nullptr;  // host addresses, by lane
};

}  // namespace rocxla::emu

extern "C" {
// What of `memory` (an AddressSpace) kernels may access around the address, and whether they may write it. False if
// nothing.
bool rocxla_emu_find(const void* memory, rocxla::emu::u64 address, rocxla::emu::u64* begin, rocxla::emu::u64* end,
                     bool* writable);
// Where a jump to a device address goes on: a Code, or null where no jump has led yet. `jumps`: a JumpTable.
const void* rocxla_emu_find_code(const void* jumps, rocxla::emu::u64 address);
// Tells `observer` (an Observer) of an access of `wave` (a Wave); `access`: a MemoryAccess.
void rocxla_emu_notify(void* observer, const void* wave, const void* access);
}
