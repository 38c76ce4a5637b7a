// The state of one wave: a plain struct. Run(Wave&) starts at `pc`, ends at a stop, and leaves everything in here, so
// that an execution can continue by any means from any stop.
#pragma once
#include <cstddef>
#include <cstring>

#include "emulator/exec/address_space.h"
#include "emulator/isa/registers.h"
#include "emulator/isa/signature.h"

namespace rocxla::emu {

// The allocation that the accesses of one instruction last fell into.
struct Hit {
  u64 begin = 1, end = 0;
};
inline constexpr int kHits = 64;

enum class FaultKind : u8 { kNone, kOutOfBounds, kMisaligned, kSwizzledBuffer, kInstruction, kRegisterIndex };

// What made a wave stop with kFault; the instruction is at `pc`.
struct Fault {
  FaultKind kind = FaultKind::kNone;
  Space space{};
  bool store = false;
  u8 lane = 0;
  u32 bytes = 0;
  u64 address = 0;  // host address, or offset into LDS or scratch
};

struct Wave {  // control first, so that no operand has offset 0: 0 can mean "absent"
  u32 pc = 0;  // index of the next micro-op
  Stop stop = Stop::kRunning;
  bool gfx9 = false;  // some formats differ
  int lanes = 64;
  u64 executed = 0;  // instructions
  u32 branch = 0;    // the taken branch at which Run stopped with kPreempted
  u64 pause_at = 0;  // Run stops with kPreempted at a taken branch once `executed` reaches this
  u8* lds = nullptr;
  u32 lds_bytes = 0;
  u32 scratch_bytes = 0;  // per lane
  u8* scratch = nullptr;  // lane after lane
  const AddressSpace* memory = nullptr;
  const void* jumps = nullptr;  // the JumpTable of the code that runs
  u64 jump_address = 0;         // kUnknownCode: where the jump at `pc` leads
  void* observer = nullptr;     // an Observer that wants to know of memory accesses, or null
  u32 index = 0;                // within the workgroup
  u32 first_scalars = 0;        // SGPRs that hardware sets at the start
  Fault fault;
  Hit hit[kHits];
  alignas(64) u32 scalar[kScalars];
  alignas(64) u32 row[kRows][kRowLanes];

  u64 Mask(int s) const { return lanes == 64 ? u64{scalar[s + 1]} << 32 | scalar[s] : scalar[s]; }
};

inline constexpr u32 RowOffset(int r) { return offsetof(Wave, row) + r * kRowLanes * 4; }
inline constexpr u32 ScalarOffset(int s) { return offsetof(Wave, scalar) + s * 4; }
inline constexpr u64 FullExec(int lanes) { return lanes == 64 ? ~u64{0} : 0xffffffffu; }

}  // namespace rocxla::emu
